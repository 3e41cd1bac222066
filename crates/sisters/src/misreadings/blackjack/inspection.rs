//! Which parts of a program's transcripts are right, and which misreadings explain the wrong ones.

use std::collections::BTreeSet;

use super::followed::{FollowedGames, MisreadingFindings};
use super::written::WrittenGame;
use crate::misreadings::Explanation;

/// The transcripts of a program, checked. Games have the numbers in which they are given, from 0.
#[derive(Debug)]
pub struct Inspection<'a> {
    games: &'a [WrittenGame],
    /// The wrong parts of each game: 0 is the opening shuffle, then the hands, then the end.
    wrong: Vec<BTreeSet<usize>>,
    explained: Vec<Explanation>,
}

/// How many parts of a transcript are right.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct TranscriptParts {
    /// All parts: the opening, each hand, and the end; those of the correct transcript if this one ends too early.
    pub all: usize,
    /// The parts that are right in everything.
    pub right: usize,
    /// The parts that are right but for their text.
    pub only_text: usize,
    /// Whether no hand was found though one had to be played, or nothing was printed.
    pub no_hands: bool,
}

impl<'a> Inspection<'a> {
    /// Checks all rules in all games.
    pub fn of(games: &'a [WrittenGame]) -> Inspection<'a> {
        let mut findings = MisreadingFindings::default();
        let followed = FollowedGames::new(games, &mut findings);
        followed.check(&mut findings);
        let mut wrong = vec![BTreeSet::new(); games.len()];
        for (game, part) in findings.wrong {
            wrong[game].insert(part);
        }
        let mut explained = findings.explained;
        explained.sort_by_key(|explanation| explanation.first);
        Inspection { games, wrong, explained }
    }

    /// The misreadings that explain the errors; the one that shows first comes first.
    pub fn explanations(&self) -> &[Explanation] {
        &self.explained
    }

    /// How many parts of the transcript of this number are right.
    pub fn parts(&self, number: usize) -> TranscriptParts {
        let game = &self.games[number];
        let transcript = &game.transcript;
        let hands = transcript.hands.len();
        let complete = transcript.over.is_some() && !game.stops_early();
        let all = 2 + if complete { hands } else { hands.max(game.right_hands()) };
        let wrong = &self.wrong[number];
        let text: BTreeSet<usize> = transcript.inexact.iter().map(|line| transcript.part_of(*line)).collect();
        let only_text = text.difference(wrong).count();
        let there = if complete { all } else { hands + 1 };
        let wrong_there = wrong.iter().filter(|part| **part < there).count();
        TranscriptParts {
            all,
            right: there.min(all).saturating_sub(wrong_there + only_text),
            only_text,
            no_hands: hands == 0 && (game.asked.bankroll >= 5 || game.transcript.lines == 0),
        }
    }

    /// Whether the transcript of this number is without a fault although it differs from the correct one: the document
    /// allows any total over 21 (III.2).
    pub fn is_allowed(&self, number: usize) -> bool {
        self.wrong[number].is_empty() && self.games[number].differs_only_over_21()
    }
}
