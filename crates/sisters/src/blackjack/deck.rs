//! The deck: factory order, cut shuffle, deal (Blackjack document, III.1).

use thiserror::Error;

use casino_stud::cards::{Card, Rank, Suit};

/// The order of a newly opened deck, the first card to deal first: spades, hearts, clubs and diamonds, each from the two up
/// to the ace.
pub const FACTORY_ORDER: [Card; 52] = {
    let suits = [Suit::Spades, Suit::Hearts, Suit::Clubs, Suit::Diamonds];
    let mut cards = [Card::new(Rank::Deuce, Suit::Spades); 52];
    let mut at = 0;
    while at < 52 {
        cards[at] = Card::new(Rank::ALL[at % 13], suits[at / 13]);
        at += 1;
    }
    cards
};

/// A deck of 52 cards that deals from the top and takes its dealt cards back when it is shuffled.
///
/// ```
/// use casino_sisters::blackjack::Shoe;
///
/// let mut shoe = Shoe::new();
/// assert_eq!(shoe.deal()?.to_string(), "2S");
/// shoe.shuffle(26);
/// // The right part begins with the clubs, the left with the spades.
/// assert_eq!([shoe.deal()?.to_string(), shoe.deal()?.to_string()], ["2C", "2S"]);
/// assert_eq!(shoe.cards_left(), 50);
/// # Ok::<(), casino_sisters::blackjack::DeckEmpty>(())
/// ```
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Shoe {
    cards: [Card; 52],
    next: usize,
}

impl Shoe {
    /// Opens a new deck, in [`FACTORY_ORDER`].
    pub fn new() -> Shoe {
        Shoe { cards: FACTORY_ORDER, next: 0 }
    }

    /// Puts the deck back to the state of a newly opened one.
    pub fn reset(&mut self) {
        *self = Shoe::new();
    }

    /// Takes the dealt cards back to the top in the order they were dealt, cuts the first `left` cards off and
    /// rearranges: the first card of the right part, the first of the left, the second of the right and so on; the rest
    /// of the longer part comes last. The next card to deal is then the first one.
    ///
    /// # Panics
    /// If `left` is above 52.
    pub fn shuffle(&mut self, left: usize) {
        self.cut(left, false);
        self.gather();
    }

    /// Cuts and rearranges the deck, beginning with the left part if `left_first`.
    ///
    /// # Panics
    /// If `left` is above 52.
    pub(crate) fn cut(&mut self, left: usize, left_first: bool) {
        let before = self.cards;
        let (left, right) = before.split_at(left);
        let (first, second) = if left_first { (left, right) } else { (right, left) };
        let both = left.len().min(right.len());
        let (mixed, rest) = self.cards.split_at_mut(2 * both);
        for ((pair, first), second) in mixed.chunks_exact_mut(2).zip(first).zip(second) {
            pair[0] = *first;
            pair[1] = *second;
        }
        let longer = if left.len() > both { left } else { right };
        rest.copy_from_slice(&longer[both..]);
    }

    /// Takes all dealt cards back to the top.
    pub(crate) fn gather(&mut self) {
        self.next = 0;
    }

    /// How many cards lie above this one; `None` if it is not left.
    pub(crate) fn cards_above(&self, card: Card) -> Option<usize> {
        self.cards[self.next..].iter().position(|next| *next == card)
    }

    /// Deals this many cards, or all that are left.
    pub(crate) fn pass_over(&mut self, cards: usize) {
        self.next = (self.next + cards).min(self.cards.len());
    }

    /// Deals the next card.
    pub fn deal(&mut self) -> Result<Card, DeckEmpty> {
        let card = *self.cards.get(self.next).ok_or(DeckEmpty)?;
        self.next += 1;
        Ok(card)
    }

    /// How many cards have not been dealt since the last reset or shuffle.
    pub fn cards_left(&self) -> usize {
        self.cards.len() - self.next
    }
}

impl Default for Shoe {
    fn default() -> Shoe {
        Shoe::new()
    }
}

/// The error of dealing from a deck whose 52 cards have all been dealt.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Error)]
#[error("no card is left in the deck")]
pub struct DeckEmpty;

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    fn dealt(deck: &mut Shoe) -> Vec<String> {
        std::iter::from_fn(|| deck.deal().ok()).map(|card| card.to_string()).collect()
    }

    #[test]
    fn a_new_deck_deals_suit_by_suit_from_two_to_ace() {
        let cards = dealt(&mut Shoe::new());
        assert_eq!(cards.len(), 52);
        assert_eq!(cards[..3], ["2S", "3S", "4S"]);
        assert_eq!(cards[12..14], ["AS", "2H"]);
        assert_eq!(cards[25..27], ["AH", "2C"]);
        assert_eq!(cards[38..40], ["AC", "2D"]);
        assert_eq!(cards[51], "AD");
    }

    #[test]
    fn the_documents_example_of_a_cut_at_26() {
        let mut deck = Shoe::new();
        deck.shuffle(26);
        let cards = dealt(&mut deck);
        assert_eq!(cards[..4], ["2C", "2S", "3C", "3S"]);
        assert_eq!(cards[50..], ["AD", "AH"]);
    }

    #[test]
    fn an_empty_deck_deals_nothing_until_a_shuffle() {
        let mut deck = Shoe::new();
        for left in (0..52).rev() {
            assert!(deck.deal().is_ok());
            assert_eq!(deck.cards_left(), left);
        }
        assert_eq!(deck.deal(), Err(DeckEmpty));
        assert_eq!(deck.deal(), Err(DeckEmpty));
        assert_eq!(deck.cards_left(), 0);
        deck.shuffle(0);
        assert_eq!(deck, Shoe::new());
    }

    /// Tests every cut of an unordered deck against the document's procedure with two queues.
    #[test]
    fn every_cut_takes_turns_and_the_right_part_begins() {
        for cut in 0..=52 {
            let mut deck = Shoe::new();
            deck.shuffle(17);
            let order = dealt(&mut deck.clone());
            let mut left: std::collections::VecDeque<_> = order[..cut].iter().cloned().collect();
            let mut right: std::collections::VecDeque<_> = order[cut..].iter().cloned().collect();
            let mut expected = Vec::new();
            while !(left.is_empty() && right.is_empty()) {
                expected.extend(right.pop_front());
                expected.extend(left.pop_front());
            }
            deck.shuffle(cut);
            assert_eq!(dealt(&mut deck), expected, "cut at {cut}");
        }
    }

    #[test]
    #[should_panic]
    fn there_is_no_cut_at_53() {
        Shoe::new().shuffle(53);
    }

    proptest! {
        #[test]
        fn cards_dealt_before_a_shuffle_change_nothing(
            cuts in proptest::collection::vec((0usize..=52, 0usize..=52), 1..10),
        ) {
            let mut used = Shoe::new();
            let mut fresh = Shoe::new();
            for (cut, deals) in cuts {
                used.shuffle(cut);
                fresh.shuffle(cut);
                prop_assert_eq!(&used, &fresh);
                for _ in 0..deals {
                    used.deal().unwrap();
                }
                prop_assert_eq!(used.cards_left(), 52 - deals);
            }
            used.reset();
            prop_assert_eq!(used, Shoe::new());
        }
    }
}
