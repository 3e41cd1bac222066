//! Standard output and standard error, as people and scripts expect them.

use std::fmt;
use std::io::{self, BufWriter, IsTerminal, Stdout, Write};

use super::Failure;

/// Standard output, buffered. A reader that went away ends the command quietly instead of by a panic.
pub(crate) struct Output {
    to: BufWriter<Stdout>,
    colour: bool,
}

impl Output {
    /// Standard output; in colour if it is a terminal and `NO_COLOR` is not set.
    pub(crate) fn stdout() -> Output {
        let terminal = io::stdout().is_terminal();
        let wanted = std::env::var_os("NO_COLOR").is_none_or(|value| value.is_empty());
        Output { to: BufWriter::new(io::stdout()), colour: terminal && wanted }
    }

    /// Whether colours are wanted here.
    pub(crate) fn colour(&self) -> bool {
        self.colour
    }

    /// The text in this colour (an ANSI number) where colours are wanted, else as it is.
    pub(crate) fn paint(&self, ansi: &str, text: &str) -> String {
        if self.colour { format!("\x1b[{ansi}m{text}\x1b[0m") } else { text.to_string() }
    }

    /// Writes a line.
    pub(crate) fn line(&mut self, line: impl fmt::Display) -> Result<(), Failure> {
        writeln!(self.to, "{line}").map_err(lost)
    }

    /// Writes a text as it is.
    pub(crate) fn text(&mut self, text: impl fmt::Display) -> Result<(), Failure> {
        write!(self.to, "{text}").map_err(lost)
    }

    /// Hands everything written so far to whoever reads. Every command ends with it.
    pub(crate) fn flush(&mut self) -> Result<(), Failure> {
        self.to.flush().map_err(lost)
    }
}

fn lost(error: io::Error) -> Failure {
    match error.kind() {
        io::ErrorKind::BrokenPipe => Failure::NobodyReads,
        _ => Failure::Broke(format!("standard output cannot be written: {error}")),
    }
}

/// Writes a remark for people to standard error.
pub(super) fn remark(message: &str) {
    let _ = writeln!(io::stderr(), "{message}");
}

/// Writes an error for people to standard error. If even that is closed there is nobody to tell.
pub(super) fn complain(message: &str) {
    let _ = writeln!(io::stderr(), "casino: {message}");
}
