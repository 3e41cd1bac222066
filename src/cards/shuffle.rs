//! The deck that a seed gives for a table and a round.

use std::fmt;

use rand_chacha::ChaCha12Rng;
use rand_chacha::rand_core::Rng;

use super::Card;
use super::stream::below;

/// How many words of the table's stream belong to one round. A deck takes 51; the rest are there for the
/// words that [`below`] passes over.
const WORDS_PER_ROUND: u128 = 64;

/// A deck of 52 cards, top card first.
///
/// ```
/// # extern crate casino_core as casino_day;
/// use casino_day::cards::{Card, Deck};
///
/// let deck = Deck::stacked(Card::ALL)?;
/// assert_eq!(deck.cards()[0].to_string(), "2C");
///
/// let mut doubled = Card::ALL;
/// doubled[1] = doubled[0];
/// assert_eq!(Deck::stacked(doubled).unwrap_err().to_string(), "2C is in the deck twice");
/// # Ok::<(), casino_day::cards::DuplicateCard>(())
/// ```
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Deck([Card; 52]);

impl Deck {
    /// The deck in this order, top card first.
    ///
    /// # Errors
    /// [`DuplicateCard`] with the first card that is there twice.
    pub fn stacked(cards: [Card; 52]) -> Result<Deck, DuplicateCard> {
        let mut seen = [false; 52];
        for card in cards {
            if std::mem::replace(&mut seen[card.index()], true) {
                return Err(DuplicateCard(card));
            }
        }
        Ok(Deck(cards))
    }

    /// The cards, top card first.
    pub fn cards(&self) -> &[Card; 52] {
        &self.0
    }
}

/// The error of a deck in which a card is twice.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct DuplicateCard(pub Card);

impl fmt::Display for DuplicateCard {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{} is in the deck twice", self.0)
    }
}

impl std::error::Error for DuplicateCard {}

/// Makes the decks of one table. A deck depends on the seed, the table and the round, and on nothing else (R3).
///
/// ```
/// # extern crate casino_core as casino_day;
/// use casino_day::cards::Seed;
///
/// let mut shuffler = Seed::chosen("monday").shuffler(1);
/// let (first, second) = (shuffler.deck(1, 52), shuffler.deck(2, 52));
/// assert_ne!(first, second);
/// // Decks may be made in any order.
/// assert_eq!(shuffler.deck(1, 52), first);
/// ```
#[derive(Clone, Debug)]
pub struct Shuffler {
    words: ChaCha12Rng,
}

impl Shuffler {
    pub(super) fn new(mut words: ChaCha12Rng, table: u32) -> Shuffler {
        words.set_stream(u64::from(table));
        Shuffler { words }
    }

    /// The deck of a round, numbered from 1. Only the first `needed` cards, at most 52, are sure to be
    /// those of the round's deck; the others are still there, in some order.
    pub fn deck(&mut self, round: u64, needed: usize) -> Deck {
        self.words.set_word_pos(u128::from(round) * WORDS_PER_ROUND);
        let mut cards = Card::ALL;
        // The last card of 52 has no choice left, so a full deck takes 51 draws.
        for at in 0..needed.min(51) {
            let left = 52 - at as u32;
            cards.swap(at, at + below(left, || self.words.next_u32()) as usize);
        }
        Deck(cards)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::cards::{Seed, notation};

    /// The vectors of `docs/deal.md`.
    #[test]
    fn test_vectors() {
        let page = include_str!("../../docs/deal.md");
        let (_, table) = page.split_once("## Test vectors").expect("the page has vectors");
        let mut vectors = 0;
        for line in table.lines().filter(|line| line.starts_with("| `")) {
            let fields: Vec<&str> = line.split('|').map(|field| field.trim().trim_matches('`')).collect();
            let [_, seed, table, round, cards, _] = fields[..] else {
                panic!("a vector has four fields: {line}")
            };
            let deck = Seed::chosen(seed).shuffler(table.parse().unwrap()).deck(round.parse().unwrap(), 52);
            assert_eq!(notation::list(deck.cards()), cards, "{seed} {table} {round}");
            vectors += 1;
        }
        assert_eq!(vectors, 4);
    }

    #[test]
    fn the_first_cards_do_not_depend_on_how_many_are_needed_or_what_was_dealt_before() {
        let seed = Seed::chosen("prefix");
        let mut used = seed.shuffler(3);
        for round in [5, 1, 2, 1_000_000] {
            let full = seed.shuffler(3).deck(round, 52);
            for needed in 0..=52 {
                assert_eq!(used.deck(round, needed).cards()[..needed], full.cards()[..needed]);
            }
        }
    }

    #[test]
    fn every_deck_has_every_card_and_rounds_and_tables_differ() {
        let seed = Seed::chosen("all there");
        let mut decks = std::collections::BTreeSet::new();
        for table in 1..=10 {
            let mut shuffler = seed.shuffler(table);
            for round in 1..=100 {
                let deck = shuffler.deck(round, 52);
                assert_eq!(Deck::stacked(*deck.cards()), Ok(deck.clone()));
                decks.insert(*deck.cards());
            }
        }
        assert_eq!(decks.len(), 1_000);
    }

    #[test]
    fn a_deck_with_a_card_twice_is_refused() {
        let mut cards = Card::ALL;
        cards[7] = cards[20];
        assert_eq!(Deck::stacked(cards), Err(DuplicateCard(cards[20])));
    }

    /// Each card lies in each of the first places about equally often: chi-squared with 51 degrees of
    /// freedom stays under 110 (p < 10^-5) for the fixed seed.
    #[test]
    fn no_place_favours_a_card() {
        let mut shuffler = Seed::chosen("uniform").shuffler(1);
        let mut counts = vec![[0u32; 52]; 51];
        let rounds = 52_000;
        for round in 1..=rounds {
            for (place, card) in shuffler.deck(round, 51).cards().iter().take(51).enumerate() {
                counts[place][card.index()] += 1;
            }
        }
        let expected = rounds as f64 / 52.0;
        for place in counts {
            let chi: f64 = place.iter().map(|n| (f64::from(*n) - expected).powi(2) / expected).sum();
            assert!(chi < 110.0, "{chi}");
        }
    }
}
