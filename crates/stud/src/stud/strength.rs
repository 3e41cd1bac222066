//! The strength of three cards (R10; "Card Play" in the course's document).

use std::fmt;

use crate::cards::{Card, Rank, Suit};

/// The kind of hand that three cards make, weakest first.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Category {
    /// Three cards of different ranks.
    HighCard,
    /// Two cards of the same rank.
    Pair,
    /// Three cards of the same rank.
    Trips,
}

/// The strength of three cards. The greater one wins and equal ones split the pot; suits never count.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Strength(u16);

const RANKS: u16 = 13;
const FIRST_PAIR: u16 = RANKS * RANKS * RANKS;
const FIRST_TRIPS: u16 = FIRST_PAIR + RANKS * RANKS;

/// The strength of every triple of ranks, in any order: there are only 455 different ones, so a look-up in
/// these 4 KiB beats counting ranks at every showdown.
static BY_RANKS: [u16; FIRST_PAIR as usize] = {
    let mut table = [0; FIRST_PAIR as usize];
    let mut index = 0;
    while index < FIRST_PAIR {
        table[index as usize] = classify(index / (RANKS * RANKS), index / RANKS % RANKS, index % RANKS);
        index += 1;
    }
    table
};

const fn classify(a: u16, b: u16, c: u16) -> u16 {
    if a == b && b == c {
        FIRST_TRIPS + a
    } else if a == b {
        FIRST_PAIR + a * RANKS + c
    } else if a == c {
        FIRST_PAIR + a * RANKS + b
    } else if b == c {
        FIRST_PAIR + b * RANKS + a
    } else {
        // Three different bits, of which the highest and the lowest stand for the highest and the lowest rank.
        let ranks: u16 = (1 << a) + (1 << b) + (1 << c);
        let (high, low) = (ranks.ilog2() as u16, ranks.trailing_zeros() as u16);
        (high * RANKS + (a + b + c - high - low)) * RANKS + low
    }
}

impl Strength {
    /// Less than that of any hand.
    pub(super) const NONE: Strength = Strength(0);

    /// The strength of these three cards, in any order.
    #[inline]
    pub fn of(hand: [Card; 3]) -> Strength {
        // The indexes of the ranks, read from the cards' own, because cards are in the order of their ranks.
        Strength::of_ranks(hand.map(|card| card.index() / Suit::ALL.len()))
    }

    /// The strength of three cards of these ranks, 0 for a deuce to 12 for an ace: suits do not count.
    #[inline]
    pub fn of_ranks([a, b, c]: [usize; 3]) -> Strength {
        Strength(BY_RANKS[(a * 13 + b) * 13 + c])
    }

    /// The category of the hand.
    pub fn category(self) -> Category {
        match self.0 {
            FIRST_TRIPS.. => Category::Trips,
            FIRST_PAIR.. => Category::Pair,
            _ => Category::HighCard,
        }
    }
}

/// Displays in words: "three kings", "pair of tens, ace", "ace high, king, nine".
impl fmt::Display for Strength {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let rank = |index: u16| Rank::ALL[usize::from(index)];
        let word = |index: u16| rank(index).word().to_lowercase();
        match self.category() {
            Category::Trips => write!(f, "three {}", rank(self.0 - FIRST_TRIPS).plural()),
            Category::Pair => {
                let (pair, other) = ((self.0 - FIRST_PAIR) / RANKS, self.0 % RANKS);
                write!(f, "pair of {}, {}", rank(pair).plural(), word(other))
            }
            Category::HighCard => {
                let (high, middle, low) = (self.0 / RANKS / RANKS, self.0 / RANKS % RANKS, self.0 % RANKS);
                write!(f, "{} high, {}, {}", word(high), word(middle), word(low))
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn all_hands() -> Vec<[Card; 3]> {
        let mut hands = Vec::new();
        for (a, first) in Card::ALL.into_iter().enumerate() {
            for (b, second) in Card::ALL.into_iter().enumerate().skip(a + 1) {
                hands.extend(Card::ALL.into_iter().skip(b + 1).map(|third| [first, second, third]));
            }
        }
        hands
    }

    /// The document's words, read one after the other: how many there are of a rank, and which it is. Hands compare as
    /// these do, without any number standing for a hand.
    fn groups(hand: [Card; 3]) -> Vec<(usize, Rank)> {
        let mut groups: Vec<(usize, Rank)> = Rank::ALL
            .into_iter()
            .map(|rank| (hand.iter().filter(|card| card.rank() == rank).count(), rank))
            .filter(|(count, _)| *count > 0)
            .collect();
        groups.sort();
        groups.reverse();
        groups
    }

    #[test]
    fn all_22_100_hands_have_the_category_counts_of_the_deck() {
        let hands = all_hands();
        assert_eq!(hands.len(), 22_100);
        let count =
            |category| hands.iter().filter(|hand| Strength::of(**hand).category() == category).count();
        assert_eq!(count(Category::Trips), 52);
        assert_eq!(count(Category::Pair), 3_744);
        assert_eq!(count(Category::HighCard), 18_304);
        let classes: std::collections::BTreeSet<Strength> =
            hands.iter().map(|hand| Strength::of(*hand)).collect();
        assert_eq!(classes.len(), 455);
    }

    /// Every hand beside the next in the document's order, which is every hand against every other because both orders
    /// are total; and each hand the same in any order.
    #[test]
    fn the_order_is_the_documents() {
        let hands = all_hands();
        let mut ordered: Vec<_> = hands.iter().map(|hand| (groups(*hand), Strength::of(*hand))).collect();
        ordered.sort_by(|(one, _), (other, _)| one.cmp(other));
        for pair in ordered.windows(2) {
            let [(groups, strength), (next_groups, next)] = pair else { unreachable!("windows of two") };
            assert_eq!(strength.cmp(next), groups.cmp(next_groups), "{groups:?} {next_groups:?}");
        }
        for [a, b, c] in hands {
            let strength = Strength::of([a, b, c]);
            for order in [[a, c, b], [b, a, c], [b, c, a], [c, a, b], [c, b, a]] {
                assert_eq!(Strength::of(order), strength);
            }
        }
    }

    #[test]
    fn words_for_people() {
        let say = |text: &str| {
            let cards: Vec<Card> = text.split(' ').map(|card| card.parse().unwrap()).collect();
            Strength::of([cards[0], cards[1], cards[2]]).to_string()
        };
        assert_eq!(say("KS KD KC"), "three kings");
        assert_eq!(say("AS 10D 10C"), "pair of tens, ace");
        assert_eq!(say("2C 9D 4S"), "nine high, four, two");
    }
}
