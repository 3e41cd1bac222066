//! Programs with one fault each, by the dozen, against the graders of the sister games: each fault is found by the
//! default cases and by its name, and none is called another.

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

/// What a fault is called, where that is not the mutant's own name: because two cannot be told apart by any transcript,
/// or because a group has one name.
const CALLED: [(&str, &[&str]); 21] = [
    ("six-cuts", &["number-of-cuts"]),
    ("eight-cuts", &["number-of-cuts"]),
    ("cuts-of-26", &["other-cuts"]),
    ("time-as-seed", &["other-cuts"]),
    ("reshuffle-below-15", &["reshuffle-later"]),
    ("reshuffle-below-26", &["reshuffle-earlier"]),
    // Who begins to count with each hand never has a count when it bets.
    ("never-doubles", &["never-doubles or count-reset-each-hand"]),
    ("count-reset-each-hand", &["never-doubles or count-reset-each-hand"]),
    ("cards-as-digits", &["text-card-names"]),
    ("spaces-at-the-end", &["text-spaces"]),
    ("debug-lines", &["text-unknown-lines"]),
    ("small-letters", &["text-capitals"]),
    ("no-last-line-end", &["text-last-line-feed"]),
    ("dealt-two-and-two", &["deal-order"]),
    ("crashes-at-bust", &["ends-in-hand"]),
    ("five-cards-fail", &["no-answer-to-five"]),
    ("four-cards-fail", &["no-answer-to-four"]),
    ("prints-five", &["not-four-of-the-dealt"]),
    // Four cards leave no crib.
    ("prints-crib", &["no-answer-to-four", "not-four-of-the-dealt"]),
    ("prints-value", &["no-answer-to-four", "no-answer-to-five", "no-answer-to-six"]),
    // A jack as start card alone adds the same to every choice.
    ("no-nob", &["nob-only-start-jack or no-nob"]),
];

/// Judges mutants: each is found, by its own name or by what it is called; the right one gets full marks.
fn all_are_found(mutants: &[&'static str], right: &[&str], judge: impl Fn(&'static str) -> Report) {
    let mut wrong = Vec::new();
    for mutant in mutants.iter().copied() {
        let report = judge(mutant);
        let summary = report.summary();
        let found = named(&report);
        println!("{mutant:34} {:>6} of {}  {found:?}", summary.points.to_string(), summary.max_points);
        if right.contains(&mutant) {
            if summary.points < summary.max_points || !found.is_empty() {
                wrong.push(format!("{mutant} is right: {} points, {found:?}", summary.points));
            }
            continue;
        }
        if summary.points == summary.max_points {
            wrong.push(format!("{mutant} gets full marks"));
        }
        // A wrong value that leads to wrong choices has the name of the value.
        let own = [mutant.strip_prefix("value:").unwrap_or(mutant)];
        let is_own = |name: &str| name == own[0] && (name != "no-nob" || mutant.starts_with("value:"));
        let called = CALLED.iter().find(|(name, _)| is_own(name)).map_or(&own[..], |(_, names)| *names);
        if found != called {
            wrong.push(format!("{mutant}: {found:?} instead of {called:?}"));
        }
    }
    assert!(wrong.is_empty(), "\n{}", wrong.join("\n"));
}

#[test]
fn every_blackjack_mutant_is_found_by_its_name_and_none_by_another() {
    let mutants: Vec<&str> = blackjack_mutants::MUTANTS.split_whitespace().collect();
    assert!(mutants.len() > 100);
    all_are_found(&mutants, &["right"], |mutant| {
        blackjack::grade_transcripts(&default_cases(), |bankroll, hands, player| {
            blackjack_mutants::mutant(mutant, i64::from(bankroll), hands, player)
        })
    });
}

fn plain(card: Card) -> cribbage_mutants::Card {
    cribbage_mutants::card(&Notation::Short.write(card))
}

#[test]
fn every_mutant_of_a_hands_value_is_found_by_its_name_and_none_by_another() {
    all_are_found(cribbage_mutants::VALUE_MUTANTS, &["right"], |mutant| {
        cribbage::grade_values(&default_cases(), |hand, start| {
            let value = cribbage_mutants::value(mutant, &hand.map(plain), plain(start));
            value.map_or(String::new(), |value| value.to_string())
        })
    });
}

#[test]
fn every_mutant_of_a_selection_is_found_by_its_name_and_none_by_another() {
    let right = ["right", "right-last-of-equals", "with-commas"];
    all_are_found(cribbage_mutants::SELECT_MUTANTS, &right, |mutant| {
        cribbage::grade_selections(&default_cases(), |cards| {
            let cards: Vec<cribbage_mutants::Card> = cards.iter().map(|card| plain(*card)).collect();
            cribbage_mutants::select(mutant, &cards).unwrap_or_default()
        })
    });
}
