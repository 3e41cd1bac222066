//! The unseen cards, dealt at random.

use crate::cards::{Card, CardSet, Stream};

use super::HoleRange;

/// The unseen cards. They are dealt one after the other, and gathered before the next deal.
#[derive(Clone)]
pub(crate) struct Stub {
    /// Dealt cards, then the remaining ones in any order; later entries are not part of the stub.
    cards: [Card; 52],
    count: usize,
    dealt: usize,
}

impl Stub {
    pub(crate) fn new(unseen: CardSet) -> Stub {
        let mut cards = Card::ALL;
        cards.iter_mut().zip(unseen).for_each(|(place, card)| *place = card);
        Stub { cards, count: unseen.len(), dealt: 0 }
    }

    #[inline]
    pub(crate) fn gather(&mut self) {
        self.dealt = 0;
    }

    /// Deals any card of those left, all alike.
    #[inline]
    pub(crate) fn draw(&mut self, rng: &mut Stream) -> Card {
        let at = self.any(rng);
        self.take(at)
    }

    /// Deals a hole card of a range by rejection: draws again as the weights have it, at most so many times.
    pub(crate) fn draw_by_trying(&mut self, range: &HoleRange, draws: u32, rng: &mut Stream) -> Card {
        let mut at = self.any(rng);
        for _ in 1..draws {
            if f64::from(rng.below(1 << 16)) < range.weight(self.cards[at]) * 65_536.0 {
                break;
            }
            at = self.any(rng);
        }
        self.take(at)
    }

    #[inline]
    fn any(&self, rng: &mut Stream) -> usize {
        self.dealt + rng.below((self.count - self.dealt) as u32) as usize
    }

    #[inline]
    fn take(&mut self, at: usize) -> Card {
        self.cards.swap(self.dealt, at);
        self.dealt += 1;
        self.cards[self.dealt - 1]
    }
}
