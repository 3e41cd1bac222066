//! Why a command did not do what it was asked, and the exit code for it.

use std::fmt;
use std::io;

use crate::session::SessionError;

/// Why a command did not do what it was asked.
#[derive(Debug)]
pub(crate) enum Failure {
    /// The words of the command line, or a file they name, cannot be used: exit code 2.
    Usage(String),
    /// The work began and went wrong: exit code 1.
    Broke(String),
    /// The work is done and its verdict, already printed, has an exit code of its own.
    Verdict(u8),
    /// Nobody reads standard output any more, so there is nothing left to do: exit code 0.
    NobodyReads,
}

impl Failure {
    /// A [`Failure::Usage`] from anything that can be shown.
    pub(crate) fn usage(error: impl fmt::Display) -> Failure {
        Failure::Usage(error.to_string())
    }

    /// The failure where only an I/O error can be returned.
    pub(crate) fn into_io(self) -> io::Error {
        match self {
            Failure::NobodyReads => io::ErrorKind::BrokenPipe.into(),
            Failure::Usage(message) | Failure::Broke(message) => io::Error::other(message),
            Failure::Verdict(code) => io::Error::other(format!("exit code {code}")),
        }
    }

    /// A [`Failure::Broke`] from anything that can be shown.
    pub(crate) fn broke(error: impl fmt::Display) -> Failure {
        Failure::Broke(error.to_string())
    }
}

impl From<SessionError> for Failure {
    fn from(error: SessionError) -> Failure {
        if error.is_unread() {
            return Failure::NobodyReads;
        }
        match (advice(&error), error.is_usage()) {
            (Some(advice), true) => Failure::Usage(format!("{error}{advice}")),
            (Some(advice), false) => Failure::Broke(format!("{error}{advice}")),
            (None, true) => Failure::usage(error),
            (None, false) => Failure::broke(error),
        }
    }
}

/// What may help, in the words of the command line.
fn advice(error: &SessionError) -> Option<String> {
    Some(match error {
        SessionError::TooFewPlayers { .. } => ": add one with --bot".to_string(),
        SessionError::TooManyPlayers { .. } => ": spread them over several with --seats".to_string(),
        SessionError::TooManyChips { .. } => ": choose a smaller --stack".to_string(),
        SessionError::JournalExists { path } => {
            format!(": name a new file, or go on with it by casino resume {}", path.display())
        }
        SessionError::NoAddress { .. } => ": say where with --bind ADDR:PORT".to_string(),
        SessionError::Listen { .. } => "; choose another --bind".to_string(),
        SessionError::Recording(_) => {
            "; once there is room again, casino resume goes on from there".to_string()
        }
        _ => return None,
    })
}
