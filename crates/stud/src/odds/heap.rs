//! The cards that nobody has shown, dealt at random.

use crate::cards::{Card, CardSet, Stream};

use super::HoleRange;

/// The cards that nobody has shown. They are dealt one after the other, and gathered before the next deal.
#[derive(Clone)]
pub(crate) struct Heap {
    /// Those that are dealt, then those that are left, in any order; what comes after them is not in the heap.
    cards: [Card; 52],
    count: usize,
    dealt: usize,
}

impl Heap {
    pub(crate) fn new(unseen: CardSet) -> Heap {
        let mut cards = Card::ALL;
        cards.iter_mut().zip(unseen).for_each(|(place, card)| *place = card);
        Heap { cards, count: unseen.len(), dealt: 0 }
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

    /// Deals a hole card of a range by its weights, exactly. What the cards left weigh together is returned with it: it is how
    /// much more or less often a deal with this range should have come, so a deal counts the product of all of these.
    pub(super) fn draw_by_weight(&mut self, range: &HoleRange, rng: &mut Stream) -> (Card, f64) {
        let left = self.dealt..self.count;
        let total: f64 = self.cards[left.clone()].iter().map(|card| range.weight(*card)).sum();
        // 52 random bits, as many as a number below 1 holds.
        let random = f64::from(rng.below(1 << 26)) + f64::from(rng.below(1 << 26)) / f64::from(1 << 26);
        let mut rest = random / f64::from(1 << 26) * total;
        let mut drawn = self.dealt;
        for place in left {
            let weight = range.weight(self.cards[place]);
            if weight > 0.0 {
                drawn = place;
                if rest < weight {
                    break;
                }
                rest -= weight;
            }
        }
        (self.take(drawn), total)
    }

    /// Deals a hole card of a range quickly: any card is drawn, and drawn again as its weight has it, so many times at most.
    /// That takes no sums and no weights of deals, but after that many draws any card will do.
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
