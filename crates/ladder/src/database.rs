//! Opening the database.

use std::path::Path;
use std::sync::OnceLock;
use std::time::Duration;

use rusqlite::{Connection, ErrorCode, OpenFlags};

use super::LadderError;

/// The application id in the database header: "Cday".
const APPLICATION_ID: i64 = 0x4364_6179;

const SCHEMA: &str = include_str!("schema.sql");

const SCHEMA_VERSION: i64 = 6;

const BUSY_PAUSE: Duration = Duration::from_millis(50);

/// After this many pauses the wait is reported.
const REPORTED_PAUSES: i32 = 100;

static LONG_WAIT: OnceLock<fn()> = OnceLock::new();

/// Sets a function that is called when another process has held the database for five seconds. A ladder waits for it.
pub fn on_long_wait(report: fn()) {
    // Only the first one counts.
    let _ = LONG_WAIT.set(report);
}

fn wait_for_others(pauses: i32) -> bool {
    if pauses % (12 * REPORTED_PAUSES) == REPORTED_PAUSES
        && let Some(report) = LONG_WAIT.get()
    {
        report();
    }
    std::thread::sleep(BUSY_PAUSE);
    true
}

/// Opens the database, which is made if it `may_be_made`.
pub(crate) fn open(path: &Path, may_be_made: bool) -> Result<Connection, LadderError> {
    let mut flags = OpenFlags::SQLITE_OPEN_READ_WRITE | OpenFlags::SQLITE_OPEN_NO_MUTEX;
    flags.set(OpenFlags::SQLITE_OPEN_CREATE, may_be_made);
    let opened =
        Connection::open_with_flags(path, flags).and_then(|mut db| prepare(&mut db).map(|form| (db, form)));
    let (mut db, (application, form)) = opened.map_err(|error| damaged(path, error))?;
    match (application, form) {
        (APPLICATION_ID, SCHEMA_VERSION) => {}
        (APPLICATION_ID, found) => {
            return Err(LadderError::Refused(format!(
                "{} has form {found}, and this program knows form {SCHEMA_VERSION}: another version wrote it. Use that version, or \
                 go back to a backup",
                path.display()
            )));
        }
        (0, 0) if may_be_made && is_empty(&db)? => make(&mut db).map_err(|error| damaged(path, error))?,
        _ => {
            let path = path.display();
            let why = format!("{path} is a database of another program: name another folder");
            return Err(LadderError::Refused(why));
        }
    }
    Ok(db)
}

/// Returns the application and the form of the database.
fn prepare(db: &mut Connection) -> rusqlite::Result<(i64, i64)> {
    db.busy_handler(Some(wait_for_others))?;
    db.pragma_update(None, "journal_mode", "WAL")?;
    db.pragma_update(None, "synchronous", "FULL")?;
    db.pragma_update(None, "foreign_keys", true)?;
    let number = |name: &str| db.pragma_query_value(None, name, |row| row.get(0));
    Ok((number("application_id")?, number("user_version")?))
}

fn is_empty(db: &Connection) -> rusqlite::Result<bool> {
    db.query_row("SELECT count(*) = 0 FROM sqlite_schema", [], |row| row.get(0))
}

/// Creates the tables, unless another process has just created them.
fn make(db: &mut Connection) -> rusqlite::Result<()> {
    let step = db.transaction_with_behavior(rusqlite::TransactionBehavior::Immediate)?;
    let now: i64 = step.pragma_query_value(None, "user_version", |row| row.get(0))?;
    if now == 0 {
        step.execute_batch(SCHEMA)?;
        step.pragma_update(None, "application_id", APPLICATION_ID)?;
        step.pragma_update(None, "user_version", SCHEMA_VERSION)?;
        step.commit()?;
    }
    Ok(())
}

/// Goes through all of the database.
pub(crate) fn check(db: &Connection, path: &Path) -> Result<(), LadderError> {
    let why = || -> rusqlite::Result<Option<String>> {
        let said: String = db.query_row("PRAGMA quick_check(1)", [], |row| row.get(0))?;
        if said != "ok" {
            return Ok(Some(said));
        }
        let mut orphans = db.prepare("PRAGMA foreign_key_check")?;
        let orphan = orphans.query([])?.next()?.map(|row| row.get::<_, String>(0)).transpose()?;
        Ok(orphan.map(|table| format!("a row of {table} refers to one that is gone")))
    };
    match why().map_err(|error| damaged(path, error))? {
        None => Ok(()),
        Some(why) => Err(LadderError::Damaged { path: path.to_path_buf(), why }),
    }
}

fn damaged(path: &Path, error: rusqlite::Error) -> LadderError {
    match error.sqlite_error_code() {
        Some(ErrorCode::NotADatabase | ErrorCode::DatabaseCorrupt) => {
            LadderError::Damaged { path: path.to_path_buf(), why: error.to_string() }
        }
        _ => error.into(),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::folder::tests::Scratch;

    #[test]
    fn foreign_databases_are_refused() {
        let scratch = Scratch::new("database");
        let path = scratch.path().join("ladder.db");
        drop(open(&path, true).unwrap());
        check(&open(&path, false).unwrap(), &path).unwrap();
        let other = scratch.path().join("other.db");
        Connection::open(&other).unwrap().execute_batch("CREATE TABLE songs (id)").unwrap();
        let refused = open(&other, true).unwrap_err().to_string();
        assert!(refused.contains("a database of another program"), "{refused}");
        for form in [SCHEMA_VERSION - 1, 99] {
            let db = Connection::open(&path).unwrap();
            db.pragma_update(None, "user_version", form).unwrap();
            drop(db);
            let error = open(&path, false).unwrap_err().to_string();
            assert!(error.contains(&format!("form {form}")) && error.contains("backup"), "{error}");
        }
    }

    #[test]
    fn a_damaged_database_is_refused_with_the_remedy() {
        let scratch = Scratch::new("damaged");
        let path = scratch.path().join("ladder.db");
        drop(open(&path, true).unwrap());
        let whole = std::fs::read(&path).unwrap();
        let mut broken = whole.clone();
        broken[..64].fill(b'?');
        std::fs::write(&path, &broken).unwrap();
        let error = open(&path, false).unwrap_err().to_string();
        assert!(error.contains("is damaged") && error.contains("backup"), "{error}");
        // Damage in the middle is found by a full integrity check.
        let mut broken = whole;
        let from = broken.len() / 2;
        broken[from..from + 4096].fill(0xa5);
        std::fs::write(&path, &broken).unwrap();
        let error = open(&path, false).and_then(|db| check(&db, &path)).unwrap_err();
        assert!(matches!(error, LadderError::Damaged { .. }), "{error}");
    }

    #[test]
    fn a_database_held_by_another_process_is_waited_for() {
        let scratch = Scratch::new("held");
        let mut ladder = scratch.ladder();
        let other = Connection::open(ladder.database()).unwrap();
        other.execute_batch("BEGIN IMMEDIATE").unwrap();
        let (paused, pauses) = std::sync::mpsc::channel();
        let waiting = std::thread::spawn(move || {
            paused.send(()).unwrap();
            ladder.add_player("Ada", None, 1).unwrap()
        });
        pauses.recv().unwrap();
        std::thread::sleep(4 * BUSY_PAUSE);
        assert!(!waiting.is_finished());
        assert!(wait_for_others(REPORTED_PAUSES) && wait_for_others(i32::MAX), "there is no last try");
        other.execute_batch("COMMIT").unwrap();
        waiting.join().unwrap();
    }
}
