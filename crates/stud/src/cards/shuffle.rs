//! The deck that a seed gives for a table and a round.

use std::fmt;

use super::deck_words::{DeckWords, WORDS};
use super::stream::{below, below_by};
use super::{Card, CardSet};

/// A deck of 52 cards, top card first.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Deck([Card; 52]);

impl Deck {
    /// The deck in this order, top card first.
    pub fn stacked(cards: [Card; 52]) -> Result<Deck, DuplicateCard> {
        Deck::beginning_with(&cards)
    }

    /// A deck with these cards on top, and under them the others in the order of [`Card::ALL`].
    pub fn beginning_with(top: &[Card]) -> Result<Deck, DuplicateCard> {
        let mut seen = CardSet::default();
        if let Some(twice) = top.iter().find(|card| !seen.insert(**card)) {
            return Err(DuplicateCard(*twice));
        }
        let mut cards = Card::ALL;
        let all = top.iter().copied().chain(seen.others());
        cards.iter_mut().zip(all).for_each(|(place, card)| *place = card);
        Ok(Deck(cards))
    }

    /// The cards, top card first.
    pub fn cards(&self) -> &[Card; 52] {
        &self.0
    }
}

/// The error of a deck in which a card is twice.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
#[error("{0} is in the deck twice")]
pub struct DuplicateCard(pub Card);

/// Makes the decks of one table. A deck depends on the seed, the table and the round, and on nothing else (R3).
#[derive(Clone)]
pub struct Shuffler {
    table: u32,
    words: DeckWords,
    deck: Deck,
}

impl Shuffler {
    pub(super) fn new(key: [u8; 32], table: u32) -> Shuffler {
        Shuffler { table, words: DeckWords::new(key, table), deck: Deck(Card::ALL) }
    }

    /// The deck of a round, numbered from 1. Only the first `needed` cards, at most 52, are sure to be
    /// those of the round's deck; the others are still there, in some order.
    #[inline]
    pub fn deck(&mut self, round: u64, needed: usize) -> &Deck {
        // The last card of 52 has no choice left, so a full deck takes 51 draws.
        let draws = needed.min(51);
        if shuffle(&mut self.deck.0, self.words.of_round(round, draws)).is_none() {
            self.shuffle_by_all_words(round, draws);
        }
        &self.deck
    }

    /// The deck that [`Shuffler::deck`] made last, as it made it.
    #[inline]
    pub fn last(&self) -> &Deck {
        &self.deck
    }

    /// Shuffles although words are passed over, which happens once in some million rounds.
    #[cold]
    fn shuffle_by_all_words(&mut self, round: u64, draws: usize) {
        let mut words = self.words.of_round(round, WORDS).iter();
        self.deck.0 = Card::ALL;
        for at in 0..draws {
            let word = || *words.next().expect("14 of 64 words are passed over once in 10^100 rounds");
            self.deck.0.swap(at, at + below(52 - at as u32, word) as usize);
        }
    }
}

/// Shuffles the first places of a deck with one word for each; `None` if a word has to be passed over.
#[inline]
fn shuffle(cards: &mut [Card; 52], words: &[u32]) -> Option<()> {
    *cards = Card::ALL;
    for (at, word) in words.iter().enumerate() {
        let ahead = below_by(*word, 52 - at as u32)?;
        cards.swap(at, at + ahead as usize);
    }
    Some(())
}

/// Leaves out the key and the deck: in a log they would reveal hole cards.
impl fmt::Debug for Shuffler {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Shuffler").field("table", &self.table).finish_non_exhaustive()
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::cards::{Seed, notation};

    /// The vectors of `docs/deal.md`.
    #[test]
    fn test_vectors() {
        let page = include_str!("../../../../docs/deal.md");
        let (_, table) = page.split_once("## Test vectors").expect("the page has vectors");
        let mut vectors = 0;
        for line in table.lines().filter(|line| line.starts_with("| `")) {
            let fields: Vec<&str> = line.split('|').map(|field| field.trim().trim_matches('`')).collect();
            let [_, seed, table, round, cards, _] = fields[..] else {
                panic!("a vector has four fields: {line}")
            };
            let mut shuffler = Seed::chosen(seed).shuffler(table.parse().unwrap());
            let deck = shuffler.deck(round.parse().unwrap(), 52);
            assert_eq!(notation::list(deck.cards()), cards, "{seed} {table} {round}");
            vectors += 1;
        }
        assert_eq!(vectors, 4);
    }

    #[test]
    fn both_ways_of_shuffling_give_the_same_deck() {
        for (seed, table) in [("casino", 1), ("monday", 2), ("", 166), ("Überraschung", u32::MAX)] {
            let (mut quick, mut plain) =
                (Seed::chosen(seed).shuffler(table), Seed::chosen(seed).shuffler(table));
            for round in (0..300).chain((1 << 30) - 9..(1 << 30) + 9).chain(u64::MAX / 4 - 9..u64::MAX / 4) {
                for draws in [51, 6, 18] {
                    plain.shuffle_by_all_words(round, draws);
                    assert_eq!(quick.deck(round, draws), &plain.deck, "{seed} {table} {round} {draws}");
                }
            }
        }
    }

    /// Rounds that were searched for: the word for this place is passed over.
    #[test]
    fn both_ways_of_shuffling_pass_over_the_same_words() {
        let (mut quick, mut plain) =
            (Seed::chosen("passed over").shuffler(1), Seed::chosen("passed over").shuffler(1));
        for (round, place) in [(2_134_775, 27), (11_871_457, 2), (29_701_607, 0), (34_963_456, 7)] {
            let taken =
                |words: &mut DeckWords, draws| shuffle(&mut [Card::ALL[0]; 52], words.of_round(round, draws));
            assert_eq!(
                (taken(&mut quick.words, place), taken(&mut quick.words, place + 1)),
                (Some(()), None)
            );
            for draws in [51, place + 1, place] {
                plain.shuffle_by_all_words(round, draws);
                assert_eq!(quick.deck(round, draws), &plain.deck, "{round} {draws}");
            }
        }
    }

    #[test]
    fn debug_output_of_a_shuffler_hides_its_decks() {
        let mut shuffler = Seed::chosen("hush").shuffler(7);
        shuffler.deck(1, 52);
        assert_eq!(format!("{shuffler:?}"), "Shuffler { table: 7, .. }");
    }

    #[test]
    fn decks_do_not_depend_on_the_card_count_or_earlier_deals() {
        let seed = Seed::chosen("prefix");
        let mut used = seed.shuffler(3);
        for round in [5, 1, 2, 1_000_000] {
            let full = seed.shuffler(3).deck(round, 52).clone();
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
