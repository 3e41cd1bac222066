//! Standard output and standard error, as people and scripts expect them.

use std::fmt;
use std::io::{self, BufWriter, IsTerminal, Stdout, Write};

use super::Failure;

/// Standard output, buffered. If its reader has gone away the command ends quietly, not with a panic.
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

    /// Returns whether the output is coloured.
    pub(crate) fn colour(&self) -> bool {
        self.colour
    }

    /// Returns the text in this colour (an ANSI number) if the output is coloured, otherwise as it is.
    pub(crate) fn paint(&self, ansi: &str, text: &str) -> String {
        if self.colour { format!("\x1b[{ansi}m{text}\x1b[0m") } else { text.to_string() }
    }

    /// Writes a line.
    pub(crate) fn line(&mut self, line: impl fmt::Display) -> Result<(), Failure> {
        writeln!(self.to, "{line}").map_err(lost)
    }

    /// Writes a text without a line feed after it.
    pub(crate) fn text(&mut self, text: impl fmt::Display) -> Result<(), Failure> {
        write!(self.to, "{text}").map_err(lost)
    }

    /// Writes everything that is buffered. Every command ends with it.
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

/// Writes a remark for people to standard error. If that is closed, the remark is lost.
pub(super) fn remark(message: &str) {
    let _ = writeln!(io::stderr(), "{message}");
}

/// Writes an error for people to standard error. If that is closed, the error is lost.
pub(super) fn complain(message: &str) {
    let _ = writeln!(io::stderr(), "casino: {message}");
}
