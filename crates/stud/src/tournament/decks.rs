//! Where the cards of a table come from.

use std::collections::BTreeMap;

use crate::cards::{Card, Deck, Seed, Shuffler};
use crate::stud::{Seat, SeatSet};

/// One of the three cards of a player (R4).
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Slot {
    /// The card in the hole, face down.
    Hole,
    /// The first up card.
    Up,
    /// The second up card.
    Second,
}

impl Slot {
    /// All three, in the order they are dealt in.
    pub const ALL: [Slot; 3] = [Slot::Hole, Slot::Up, Slot::Second];
}

/// The decks of one table, a deck for each round: shuffled from the seed (R3), with single cards put where
/// [`Decks::place`] puts them. The order of all other cards still comes from the seed.
#[derive(Clone, Debug)]
pub struct Decks {
    shuffler: Shuffler,
    /// The round whose deck all rounds have, if they have the same.
    same: Option<u64>,
    placed: BTreeMap<u64, Vec<Placed>>,
    /// The last deck in which cards were placed.
    stacked: Option<Deck>,
}

#[derive(Clone, Copy, Debug)]
struct Placed {
    seat: Seat,
    slot: Slot,
    card: Card,
}

/// Why a card cannot be put there, in a sentence.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error("{0}")]
pub struct PlaceError(String);

impl Decks {
    /// The decks of a table, numbered from 1, as the seed shuffles them.
    pub fn shuffled(seed: &Seed, table: u32) -> Decks {
        Decks { shuffler: seed.shuffler(table), same: None, placed: BTreeMap::new(), stacked: None }
    }

    /// The deck of this round, numbered from 1, for every round.
    pub(super) fn always(self, round: u64) -> Decks {
        Decks { same: Some(round), ..self }
    }

    /// Puts a card where a player gets it in a round, numbered from 1. A player who is not dealt in then gets
    /// none.
    pub fn place(&mut self, round: u64, seat: Seat, slot: Slot, card: Card) -> Result<(), PlaceError> {
        let placed = self.placed.entry(round).or_default();
        if placed.iter().any(|other| other.card == card) {
            return Err(PlaceError(format!("{card} is dealt twice in this round")));
        }
        if let Some(other) = placed.iter().find(|other| (other.seat, other.slot) == (seat, slot)) {
            return Err(PlaceError(format!("{} is dealt to this place already", other.card)));
        }
        placed.push(Placed { seat, slot, card });
        Ok(())
    }

    /// The deck of a round for these seats. Only the cards they get are sure to be those of the round's deck.
    #[inline]
    pub(super) fn deck(&mut self, round: u64, seats: SeatSet) -> &Deck {
        if self.placed.is_empty() {
            return self.shuffler.deck(self.same.unwrap_or(round), 3 * seats.len());
        }
        self.stacked(round, seats)
    }

    #[cold]
    fn stacked(&mut self, round: u64, seats: SeatSet) -> &Deck {
        let mut cards = *self.shuffler.deck(round, 52).cards();
        for Placed { seat, slot, card } in self.placed.get(&round).into_iter().flatten() {
            let Some(at) = seats.into_iter().position(|dealt_in| dealt_in == *seat) else { continue };
            let from = cards.iter().position(|other| other == card).expect("a deck has every card");
            // The card that lay there takes the other's place: no card placed before is moved, since it has
            // another place and is another card.
            cards.swap(from, *slot as usize * seats.len() + at);
        }
        self.stacked.insert(Deck::stacked(cards).expect("exchanging cards makes none twice"))
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    fn seats(indexes: &[usize]) -> SeatSet {
        indexes.iter().map(|index| Seat::new(*index)).collect()
    }

    #[test]
    fn nothing_placed_is_the_shuffled_deck() {
        let seed = Seed::chosen("plain");
        let mut decks = Decks::shuffled(&seed, 1);
        let dealt = decks.deck(7, seats(&[0, 2, 5]));
        assert_eq!(dealt.cards()[..9], seed.shuffler(1).deck(7, 52).cards()[..9]);
    }

    #[test]
    fn a_card_and_a_place_are_given_once_a_round() {
        let mut decks = Decks::shuffled(&Seed::chosen("twice"), 1);
        let (ace, king) = ("AS".parse().unwrap(), "KS".parse().unwrap());
        assert_eq!(decks.place(1, Seat::new(0), Slot::Hole, ace), Ok(()));
        for (seat, slot, card, why) in [
            (1, Slot::Up, ace, "AS is dealt twice in this round"),
            (0, Slot::Hole, king, "AS is dealt to this place already"),
        ] {
            assert_eq!(decks.place(1, Seat::new(seat), slot, card).unwrap_err().to_string(), why);
        }
        assert_eq!(decks.place(2, Seat::new(1), Slot::Up, ace), Ok(()));
    }

    proptest! {
        /// Any cards at any places, for any players dealt in: each lies there, and the deck is a whole one.
        #[test]
        fn every_card_lies_where_it_was_put(
            seed in any::<u64>(), mask in 0..1u32 << 17, wishes in prop::collection::vec((0..17usize, 0..3usize, 0..52usize), 0..51),
        ) {
            let dealt_in: SeatSet = (0..17).filter(|seat| mask >> seat & 1 == 1).map(Seat::new).collect();
            let mut decks = Decks::shuffled(&Seed::chosen(seed.to_string()), 1);
            let mut kept = Vec::new();
            for (seat, slot, card) in wishes {
                let wish = (Seat::new(seat), Slot::ALL[slot], Card::ALL[card]);
                if decks.place(3, wish.0, wish.1, wish.2).is_ok() {
                    kept.push(wish);
                }
            }
            let deck = decks.deck(3, dealt_in);
            for (seat, slot, card) in kept {
                if let Some(at) = dealt_in.into_iter().position(|other| other == seat) {
                    prop_assert_eq!(deck.cards()[slot as usize * dealt_in.len() + at], card);
                }
            }
        }
    }
}
