//! Random deals of the cards that are unknown.

use crate::cards::{CardSet, Stream};
use crate::stud::{MAX_SEATS, Seat, Strength, Winners};

use super::heap::Heap;
use super::{HoleRange, PublicHand};

/// Deals the unknown cards at random, as often as one likes.
pub(super) struct Dealer<'a> {
    players: Vec<PublicHand<'a>>,
    /// The players whose hole card is drawn by weight.
    ranges: Vec<(usize, &'a HoleRange)>,
    heap: Heap,
}

#[derive(Clone, Copy)]
pub(super) struct Deal {
    /// The players are the first seats, in their order.
    pub(super) winners: Winners,
    /// How much the deal counts: 1 without ranges.
    pub(super) weight: f64,
}

impl<'a> Dealer<'a> {
    /// A dealer of these unseen cards. Players with ranges are named with them, in ascending order.
    pub(super) fn new(
        players: Vec<PublicHand<'a>>,
        ranges: Vec<(usize, &'a HoleRange)>,
        unseen: CardSet,
    ) -> Dealer<'a> {
        assert!(players.len() <= MAX_SEATS, "a table has {MAX_SEATS} seats");
        Dealer { players, ranges, heap: Heap::new(unseen) }
    }

    /// How many cards are drawn for a deal.
    pub(super) fn drawn(&self) -> usize {
        self.players.iter().map(PublicHand::missing).sum()
    }

    /// Deals once: the hole cards that are drawn by weight, and then to each player in turn the hole card, if it is still
    /// unknown, and the second up card.
    #[inline]
    pub(super) fn deal(&mut self, rng: &mut Stream) -> Deal {
        self.heap.gather();
        let (mut weight, mut weighed) = (1.0, [None; MAX_SEATS]);
        for (player, range) in &self.ranges {
            let (hole, total) = self.heap.draw_by_weight(range, rng);
            weighed[*player] = Some(hole);
            weight *= total;
        }
        let mut winners = Winners::default();
        for (player, hand) in self.players.iter().enumerate() {
            let hole = hand.hole.or(weighed[player]).unwrap_or_else(|| self.heap.draw(rng));
            let second = hand.up.get(1).copied().unwrap_or_else(|| self.heap.draw(rng));
            winners.add(Seat::new(player), hole, Strength::of([hole, hand.up[0], second]));
        }
        Deal { winners, weight }
    }
}
