//! A program that the system cannot start.

use std::fmt;
use std::io;
use std::path::is_separator;

/// The program could not be started at all.
#[derive(Debug)]
pub struct NeverStarted {
    /// The name of the program.
    pub program: String,
    /// The error of the system.
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

impl std::error::Error for NeverStarted {
    fn source(&self) -> Option<&(dyn std::error::Error + 'static)> {
        Some(&self.error)
    }
}
