//! The folder of a ladder and its lock.

use std::fs::{self, File};
use std::path::{Path, PathBuf};

use rusqlite::{Connection, Params, Row, Transaction, TransactionBehavior};

use casino_system::files;

use super::{LadderError, database};

const DATABASE: &str = "ladder.db";
const LOCK: &str = "serving.lock";
const MATCHES: &str = "matches";
const SUBMISSIONS: &str = "submissions";
const ARRIVING: &str = "arriving";

/// A handle to the ladder in a folder.
#[derive(Debug)]
pub struct Ladder {
    folder: PathBuf,
    pub(crate) db: Connection,
    /// Held by the one process that plays.
    serving: Option<File>,
}

impl Ladder {
    /// Opens the ladder of a folder; folder and ladder are made if there are none.
    pub fn create(folder: &Path) -> Result<Ladder, LadderError> {
        for folder in [folder.to_path_buf(), folder.join(MATCHES), folder.join(SUBMISSIONS)] {
            casino_system::folders::create_private(&folder).map_err(LadderError::file(&folder))?;
        }
        let ladder = Ladder::at(folder, true)?;
        for name in [ladder.database(), ladder.journals()] {
            files::sync_names(&name).map_err(LadderError::file(&name))?;
        }
        Ok(ladder)
    }

    /// Opens the ladder of a folder.
    pub fn open(folder: &Path) -> Result<Ladder, LadderError> {
        if !folder.join(DATABASE).is_file() {
            return Err(LadderError::Refused(format!(
                "{} is no ladder: there is no ladder.db in it. `casino ladder DIR` makes one",
                folder.display()
            )));
        }
        Ladder::at(folder, false)
    }

    fn at(folder: &Path, may_be_made: bool) -> Result<Ladder, LadderError> {
        let db = database::open(&folder.join(DATABASE), may_be_made)?;
        Ok(Ladder { folder: folder.to_path_buf(), db, serving: None })
    }

    /// Makes this handle the one process that plays here, and checks the whole database. Voids the unfinished matches of a
    /// process that died; its challenges are planned again. Whole journals that the database does not know as played, as
    /// after a backup was put back, are taken in. Returns the names of those that cannot be, which stay in the folder.
    pub fn serve(&mut self) -> Result<Vec<String>, LadderError> {
        let lock = self.folder.join(LOCK);
        let opened = if lock.exists() { files::open_locked(&lock) } else { files::create_locked(&lock) };
        let opened = opened.map_err(|error| match error.kind() {
            std::io::ErrorKind::ResourceBusy | std::io::ErrorKind::WouldBlock => {
                let folder = self.folder.display();
                LadderError::Refused(format!(
                    "{folder} is being served by another process: stop that one first"
                ))
            }
            _ => LadderError::File { path: lock.clone(), source: error },
        })?;
        self.serving = Some(opened);
        database::check(&self.db, &self.folder.join(DATABASE))?;
        // What was on its way to a process that died.
        let arriving = self.arriving();
        super::intake::remove(&arriving).map_err(LadderError::file(&arriving))?;
        let unknown = self.take_in_journals()?;
        self.void_interrupted_matches()?;
        self.remove_interrupted_journals()?;
        Ok(unknown)
    }

    /// The folder.
    pub fn folder(&self) -> &Path {
        &self.folder
    }

    /// The database.
    pub fn database(&self) -> PathBuf {
        self.folder.join(DATABASE)
    }

    /// Goes through all of the database.
    pub fn check_database(&self) -> Result<(), LadderError> {
        database::check(&self.db, &self.database())
    }

    /// Where the journal of the match of this name is.
    pub fn journal(&self, name: &str) -> PathBuf {
        self.folder.join(MATCHES).join(format!("{name}.jsonl"))
    }

    /// The folder of all journals.
    pub(crate) fn journals(&self) -> PathBuf {
        self.folder.join(MATCHES)
    }

    /// The folder of submissions that are on their way to the process that plays.
    pub fn arriving(&self) -> PathBuf {
        self.folder.join(ARRIVING)
    }

    /// The folder of all submissions.
    pub(crate) fn submissions(&self) -> PathBuf {
        self.folder.join(SUBMISSIONS)
    }

    /// Begins a write transaction, which excludes all other writers until it is committed.
    pub(crate) fn begin(&mut self) -> rusqlite::Result<Transaction<'_>> {
        self.db.transaction_with_behavior(TransactionBehavior::Immediate)
    }

    /// All rows of a query.
    pub(crate) fn rows<T>(
        &self,
        sql: &str,
        values: impl Params,
        row: impl FnMut(&Row<'_>) -> rusqlite::Result<T>,
    ) -> Result<Vec<T>, LadderError> {
        Ok(self.db.prepare(sql)?.query_map(values, row)?.collect::<rusqlite::Result<_>>()?)
    }

    /// Removes the unfinished journals of matches that are void.
    fn remove_interrupted_journals(&self) -> Result<(), LadderError> {
        let folder = self.journals();
        let mut void = self.db.prepare("SELECT 1 FROM matches WHERE name = ?1 AND state = 'void'")?;
        for entry in fs::read_dir(&folder).map_err(LadderError::file(&folder))? {
            let path = entry.map_err(LadderError::file(&folder))?.path();
            let name = path.file_name().map(|name| name.to_string_lossy().into_owned()).unwrap_or_default();
            let Some((name, ending)) = name.split_once('.') else { continue };
            if ending.starts_with("part") && void.exists([name])? {
                fs::remove_file(&path).map_err(LadderError::file(&path))?;
            }
        }
        Ok(())
    }
}

#[cfg(test)]
pub(crate) mod tests {
    use super::*;
    use std::sync::atomic::{AtomicU32, Ordering};

    /// A folder for one test.
    pub(crate) struct Scratch(PathBuf);

    impl Scratch {
        pub(crate) fn new(name: &str) -> Scratch {
            static TEST_FOLDERS: AtomicU32 = AtomicU32::new(0);
            let number = TEST_FOLDERS.fetch_add(1, Ordering::Relaxed);
            let folder = format!("casino-ladder-{name}-{}-{number}", std::process::id());
            let folder = std::env::temp_dir().join(folder);
            let _ = fs::remove_dir_all(&folder);
            fs::create_dir_all(&folder).unwrap();
            Scratch(folder)
        }

        pub(crate) fn path(&self) -> &Path {
            &self.0
        }

        pub(crate) fn ladder(&self) -> Ladder {
            Ladder::create(&self.0.join("ladder")).unwrap()
        }
    }

    impl Drop for Scratch {
        fn drop(&mut self) {
            let _ = fs::remove_dir_all(&self.0);
        }
    }

    #[test]
    fn one_process_plays_and_others_may_read() {
        let scratch = Scratch::new("serving");
        let mut ladder = scratch.ladder();
        ladder.serve().unwrap();
        let mut other = Ladder::open(ladder.folder()).unwrap();
        let refused = other.serve().unwrap_err().to_string();
        assert!(refused.contains("being served by another process"), "{refused}");
        assert!(other.players().unwrap().is_empty());
        drop(ladder);
        other.serve().unwrap();
        let refused = Ladder::open(scratch.path()).unwrap_err().to_string();
        assert!(refused.contains("is no ladder"), "{refused}");
    }
}
