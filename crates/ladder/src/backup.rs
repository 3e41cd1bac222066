//! Backups of the database.

use std::fs;
use std::io;
use std::path::Path;
use std::time::Duration;

use rusqlite::Connection;
use rusqlite::backup::Backup;

use casino_system::files;

use super::{Ladder, LadderError};

impl Ladder {
    /// Copies the database as it is now, also while it is being played in. The journals and submissions are files beside it, which
    /// never change.
    pub fn backup(&self, to: &Path) -> Result<(), LadderError> {
        files::create_new_private(to).map_err(|error| match error.kind() {
            io::ErrorKind::AlreadyExists => LadderError::Refused(format!(
                "{} is there already: name a new file for the backup",
                to.display()
            )),
            _ => LadderError::File { path: to.to_path_buf(), source: error },
        })?;
        let copied = (|| -> rusqlite::Result<()> {
            let mut copy = Connection::open(to)?;
            Backup::new(&self.db, &mut copy)?.run_to_completion(1_000, Duration::from_millis(5), None)?;
            copy.pragma_update(None, "journal_mode", "DELETE")
        })();
        if let Err(error) = copied {
            // The file was new, so it is removed after a failure.
            let _ = fs::remove_file(to);
            return Err(error.into());
        }
        fs::File::open(to).and_then(|file| file.sync_all()).map_err(LadderError::file(to))
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::folder::tests::Scratch;
    use crate::{MatchKind, MatchTerms, Settings};

    #[test]
    fn backup_brings_everything_back() {
        let scratch = Scratch::new("backup");
        let mut ladder = scratch.ladder();
        ladder.add_house_bots(1).unwrap();
        let ada = ladder.add_player("Ada", Some("secret-ada"), 2).unwrap();
        ladder.renew_key(ada).unwrap();
        ladder.set_settings(&Settings { decks: 7, ..Settings::default() }).unwrap();
        let two = ["bold/1", "odds/1"].map(|label| ladder.version_labelled(label).unwrap().id);
        let terms = MatchTerms { kind: MatchKind::Challenge, decks: 2, stack: 100, reply_ms: 500 };
        ladder.plan_match(terms, &two, Some(ada), 3).unwrap();
        let state = |ladder: &Ladder| {
            let all = ladder.matches(crate::MatchFilter::default()).unwrap();
            (ladder.players().unwrap(), ladder.versions().unwrap(), all, ladder.settings().unwrap())
        };
        let copy = scratch.path().join("backup.db");
        ladder.backup(&copy).unwrap();
        assert!(ladder.backup(&copy).is_err());
        let other = scratch.path().join("other");
        drop(Ladder::create(&other).unwrap());
        for name in ["ladder.db-wal", "ladder.db-shm"] {
            let _ = fs::remove_file(other.join(name));
        }
        fs::copy(&copy, other.join("ladder.db")).unwrap();
        assert_eq!(state(&Ladder::open(&other).unwrap()), state(&ladder));
    }
}
