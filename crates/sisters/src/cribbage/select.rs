//! Choosing which four of the cards dealt to keep.

use std::fmt;

use casino_stud::cards::Card;

use super::explain::{Breakdown, Totals};
use super::input::{CardsError, check_distinct, check_number};
use super::score::CribbageHand;

/// The four to six different cards that a player is dealt, in the order given.
#[derive(Clone, Copy, PartialEq, Eq)]
pub struct DealtCards {
    cards: [Card; 6],
    len: usize,
}

impl DealtCards {
    /// Takes the cards dealt.
    pub fn new(cards: &[Card]) -> Result<DealtCards, CardsError> {
        check_number(cards, 4, 6)?;
        check_distinct(cards)?;
        let mut six = [cards[0]; 6];
        six[..cards.len()].copy_from_slice(cards);
        Ok(DealtCards { cards: six, len: cards.len() })
    }

    /// The cards in the order given.
    pub fn cards(&self) -> &[Card] {
        &self.cards[..self.len]
    }

    /// The choice that keeps the cards at these places, given its points over all start cards.
    fn choice(&self, places: [usize; 4], total: u32) -> Selection {
        let cards = self.cards();
        let mut crib = [cards[0]; 2];
        let mut thrown = 0;
        for (place, card) in cards.iter().enumerate() {
            if !places.contains(&place) {
                crib[thrown] = *card;
                thrown += 1;
            }
        }
        Selection { kept: places.map(|place| cards[place]), crib, thrown, total }
    }

    /// The possible start cards, which are all that were not dealt.
    pub fn starts(&self) -> impl Iterator<Item = Card> {
        Card::ALL.into_iter().filter(|card| !self.cards().contains(card))
    }
}

impl fmt::Debug for DealtCards {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_tuple("Dealt").field(&self.cards()).finish()
    }
}

/// Four cards kept and the others given to the crib, both in the order given.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Selection {
    kept: [Card; 4],
    crib: [Card; 2],
    thrown: usize,
    total: u32,
}

impl Selection {
    /// The four cards that are kept.
    pub fn kept(&self) -> [Card; 4] {
        self.kept
    }

    /// The cards that are not kept: none, one or two.
    pub fn crib(&self) -> &[Card] {
        &self.crib[..self.thrown]
    }

    /// The points summed over all possible start cards. The average is this over [`Selection::starts`].
    pub fn total(&self) -> u32 {
        self.total
    }

    /// How many start cards are possible: 48, 47 or 46.
    pub fn starts(&self) -> u32 {
        48 - self.thrown as u32
    }

    /// The expected value in points, for people to read. Choices are compared by their totals.
    pub fn average(&self) -> f64 {
        f64::from(self.total) / f64::from(self.starts())
    }

    /// The total by the kind of combination. It counts every combination, which is slow.
    pub fn totals(&self) -> Totals {
        let gone = |card: &Card| self.kept.contains(card) || self.crib().contains(card);
        let starts = Card::ALL.into_iter().filter(|card| !gone(card));
        starts.map(|start| Breakdown::of(self.kept, start).totals()).sum()
    }
}

/// The choice with the greatest expected value over all start cards that were not dealt. Of equal ones it is the first, in
/// the order of [`choices`].
///
/// ```
/// use casino_sisters::cribbage::{DealtCards, read_cards, select_hand};
///
/// let dealt = DealtCards::new(&read_cards("5H KC 5S 9D 5C JD")?)?;
/// let best = select_hand(&dealt);
/// assert_eq!(best.kept().to_vec(), read_cards("5H 5S 5C JD")?);
/// assert_eq!(best.starts(), 46);
/// # Ok::<(), casino_sisters::cribbage::CardsError>(())
/// ```
pub fn select_hand(dealt: &DealtCards) -> Selection {
    let mut best: Option<([usize; 4], u32)> = None;
    each_choice(dealt, |places, total| {
        if best.is_none_or(|(_, most)| total > most) {
            best = Some((places, total));
        }
    });
    let (places, total) = best.expect("four cards or more leave a choice");
    dealt.choice(places, total)
}

/// All choices, sorted by the places of their cards like words in a dictionary: first the one that keeps the
/// first four cards given, last the one that keeps the last four.
pub fn choices(dealt: &DealtCards) -> Vec<Selection> {
    let mut all = Vec::with_capacity(15);
    each_choice(dealt, |places, total| all.push(dealt.choice(places, total)));
    all
}

/// Calls `take` with the places of every four cards and the sum of their points over all start cards.
#[inline]
fn each_choice(dealt: &DealtCards, mut take: impl FnMut([usize; 4], u32)) {
    let cards = dealt.cards();
    let mut suits = [0; 4];
    cards.iter().for_each(|card| suits[card.suit().index()] += 1);
    let n = cards.len();
    for a in 0..n - 3 {
        for b in a + 1..n - 2 {
            for c in b + 1..n - 1 {
                for d in c + 1..n {
                    let kept = [cards[a], cards[b], cards[c], cards[d]];
                    take([a, b, c, d], CribbageHand::new(kept).total(cards, &suits));
                }
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::cribbage::{hand_value, read_cards};
    use casino_stud::cards::Seed;

    fn dealt(cards: &str) -> DealtCards {
        DealtCards::new(&read_cards(cards).unwrap()).unwrap()
    }

    /// A total is the sum over the start cards taken one by one, and the kinds of points sum up to it.
    #[test]
    fn totals_are_sums_over_all_starts_that_were_not_dealt() {
        let mut stream = Seed::chosen("totals").stream("test");
        for round in 0..1_500 {
            let mut cards = Card::ALL;
            stream.shuffle(&mut cards);
            let dealt = DealtCards::new(&cards[..4 + round % 3]).unwrap();
            assert_eq!(dealt.starts().count(), 48 - round % 3);
            for choice in choices(&dealt) {
                let sum: u32 = dealt.starts().map(|start| u32::from(hand_value(choice.kept(), start))).sum();
                assert_eq!(choice.total(), sum, "{choice:?}");
                assert_eq!(choice.starts(), 48 - (round % 3) as u32);
            }
            if round < 30 {
                let choice = select_hand(&dealt);
                assert_eq!(choice.totals().sum(), choice.total());
            }
        }
    }

    #[test]
    fn the_choices_are_1_5_and_15_and_come_in_the_order_given() {
        assert_eq!(choices(&dealt("2C 3C 4C 5C")).len(), 1);
        assert_eq!(choices(&dealt("2C 3C 4C 5C 6C")).len(), 5);
        let all = choices(&dealt("KC 3C QC 5C 6C 2C"));
        assert_eq!(all.len(), 15);
        assert_eq!(all[0].kept()[..], read_cards("KC 3C QC 5C").unwrap()[..]);
        assert_eq!(all[1].kept()[..], read_cards("KC 3C QC 6C").unwrap()[..]);
        assert_eq!(all[14].kept()[..], read_cards("QC 5C 6C 2C").unwrap()[..]);
        assert_eq!(all[0].crib(), &read_cards("6C 2C").unwrap()[..]);
        assert!(choices(&dealt("2C 3C 4C 5C"))[0].crib().is_empty());
    }

    /// Of equal totals the first choice wins.
    #[test]
    fn of_equal_choices_the_first_in_the_order_given_is_kept() {
        let one = select_hand(&dealt("5H 5S JC JD 2C 2D"));
        assert_eq!(one.kept()[..], read_cards("5H 5S JC JD").unwrap()[..]);
        let mut ties = 0;
        let mut stream = Seed::chosen("ties").stream("test");
        for _ in 0..2_000 {
            let mut cards = Card::ALL;
            stream.shuffle(&mut cards);
            let dealt = DealtCards::new(&cards[..6]).unwrap();
            let all = choices(&dealt);
            let most = all.iter().map(Selection::total).max().unwrap();
            let best: Vec<_> = all.iter().filter(|choice| choice.total() == most).collect();
            assert_eq!(&select_hand(&dealt), best[0]);
            ties += usize::from(best.len() > 1);
        }
        assert!(ties > 10, "{ties}");
    }

    #[test]
    fn impossible_deals_are_refused() {
        let cards = read_cards("2C 3C 4C 5C 6C 7C 8C").unwrap();
        assert_eq!(
            DealtCards::new(&cards),
            Err(CardsError::Number { given: 7, least: 4, most: 6, extra: Some(cards[6]) })
        );
        assert_eq!(
            DealtCards::new(&cards[..3]),
            Err(CardsError::Number { given: 3, least: 4, most: 6, extra: None })
        );
        let twice = [cards[0], cards[1], cards[2], cards[0]];
        assert_eq!(DealtCards::new(&twice), Err(CardsError::Twice { card: cards[0], first: 1, second: 4 }));
    }
}
