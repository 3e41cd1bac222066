//! The broken rules, the text and the misreadings of a program's transcripts.

use std::collections::BTreeSet;

use super::misread_rules::{MISREAD_RULES, MisreadRule, SeenArguments};
use super::walk::{BrokenRule, WalkFindings, walk};
use super::written::WrittenGame;
use crate::blackjack::PlayedRules;
use crate::misreadings::{Explanation, OutputPlace};

/// Most misreadings that are tried together.
const MAX_MISREADINGS: usize = 3;

/// The part of a case that is left with so many broken rules, in hundredths: none with more.
const LEFT_OF_CASE: [usize; 4] = [100, 85, 70, 40];

/// The units in which a share of the hands of a game is counted.
const HAND_UNITS: usize = 1_000;

/// The transcripts of a program, checked. Games have the numbers in which they are given, from 0.
#[derive(Debug)]
pub struct Inspection<'a> {
    games: &'a [WrittenGame],
    /// The games by the rules as the program plays them, as far as its misreadings are known.
    walked: Vec<WalkFindings>,
    /// For each misreading, the games by the same rules without it.
    without: Vec<Vec<WalkFindings>>,
    explained: Vec<Explanation>,
    /// The document's hands that are played, of all games, and their number.
    played: (usize, usize),
}

/// The right share of a transcript.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct TranscriptShare {
    /// The kinds of lines that break a rule, each with its first line. Each misreading is one of them.
    pub broken: Vec<(BrokenRule, usize)>,
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
        let seen = SeenArguments {
            bankroll: games.iter().find_map(WrittenGame::first_bankroll),
            hands: games.iter().map(WrittenGame::hands_printed).max().unwrap_or(0),
        };
        let misread = explaining_all(games, &seen).unwrap_or_else(|| explaining_some(games, &seen));
        let walked = walked_by(games, &misread, &seen);
        let (mut without, mut explained) = (Vec::new(), Vec::new());
        for at in 0..misread.len() {
            let others: Vec<MisreadRule> = [&misread[..at], &misread[at + 1..]].concat();
            let walked_without = walked_by(games, &others, &seen);
            let places = broken_places(&walked_without);
            // A fault of which another one hides every trace is not seen.
            if let Some((first, _)) = places.difference(&broken_places(&walked)).next() {
                let line = walked_without[*first].first_break().map_or(0, |(_, line)| line);
                let first = OutputPlace { game: *first, line };
                explained.push(Explanation { misreading: misread[at].0, first, others: 0 });
            }
            without.push(walked_without);
        }
        let played = games.iter().zip(&walked).fold((0, 0), |(played, all), (game, found)| {
            let hands = game.right_hands();
            (played + HAND_UNITS * hands_there(game, found) / hands.max(1), all + HAND_UNITS * hands.min(1))
        });
        Inspection { games, walked, without, explained, played }
    }

    /// The share of the document's hands that are played, as a mean over the games that have any.
    pub fn played(&self) -> (usize, usize) {
        self.played
    }

    /// The misreadings of which each explains errors that nothing else does.
    pub fn explanations(&self) -> &[Explanation] {
        &self.explained
    }

    /// The right share of the transcript of this number. A wrong value of a hand makes wrong draws and naturals: it is one
    /// error.
    pub fn share(&self, number: usize) -> TranscriptShare {
        let follows = [BrokenRule::PlayerDraws, BrokenRule::DealerDraws, BrokenRule::Naturals];
        let is_of_values = self.has_wrong_values(&follows);
        let found = &self.walked[number];
        let mut broken: Vec<(BrokenRule, usize)> = Vec::new();
        for (rule, line) in found.first_breaks() {
            let rule = if is_of_values && follows.contains(&rule) { BrokenRule::Totals } else { rule };
            match broken.iter_mut().find(|(other, _)| *other == rule) {
                Some((_, first)) => *first = line.min(*first),
                None => broken.push((rule, line)),
            }
        }
        for walked in &self.without {
            let kinds = walked[number].first_breaks().filter(|(rule, line)| {
                found.broken.get(rule).is_none_or(|breaks| breaks.iter().all(|place| place.line != *line))
            });
            broken.extend(kinds.min_by_key(|(_, line)| *line));
        }
        let game = &self.games[number];
        if !found.is_complete && broken.iter().all(|(rule, _)| *rule != BrokenRule::End) {
            broken.push((BrokenRule::End, game.lines.last().map_or(0, |last| last.line + 1)));
        }
        let left = LEFT_OF_CASE.get(broken.len()).copied().unwrap_or(0);
        // A game without hands shows nothing alone.
        let (there, all) = match game.right_hands() {
            0 => self.played,
            hands => (hands_there(game, found), hands),
        };
        TranscriptShare { parts: (left * there, LEFT_OF_CASE[0] * all), broken }
    }

    /// Whether hands are valued wrongly: totals are, or several kinds of decisions, and only about hands with an ace.
    fn has_wrong_values(&self, follows: &[BrokenRule]) -> bool {
        let is_broken = |rule: &&BrokenRule| self.walked.iter().any(|found| found.broken.contains_key(rule));
        let all =
            self.walked.iter().flat_map(|found| &found.broken).filter(|(rule, _)| follows.contains(rule));
        is_broken(&&BrokenRule::Totals)
            || follows.iter().filter(is_broken).count() > 1
                && all.flat_map(|(_, breaks)| breaks).all(|place| place.has_ace)
    }

    /// The first line with other words than the document's.
    pub fn text_fault(&self) -> Option<TextFault> {
        let games = self.games.iter().zip(&self.walked).enumerate();
        let fault = |(number, (game, found)): (usize, (&WrittenGame, &WalkFindings))| {
            let of_game = found.text.map(|(line, right)| (line, Some(right.to_string())));
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

/// How many of the document's hands are there: none of a game with another bankroll, and all if the game ends as its own cards
/// have it.
fn hands_there(game: &WrittenGame, found: &WalkFindings) -> usize {
    let right = game.right_hands();
    match game.first_bankroll() == Some(game.asked.bankroll) {
        true if found.ends_well() && (found.is_ruined || found.hands >= game.asked.hands as usize) => right,
        true => found.played.min(right),
        false => 0,
    }
}

fn rules_of(misread: &[MisreadRule], seen: &SeenArguments) -> PlayedRules {
    let mut rules = PlayedRules::RIGHT;
    misread.iter().for_each(|(_, change)| change(&mut rules, seen));
    rules
}

fn walked_by(games: &[WrittenGame], misread: &[MisreadRule], seen: &SeenArguments) -> Vec<WalkFindings> {
    let rules = rules_of(misread, seen);
    games.iter().map(|game| walk(game.asked, &game.lines, &rules)).collect()
}

/// The games and hands that break a rule.
fn broken_places(walked: &[WalkFindings]) -> BTreeSet<(usize, usize)> {
    let all = walked.iter().enumerate();
    all.flat_map(|(game, found)| found.broken_hands().into_iter().map(move |hand| (game, hand))).collect()
}

/// The misreadings with which the model prints every line of every game. None are needed if nothing is wrong.
fn explaining_all(games: &[WrittenGame], seen: &SeenArguments) -> Option<Vec<MisreadRule>> {
    let order = by_length(games);
    let prints_all = |set: &Vec<MisreadRule>| {
        let rules = rules_of(set, seen);
        order.iter().all(|number| games[*number].first_unlike(&rules).is_none())
    };
    (0..=MAX_MISREADINGS).find_map(|number| sets_of(&MISREAD_RULES, number).into_iter().find(prints_all))
}

/// The misreadings that explain one kind of broken lines entirely and make no other line wrong, beside other faults. The one
/// that explains most hands comes first.
fn explaining_some(games: &[WrittenGame], seen: &SeenArguments) -> Vec<MisreadRule> {
    let kinds = |walked: &[WalkFindings]| -> BTreeSet<BrokenRule> {
        walked.iter().flat_map(|found| found.broken.keys().copied()).collect()
    };
    let mut misread: Vec<MisreadRule> = Vec::new();
    let mut walked = walked_by(games, &misread, seen);
    while misread.len() < MAX_MISREADINGS {
        let candidates =
            MISREAD_RULES.iter().filter(|(new, _)| misread.iter().all(|(known, _)| known != new));
        let better = candidates.filter_map(|rule| {
            let with: Vec<MisreadRule> = [&misread[..], &[*rule]].concat();
            let rules = rules_of(&with, seen);
            let mut after = vec![WalkFindings::default(); games.len()];
            // A short game refutes a misreading sooner.
            for number in by_length(games) {
                after[number] = walk(games[number].asked, &games[number].lines, &rules);
                if !after[number].broken_hands().is_subset(&walked[number].broken_hands()) {
                    return None;
                }
            }
            (!kinds(&walked).is_subset(&kinds(&after))).then_some((with, after))
        });
        match better.min_by_key(|(_, after)| broken_places(after).len()) {
            Some(found) => (misread, walked) = found,
            None => break,
        }
    }
    misread
}

/// The numbers of the games, the shortest first.
fn by_length(games: &[WrittenGame]) -> Vec<usize> {
    let mut order: Vec<usize> = (0..games.len()).collect();
    order.sort_by_key(|number| games[*number].asked.hands);
    order
}

/// The sets of so many misreadings, two forms of one not together.
fn sets_of(all: &[MisreadRule], number: usize) -> Vec<Vec<MisreadRule>> {
    if number == 0 {
        return vec![Vec::new()];
    }
    let mut sets = Vec::new();
    for (at, first) in all.iter().enumerate() {
        let others: Vec<MisreadRule> =
            all[at + 1..].iter().copied().filter(|(other, _)| *other != first.0).collect();
        for rest in sets_of(&others, number - 1) {
            sets.push([&[*first], &rest[..]].concat());
        }
    }
    sets
}
