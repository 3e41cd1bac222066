//! Random deals of the cards that are unknown.

use crate::cards::{CardSet, Stream};
use crate::stud::{MAX_SEATS, Seat, Strength, Winners};

use super::PublicHand;
use super::stub::Stub;

/// Deals the unknown cards at random, as often as one likes.
pub(super) struct StubDealer<'a> {
    players: Vec<PublicHand<'a>>,
    stub: Stub,
}

impl<'a> StubDealer<'a> {
    pub(super) fn new(players: Vec<PublicHand<'a>>, unseen: CardSet) -> StubDealer<'a> {
        assert!(players.len() <= MAX_SEATS, "a table has {MAX_SEATS} seats");
        StubDealer { players, stub: Stub::new(unseen) }
    }

    /// How many cards are drawn for a deal.
    pub(super) fn drawn(&self) -> usize {
        self.players.iter().map(PublicHand::missing).sum()
    }

    /// Deals once: to each player in turn the hole card, if it is still unknown, and the second up card. The players are the first
    /// seats, in their order.
    #[inline]
    pub(super) fn deal(&mut self, rng: &mut Stream) -> Winners {
        self.stub.gather();
        let mut winners = Winners::default();
        for (player, hand) in self.players.iter().enumerate() {
            let hole = hand.hole.unwrap_or_else(|| self.stub.draw(rng));
            let second = hand.up.get(1).copied().unwrap_or_else(|| self.stub.draw(rng));
            winners.add(Seat::new(player), hole, Strength::of([hole, hand.up[0], second]));
        }
        winners
    }
}
