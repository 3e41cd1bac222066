//! The log of messages between dealer and program.

use std::fmt;

use serde::Serialize;

use casino_stud::hex;
use casino_stud::table::escape;

const MAX_SHOWN_LINES: usize = 24;

/// A line of the log.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
#[serde(rename_all = "snake_case")]
pub enum ExchangeLine {
    /// A message of the dealer.
    Dealer(String),
    /// A message of the program, with special characters escaped.
    Program(String),
    /// A remark on an event.
    Note(String),
}

impl fmt::Display for ExchangeLine {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            ExchangeLine::Dealer(text) => write!(f, "dealer:  {text}"),
            ExchangeLine::Program(text) => write!(f, "program: {text}"),
            ExchangeLine::Note(text) => write!(f, "         ({text})"),
        }
    }
}

#[derive(Default)]
pub(super) struct ExchangeLog(Vec<ExchangeLine>);

impl ExchangeLog {
    pub(super) fn take(&mut self) -> Vec<ExchangeLine> {
        std::mem::take(&mut self.0)
    }

    pub(super) fn add(&mut self, line: ExchangeLine) {
        if self.0.len() == MAX_SHOWN_LINES {
            self.0.remove(0);
        }
        self.0.push(line);
    }
}

pub(super) fn bytes_in_words(bytes: &[u8]) -> String {
    const SHOWN: usize = 32;
    let shown = &bytes[..bytes.len().min(SHOWN)];
    let more = if bytes.len() > SHOWN { " …" } else { "" };
    let text: String =
        shown.iter().map(|byte| if matches!(byte, b' '..=b'~') { *byte as char } else { '.' }).collect();
    format!("(bytes) {}{more}   {}", hex::spaced(shown), escape(&text))
}
