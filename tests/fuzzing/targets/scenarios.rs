//! Any text as a scenario file. One that can be played is played, twice, and judged.

use std::collections::BTreeSet;

use casino_judge::scenario::Scenario;

use super::check;

/// The most characters of a text of which a scenario is played: longer ones are only read.
const PLAYED: usize = 3_000;

pub fn body(input: &[u8]) {
    let text = String::from_utf8_lossy(input);
    match Scenario::read(&text) {
        Err(error) => {
            check::sentence(&error.to_string());
            let lines = text.split('\n').count();
            let (line, column) = error.position.unwrap_or((1, 1));
            assert!((1..=lines + 1).contains(&line) && column >= 1, "{error}, of {lines} lines");
        }
        Ok(scenario) => {
            let rules: BTreeSet<&String> = scenario.rules.iter().collect();
            assert!(rules.iter().all(|rule| rule.starts_with('R') && rule.len() <= 3), "{rules:?}");
            if text.len() <= PLAYED && !has_large_number(&text) {
                play(&scenario);
            }
        }
    }
}

/// Whether some number has more than three digits: a file may ask for a billion rounds.
fn has_large_number(text: &str) -> bool {
    text.split(|c: char| !c.is_ascii_digit()).any(|digits| digits.len() > 3)
}

/// The same run again gives the same messages; and one way of playing agrees with itself.
fn play(scenario: &Scenario) {
    let (one, other) = (scenario.play(), scenario.play());
    assert_eq!(one, other, "a scenario follows from its file");
    assert_eq!(scenario.compare(&one, &other), []);
    assert_eq!(scenario.check(&one), scenario.check(&other));
    for line in one.transcripts.iter().flatten() {
        let text = format!("{line:?}");
        assert!(text.len() < 100_000, "a message of {} bytes", text.len());
    }
}
