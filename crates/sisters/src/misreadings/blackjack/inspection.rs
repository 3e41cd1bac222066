//! The broken rules, the text and the misreadings of a program's transcripts.

use std::collections::BTreeMap;

use super::model::{ARGUMENTS_IGNORED, MISREAD_RULES, MisreadRule, PlayedRules};
use super::walk::{BrokenRule, WalkFindings, walk};
use super::written::{AskedGame, WrittenGame};
use crate::misreadings::{Explanation, Misreading, OutputPlace};

/// Most misreadings that are tried together.
const MAX_MISREADINGS: usize = 3;

/// The part of a case that each broken rule costs: one of this many.
const RULES_PER_CASE: usize = 4;

/// The transcripts of a program, checked. Games have the numbers in which they are given, from 0.
#[derive(Debug)]
pub struct Inspection<'a> {
    games: &'a [WrittenGame],
    walked: Vec<WalkFindings>,
    explained: Vec<Explanation>,
}

/// The right share of a transcript.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct TranscriptShare {
    /// The kinds of lines that break a rule, each with its first line.
    pub broken: BTreeMap<BrokenRule, usize>,
    /// The right parts of the whole.
    pub parts: (usize, usize),
}

/// The first line of a program's transcripts with other words than the document's.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct TextFault {
    /// The place of the line.
    pub place: OutputPlace,
    /// The line of the document, if it has one here.
    pub expected: Option<String>,
    /// The line of the program.
    pub got: String,
}

impl<'a> Inspection<'a> {
    /// Checks all games.
    pub fn of(games: &'a [WrittenGame]) -> Inspection<'a> {
        let walked: Vec<WalkFindings> = games.iter().map(|game| walk(game.asked, &game.lines)).collect();
        Inspection { games, walked, explained: explanations(games) }
    }

    /// The misreadings that explain all errors; empty if none do.
    pub fn explanations(&self) -> &[Explanation] {
        &self.explained
    }

    /// The right share of the transcript of this number. A wrong total makes wrong draws and results: it is one error.
    pub fn share(&self, number: usize) -> TranscriptShare {
        let WalkFindings { broken, hands, is_complete, .. } = &self.walked[number];
        let mut broken = broken.clone();
        if self.walked.iter().any(|found| found.broken.contains_key(&BrokenRule::Totals)) {
            let follows =
                [BrokenRule::PlayerDraws, BrokenRule::DealerDraws, BrokenRule::Results, BrokenRule::Naturals];
            let is_wrong = follows.iter().any(|rule| broken.contains_key(rule));
            let first = broken.values().min().copied();
            broken.retain(|rule, _| !follows.contains(rule));
            if let Some(line) = first.filter(|_| is_wrong) {
                broken.entry(BrokenRule::Totals).or_insert(line);
            }
        }
        let game = &self.games[number];
        let right = game.right_hands() + 1;
        let there = if *is_complete { right } else { (*hands).min(right - 1) };
        let unbroken = RULES_PER_CASE.saturating_sub(broken.len());
        TranscriptShare { parts: (unbroken * there, RULES_PER_CASE * right), broken }
    }

    /// The first line with other words than the document's.
    pub fn text_fault(&self) -> Option<TextFault> {
        let games = self.games.iter().zip(&self.walked).enumerate();
        let fault = |(number, (game, found)): (usize, (&WrittenGame, &WalkFindings))| {
            let of_game = found.text.map(|(line, right)| (line, Some(right.line())));
            let of_words = game.inexact.map(|line| (line, game.right_words(line)));
            let first = of_game.into_iter().chain(of_words).min_by_key(|(line, _)| *line);
            let unended = || game.unended_line().map(|line| (line, game.right_words(line)));
            let (line, expected) = first.or_else(unended)?;
            let place = OutputPlace { game: number, line };
            Some(TextFault { place, expected, got: game.line(line).to_string() })
        };
        games.filter_map(fault).next()
    }
}

/// The misreadings with which the model prints every line of every game; empty if nothing is wrong.
fn explanations(games: &[WrittenGame]) -> Vec<Explanation> {
    let mut order: Vec<usize> = (0..games.len()).collect();
    // A short game refutes a misreading sooner.
    order.sort_by_key(|number| games[*number].asked.hands);
    let prints_all = |rules: &PlayedRules, asked: &dyn Fn(AskedGame) -> AskedGame| {
        order.iter().all(|number| {
            let game = &games[*number];
            game.first_unlike(rules, asked(game.asked)).is_none()
        })
    };
    let Some(first) = first_difference(games) else { return Vec::new() };
    let explained = |misreadings: Vec<Misreading>| -> Vec<Explanation> {
        misreadings.into_iter().map(|misreading| Explanation { misreading, first }).collect()
    };
    if other_arguments(games).iter().any(|asked| prints_all(&PlayedRules::RIGHT, asked)) {
        return explained(vec![ARGUMENTS_IGNORED]);
    }
    for number in 1..=MAX_MISREADINGS {
        let found = sets_of(&MISREAD_RULES, number).into_iter().find(|set| {
            let mut rules = PlayedRules::RIGHT;
            set.iter().for_each(|(_, change)| change(&mut rules));
            prints_all(&rules, &|asked| asked)
        });
        if let Some(set) = found {
            return explained(set.into_iter().map(|(misreading, _)| misreading).collect());
        }
    }
    Vec::new()
}

/// The sets of so many misreadings, two forms of one not together.
fn sets_of(all: &[MisreadRule], number: usize) -> Vec<Vec<MisreadRule>> {
    if number == 0 {
        return vec![Vec::new()];
    }
    let mut sets = Vec::new();
    for (at, first) in all.iter().enumerate() {
        let others: Vec<MisreadRule> =
            all[at + 1..].iter().copied().filter(|(other, _)| other.code != first.0.code).collect();
        for rest in sets_of(&others, number - 1) {
            sets.push([&[*first], &rest[..]].concat());
        }
    }
    sets
}

/// The first place where a program's game is not the right one.
fn first_difference(games: &[WrittenGame]) -> Option<OutputPlace> {
    games.iter().enumerate().find_map(|(number, game)| {
        let line = game.first_unlike(&PlayedRules::RIGHT, game.asked)?;
        Some(OutputPlace { game: number, line })
    })
}

/// Ways to ignore arguments: the same bankroll in all games, the same number of hands, or both.
fn other_arguments(games: &[WrittenGame]) -> Vec<Box<dyn Fn(AskedGame) -> AskedGame>> {
    let most = games.iter().map(|game| game.hands_printed()).max().unwrap_or(0);
    let first = games.iter().find_map(WrittenGame::first_bankroll);
    let is_same =
        games.iter().all(|game| game.first_bankroll().is_none_or(|bankroll| Some(bankroll) == first));
    let Some(first) = first.filter(|_| is_same || games.len() > 1) else { return Vec::new() };
    let bankroll = move |asked| AskedGame { bankroll: first, ..asked };
    let hands = move |asked| AskedGame { hands: most, ..asked };
    vec![Box::new(bankroll), Box::new(hands), Box::new(move |asked| bankroll(hands(asked)))]
}
