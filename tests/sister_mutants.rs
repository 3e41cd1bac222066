//! Programs with one fault each against the graders of the sister games: the default cases find every fault, and a known
//! misreading is named by its own name only.

#![allow(clippy::unwrap_used, clippy::print_stdout, reason = "nothing here is outside a test")]

#[path = "sisters/blackjack_mutants.rs"]
mod blackjack_mutants;
#[path = "sisters/cribbage_mutants.rs"]
mod cribbage_mutants;

use casino_judge::grade::{CaseSettings, Report, blackjack, cribbage};
use casino_stud::cards::{Card, Notation, Seed};

/// The settings of `casino grade` without any flag.
fn default_cases() -> CaseSettings {
    CaseSettings { seed: Seed::chosen("casino day"), cases: 20, time: None }
}

/// The names of everything that was found wrong.
fn named(report: &Report) -> Vec<&str> {
    let found = report.parts.iter().find(|part| part.title == "What the differences come from");
    found.map_or(Vec::new(), |part| part.items.iter().map(|item| item.id.as_str()).collect())
}

/// The misreadings that are named in transcripts of Blackjack.
const OF_BLACKJACK: [&str; 12] = [
    "left-first",
    "soft-ace-stays",
    "soft-18-stands-on-9",
    "dealer-hits-soft-17",
    "natural-rounded-up",
    "natural-pushes",
    "count-kept-at-shuffle",
    "hole-never-counted",
    "double-without-bankroll",
    "reshuffle-at-20",
    "hole-shown-after-bust",
    "hands-plus-one",
];

/// The misreadings that are named in values of hands.
const OF_VALUES: [&str; 9] = [
    "pair-outside-run-multiplies",
    "flush-with-start-card",
    "flush-only-of-five",
    "nob-start-jack",
    "nob-any-suit",
    "no-nob",
    "round-the-corner",
    "runs-once",
    "fifteens-of-two",
];

/// The misreadings that are named in choices. A mutant `value:x` misreads the value, and that misreading is named.
const OF_CHOICES: [&str; 9] = [
    "value-without-start",
    "start-cards-of-crib",
    "value:pair-outside-run-multiplies",
    "value:flush-with-start-card",
    "value:flush-only-of-five",
    "value:nob-any-suit",
    "value:no-nob",
    "value:round-the-corner",
    "value:runs-once",
];

/// Grades mutants: each loses points, is called by its own name if it is a known misreading, and by none if not. The
/// right ones get full marks.
fn all_are_found(
    mutants: &[&'static str],
    right: &[&str],
    known: &[&str],
    judge: impl Fn(&'static str) -> Report,
) {
    let mut wrong = Vec::new();
    for mutant in mutants.iter().copied() {
        let report = judge(mutant);
        let summary = report.summary();
        let found = named(&report);
        println!("{mutant:34} {:>6} of {}  {found:?}", summary.points.to_string(), summary.max_points);
        if right.contains(&mutant) != (summary.points == summary.max_points) {
            wrong.push(format!("{mutant} gets {} points", summary.points));
        }
        let name = mutant.strip_prefix("value:").unwrap_or(mutant);
        let called = if known.contains(&mutant) { vec![name] } else { Vec::new() };
        if found != called {
            wrong.push(format!("{mutant}: {found:?} instead of {called:?}"));
        }
    }
    assert!(wrong.is_empty(), "\n{}", wrong.join("\n"));
}

#[test]
fn blackjack_mutants_lose_points_and_have_the_right_name() {
    let mutants: Vec<&str> = blackjack_mutants::MUTANTS.split_whitespace().collect();
    assert!(mutants.len() > 100);
    all_are_found(&mutants, &["right"], &OF_BLACKJACK, |mutant| {
        blackjack::grade_transcripts(&default_cases(), |bankroll, hands, player| {
            blackjack_mutants::mutant(mutant, i64::from(bankroll), hands, player)
        })
    });
}

fn plain(card: Card) -> cribbage_mutants::Card {
    cribbage_mutants::card(&Notation::Short.write(card))
}

#[test]
fn value_mutants_lose_points_and_have_the_right_name() {
    all_are_found(cribbage_mutants::VALUE_MUTANTS, &["right"], &OF_VALUES, |mutant| {
        cribbage::grade_values(&default_cases(), |hand, start| {
            let value = cribbage_mutants::value(mutant, &hand.map(plain), plain(start));
            value.map_or(String::new(), |value| value.to_string())
        })
    });
}

#[test]
fn selection_mutants_lose_points_and_have_the_right_name() {
    let right = ["right", "right-last-of-equals", "with-commas"];
    all_are_found(cribbage_mutants::SELECT_MUTANTS, &right, &OF_CHOICES, |mutant| {
        cribbage::grade_selections(&default_cases(), |cards| {
            let cards: Vec<cribbage_mutants::Card> = cards.iter().map(|card| plain(*card)).collect();
            cribbage_mutants::select(mutant, &cards).unwrap_or_default()
        })
    });
}
