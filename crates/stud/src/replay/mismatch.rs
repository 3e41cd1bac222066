//! Where a journal says something that does not follow from its seed and its replies.

use std::fmt;

use serde_json::{Map, Value};
use thiserror::Error;

use crate::journal::{JournalLine, ReadError, RecordedLine};

/// The first difference between a journal and the lines that follow from its seed and replies.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Mismatch {
    /// The number of the line, from 1.
    pub number: u64,
    /// The offset of its first byte.
    pub offset: u64,
    /// The line as recorded; `None` if the journal ends there.
    pub recorded: Option<String>,
    /// The line that follows from the seed and the replies, where there is one.
    pub computed: Option<String>,
    /// The difference in words.
    pub why: String,
}

impl fmt::Display for Mismatch {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "line {}, at offset {}: {}", self.number, self.offset, self.why)?;
        if let Some(recorded) = &self.recorded {
            write!(f, "\n  recorded: {recorded}")?;
        }
        if let Some(computed) = &self.computed {
            write!(f, "\n  computed: {computed}")?;
        }
        Ok(())
    }
}

/// Why a journal cannot be played again.
#[derive(Debug, Error)]
pub enum ReplayError {
    /// It cannot be read.
    #[error(transparent)]
    Read(#[from] ReadError),
    /// It says something that does not follow from its seed and its replies.
    #[error("it does not follow from its seed and its replies: {0}")]
    Differs(Box<Mismatch>),
}

fn text(bytes: &[u8]) -> String {
    String::from_utf8_lossy(bytes).trim_end().to_string()
}

pub(super) fn differs(recorded: Option<&RecordedLine>, computed: Option<&[u8]>, why: &str) -> ReplayError {
    ReplayError::Differs(Box::new(Mismatch {
        number: recorded.map_or(0, |entry| entry.number),
        offset: recorded.map_or(0, |entry| entry.offset),
        recorded: recorded.map(|entry| text(&entry.bytes)),
        computed: computed.map(text),
        why: why.to_string(),
    }))
}

/// Compares a line with the one that follows, byte by byte: there is one way to write a line.
pub(super) fn compare(entry: &RecordedLine, computed: &[u8]) -> Result<(), ReplayError> {
    if entry.bytes == computed {
        return Ok(());
    }
    // A line that cannot be parsed is damaged.
    let recorded = entry.line()?;
    Err(differs(Some(entry), Some(computed), &in_words(&recorded, computed)))
}

/// The difference between two lines.
fn in_words(recorded: &JournalLine, computed: &[u8]) -> String {
    // Not from the recorded bytes: a list with the same fields is read as a line too.
    let recorded = serde_json::to_value(recorded).expect("a line is plain data");
    let computed: Map<String, Value> = serde_json::from_slice(computed).expect("a line is an object");
    if recorded["type"] != computed["type"] {
        return format!("a line of type {} is recorded where {} follows", recorded["type"], computed["type"]);
    }
    let differing = computed.iter().filter_map(|(field, value)| {
        let there = recorded.get(field).unwrap_or(&Value::Null);
        let words = match field.as_str() {
            "before" => "something before this line was changed: its SHA-256 is another one".to_string(),
            _ => format!("{field} is {there} where {value} follows"),
        };
        (there != value).then_some(words)
    });
    let differing: Vec<String> = differing.collect();
    match differing.is_empty() {
        true => "the line says the right thing and is not written as the dealer writes it".to_string(),
        false => differing.join("; "),
    }
}
