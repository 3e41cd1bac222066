//! Why something was not done.

use std::fmt;
use std::io;

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
