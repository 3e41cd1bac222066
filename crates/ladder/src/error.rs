//! Why something cannot be done with a ladder.

use std::io;
use std::path::PathBuf;

use thiserror::Error;

/// An error of a ladder. Each message names the place and the remedy.
#[derive(Debug, Error)]
pub enum LadderError {
    /// The database is damaged.
    #[error(
        "{} is damaged ({why}). Move the file away with its -wal and -shm, and put the last backup in its place. The journals \
         in matches/ are untouched", .path.display()
    )]
    Damaged {
        /// The database.
        path: PathBuf,
        /// The error from SQLite.
        why: String,
    },
    /// The disk is full, or the ladder has reached its limit.
    #[error("no match is begun: {0}. Make room, or raise the quota; nothing that was played is lost")]
    Full(String),
    /// No entry of this name or number.
    #[error("there is no {what} {which} in this ladder")]
    Unknown {
        /// The kind of thing that was not found.
        what: &'static str,
        /// The name or the number.
        which: String,
    },
    /// The request breaks a rule of the ladder.
    #[error("{0}")]
    Refused(String),
    /// A file cannot be read or written.
    #[error("{}: {source}", .path.display())]
    File {
        /// The file.
        path: PathBuf,
        /// The error of the system.
        source: io::Error,
    },
    /// SQLite cannot do it.
    #[error("the database cannot do this now: {0}")]
    Database(#[from] rusqlite::Error),
}

impl LadderError {
    /// The error of this file or folder.
    pub fn file(path: impl Into<PathBuf>) -> impl FnOnce(io::Error) -> LadderError {
        let path = path.into();
        move |source| LadderError::File { path, source }
    }

    pub(crate) fn unknown(what: &'static str, which: impl ToString) -> LadderError {
        LadderError::Unknown { what, which: which.to_string() }
    }

    /// The error of a change that found no row.
    pub(crate) fn unless_changed(
        rows: usize,
        what: &'static str,
        which: impl ToString,
    ) -> Result<(), LadderError> {
        if rows == 0 { Err(LadderError::unknown(what, which)) } else { Ok(()) }
    }

    /// Whether the disk is full: then nothing new may be begun.
    pub fn is_full(&self) -> bool {
        match self {
            LadderError::Full(_) => true,
            LadderError::File { source, .. } => {
                matches!(source.kind(), io::ErrorKind::StorageFull | io::ErrorKind::QuotaExceeded)
            }
            LadderError::Database(error) => error.sqlite_error_code() == Some(rusqlite::ErrorCode::DiskFull),
            _ => false,
        }
    }
}
