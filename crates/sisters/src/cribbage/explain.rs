//! The scoring combinations of a hand.
//!
//! Counts cards in the way of the documents, independently of the table behind [`hand_value`](super::hand_value), so
//! that tests can compare the two.

use casino_stud::cards::{Card, Rank};

use super::points::{pips, place};

/// The combinations of a hand that score.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Breakdown {
    /// Cards that add up to 15: 2 points each.
    pub fifteens: Vec<Vec<Card>>,
    /// Two cards of one rank: 2 points each.
    pub pairs: Vec<Vec<Card>>,
    /// The longest runs of three or more: 1 point for each card.
    pub runs: Vec<Vec<Card>>,
    /// The cards of one suit: the four of the hand, with the start card or without; 1 point for each.
    pub flush: Vec<Card>,
    /// The jack in hand of the start card's suit: 1 point.
    pub nob: Option<Card>,
}

impl Breakdown {
    /// Finds the combinations of four cards in hand and a start card, all different.
    pub fn of(hand: [Card; 4], start: Card) -> Breakdown {
        let [a, b, c, d] = hand;
        let all = [a, b, c, d, start];
        let mut combinations: Vec<Vec<Card>> = (1u32..1 << 5)
            .map(|subset| (0..5).filter(|at| subset >> at & 1 == 1).map(|at| all[at]).collect())
            .collect();
        combinations.sort_by_key(Vec::len);
        let of_kind = |wanted: &dyn Fn(&[Card]) -> bool| -> Vec<Vec<Card>> {
            combinations.iter().filter(|cards| wanted(cards)).cloned().collect()
        };
        let mut runs = of_kind(&is_run);
        let longest = runs.last().map_or(0, Vec::len);
        runs.retain(|run| run.len() == longest);
        let mut flush = Vec::new();
        if hand.iter().all(|card| card.suit() == a.suit()) {
            flush.extend(hand);
            flush.extend((start.suit() == a.suit()).then_some(start));
        }
        Breakdown {
            fifteens: of_kind(&|cards| cards.iter().map(|card| pips(card.rank())).sum::<u8>() == 15),
            pairs: of_kind(&|cards| matches!(cards, [a, b] if a.rank() == b.rank())),
            runs,
            flush,
            nob: hand.into_iter().find(|card| card.rank() == Rank::Jack && card.suit() == start.suit()),
        }
    }

    /// The points of each kind of combination.
    pub fn totals(&self) -> Totals {
        let count = |cards: usize| u32::try_from(cards).expect("five cards have few combinations");
        Totals {
            fifteens: 2 * count(self.fifteens.len()),
            pairs: 2 * count(self.pairs.len()),
            runs: count(self.runs.iter().map(Vec::len).sum()),
            flush: count(self.flush.len()),
            nob: u32::from(self.nob.is_some()),
        }
    }

    /// The hand's value in points.
    pub fn value(&self) -> u32 {
        self.totals().sum()
    }
}

/// Points by the kind of combination, for one hand or summed over many.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Totals {
    /// The points for fifteens.
    pub fifteens: u32,
    /// The points for pairs.
    pub pairs: u32,
    /// The points for runs.
    pub runs: u32,
    /// The points for flushes.
    pub flush: u32,
    /// The points for the jack of the start card's suit.
    pub nob: u32,
}

impl Totals {
    /// The sum of all points.
    pub fn sum(&self) -> u32 {
        self.fifteens + self.pairs + self.runs + self.flush + self.nob
    }
}

impl std::iter::Sum for Totals {
    fn sum<I: Iterator<Item = Totals>>(all: I) -> Totals {
        all.fold(Totals::default(), |sum, one| Totals {
            fifteens: sum.fifteens + one.fifteens,
            pairs: sum.pairs + one.pairs,
            runs: sum.runs + one.runs,
            flush: sum.flush + one.flush,
            nob: sum.nob + one.nob,
        })
    }
}

fn is_run(cards: &[Card]) -> bool {
    let mut places: Vec<usize> = cards.iter().map(|card| place(card.rank())).collect();
    places.sort_unstable();
    places.len() >= 3 && places.windows(2).all(|pair| pair[0] + 1 == pair[1])
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::cribbage::{hand_value, read_cards};
    use casino_stud::cards::{Stream, Suit, notation};

    fn of(cards: &str) -> Breakdown {
        let cards = read_cards(cards).unwrap();
        Breakdown::of(cards[..4].try_into().unwrap(), cards[4])
    }

    #[test]
    fn the_documents_explanations() {
        let found = of("5H 5S 5C JD 5D");
        assert_eq!((found.fifteens.len(), found.pairs.len(), found.runs.len()), (8, 6, 0));
        assert_eq!(found.nob.map(|card| card.to_string()).as_deref(), Some("JD"));
        let found = of("7H 9S 8C 7C 8H");
        assert_eq!((found.fifteens.len(), found.pairs.len(), found.runs.len()), (4, 2, 4));
        let found = of("6C 7C 8C 9C 8S");
        assert_eq!((found.fifteens.len(), found.pairs.len(), found.runs.len()), (3, 1, 2));
        assert_eq!(notation::list(&found.flush), "6C 7C 8C 9C");
        let found = of("AS 3H KH 7H 2D");
        assert_eq!(notation::list(&found.fifteens[0]), "3H KH 2D");
        assert_eq!(notation::list(&found.runs[0]), "AS 3H 2D");
    }

    /// Every choice of five ranks, and hands drawn from a fixed stream. A slow test compares all 12,994,800.
    #[test]
    fn the_explanation_and_the_lookup_agree() {
        let mut stream: Stream = casino_stud::cards::Seed::chosen("explain").stream("test");
        for _ in 0..20_000 {
            let mut cards = Card::ALL;
            stream.shuffle(&mut cards);
            let [a, b, c, d, start, ..] = cards;
            assert_eq!(
                Breakdown::of([a, b, c, d], start).value(),
                u32::from(hand_value([a, b, c, d], start))
            );
        }
        for code in 0..13_usize.pow(5) {
            let ranks = [0, 1, 2, 3, 4].map(|at| code / 13_usize.pow(at) % 13);
            if !ranks.is_sorted() || ranks[0] == ranks[4] {
                continue;
            }
            // Neighbours differ in suit, so equal ranks become different cards.
            let card = |at: usize| Card::new(Rank::ALL[ranks[at]], Suit::ALL[at % 4]);
            let (hand, start) = ([card(0), card(1), card(2), card(3)], card(4));
            let counted = Breakdown::of(hand, start).value();
            assert_eq!(counted, u32::from(hand_value(hand, start)), "{hand:?} {start}");
        }
    }
}
