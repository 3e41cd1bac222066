//! Why a command failed, and the exit code for it.

use std::fmt;
use std::io;
use std::path::Path;

use crate::session::SessionError;
use casino_system::command_line::MAKE_FOLDERS;

use super::terminal::quoted;

/// Why a command failed.
#[derive(Debug)]
pub(crate) enum Failure {
    /// The command line, or a file it names, cannot be used: exit code 2.
    Usage(String),
    /// The work began and failed: exit code 1.
    Runtime(String),
    /// The work is done; its verdict has been printed and has its own exit code.
    Verdict(u8),
    /// The reader of standard output has gone away, so there is nothing left to do: exit code 0.
    ReaderGone,
}

impl Failure {
    /// A [`Failure::Usage`] from anything that can be shown.
    pub(crate) fn usage(error: impl fmt::Display) -> Failure {
        Failure::Usage(error.to_string())
    }

    /// The failure of a file or folder that the command line names, and that cannot be used.
    pub(crate) fn of_path(path: &Path, error: impl fmt::Display) -> Failure {
        Failure::Usage(format!("{}: {error}", path.display()))
    }

    /// The failure where only an I/O error can be returned.
    pub(crate) fn into_io(self) -> io::Error {
        match self {
            Failure::ReaderGone => io::ErrorKind::BrokenPipe.into(),
            Failure::Usage(message) | Failure::Runtime(message) => io::Error::other(message),
            Failure::Verdict(code) => io::Error::other(format!("exit code {code}")),
        }
    }

    /// A [`Failure::Runtime`] from anything that can be shown.
    pub(crate) fn runtime(error: impl fmt::Display) -> Failure {
        Failure::Runtime(error.to_string())
    }
}

impl From<SessionError> for Failure {
    fn from(error: SessionError) -> Failure {
        if error.is_unread() {
            return Failure::ReaderGone;
        }
        let message = format!("{error}{}", advice(&error));
        if error.is_usage() { Failure::Usage(message) } else { Failure::Runtime(message) }
    }
}

/// What to do after a host has died before the first deal.
const NOTHING_IN_LOBBY: &str = "A host that ended in its lobby has written none: start it again with the same words. The \
                                names given and the players let in at the console are kept for it";

/// Returns advice in the words of the command line, to be added to the error; empty if there is none.
fn advice(error: &SessionError) -> String {
    match error {
        SessionError::TooFewPlayers { .. } => ": add one with --bot".to_string(),
        SessionError::TooManyPlayers { .. } => ": spread them over several with --seats and --format freezeout or swiss".to_string(),
        SessionError::TooManyChips { .. } => ": choose a smaller --stack".to_string(),
        SessionError::JournalExists { path } => {
            format!(": name a new file, or resume it with casino resume {}", path.display())
        }
        SessionError::NoPageToStay => ": --stay needs --web".to_string(),
        SessionError::NoAddress { .. } => ": say where with --bind ADDR:PORT".to_string(),
        SessionError::Listen { .. } => "; choose another --bind".to_string(),
        SessionError::NoJournalFolder { folder, .. } => {
            format!(": make it first, as by {MAKE_FOLDERS} {}", quoted(&folder.to_string_lossy()))
        }
        SessionError::NewJournal { .. } => "; choose another file with --journal".to_string(),
        SessionError::Results { .. } | SessionError::Folder { .. } => {
            "; choose another folder with --out".to_string()
        }
        SessionError::ProgramsNotAllowed { .. } => {
            ": if you know these command lines, add --run-programs, or type y where you are asked on a terminal"
                .to_string()
        }
        SessionError::NothingUnfinished { over: Some(over), .. } => format!(
            ".\nThe newest one is over. This shows its last rounds and its winners again:\n  casino resume {} --web 8080",
            quoted(&over.to_string_lossy())
        ),
        SessionError::NothingUnfinished { .. } => {
            format!(": name the journal, or the folder it is in. {NOTHING_IN_LOBBY}")
        }
        SessionError::NotResumable { path, .. } if !path.exists() => format!(". {NOTHING_IN_LOBBY}"),
        SessionError::Recording { resume: Some(resume), .. } => {
            format!(".\nFree some space, then continue with\n  {resume}")
        }
        _ => String::new(),
    }
}
