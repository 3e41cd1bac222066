//! Standard output and standard error, as people and scripts expect them.

use std::fmt::{self, Write as _};
use std::io::{self, BufWriter, IsTerminal, Stdout, Write};
use std::sync::OnceLock;

use serde::Serialize;

use super::Failure;
use casino_judge::figures::Document;
use casino_stud::replay::Paint;
use casino_stud::shown;
use casino_system::output::{is_broken_pipe, understands_ansi};

/// The first error of standard output during a day of tournaments, which goes on without it.
static FIRST_OUTPUT_ERROR: OnceLock<io::Error> = OnceLock::new();

/// Standard output, buffered. If its reader has gone away the command ends quietly, not with a panic.
pub(crate) struct Output {
    to: BufWriter<Stdout>,
    colour: bool,
    /// Whether unwritable output is dropped, because the work is more important.
    is_forgiving: bool,
    /// The output being written.
    text: String,
}

impl Output {
    /// Standard output; in colour if it is a terminal that has any and `NO_COLOR` is not set.
    pub(crate) fn stdout() -> Output {
        let is_dumb = std::env::var_os("TERM").is_some_and(|term| term == "dumb");
        let terminal = io::stdout().is_terminal() && !is_dumb;
        let wanted = std::env::var_os("NO_COLOR").is_none_or(|value| value.is_empty());
        Output {
            to: BufWriter::new(io::stdout()),
            colour: terminal && wanted && understands_ansi(),
            is_forgiving: false,
            text: String::new(),
        }
    }

    /// Standard output during a day of tournaments: after the first error everything is dropped, and the day goes on.
    /// At the end, [`anything_lost`] returns whether any output was dropped.
    pub(super) fn of_a_day() -> Output {
        Output { is_forgiving: true, ..Output::stdout() }
    }

    /// Returns whether the output is coloured.
    pub(crate) fn colour(&self) -> bool {
        self.colour
    }

    /// Returns the text in this colour (an ANSI number) if the output is coloured, otherwise as it is.
    pub(crate) fn paint(&self, ansi: &str, text: &str) -> String {
        self.colours().paint(ansi, text)
    }

    /// The same for cards and other text that is painted before it is written.
    pub(super) fn colours(&self) -> Paint {
        Paint { colours: self.colour }
    }

    /// Writes a line.
    pub(crate) fn line(&mut self, line: impl fmt::Display) -> Result<(), Failure> {
        self.text(format_args!("{line}\n"))
    }

    /// Writes a value as a line of JSON.
    pub(crate) fn json(&mut self, value: &impl Serialize) -> Result<(), Failure> {
        self.line(serde_json::to_string(value).map_err(Failure::runtime)?)
    }

    /// Writes a document.
    pub(crate) fn document(&mut self, document: &Document) -> Result<(), Failure> {
        self.text(document.text(self.colour))
    }

    /// Writes a text without a line feed. Control characters in it are escaped.
    pub(crate) fn text(&mut self, text: impl fmt::Display) -> Result<(), Failure> {
        let mut whole = std::mem::take(&mut self.text);
        whole.clear();
        write!(whole, "{text}").expect("a String takes every text");
        let shown = if self.colour { shown::lines_in_colour(&whole) } else { shown::lines(&whole) };
        let done = self.attempt(|to| to.write_all(shown.as_bytes()));
        self.text = whole;
        done
    }

    /// Writes a text at once, where only an I/O error can be returned.
    pub(super) fn show(&mut self, text: impl fmt::Display) -> io::Result<()> {
        self.text(text).and_then(|()| self.flush()).map_err(Failure::into_io)
    }

    /// Writes everything that is buffered. Every command ends with it.
    pub(crate) fn flush(&mut self) -> Result<(), Failure> {
        self.attempt(Write::flush)
    }

    fn attempt(
        &mut self,
        write: impl FnOnce(&mut BufWriter<Stdout>) -> io::Result<()>,
    ) -> Result<(), Failure> {
        if !self.is_forgiving {
            return write(&mut self.to).map_err(lost);
        }
        if FIRST_OUTPUT_ERROR.get().is_none() {
            write(&mut self.to).unwrap_or_else(lose);
        }
        Ok(())
    }
}

/// Prints a line and nothing else.
pub(crate) fn print(line: impl fmt::Display) -> Result<(), Failure> {
    let mut output = Output::stdout();
    output.line(line)?;
    output.flush()
}

/// Prints a result as one JSON object or as words for people, and nothing else.
pub(crate) fn print_result(
    as_json: bool,
    object: &impl Serialize,
    words: impl FnOnce() -> Document,
) -> Result<(), Failure> {
    let mut output = Output::stdout();
    match as_json {
        true => output.json(object)?,
        false => output.document(&words())?,
    }
    output.flush()
}

/// Standard output cannot be written any more, and the day goes on without it.
pub(super) fn lose(error: io::Error) {
    // The first error has the reason; later ones follow from it.
    let _ = FIRST_OUTPUT_ERROR.set(error);
}

/// The state of standard output during a day of tournaments.
pub(super) fn anything_lost() -> Result<(), Failure> {
    match FIRST_OUTPUT_ERROR.get() {
        Some(error) if !is_broken_pipe(error) => Err(Failure::Runtime(format!(
            "standard output could not be written: {error}. The tournament was played without it"
        ))),
        _ => Ok(()),
    }
}

fn lost(error: io::Error) -> Failure {
    match error.kind() {
        io::ErrorKind::BrokenPipe => Failure::ReaderGone,
        _ => Failure::Runtime(format!("standard output cannot be written: {error}")),
    }
}

/// Writes a remark for people to standard error, and nothing that a terminal would obey. If that is closed, the remark is
/// lost.
pub(super) fn remark(message: &str) {
    let _ = writeln!(io::stderr(), "{}", shown::lines(message));
}

/// Writes an error for people to standard error, and nothing that a terminal would obey. If that is closed, the error is
/// lost.
pub(super) fn complain(message: &str) {
    let _ = writeln!(io::stderr(), "casino: {}", shown::lines(message));
}
