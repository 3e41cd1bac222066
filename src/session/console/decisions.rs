//! What the teacher decides in a lobby about names and players: kept beside the journal that the tournament will have, because
//! a host that dies in its lobby has written no journal.

use std::collections::BTreeMap;
use std::error::Error;
use std::fs;
use std::io::ErrorKind;
use std::path::{Path, PathBuf};
use std::sync::Arc;

use serde::{Deserialize, Serialize};

use casino_system::files;

use super::{ConsoleError, ConsoleState};
use crate::session::SessionError;
use crate::session::files::{beside, write_private};
use crate::session::player_roster::RosterChanges;

/// By this the file is recognized.
const MARK: &str = "\"renames\":";

/// The teacher's decisions of a day that hold for its next tournament too.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub(super) struct LobbyDecisions {
    /// The names given, by GitHubId.
    renames: BTreeMap<String, String>,
    roster: RosterChanges,
}

/// The file beside this journal.
fn file_of(journal: &Path) -> PathBuf {
    beside(journal, ".lobby")
}

impl ConsoleState {
    fn decisions(&self) -> LobbyDecisions {
        let state = self.state();
        let roster = state.roster.as_ref().map(|roster| roster.changes().clone());
        LobbyDecisions { renames: state.renames.clone(), roster: roster.unwrap_or_default() }
    }

    /// Takes over what was decided for this journal in a lobby whose host died. Whether anything was.
    pub(in crate::session) fn restore_decisions(&self, journal: &Path) -> Result<bool, SessionError> {
        let path = file_of(journal);
        let unreadable =
            |source: Box<dyn Error + Send + Sync>| SessionError::Decisions { path: path.clone(), source };
        let kept: LobbyDecisions = match files::read(&path) {
            Ok(text) => serde_json::from_slice(&text).map_err(|error| unreadable(error.into()))?,
            Err(error) if error.kind() == ErrorKind::NotFound => return Ok(false),
            Err(error) => return Err(unreadable(error.into())),
        };
        let mut state = self.state();
        if let Some(roster) = &mut state.roster {
            Arc::make_mut(roster).change(&kept.roster);
        }
        state.renames = kept.renames;
        Ok(true)
    }

    /// From now on the decisions are kept beside this journal, and no longer beside the one before it.
    pub(in crate::session) fn keep_decisions(&self, journal: &Path) -> Result<(), SessionError> {
        let before = self.decisions_for().replace(journal.to_path_buf());
        self.write_decisions()?;
        // Nothing reads the file of a tournament before.
        before.filter(|before| before != journal).iter().for_each(|before| forget(before));
        Ok(())
    }

    /// The day is over: nobody needs what was decided.
    pub(in crate::session) fn forget_decisions(&self) {
        self.decisions_for().take().iter().for_each(|journal| forget(journal));
    }

    /// Writes what is decided now. Decisions of the same moment are written one after the other.
    fn write_decisions(&self) -> Result<(), SessionError> {
        let journal = self.decisions_for();
        let (Some(journal), decisions) = (&*journal, self.decisions()) else { return Ok(()) };
        if decisions == LobbyDecisions::default() {
            return Ok(());
        }
        let json = serde_json::to_string(&decisions).expect("names can be written as JSON");
        write_private(&file_of(journal), &json, MARK)
    }

    /// Keeps a decision that holds already.
    pub(super) fn decided(&self) -> Result<(), ConsoleError> {
        self.lobby_changed.notify_one();
        self.write_decisions().map_err(|error| {
            format!("it is done, but a host that is started again would not know it: {error}").into()
        })
    }
}

fn forget(journal: &Path) {
    // There may be none, and one that stays is named when it is read again.
    let _ = fs::remove_file(file_of(journal));
}

#[cfg(test)]
mod tests {
    use super::super::{LobbyFeed, Member};
    use super::*;
    use crate::session::PlayerRoster;
    use casino_stud::journal::PlayerSource;
    use casino_stud::tournament::SecretIds;

    /// A console in the lobby of a class of three.
    fn in_lobby() -> ConsoleState {
        let console = ConsoleState::default();
        let roster = PlayerRoster::read(b"github_id,name\nada,Ada\nbob,Bob\ncyd,Cyd\n").unwrap();
        console.set_roster(Some(roster));
        let member = Member::new("ada", "Ada", PlayerSource::Remote, &SecretIds::default());
        console.show_lobby(LobbyFeed { members: vec![member], ..LobbyFeed::default() });
        console
    }

    #[test]
    fn what_was_decided_in_a_lobby_holds_after_its_host_died() {
        let folder = std::env::temp_dir().join(format!("casino-decisions-{}", std::process::id()));
        std::fs::create_dir_all(&folder).unwrap();
        let (first, second) = (folder.join("day.jsonl"), folder.join("day-2.jsonl"));
        let console = in_lobby();
        assert!(!console.restore_decisions(&first).unwrap());
        console.keep_decisions(&first).unwrap();
        assert!(!file_of(&first).exists(), "nothing is decided");
        console.rename("ada", "Countess").unwrap();
        console.let_in("eve", "Eve").unwrap();
        console.is_meant("bob-b", "bob").unwrap();

        for _ in 0..2 {
            let again = in_lobby();
            assert!(again.restore_decisions(&first).unwrap());
            assert_eq!(again.decisions(), console.decisions());
            assert_eq!(again.name_given("ada").as_deref(), Some("Countess"));
            for (id, may_enter) in [("eve", true), ("bob-b", true), ("bob", false), ("mallory", false)] {
                assert_eq!(again.roster_refusal(id).is_none(), may_enter, "{id}");
            }
        }
        // The next tournament of the day has another journal.
        console.keep_decisions(&second).unwrap();
        assert!(!file_of(&first).exists() && in_lobby().restore_decisions(&second).unwrap());
        std::fs::write(file_of(&second), "{").unwrap();
        let unreadable = in_lobby().restore_decisions(&second).unwrap_err().to_string();
        assert!(unreadable.contains("day-2.jsonl.lobby to begin without them"), "{unreadable}");
        let refused = console.rename("ada", "Ada").unwrap_err().to_string();
        assert!(refused.starts_with("it is done, but"), "a file that is not its own stays: {refused}");
        console.forget_decisions();
        assert!(!file_of(&second).exists());
        std::fs::remove_dir_all(folder).unwrap();
    }
}
