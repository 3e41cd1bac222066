//! Ways to count a hand.

use casino_stud::cards::{Card, Rank};

use crate::misreadings::evidence::{Reading, Theme};

/// A way to count a hand: the right one and known wrong ones.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Counted {
    Right,
    AceAlways1,
    AceAlways11,
    SoftAceStays,
    SecondAceHard,
    PicturesClimb,
}

pub(super) const WRONG: [Counted; 5] = [
    Counted::AceAlways1,
    Counted::AceAlways11,
    Counted::SoftAceStays,
    Counted::SecondAceHard,
    Counted::PicturesClimb,
];

pub(super) const READINGS: [Reading; 5] = [
    Reading {
        code: "ace-always-1",
        says: "An ace always counts 1; it counts 11 unless the hand would be over 21.",
    },
    Reading {
        code: "ace-always-11",
        says: "An ace always counts 11; it counts 1 if the hand would be over 21 otherwise.",
    },
    Reading {
        code: "soft-ace-stays",
        says: "An ace that once counted 11 does so for ever; it counts 1 as soon as the hand would be over 21.",
    },
    Reading {
        code: "second-ace-hard",
        says: "With two aces in a hand none counts 11; one of them does unless the hand would be over 21.",
    },
    Reading { code: "jack-is-11", says: "A jack counts more than 10; jack, queen and king count 10." },
];

pub(super) const THEME: Theme = Theme {
    code: "totals",
    what: "totals",
    rule: "A card counts its spots, a picture 10, and an ace 11 unless the hand would be over 21.",
};

/// What a card counts, an ace as 1.
pub(super) fn spots(card: Card) -> i64 {
    match card.rank() {
        Rank::Ace => 1,
        rank => (rank.index() as i64 + 2).min(10),
    }
}

impl Counted {
    /// The total of a hand, and whether it is soft.
    pub(super) fn total(self, cards: impl IntoIterator<Item = Card>) -> (i64, bool) {
        let (mut sum, mut aces, mut held, mut held_soft) = (0, 0, 0, false);
        for card in cards {
            let ace = card.rank() == Rank::Ace;
            let jack = self == Counted::PicturesClimb && card.rank() == Rank::Jack;
            let worth = spots(card) + i64::from(jack);
            sum += worth;
            held += worth;
            aces += i64::from(ace);
            if ace && held + 10 <= 21 {
                held += 10;
                held_soft = true;
            }
        }
        let best = if aces > 0 && sum <= 11 { (sum + 10, true) } else { (sum, false) };
        match self {
            Counted::Right | Counted::PicturesClimb => best,
            Counted::AceAlways1 => (sum, false),
            Counted::AceAlways11 => (sum + 10 * aces, aces > 0),
            Counted::SoftAceStays => (held, held_soft),
            Counted::SecondAceHard if aces > 1 => (sum, false),
            Counted::SecondAceHard => best,
        }
    }

    /// Whether this way of counting leads to a total that was said. Over 21 any total over 21 may be given (Blackjack
    /// document, III.2).
    pub(super) fn agrees(self, said: i64, cards: impl IntoIterator<Item = Card>) -> bool {
        let total = self.total(cards).0;
        said == total || said > 21 && total > 21
    }
}

/// Whether two cards are a natural 21.
pub(super) fn is_natural(first: Card, second: Card) -> bool {
    spots(first) + spots(second) == 11 && (first.rank() == Rank::Ace || second.rank() == Rank::Ace)
}
