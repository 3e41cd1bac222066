//! Any text as an event file, read as on the command line.

use casino_day::driven::read_event_file;

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
}
