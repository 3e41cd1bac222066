//! Following the deck through a transcript, as the document shuffles it and as it is known to be shuffled wrongly.

use crate::blackjack::FACTORY_ORDER;
use casino_stud::cards::{Card, Rank, Suit};

use super::said::Said;
use super::transcript::Transcript;
use crate::misreadings::evidence::{Reading, Theme};

/// A way to keep and shuffle the deck.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Kept {
    Right,
    LeftFirst,
    ResetAtReshuffle,
    DealtToTheBack,
    RestReversed,
    SuitsSwapped,
    AceBeforeTwo,
    HoleDealtLate,
}

pub(super) const WRONG: [Kept; 7] = [
    Kept::LeftFirst,
    Kept::ResetAtReshuffle,
    Kept::DealtToTheBack,
    Kept::RestReversed,
    Kept::SuitsSwapped,
    Kept::AceBeforeTwo,
    Kept::HoleDealtLate,
];

pub(super) const READINGS: [Reading; 7] = [
    Reading {
        code: "left-first",
        says: "A cut begins with the first card of the left part; it is the first card of the right part, then the \
               first of the left.",
    },
    Reading {
        code: "reset-at-reshuffle",
        says: "A reshuffle begins with a newly opened deck; it has to shuffle the deck as it is, the dealt cards put \
               back in the order in which they were dealt.",
    },
    Reading {
        code: "dealt-cards-to-the-back",
        says: "A reshuffle puts the dealt cards behind the others; they go back where they were, in the order in \
               which they were dealt.",
    },
    Reading {
        code: "rest-of-the-cut-reversed",
        says: "What is left of the longer part of a cut is put down in reverse; it keeps its order.",
    },
    Reading {
        code: "diamonds-before-clubs",
        says: "A newly opened deck has the diamonds before the clubs; it is spades, hearts, clubs, diamonds.",
    },
    Reading {
        code: "ace-before-two",
        says: "A newly opened deck begins each suit with the ace; it is two to ace.",
    },
    Reading {
        code: "hole-dealt-late",
        says: "The hole card is dealt when it is shown; it is the fourth card of the hand.",
    },
];

pub(super) const THEME: Theme = Theme {
    code: "cards",
    what: "cards",
    rule: "The cards are not those that come next after the cuts announced: the deck begins spades, hearts, clubs, \
           diamonds, two to ace; dealt cards go back in the order dealt; each cut puts the first card of the right \
           part first, then the first of the left.",
};

/// A deck on its way through a transcript.
struct Deck {
    kept: Kept,
    cards: [Card; 52],
    next: usize,
}

impl Deck {
    fn new(kept: Kept) -> Deck {
        let mut deck = Deck { kept, cards: FACTORY_ORDER, next: 0 };
        deck.reset();
        deck
    }

    fn reset(&mut self) {
        let swapped = |card: Card| match (self.kept, card.suit()) {
            (Kept::SuitsSwapped, Suit::Clubs) => Card::new(card.rank(), Suit::Diamonds),
            (Kept::SuitsSwapped, Suit::Diamonds) => Card::new(card.rank(), Suit::Clubs),
            (Kept::AceBeforeTwo, suit) => Card::new(Rank::ALL[(card.rank().index() + 12) % 13], suit),
            _ => card,
        };
        self.cards = FACTORY_ORDER.map(swapped);
        self.next = 0;
    }

    fn shuffle(&mut self, cuts: &[i64]) {
        match self.kept {
            Kept::ResetAtReshuffle => self.reset(),
            Kept::DealtToTheBack => self.cards.rotate_left(self.next.min(52)),
            _ => {}
        }
        for cut in cuts {
            self.cards = self.cut((*cut).clamp(0, 52) as usize);
        }
        self.next = 0;
    }

    /// The cards after a cut with so many on the left.
    fn cut(&self, left: usize) -> [Card; 52] {
        let (left, right) = self.cards.split_at(left);
        let (first, second) = if self.kept == Kept::LeftFirst { (left, right) } else { (right, left) };
        let both = left.len().min(right.len());
        let mut mixed = self.cards;
        for at in 0..both {
            mixed[2 * at] = first[at];
            mixed[2 * at + 1] = second[at];
        }
        let longer = if first.len() > both { first } else { second };
        let rest = &mut mixed[2 * both..];
        rest.copy_from_slice(&longer[both..]);
        if self.kept == Kept::RestReversed {
            rest.reverse();
        }
        mixed
    }

    /// Whether this card is next. If it is further down, the deck goes on after it: one slip is one difference.
    fn deals(&mut self, card: Card) -> bool {
        let ahead = self.cards.iter().skip(self.next).position(|next| *next == card);
        self.next += ahead.map_or(1, |ahead| ahead + 1);
        ahead == Some(0)
    }
}

/// What a way to keep the deck says about a transcript.
pub(super) struct Dealt {
    /// For each card that was shown, its line and whether it is the right one.
    pub(super) cards: Vec<(usize, bool)>,
    /// The hole card of each hand, shown or not, if it was dealt.
    pub(super) holes: Vec<Option<Card>>,
}

pub(super) fn follow(kept: Kept, transcript: &Transcript) -> Dealt {
    let mut deck = Deck::new(kept);
    let mut dealt = Dealt { cards: Vec::new(), holes: Vec::new() };
    let mut shuffles = transcript.shuffles.iter().peekable();
    for hand in &transcript.hands {
        let mut shown = 0;
        let mut hole = None;
        for (line, said) in &hand.said {
            while let Some(shuffle) = shuffles.next_if(|shuffle| shuffle.line < *line) {
                deck.shuffle(&shuffle.cuts);
            }
            match said {
                Said::Player(card) | Said::Dealer(card) => {
                    dealt.cards.push((*line, deck.deals(*card)));
                    shown += 1;
                    if shown == 3 && kept != Kept::HoleDealtLate {
                        hole = deck.cards.get(deck.next).copied();
                        deck.next += 1;
                    }
                }
                Said::Hole(card) if kept == Kept::HoleDealtLate => {
                    dealt.cards.push((*line, deck.deals(*card)));
                    hole = Some(*card);
                }
                Said::Hole(card) => dealt.cards.push((*line, hole == Some(*card))),
                _ => {}
            }
        }
        dealt.holes.push(hole);
    }
    dealt
}
