//! All that is wrong with the transcripts of a program, and how much of each is right.

use std::collections::{BTreeMap, BTreeSet};

use super::findings::{TranscriptFindings, together};
use super::followed::FollowedGames;
use super::said::TextFault;
use super::written::WrittenGame;
use crate::misreadings::evidence::{Flaw, OutputPlace};

/// Everything that is known about the transcripts of a program. Games have the numbers that they are given in, from 0.
#[derive(Debug)]
pub struct Inspection<'a> {
    games: &'a [WrittenGame],
    /// For each game the parts of it with a difference.
    wrong: Vec<BTreeSet<usize>>,
    flaws: Vec<Flaw>,
}

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
    /// Whether no hand was found though one had to be played, or nothing was written at all.
    pub no_hands: bool,
}

impl<'a> Inspection<'a> {
    /// Looks at all rules in all games.
    pub fn of(games: &'a [WrittenGame]) -> Inspection<'a> {
        // Each look is at single rules, and independent of the others.
        let looks: [fn(&FollowedGames<'a>) -> TranscriptFindings; 11] = [
            FollowedGames::draws,
            FollowedGames::dealer,
            FollowedGames::results,
            FollowedGames::money,
            |games| games.bets(true),
            |games| games.bets(false),
            FollowedGames::shuffles,
            FollowedGames::cuts,
            FollowedGames::naturals,
            FollowedGames::lines,
            FollowedGames::ends,
        ];
        let (followed, mut findings) = FollowedGames::new(games);
        findings.extend(looks.map(|look| look(&followed)));
        let (wrong, mut flaws) = together(games.len(), findings);
        flaws.extend(flaws_of_text(games));
        Inspection { games, wrong, flaws }
    }

    /// What is wrong, what shows first coming first, and after it the faults of the text.
    pub fn flaws(&self) -> &[Flaw] {
        &self.flaws
    }

    /// How many parts of the transcript of this number are right.
    pub fn parts(&self, number: usize) -> TranscriptParts {
        let game = &self.games[number];
        let transcript = &game.transcript;
        let hands = transcript.hands.len();
        let complete = transcript.over.is_some() && !game.stops_early();
        let all = 2 + if complete { hands } else { hands.max(game.right_hands()) };
        let wrong = &self.wrong[number];
        let text: BTreeSet<usize> =
            transcript.text.iter().map(|(line, _)| transcript.part_of(*line)).collect();
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

    /// Whether nothing is wrong with the transcript of this number even if it differs from the right one: the document
    /// allows any total over 21 (III.2).
    pub fn is_allowed(&self, number: usize) -> bool {
        self.wrong[number].is_empty() && self.games[number].differs_only_over_21()
    }
}

/// What is wrong with the text of lines, a flaw for each kind.
fn flaws_of_text(games: &[WrittenGame]) -> impl Iterator<Item = Flaw> {
    let mut kinds: BTreeMap<TextFault, (usize, OutputPlace)> = BTreeMap::new();
    for (game, run) in games.iter().enumerate() {
        for (line, fault) in &run.transcript.text {
            let at = OutputPlace { game, line: *line };
            kinds.entry(*fault).or_insert((0, at)).0 += 1;
        }
    }
    kinds.into_iter().map(|(fault, (times, first))| {
        let says = format!("{} {times} lines.", fault.sentence());
        Flaw { codes: vec![fault.code().to_string()], says, first }
    })
}
