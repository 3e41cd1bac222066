//! Any text as an event file, and as a line for `casino odds --serve`: what the command line makes of them.

use casino_day::driven::{answer_odds_line, read_event_file};

use super::check;

pub fn body(input: &[u8]) {
    let text = String::from_utf8_lossy(input);
    match read_event_file(&text) {
        Err(why) => {
            check::sentence(&why);
            assert!(why.contains("event.json") || why.contains("--"), "it does not say where: {why}");
        }
        Ok(players) => {
            assert!(text.trim_start().starts_with('{'), "{text:?} is read as an event");
            assert!(players.is_none() || text.contains("players"), "{players:?} players of {text:?}");
        }
    }
    odds_line(&text);
}

/// One line for a line, the same each time, and never a chance above one.
fn odds_line(text: &str) {
    let line = text.lines().next().unwrap_or_default();
    let [plain, json] = [false, true].map(|json| answer_odds_line(line, json));
    assert_eq!(plain, answer_odds_line(line, false));
    for answer in [&plain, &json] {
        check::sentence(answer);
    }
    let value: serde_json::Value = serde_json::from_str(&json).expect("an object on a line");
    match plain.strip_prefix("odds:") {
        Some(numbers) => {
            let numbers: Vec<f64> =
                numbers.split(':').map(|number| number.parse().expect("a number")).collect();
            assert_eq!(numbers.len(), 4);
            assert!(numbers.iter().all(|number| (0.0..=1.0).contains(number)), "{plain}");
            assert!(value.get("error").is_none(), "{json}");
        }
        None => {
            assert!(plain.starts_with("error:"), "{plain}");
            assert!(value.get("error").is_some(), "{json}");
        }
    }
}
