//! The value of a hand with its start card, and how often each value occurs.

use casino_stud::cards::{Card, Rank, Suit};

use super::points::{PointsTable, table};

/// The value of four cards in hand with a start card, in points: fifteens, pairs, runs, flush and his nob.
/// The five cards must be different, or the result means nothing.
#[inline]
pub fn hand_value(hand: [Card; 4], start: Card) -> u8 {
    CribbageHand::new(hand).value(start)
}

/// Four cards in hand, prepared for being valued with many start cards.
///
/// ```
/// use casino_stud::cards::Card;
/// use casino_sisters::cribbage::CribbageHand;
///
/// let cards: Vec<Card> = ["5H", "5S", "5C", "JD"].iter().map(|card| card.parse().unwrap()).collect();
/// let hand = CribbageHand::new([cards[0], cards[1], cards[2], cards[3]]);
/// assert_eq!(hand.value("5D".parse()?), 29);
/// assert_eq!(hand.value("2C".parse()?), 14);
/// # Ok::<(), casino_stud::cards::ParseCardError>(())
/// ```
#[derive(Clone, Copy)]
pub struct CribbageHand {
    table: &'static PointsTable,
    row: u16,
    /// The suit, if all four cards have the same.
    flush: Option<Suit>,
    /// A bit for the suit of each jack.
    jacks: u8,
}

impl CribbageHand {
    /// Prepares four different cards.
    #[inline]
    pub fn new(cards: [Card; 4]) -> CribbageHand {
        let table = table();
        let suit = cards[0].suit();
        let flush = cards.iter().all(|card| card.suit() == suit).then_some(suit);
        let jacks = cards
            .iter()
            .fold(0, |jacks, card| jacks | u8::from(card.rank() == Rank::Jack) << card.suit().index());
        CribbageHand { table, row: table.row(cards.map(Card::rank)), flush, jacks }
    }

    /// The hand's value in points with this start card, which must not be one of its four.
    #[inline]
    pub fn value(&self, start: Card) -> u8 {
        let flush = match self.flush {
            Some(suit) => 4 + u8::from(suit == start.suit()),
            None => 0,
        };
        let nob = self.jacks >> start.suit().index() & 1;
        self.table.points(self.row, start.rank()) + flush + nob
    }

    /// The sum of the values with every start card that is not among the cards dealt. The hand is part of the cards
    /// dealt, and `suits` has their number by suit.
    #[inline]
    pub(super) fn total(&self, dealt: &[Card], suits: &[u8; 4]) -> u32 {
        let starts_of = |suit: usize| 13 - u32::from(suits[suit]);
        let gone: u32 = dealt.iter().map(|card| u32::from(self.table.points(self.row, card.rank()))).sum();
        let ranks = u32::from(self.table.sum(self.row)) - gone;
        let flush = match self.flush {
            Some(suit) => 4 * (52 - dealt.len() as u32) + starts_of(suit.index()),
            None => 0,
        };
        let nobs: u32 = (0..4).map(|suit| u32::from(self.jacks >> suit & 1) * starts_of(suit)).sum();
        ranks + flush + nobs
    }
}

/// How many of the 12,994,800 combinations of four cards in hand and a start card have each value, 0 to 29.
pub fn distribution() -> [u64; 30] {
    let mut counts = [0; 30];
    for a in 0..52 {
        for b in a + 1..52 {
            for c in b + 1..52 {
                for d in c + 1..52 {
                    let hand = CribbageHand::new([Card::ALL[a], Card::ALL[b], Card::ALL[c], Card::ALL[d]]);
                    let mut from = 0;
                    // The starts are the stretches between the four cards.
                    for until in [a, b, c, d, 52] {
                        for start in &Card::ALL[from..until] {
                            counts[usize::from(hand.value(*start))] += 1;
                        }
                        from = until + 1;
                    }
                }
            }
        }
    }
    counts
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::cribbage::read_cards;

    fn value(cards: &str) -> u8 {
        let cards = read_cards(cards).unwrap();
        hand_value(cards[..4].try_into().unwrap(), cards[4])
    }

    #[test]
    fn the_documents_examples() {
        assert_eq!(value("7C QH 2C JC 9H"), 0);
        assert_eq!(value("AS 3H KH 7H KS"), 2);
        assert_eq!(value("AS 3H KH 7H 2D"), 5);
        assert_eq!(value("2S 3H KH 3S 4H"), 12);
        assert_eq!(value("6C 7C 8C 9C 8S"), 20);
        assert_eq!(value("7H 9S 8C 7C 8H"), 24);
        assert_eq!(value("5H 5S 5C JD 5D"), 29);
        assert_eq!(value("2C 3D 5H 10S KC"), 8);
        assert_eq!(value("2C 6D 8H 9S 7C"), 4 + 6);
    }

    #[test]
    fn flushes_and_nobs() {
        assert_eq!(value("2H 4H 6H 8H KS"), 4);
        assert_eq!(value("2H 4H 6H 8H KH"), 5);
        // Three of the hand and the start card are not a flush.
        assert_eq!(value("2H 4H 6H 8S KH"), 0);
        assert_eq!(value("JH 2S 4D 8C 6H"), 1);
        // A jack as start card does not score for nobs.
        assert_eq!(value("2H 4H 6S 8C JH"), 0);
    }

    #[test]
    fn runs_do_not_wrap_and_pairs_outside_count_once() {
        assert_eq!(value("QH KS AD 6C 8H"), 2);
        assert_eq!(value("QH KS AD 2C 9H"), 0);
        assert_eq!(value("AH 2S 3D 8C 8H"), 3 + 2);
        assert_eq!(value("3H 4S 5D KC KH"), 3 + 2 + 4);
    }

    /// The published counts; their points add up to the published 61,974,180.
    #[test]
    fn all_hands_have_the_published_distribution() {
        let counts = distribution();
        let points: u64 = counts.iter().zip(0..).map(|(count, value)| count * value).sum();
        assert_eq!(points, 61_974_180);
        assert_eq!(
            counts,
            [
                1_009_008, 99_792, 2_813_796, 505_008, 2_855_676, 697_508, 1_800_268, 751_324, 1_137_236,
                361_224, 388_740, 51_680, 317_340, 19_656, 90_100, 9_168, 58_248, 11_196, 2_708, 0, 8_068,
                2_496, 444, 356, 3_680, 0, 0, 0, 76, 4
            ]
        );
    }
}
