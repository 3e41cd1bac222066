//! The roster of a day: the players allowed to log in.

use std::collections::BTreeMap;
use std::path::PathBuf;

use serde::{Deserialize, Serialize};

use casino_host::Refusal;
use casino_judge::roster::{Identity, Roster, RosterError};
use casino_stud::protocol::MAX_NAME;
use casino_stud::shown::count;
use casino_stud::shown::short_line;
use casino_stud::tournament::{SecretIds, harmless};

/// The players allowed to log in, each once: from a file with the column `github_id` or `github_username`, and optionally `name`
/// for the public name. Other columns are ignored, so a roster of submissions can be used.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct PlayerRoster {
    /// The names by GitHubId; empty if unnamed.
    names: BTreeMap<String, String>,
    secrets: SecretIds,
    changes: RosterChanges,
    /// The file and its content when it was read last.
    file: Option<(PathBuf, Vec<u8>)>,
}

/// What the teacher has changed at the console; the file lacks it.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub(super) struct RosterChanges {
    /// The players that were let in, and their names.
    let_in: BTreeMap<String, String>,
    /// The GitHubIds that players really have, by those in the file.
    corrected: BTreeMap<String, String>,
}

impl PlayerRoster {
    /// Reads a roster from CSV.
    pub fn read(text: &[u8]) -> Result<PlayerRoster, RosterError> {
        let mut roster = PlayerRoster::default();
        for student in Roster::read(text, Identity::GitHubId)?.students {
            if student.id.contains(':') || student.id.chars().count() > MAX_NAME {
                let why = format!(
                    "\"{}\" cannot be sent as a GitHubId: it has a colon, or more than {MAX_NAME} characters",
                    short_line(&student.id)
                );
                return Err(RosterError::at_line(student.line, &why));
            }
            roster.names.insert(student.id, harmless(&student.name).unwrap_or_default());
        }
        if roster.names.is_empty() {
            return Err(RosterError::at_line(2, "the roster is empty"));
        }
        roster.secrets = SecretIds::new(roster.names.keys());
        Ok(roster)
    }

    /// The same roster, of this file with this content.
    #[must_use]
    pub fn of_file(self, path: PathBuf, text: Vec<u8>) -> PlayerRoster {
        PlayerRoster { file: Some((path, text)), ..self }
    }

    /// Reads the file again if it has changed, and returns a notice. A file with an error changes nothing, and the notice
    /// is an error.
    pub(super) fn read_again(&mut self) -> Option<Result<String, String>> {
        let (path, old) = self.file.as_mut()?;
        // Editors replace files: for a moment there may be none.
        let text = std::fs::read(&*path).ok().filter(|text| text != old)?;
        old.clone_from(&text);
        let shown = path.display().to_string();
        Some(match PlayerRoster::read(&text) {
            Ok(new) => {
                self.names = new.names;
                let changes = self.changes.clone();
                self.change(&changes);
                Ok(format!("{shown} was read again: {}.", count(self.names.len(), "player")))
            }
            Err(error) => {
                Err(format!("{shown} has changed and is not used: {error}. The roster before it stays."))
            }
        })
    }

    /// What the teacher has changed at the console.
    pub(super) fn changes(&self) -> &RosterChanges {
        &self.changes
    }

    /// Changes what the file says as the teacher did.
    pub(super) fn change(&mut self, changes: &RosterChanges) {
        self.names.extend(changes.let_in.clone());
        for (written, sent) in &changes.corrected {
            if let Some(name) = self.names.remove(written) {
                self.names.insert(sent.clone(), name);
            }
        }
        let sent = changes.corrected.iter().flat_map(|(written, sent)| [written, sent]);
        self.secrets = SecretIds::new(self.names.keys().chain(sent));
        self.changes.clone_from(changes);
    }

    /// Adds a player; with an empty name the program's own is shown.
    pub(super) fn let_in(&mut self, github_id: &str, name: String) {
        self.secrets.add(github_id);
        self.names.insert(github_id.to_string(), name.clone());
        self.changes.let_in.insert(github_id.to_string(), name);
    }

    /// The player of the first GitHubId has the second one. False if nobody has the first, or somebody the second.
    pub(super) fn rename_id(&mut self, github_id: &str, sent: &str) -> bool {
        if self.names.contains_key(sent) {
            return false;
        }
        let Some(name) = self.names.remove(github_id) else { return false };
        self.secrets.add(sent);
        self.names.insert(sent.to_string(), name);
        // It may have been corrected before: the file has what it had.
        let written = self.changes.corrected.iter().find(|(_, last)| *last == github_id);
        let written = written.map_or(github_id, |(written, _)| written).to_string();
        self.changes.corrected.insert(written, sent.to_string());
        true
    }

    /// The roster of these GitHubIds and names.
    pub fn of(players: impl IntoIterator<Item = (String, String)>) -> PlayerRoster {
        let names: BTreeMap<String, String> = players.into_iter().collect();
        PlayerRoster { secrets: SecretIds::new(names.keys()), names, ..PlayerRoster::default() }
    }

    /// How many players are on it.
    pub fn len(&self) -> usize {
        self.names.len()
    }

    /// Whether it is empty.
    pub fn is_empty(&self) -> bool {
        self.names.is_empty()
    }

    /// The name everyone sees of the player of this GitHubId, if the roster has one.
    pub fn name(&self, github_id: &str) -> Option<&str> {
        self.names.get(github_id).map(String::as_str).filter(|name| !name.is_empty())
    }

    /// The GitHubIds, in order, and the names where there are any.
    pub(super) fn players(&self) -> impl Iterator<Item = (&str, Option<&str>)> {
        self.names.keys().map(|id| (id.as_str(), self.name(id)))
    }

    /// Whether a text tells a GitHubId of the roster.
    pub(super) fn is_revealed_by(&self, text: &str) -> bool {
        self.secrets.are_revealed_by(text)
    }

    /// Why this GitHubId is refused; nothing if it is on the roster.
    pub fn refusal(&self, github_id: &str) -> Option<Refusal> {
        if self.names.contains_key(github_id) {
            return None;
        }
        let plain = |id: &str| id.trim().to_lowercase();
        let near = self.names.keys().find(|id| plain(id) == plain(github_id)).cloned();
        Some(Refusal::NotOnRoster { sent: github_id.to_string(), near })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn roster_players_may_log_in_under_their_roster_name() {
        let roster = PlayerRoster::read(b"folder;GitHub ID;Name\na;StephenCurry;Steph\nb;ada-l;\n").unwrap();
        assert_eq!(
            (roster.len(), roster.name("StephenCurry"), roster.name("ada-l")),
            (2, Some("Steph"), None)
        );
        assert_eq!(roster.refusal("ada-l"), None);
        let refusal = |id: &str| roster.refusal(id).unwrap().to_string();
        assert!(refusal("stephencurry").contains("has \"StephenCurry\""), "{}", refusal("stephencurry"));
        assert!(refusal("mallory").contains("\"mallory\", which is not on the roster"));
    }

    #[test]
    fn a_changed_file_is_read_again_and_keeps_those_let_in() {
        let folder = std::env::temp_dir().join(format!("casino-roster-{}", std::process::id()));
        std::fs::create_dir_all(&folder).unwrap();
        let path = folder.join("class.csv");
        let text = b"github_id,name\nada,Countess\n".to_vec();
        let mut roster = PlayerRoster::read(&text).unwrap().of_file(path.clone(), text.clone());
        std::fs::write(&path, &text).unwrap();
        assert_eq!(roster.read_again(), None);
        roster.let_in("cyd", "Third".to_string());
        std::fs::write(&path, "github_id,name\nada,Countess\nbob,Second\n").unwrap();
        assert!(roster.read_again().unwrap().unwrap().ends_with("class.csv was read again: 3 players."));
        assert_eq!((roster.name("bob"), roster.name("cyd")), (Some("Second"), Some("Third")));
        std::fs::write(&path, "github_id\n\"\n").unwrap();
        assert!(roster.read_again().unwrap().unwrap_err().ends_with("The roster before it stays."));
        assert_eq!((roster.read_again(), roster.len()), (None, 3));
        std::fs::remove_dir_all(folder).unwrap();
    }

    #[test]
    fn a_corrected_id_stays_when_the_file_is_read_again() {
        let folder = std::env::temp_dir().join(format!("casino-corrected-{}", std::process::id()));
        std::fs::create_dir_all(&folder).unwrap();
        let path = folder.join("class.csv");
        let text = b"github_id,name\nada-lovelace,Ada\nbob,Bob\n".to_vec();
        let mut roster = PlayerRoster::read(&text).unwrap().of_file(path.clone(), text);
        assert!(!roster.rename_id("ada-lovelace", "bob") && !roster.rename_id("eve", "ada"));
        assert_eq!(roster.name("ada-lovelace"), Some("Ada"));
        assert!(roster.rename_id("ada-lovelace", "adal") && roster.rename_id("adal", "ada-l"));
        for rows in ["ada-lovelace,Ada\nbob,Bobby\n", "ada-lovelace,Ada\nbob,Robert\n"] {
            let expected = [
                ("ada-l", Some("Ada")),
                ("bob", rows.lines().last().unwrap().split_once(',').map(|row| row.1)),
            ];
            std::fs::write(&path, format!("github_id,name\n{rows}")).unwrap();
            assert!(roster.read_again().unwrap().is_ok());
            assert_eq!(roster.players().collect::<Vec<_>>(), expected);
        }
        assert!(roster.is_revealed_by("ada-l") && roster.is_revealed_by("ada-lovelace"));
        std::fs::remove_dir_all(folder).unwrap();
    }

    #[test]
    fn the_names_of_the_roster_are_the_teachers_word() {
        let roster = PlayerRoster::read(b"github_id,name\nada,Bob\nbob,Ada L\ncy,Cy\n").unwrap();
        let names: Vec<Option<&str>> = roster.players().map(|(_, name)| name).collect();
        assert_eq!(names, [Some("Bob"), Some("Ada L"), Some("Cy")]);
        assert!(
            roster.is_revealed_by("Bob") && roster.is_revealed_by("Cy") && !roster.is_revealed_by("Ada L")
        );
    }

    #[test]
    fn roster_errors_name_the_problem_and_the_line() {
        let wrong = |text: &str| PlayerRoster::read(text.as_bytes()).unwrap_err().to_string();
        assert!(wrong("name\nAda\n").contains("no column \"github_id\"; there are name"));
        assert!(wrong("github_id\nada\nbob\nada\n").contains("line 4: ada is on line 2 already"));
        assert!(wrong("github_id,name\n,Ada\n").contains("line 2: the cell of github_id is empty"));
        assert!(wrong("github_id\na:b\n").contains("line 2: \"a:b\" cannot be sent"));
        // A message stays one sentence for any content of the file.
        let long = wrong(&format!("github_id\n{}\n", "\u{10}".repeat(5_000)));
        assert!(long.contains("line 2: \"\\u0010\\u0010") && long.len() < 600, "{long}");
        assert!(wrong("github_id\n").contains("the roster is empty"));
    }
}
