//! The keyboard on Windows: a console gives key by key whenever it is asked to, and is left as it is.

use std::io::{self, IsTerminal};
use std::time::Duration;

use console::Term;

#[derive(Debug)]
pub(crate) struct Keyboard(Term);

impl Keyboard {
    pub(crate) fn take() -> io::Result<Keyboard> {
        if !io::stdin().is_terminal() {
            return Err(io::Error::new(io::ErrorKind::Unsupported, "standard input is no terminal"));
        }
        Ok(Keyboard(Term::stdout()))
    }

    pub(crate) fn key(&self, _within: Duration) -> io::Result<Option<char>> {
        self.0.read_char().map(Some)
    }
}

pub(crate) fn give_back() {}
