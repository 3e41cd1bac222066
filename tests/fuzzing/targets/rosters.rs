//! Any bytes as the roster of a class.

use casino_day::session::PlayerRoster;
use casino_stud::protocol::Login;
use casino_stud::protocol::modified_utf8::encode;

use super::check;

pub fn body(input: &[u8]) {
    match PlayerRoster::read(input) {
        Err(error) => check::sentence(&error.to_string()),
        Ok(roster) => {
            assert!(!roster.is_empty(), "an empty roster is an error");
            let lines = input.iter().filter(|byte| matches!(byte, b'\n' | b'\r')).count();
            assert!(roster.len() <= lines, "{} players in {lines} lines", roster.len());
            for id in input.split(|byte| b",;\t\r\n\"".contains(byte)).take(40) {
                known(&roster, &String::from_utf8_lossy(id));
            }
        }
    }
}

/// A player on the roster can log in with this id and has a harmless name; any other gets a reason.
fn known(roster: &PlayerRoster, id: &str) {
    match roster.refusal(id) {
        Some(refusal) => {
            assert_eq!(roster.name(id), None, "{id:?} is refused and has a name");
            check::sentence(&refusal.to_string());
        }
        None => {
            let login = Login::read(&encode(&format!("{id}:avatar")));
            assert_eq!(login.map(|login| login.github_id), Ok(id.to_string()), "it cannot be sent");
            check::harmless(roster.name(id).unwrap_or("nobody"));
        }
    }
}
