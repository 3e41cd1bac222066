//! `casino blackjack` against a second reading of the document in Python, byte by byte.

#![allow(clippy::unwrap_used, reason = "nothing here is outside a test")]

use std::process::Command;

use crate::sisters::{casino, python, student, with_input};

fn second_reading(python: &str, bankroll: u32, hands: u32, player: &str) -> String {
    let (bankroll, hands) = (bankroll.to_string(), hands.to_string());
    let words = [student("blackjack.py"), bankroll, hands, player.to_string()];
    let ran = with_input(Command::new(python).args(words), "");
    assert_eq!(ran.code, Some(0), "{}", ran.stderr);
    ran.stdout
}

fn agree(python: &str, bankroll: u32, hands: u32) {
    for player in ["simple", "counting"] {
        let ran = casino(&["blackjack", &bankroll.to_string(), &hands.to_string(), player]);
        assert_eq!(ran.code, Some(0), "{}", ran.stderr);
        assert_eq!(ran.stderr, "");
        let second = second_reading(python, bankroll, hands, player);
        if ran.stdout != second {
            let line = ran.stdout.lines().zip(second.lines()).position(|(ours, theirs)| ours != theirs);
            panic!("{bankroll} {hands} {player}: differs from line {line:?} on");
        }
    }
}

#[test]
fn short_games_agree_with_the_second_reading() {
    let Some(python) = python() else { return };
    for (bankroll, hands) in
        [(100, 3), (1, 1), (4, 10_000), (5, 1), (5, 100), (9, 300), (10, 300), (100, 500)]
    {
        agree(python, bankroll, hands);
    }
}

/// Computed manually: the first hands of the course's cuts.
#[test]
fn the_sample_begins_as_in_the_document() {
    let ran = casino(&["blackjack", "100", "3", "simple"]);
    let begin = "Shuffling the deck\ncut at 39\ncut at 22\ncut at 33\ncut at 37\ncut at 38\ncut at 37\ncut at 38\n\
                 Hand 1 bankroll 100\nPlayer bets 5\n";
    assert!(ran.stdout.starts_with(begin), "{}", ran.stdout);
    assert!(ran.stdout.ends_with(" after 3 hands\n"));
}

#[test]
fn cuts_may_come_from_a_seed() {
    let monday = || casino(&["blackjack", "100", "30", "counting", "--seed", "monday"]).stdout;
    assert_eq!(monday(), monday());
    assert_ne!(monday(), casino(&["blackjack", "100", "30", "counting", "--seed", "tuesday"]).stdout);
}

#[test]
fn bad_arguments_are_refused_with_exit_code_2_and_no_transcript() {
    for words in [
        &["0", "3", "simple"][..],
        &["100", "0", "simple"],
        &["10001", "3", "simple"],
        &["100", "10001", "simple"],
        &["-5", "3", "simple"],
        &["1e6", "3", "simple"],
        &["1.5", "3", "simple"],
        &["100", "3", "Simple"],
        &["100", "3"],
        &["100", "3", "simple", "more"],
        &[],
    ] {
        let ran = casino(&[&["blackjack"], words].concat());
        assert_eq!(ran.code, Some(2), "{words:?}");
        assert_eq!(ran.stdout, "", "{words:?}");
        assert_ne!(ran.stderr, "", "{words:?}");
    }
}
