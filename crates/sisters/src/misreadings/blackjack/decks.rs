//! Following the deck through a transcript, as the document shuffles it and as it is known to be shuffled wrongly.

use casino_stud::cards::Card;

use super::faulty_deck::{DeckFault, FaultyDeck};
use super::said::Said;
use super::transcript::Transcript;
use crate::misreadings::evidence::{Reading, Theme, known};

/// A way to keep the deck and to deal from it.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum DeckReading {
    Right,
    Wrong(DeckFault),
    HoleDealtLate,
}

/// The ways that show in the cards of a transcript.
pub(super) fn wrong() -> [(Reading, DeckReading); 7] {
    let kept = |fault: DeckFault| (fault.reading(), DeckReading::Wrong(fault));
    [
        kept(DeckFault::LeftFirst),
        kept(DeckFault::ShuffleOpens),
        kept(DeckFault::DealtToTheBack),
        kept(DeckFault::RestReversed),
        kept(DeckFault::SuitsSwapped),
        kept(DeckFault::AceBeforeTwo),
        known(
            "hole-dealt-late",
            "The hole card is dealt when it is shown; it is the fourth card of the hand.",
            DeckReading::HoleDealtLate,
        ),
    ]
}

pub(super) const THEME: Theme = Theme {
    code: "cards",
    what: "cards",
    rule: "The cards are not those that come next after the cuts announced: the deck begins spades, hearts, clubs, \
           diamonds, two to ace; dealt cards go back in the order dealt; each cut puts the first card of the right \
           part first, then the first of the left.",
};

/// What a way to keep the deck says about a transcript.
pub(super) struct Dealt {
    /// For each card that was shown, its line and whether it is the right one.
    pub(super) cards: Vec<(usize, bool)>,
    /// The hole card of each hand, shown or not, if it was dealt.
    pub(super) holes: Vec<Option<Card>>,
}

pub(super) fn follow(kept: DeckReading, transcript: &Transcript) -> Dealt {
    let mut deck = FaultyDeck::new(match kept {
        DeckReading::Wrong(fault) => Some(fault),
        DeckReading::Right | DeckReading::HoleDealtLate => None,
    });
    let mut dealt = Dealt { cards: Vec::new(), holes: Vec::new() };
    let mut shuffles = transcript.shuffles.iter().peekable();
    for hand in &transcript.hands {
        let mut shown = 0;
        let mut hole = None;
        for (line, said) in &hand.said {
            while let Some(shuffle) = shuffles.next_if(|shuffle| shuffle.line < *line) {
                deck.take_back();
                shuffle.cuts.iter().for_each(|cut| deck.cut((*cut).clamp(0, 52) as usize));
            }
            match said {
                Said::Player(card) | Said::Dealer(card) => {
                    dealt.cards.push((*line, deck.deals(*card)));
                    shown += 1;
                    if shown == 3 && kept != DeckReading::HoleDealtLate {
                        hole = deck.deal_unseen();
                    }
                }
                Said::Hole(card) if kept == DeckReading::HoleDealtLate => {
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
