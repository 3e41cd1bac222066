//! A hand and its value (Blackjack document, III.2).

use casino_stud::cards::Card;

/// The value of each card by [`Card::index`], aces as 1.
const PIPS: [u8; 52] = {
    let mut pips = [10; 52];
    let mut at = 0;
    while at < 52 {
        pips[at] = match at / 4 {
            12 => 1,
            rank @ 0..9 => rank as u8 + 2,
            _ => 10,
        };
        at += 1;
    }
    pips
};

/// The value of a hand.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct HandValue {
    /// The highest total that is not over 21, or the lowest if all are over.
    pub count: u32,
    /// Whether an ace counts 11 in it.
    pub soft: bool,
}

/// A way to count aces.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(crate) enum AceWay {
    /// The document's: one ace counts 11 as long as the hand is not over 21.
    #[default]
    Right,
    /// An ace that counted 11 never counts 1 again.
    Stays11,
    /// The hand stays soft after its ace counts 1 again.
    StaysSoft,
    /// Every hand with an ace is soft.
    AlwaysSoft,
}

/// A hand of any number of cards. It keeps the sums that its value needs, not the cards.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct BlackjackHand {
    aces: AceWay,
    /// The total with each ace as 1.
    hard: u32,
    has_ace: bool,
    /// Whether an ace counted 11 when it was added.
    had_eleven: bool,
}

impl BlackjackHand {
    /// Makes an empty hand.
    pub fn new() -> BlackjackHand {
        BlackjackHand::default()
    }

    /// Makes an empty hand that counts its aces in this way.
    pub(crate) fn counting_aces(aces: AceWay) -> BlackjackHand {
        BlackjackHand { aces, ..BlackjackHand::default() }
    }

    /// Makes the hand empty again.
    pub fn discard_all(&mut self) {
        *self = BlackjackHand::counting_aces(self.aces);
    }

    /// Adds a card to the hand.
    pub fn add(&mut self, card: Card) {
        let pips = PIPS[card.index()];
        self.had_eleven |= pips == 1 && self.hard <= 10;
        self.hard += u32::from(pips);
        self.has_ace |= pips == 1;
    }

    /// Whether the hand has an ace.
    pub(crate) fn has_ace(&self) -> bool {
        self.has_ace
    }

    /// The value of the hand. At most one ace can count 11, since two would be 22.
    pub fn value(&self) -> HandValue {
        let counts_11 = match self.aces {
            AceWay::Stays11 => self.had_eleven,
            AceWay::Right | AceWay::StaysSoft | AceWay::AlwaysSoft => self.has_ace && self.hard <= 11,
        };
        let soft = match self.aces {
            AceWay::Right | AceWay::Stays11 => counts_11,
            AceWay::StaysSoft => self.had_eleven,
            AceWay::AlwaysSoft => self.has_ace,
        };
        HandValue { count: if counts_11 { self.hard + 10 } else { self.hard }, soft }
    }

    /// Whether the hand is over 21.
    pub fn is_bust(&self) -> bool {
        self.value().count > 21
    }
}

impl FromIterator<Card> for BlackjackHand {
    fn from_iter<I: IntoIterator<Item = Card>>(cards: I) -> BlackjackHand {
        let mut hand = BlackjackHand::new();
        cards.into_iter().for_each(|card| hand.add(card));
        hand
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use casino_stud::cards::Rank;

    fn value(cards: &str) -> (u32, bool) {
        let hand: BlackjackHand =
            cards.split_whitespace().map(|card| card.parse::<Card>().unwrap()).collect();
        (hand.value().count, hand.value().soft)
    }

    #[test]
    fn states_the_driver_never_reaches_are_right_too() {
        assert_eq!(value(""), (0, false));
        assert_eq!(value("AS"), (11, true));
        assert_eq!(value("AS 2S AH"), (14, true));
        assert_eq!(value("AS AH AC AD"), (14, true));
        assert_eq!(value("AS KS"), (21, true));
        assert_eq!(value("AS KS KH"), (21, false));
        assert_eq!(value("AS KS AH"), (12, false));
        assert_eq!(value("5S 5H AS AH"), (12, false));
        assert_eq!(value("KS 6S AS"), (17, false));
        assert_eq!(value("KS QS 2S"), (22, false));
    }

    /// Every hand of up to six ranks, against trying each ace as 1 and as 11.
    #[test]
    fn the_count_is_the_best_of_all_ways_to_count_the_aces() {
        fn check(ranks: &mut Vec<Rank>) {
            let totals = ranks.iter().fold(vec![(0, false)], |totals, rank| match rank {
                Rank::Ace => {
                    totals.iter().flat_map(|&(sum, soft)| [(sum + 1, soft), (sum + 11, true)]).collect()
                }
                rank => {
                    let pips = (rank.index() as u32 + 2).min(10);
                    totals.into_iter().map(|(sum, soft)| (sum + pips, soft)).collect()
                }
            });
            let hand: BlackjackHand =
                ranks.iter().map(|rank| Card::new(*rank, casino_stud::cards::Suit::Clubs)).collect();
            match totals.iter().filter(|(sum, _)| *sum <= 21).max() {
                Some(best) => {
                    assert_eq!((hand.value().count, hand.value().soft), *best, "{ranks:?}");
                    assert!(!hand.is_bust());
                }
                None => assert!(hand.is_bust() && hand.value().count > 21, "{ranks:?}"),
            }
            if ranks.len() < 6 {
                let from = ranks.last().map_or(0, |rank| rank.index());
                for rank in &Rank::ALL[from..] {
                    ranks.push(*rank);
                    check(ranks);
                    ranks.pop();
                }
            }
        }
        check(&mut Vec::new());
    }

    #[test]
    fn a_hand_discarded_is_empty() {
        let mut hand: BlackjackHand = [crate::blackjack::FACTORY_ORDER[12]].into_iter().collect();
        hand.discard_all();
        assert_eq!(hand, BlackjackHand::new());
    }
}
