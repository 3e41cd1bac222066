//! A hand that is counted in one wrong way, for transcripts and for the abstract data type.

use crate::blackjack::{BlackjackHand, HandValue};
use crate::misreadings::evidence::{Reading, Theme, known, reading_of};
use casino_stud::cards::{Card, Rank};

/// A wrong way to count a hand. What each does is said in [`HAND_FAULTS`].
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[expect(missing_docs, reason = "the table of their readings says what each does")]
pub enum HandFault {
    SoftAceStays,
    SoftAceStaysForAces,
    AceAlways1,
    AceAlways11,
    SecondAceHard,
    SoftFlagKept,
    NeverSoft,
    PicturesClimb,
    DiscardKeepsSoft,
    DiscardKeepsCount,
    AceNotToTen,
    LateAce1,
    OverComesBack,
    TwoAcesHard,
    JackIs11,
    Soft21Hard,
    Soft21HardForGood,
}

/// Every wrong way with its name and what it does. Those of the course's `hand.cpp` come first, by their numbers there.
pub const HAND_FAULTS: [(Reading, HandFault); 17] = [
    known(
        "soft-ace-stays",
        "An ace that once counted 11 does so for ever; it counts 1 as soon as the hand would be over 21.",
        HandFault::SoftAceStays,
    ),
    known(
        "soft-ace-stays-for-aces",
        "An ace that counted 11 goes on doing so when another ace takes the hand over 21: ace, ten, ace are 12, hard.",
        HandFault::SoftAceStaysForAces,
    ),
    known(
        "ace-always-1",
        "An ace always counts 1; it counts 11 unless the hand would be over 21.",
        HandFault::AceAlways1,
    ),
    known(
        "ace-always-11",
        "An ace always counts 11; it counts 1 if the hand would be over 21 otherwise.",
        HandFault::AceAlways11,
    ),
    known(
        "second-ace-hard-third-soft",
        "A second ace makes the first one count 1, though a third may count 11 again; one of them does unless the hand \
         would be over 21.",
        HandFault::SecondAceHard,
    ),
    known(
        "soft-flag-kept",
        "A hand stays soft when its ace has come to count 1; it is hard then.",
        HandFault::SoftFlagKept,
    ),
    known("never-soft", "A hand is never soft; it is soft if an ace counts 11.", HandFault::NeverSoft),
    known(
        "pictures-climb",
        "A jack counts 11, a queen 12, a king 13; they count 10 each.",
        HandFault::PicturesClimb,
    ),
    known(
        "discard-keeps-soft",
        "discardAll() leaves the hand soft if it was; an empty hand is hard.",
        HandFault::DiscardKeepsSoft,
    ),
    known(
        "discard-keeps-count",
        "discardAll() leaves the total as it was; an empty hand is worth 0.",
        HandFault::DiscardKeepsCount,
    ),
    known(
        "ace-1-after-10",
        "An ace that comes to 10 counts 1; it counts 11, which makes 21.",
        HandFault::AceNotToTen,
    ),
    known(
        "late-ace-1",
        "Only an ace that comes first counts 11; one that comes later may as well.",
        HandFault::LateAce1,
    ),
    known(
        "over-21-comes-back",
        "Ten is taken off whenever the hand is over 21; only an ace that counts 11 allows it.",
        HandFault::OverComesBack,
    ),
    known(
        "second-ace-hard",
        "With two aces in a hand none counts 11; one of them does unless the hand would be over 21.",
        HandFault::TwoAcesHard,
    ),
    known("jack-is-11", "A jack counts more than 10; jack, queen and king count 10.", HandFault::JackIs11),
    known(
        "soft-21-called-hard",
        "A soft 21 is called hard; it is soft as long as an ace counts 11 in it.",
        HandFault::Soft21Hard,
    ),
    known(
        "soft-21-becomes-hard",
        "A hand that comes to a soft 21 is hard from then on, and its ace does not come back to 1; it is soft as long as an \
         ace counts 11 in it.",
        HandFault::Soft21HardForGood,
    ),
];

/// The ways that show in totals and decisions of a transcript.
pub(super) const WRONG: [HandFault; 5] = [
    HandFault::AceAlways1,
    HandFault::AceAlways11,
    HandFault::SoftAceStays,
    HandFault::TwoAcesHard,
    HandFault::JackIs11,
];

pub(super) const THEME: Theme = Theme {
    code: "totals",
    what: "totals",
    rule: "A card counts its spots, a picture 10, and an ace 11 unless the hand would be over 21.",
};

impl HandFault {
    pub(super) fn reading(self) -> Reading {
        reading_of(&HAND_FAULTS, self)
    }
}

/// A hand with one fault, or with none.
#[derive(Clone, Debug)]
pub struct FaultyHand {
    fault: Option<HandFault>,
    ace: bool,
    count: u32,
    soft: bool,
}

impl FaultyHand {
    /// Makes an empty hand.
    pub fn new(fault: Option<HandFault>) -> FaultyHand {
        FaultyHand { fault, ace: false, count: 0, soft: false }
    }

    /// Makes a hand of these cards, dealt one after another.
    pub(super) fn of(fault: Option<HandFault>, cards: impl IntoIterator<Item = Card>) -> FaultyHand {
        let mut hand = FaultyHand::new(fault);
        cards.into_iter().for_each(|card| hand.add(card));
        hand
    }

    /// The fault that it has.
    pub fn fault(&self) -> Option<HandFault> {
        self.fault
    }

    fn has(&self, fault: HandFault) -> bool {
        self.fault == Some(fault)
    }

    /// Makes the hand empty again.
    pub fn discard_all(&mut self) {
        let kept = FaultyHand::new(self.fault);
        *self = FaultyHand {
            count: if self.has(HandFault::DiscardKeepsCount) { self.count } else { 0 },
            soft: self.soft && self.has(HandFault::DiscardKeepsSoft),
            ..kept
        };
    }

    /// Adds a card to the hand.
    pub fn add(&mut self, card: Card) {
        let is_ace = card.rank() == Rank::Ace;
        if is_ace {
            self.add_ace();
        } else {
            self.count += match (self.fault, card.rank().index() as u32 + 2) {
                (Some(HandFault::PicturesClimb), number) => number,
                (Some(HandFault::JackIs11), 11) => 11,
                (_, number) => number.min(10),
            };
        }
        let comes_back = match self.fault {
            Some(HandFault::SoftAceStays | HandFault::AceAlways11) => false,
            Some(HandFault::SoftAceStaysForAces) => self.soft && !is_ace,
            Some(HandFault::OverComesBack) => true,
            _ => self.soft,
        };
        if self.count > 21 && comes_back {
            self.count -= 10;
            self.soft = self.has(HandFault::SoftFlagKept);
        }
        if self.count == 21 && self.has(HandFault::Soft21HardForGood) {
            self.soft = false;
        }
    }

    fn add_ace(&mut self) {
        let counts_11 = match self.fault {
            Some(HandFault::AceAlways1) => false,
            Some(HandFault::AceAlways11) => true,
            Some(HandFault::LateAce1) => self.count == 0,
            Some(HandFault::AceNotToTen) => self.count <= 9,
            Some(HandFault::TwoAcesHard) if self.ace => false,
            _ => self.count <= 10,
        };
        if self.soft && (self.has(HandFault::TwoAcesHard) || self.has(HandFault::SecondAceHard)) {
            self.count -= 10;
            self.soft = false;
        }
        self.count += if counts_11 { 11 } else { 1 };
        self.soft |= counts_11;
        self.ace = true;
    }

    /// The value that it says it has. Without a fault it is that of [`BlackjackHand`].
    pub fn value(&self) -> HandValue {
        let called_hard =
            self.has(HandFault::NeverSoft) || self.count == 21 && self.has(HandFault::Soft21Hard);
        HandValue { count: self.count, soft: self.soft && !called_hard }
    }

    /// Whether a total that was said is its own. Over 21 any total over 21 may be given (Blackjack document, III.2).
    pub(super) fn agrees(&self, said: i64) -> bool {
        let total = i64::from(self.count);
        said == total || said > 21 && total > 21
    }
}

/// Whether two cards are a natural 21.
pub(super) fn is_natural(first: Card, second: Card) -> bool {
    BlackjackHand::from_iter([first, second]).value().count == 21
}

#[cfg(test)]
mod tests {
    use super::*;
    use casino_stud::cards::Suit;

    /// All hands of up to four ranks, and what more aces and pictures do to them.
    #[test]
    fn without_a_fault_it_is_the_games_own_hand() {
        fn check(faulty: &FaultyHand, right: &BlackjackHand, more: usize) {
            assert_eq!(faulty.value(), right.value());
            for rank in Rank::ALL.into_iter().filter(|_| more > 0) {
                let (mut faulty, mut right) = (faulty.clone(), right.clone());
                let card = Card::new(rank, Suit::Clubs);
                faulty.add(card);
                right.add(card);
                check(&faulty, &right, more - 1);
                faulty.discard_all();
                assert_eq!(faulty.value(), BlackjackHand::new().value());
            }
        }
        check(&FaultyHand::new(None), &BlackjackHand::new(), 5);
    }
}
