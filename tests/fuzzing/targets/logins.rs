//! Any bytes as replies to `login`, one to a line, and the resulting players.

use casino_stud::cards::Seed;
use casino_stud::protocol::{Login, LoginError};
use casino_stud::tournament::{Entrant, Roster};

use super::check;
use super::second_decoder;

/// R16, implemented in another way.
fn expected(payload: &[u8]) -> Result<[String; 2], LoginError> {
    let text = second_decoder::text(payload).ok_or(LoginError::BadText)?;
    match text.matches(':').count() {
        0 => return Err(LoginError::NoColon),
        1 => {}
        _ => return Err(LoginError::ManyColons),
    }
    let at = text.find(':').expect("there is one");
    let parts = [&text[..at], &text[at + 1..]];
    // The first part that is wrong decides.
    for part in parts {
        if part.chars().all(char::is_whitespace) {
            return Err(LoginError::EmptyPart);
        }
        if part.chars().nth(64).is_some() {
            return Err(LoginError::TooLong);
        }
    }
    Ok(parts.map(str::to_string))
}

pub fn body(input: &[u8]) {
    let mut entrants = Vec::new();
    for payload in input.split(|byte| *byte == b'\n').take(8) {
        let read = Login::read(payload);
        match (read, expected(payload)) {
            (Ok(login), Ok([github_id, avatar])) => {
                assert_eq!((&login.github_id, &login.avatar), (&github_id, &avatar));
                entrants.push(Entrant::new(github_id, avatar));
            }
            (Err(found), Err(error)) => {
                assert_eq!(found, error);
                check::sentence(&found.to_string());
            }
            (found, wanted) => panic!("{found:?}, not {wanted:?}"),
        }
    }
    entrants.sort_by(|one, other| one.github_id.cmp(&other.github_id));
    entrants.dedup_by(|one, other| one.github_id == other.github_id);
    seat(&entrants);
}

/// Any logins get short, harmless and distinct names, none of which is a GitHubId.
fn seat(entrants: &[Entrant]) {
    let seed = Seed::chosen("logins");
    let roster = Roster::new(entrants, &seed);
    let players = roster.players();
    assert_eq!(players.len(), entrants.len());
    for (place, player) in players.iter().enumerate() {
        assert_eq!(player.github_id, entrants[roster.entrants()[place]].github_id);
        assert!(!player.name.trim().is_empty() && player.name.chars().count() <= 50, "{:?}", player.name);
        check::harmless(&player.name);
        assert!(players[..place].iter().all(|other| other.name != player.name), "{:?} twice", player.name);
        // A short id is in many an innocent name.
        let tells =
            |id: &str| player.name == id || id.len() >= 6 && id.is_ascii() && player.name.contains(id);
        let is_plain = |id: &str| id.chars().all(|c| c.is_ascii_alphanumeric());
        let told = entrants.iter().find(|other| is_plain(&other.github_id) && tells(&other.github_id));
        assert!(told.is_none(), "the name {:?} tells a GitHubId", player.name);
    }
    let backwards: Vec<Entrant> = entrants.iter().rev().cloned().collect();
    assert_eq!(Roster::new(&backwards, &seed).players(), players, "the order in which they came counts");
}
