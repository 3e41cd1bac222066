//! Sets of cards.

use super::{Card, Suit};

/// A set of cards, iterated in the order of [`Card::ALL`].
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct CardSet(u64);

impl CardSet {
    /// How many cards are in the set.
    #[inline]
    pub const fn len(self) -> usize {
        self.0.count_ones() as usize
    }

    /// Whether the set has no card.
    #[inline]
    pub const fn is_empty(self) -> bool {
        self.0 == 0
    }

    /// Whether the card is in the set.
    #[inline]
    pub const fn contains(self, card: Card) -> bool {
        self.0 >> card.index() & 1 == 1
    }

    /// Puts the card into the set, and returns whether it was not there yet.
    #[inline]
    pub const fn insert(&mut self, card: Card) -> bool {
        let is_new = !self.contains(card);
        self.0 |= 1 << card.index();
        is_new
    }

    /// The number of spades in the set above this one; all spades for `None`.
    #[inline]
    pub const fn spades_above(self, spade: Option<Card>) -> usize {
        // Cards stand in the order of their ranks, one of each suit for each.
        const SPADES: u64 = 0x1_1111_1111_1111 << Suit::Spades as u32;
        let above = match spade {
            Some(card) => !1 << card.index(),
            None => u64::MAX,
        };
        (self.0 & SPADES & above).count_ones() as usize
    }

    /// The cards of the deck that are not in this set.
    #[inline]
    #[must_use]
    pub const fn others(self) -> CardSet {
        CardSet(!self.0 & ((1 << Card::ALL.len()) - 1))
    }
}

impl FromIterator<Card> for CardSet {
    fn from_iter<I: IntoIterator<Item = Card>>(cards: I) -> CardSet {
        cards.into_iter().fold(CardSet::default(), |set, card| CardSet(set.0 | 1 << card.index()))
    }
}

/// Iterates over the cards, deuces first.
impl IntoIterator for CardSet {
    type Item = Card;
    type IntoIter = CardIter;

    #[inline]
    fn into_iter(self) -> CardIter {
        CardIter(self)
    }
}

/// An iterator over the cards of a set, deuces first.
#[derive(Clone, Debug)]
pub struct CardIter(CardSet);

impl Iterator for CardIter {
    type Item = Card;

    #[inline]
    fn next(&mut self) -> Option<Card> {
        let left = &mut self.0.0;
        let card = *Card::ALL.get(left.trailing_zeros() as usize)?;
        *left &= *left - 1;
        Some(card)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_set_and_the_others_are_the_deck() {
        let mut set: CardSet = Card::ALL.into_iter().step_by(3).collect();
        assert_eq!((set.len(), set.others().len()), (18, 34));
        assert!(Card::ALL.into_iter().all(|card| set.contains(card) != set.others().contains(card)));
        assert!(set.into_iter().chain(set.others()).collect::<CardSet>().others().is_empty());
        assert_eq!(CardSet::default().others().into_iter().collect::<Vec<_>>(), Card::ALL);
        let spades: Vec<Card> = set.into_iter().filter(|card| card.is_spade()).collect();
        assert_eq!(set.spades_above(None), spades.len());
        assert!(spades.iter().rev().enumerate().all(|(above, card)| set.spades_above(Some(*card)) == above));
        assert!(!set.insert(Card::ALL[3]) && set.insert(Card::ALL[4]) && set.contains(Card::ALL[4]));
    }
}
