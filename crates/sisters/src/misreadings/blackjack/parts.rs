//! How much of a transcript is right, by its parts: the opening, each hand, and the end.

use std::collections::BTreeSet;

use super::inspection::Inspection;
use crate::misreadings::evidence::Place;

/// How many parts of a transcript are right.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct TranscriptParts {
    /// How many there are: the opening, each hand, and the end. They are those of the right transcript where this one
    /// ends too early.
    pub all: usize,
    /// How many are right in everything.
    pub right: usize,
    /// How many more are right in everything but their text.
    pub only_text: usize,
    /// Whether no hand was found, though one had to be played.
    pub no_hands: bool,
}

impl Inspection<'_> {
    /// How many parts of the transcript of this number are right.
    pub fn parts(&self, number: usize) -> TranscriptParts {
        let game = &self.games[number];
        let transcript = &game.transcript;
        let hands = transcript.hands.len();
        let complete = transcript.over.is_some() && !self.stops_early(number);
        let all = 2 + if complete { hands } else { hands.max(game.right_hands()) };
        let wrong = &self.wrong[number];
        let part = |line| self.part_of(Place { game: number, line });
        let text: BTreeSet<usize> = transcript.text.iter().map(|(line, _)| part(*line)).collect();
        let only_text = text.difference(wrong).count();
        let there = if complete { all } else { hands + 1 };
        let wrong_there = wrong.iter().filter(|part| **part < there).count();
        TranscriptParts {
            all,
            right: there.min(all).saturating_sub(wrong_there + only_text),
            only_text,
            no_hands: hands == 0 && game.asked.bankroll >= 5,
        }
    }

    /// Whether nothing is wrong with the transcript of this number even if it differs from the right one: the document
    /// allows any total over 21 (III.2).
    pub fn is_allowed(&self, number: usize) -> bool {
        self.wrong[number].is_empty() && self.games[number].differs_only_over_21()
    }
}
