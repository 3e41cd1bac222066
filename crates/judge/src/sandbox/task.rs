//! A task for the sandbox: command line, place and limits, and the error if it cannot be started.

use std::fmt;
use std::io;
use std::path::{PathBuf, is_separator};

use thiserror::Error;

use super::ResourceLimits;

/// A program to run in the sandbox.
#[derive(Clone, Debug)]
pub struct Task {
    /// The program and its arguments. `{host}` and `{port}` become the dealer's address.
    pub words: Vec<String>,
    /// Where it runs.
    pub place: Workspace,
    /// Its resource limits.
    pub limits: ResourceLimits,
    /// How many bytes of each output are kept: the last ones.
    pub keep: usize,
}

/// Where a program runs, and the files it may write.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Workspace {
    /// In a fresh copy of this folder, which is gone afterwards.
    Copy(PathBuf),
    /// In this folder, which it may change: for building.
    Build(PathBuf),
    /// In this folder, which it cannot change under bubblewrap.
    Here(PathBuf),
}

/// The program could not be started at all.
#[derive(Debug, Error)]
pub struct NeverStarted {
    /// The name of the program.
    pub program: String,
    /// The error of the system.
    #[source]
    pub error: io::Error,
}

impl fmt::Display for NeverStarted {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{} cannot be started: {}", self.program, self.error)?;
        match self.error.kind() {
            io::ErrorKind::NotFound if self.program.contains(is_separator) => {
                f.write_str(" (is the path right, and the interpreter in its first line installed?)")
            }
            io::ErrorKind::NotFound => {
                f.write_str(" (install it, or write ./NAME for a file in this folder)")
            }
            io::ErrorKind::PermissionDenied => f.write_str(" (make it executable: chmod +x)"),
            _ => Ok(()),
        }
    }
}
