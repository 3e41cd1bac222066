//! Reading a journal line by line.

use std::fmt;
use std::io::{self, BufRead};

use memchr::memchr;
use serde::Deserialize;
use thiserror::Error;

use crate::shown;

use super::digest::Digest;
use super::header::JOURNAL_VERSION;
use super::recorded_line::frequent;
use super::{Content, Header, JournalLine, RecordedLine};

/// Maximum length of a line in bytes; longer input is rejected without being kept in memory. The last line names all
/// players of an event, with up to 1.5 kB for each.
pub const MAX_LINE_BYTES: u64 = 1 << 24;

/// A line and where it stands.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Entry {
    /// The line as data.
    pub line: JournalLine,
    /// Its bytes with the line feed.
    pub bytes: Vec<u8>,
    /// Its number, from 1.
    pub number: u64,
    /// The offset of its first byte, from 0.
    pub offset: u64,
}

/// The end of a journal.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Tail {
    /// All lines count.
    Whole,
    /// The machine died while this was written. Nothing in it was announced, and nothing in it counts.
    Torn {
        /// The offset of its first byte: where the lines that count end.
        at: u64,
        /// The number of its first line, from 1.
        line: u64,
        /// How many bytes it has.
        bytes: u64,
        /// The round that begins with that line and does not end; `None` if only the last line has no end.
        round: Option<u64>,
    },
}

impl fmt::Display for Tail {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Tail::Torn { at, line, bytes, round } = self else { return f.write_str("all lines count") };
        match round {
            Some(round) => write!(f, "round {round}, which begins in line {line}, has no end")?,
            None => write!(f, "line {line} has no end")?,
        }
        write!(f, ": {bytes} bytes from offset {at}, written as the host died")
    }
}

/// Why a journal cannot be read.
#[derive(Debug, Error)]
pub enum ReadError {
    /// The file cannot be read.
    #[error("it cannot be read: {0}")]
    Io(#[from] io::Error),
    /// There is no whole line in it: nothing in it was ever announced.
    #[error("there is no whole line in it, so nothing of it was ever announced: remove it and start anew")]
    Empty,
    /// The first line is no header of a journal.
    #[error("it is no journal: its first line is no header ({why})")]
    NoJournal {
        /// The error.
        why: String,
    },
    /// A journal of another version.
    #[error(
        "it is a journal of version {0}, and this program reads version {JOURNAL_VERSION}: use the Casino Day that wrote it, or play anew"
    )]
    Version(u32),
    /// A line that no host wrote.
    #[error("it is damaged in line {number}, at offset {offset}: {why}")]
    Damaged {
        /// The number of the line, from 1.
        number: u64,
        /// The offset of its first byte, from 0.
        offset: u64,
        /// The error.
        why: String,
    },
}

/// A journal being read: its header, then the lines after it one by one.
#[derive(Debug)]
pub struct Reader<R> {
    from: R,
    header: Header,
    /// How many whole lines have been read.
    lines: u64,
    offset: u64,
    header_digest: Digest,
    tail: Tail,
    /// Nothing is read after the end or an error.
    done: bool,
    #[expect(clippy::vec_box, reason = "lines are handed on without being copied")]
    spare: Vec<Box<RecordedLine>>,
}

/// The part of the first line that states the version.
#[derive(Deserialize)]
struct FirstLine {
    r#type: String,
    version: u32,
}

/// Reads to the end of the line or of the input, or up to the maximum length.
fn read_line(from: &mut impl BufRead, line: &mut Vec<u8>) -> io::Result<()> {
    loop {
        let found = match from.fill_buf() {
            Ok(found) => found,
            Err(error) if error.kind() == io::ErrorKind::Interrupted => continue,
            Err(error) => return Err(error),
        };
        let found = &found[..found.len().min(MAX_LINE_BYTES as usize - line.len())];
        // With the standard library's search a verification takes 4 % more processor time.
        let end = memchr(b'\n', found);
        let taken = end.map_or(found.len(), |end| end + 1);
        line.extend_from_slice(&found[..taken]);
        from.consume(taken);
        if end.is_some() || taken == 0 {
            return Ok(());
        }
    }
}

impl<R: BufRead> Reader<R> {
    /// Reads the header.
    pub fn new(mut from: R) -> Result<Reader<R>, ReadError> {
        let mut bytes = Vec::new();
        read_line(&mut from, &mut bytes)?;
        let no_journal = |why: String| ReadError::NoJournal { why };
        let whole = bytes.ends_with(b"\n");
        if !whole && bytes.len() as u64 == MAX_LINE_BYTES {
            return Err(no_journal("it is too long".to_string()));
        }
        if !whole {
            // The torn text is either the beginning of a header or no journal at all.
            let begun = b"{\"type\":\"casino_day\",".iter().zip(&bytes).all(|(one, other)| one == other);
            return Err(if begun { ReadError::Empty } else { no_journal("it has no end".to_string()) });
        }
        let first: FirstLine = serde_json::from_slice(&bytes)
            .map_err(|error| no_journal(shown::one_line(&error.to_string()).into_owned()))?;
        if first.r#type != "casino_day" {
            return Err(no_journal(format!("it is of type \"{}\"", first.r#type.escape_debug())));
        }
        if first.version != JOURNAL_VERSION {
            return Err(ReadError::Version(first.version));
        }
        let header = match parse(&bytes).map_err(no_journal)? {
            JournalLine::CasinoDay(header) => header,
            _ => return Err(no_journal("it is of another type".to_string())),
        };
        let mut header_digest = Digest::default();
        header_digest.add(&bytes);
        Ok(Reader {
            from,
            header,
            lines: 1,
            offset: bytes.len() as u64,
            header_digest,
            tail: Tail::Whole,
            done: false,
            spare: Vec::new(),
        })
    }

    /// The header of the journal.
    pub fn header(&self) -> &Header {
        &self.header
    }

    /// Whether the last line has its end; known once all lines have been read. Whether the last round has, only a replay
    /// finds out.
    pub fn tail(&self) -> Tail {
        self.tail
    }

    /// How many whole lines have been read, the header among them.
    pub fn lines(&self) -> u64 {
        self.lines
    }

    /// The bytes of the whole lines that have been read.
    pub fn offset(&self) -> u64 {
        self.offset
    }

    /// The SHA-256 of the first line.
    pub(crate) fn header_digest(&self) -> &Digest {
        &self.header_digest
    }

    /// The next line. A frequent line is not parsed.
    pub(crate) fn recorded(&mut self) -> Option<Result<Box<RecordedLine>, ReadError>> {
        if self.done {
            return None;
        }
        let read = self.read().transpose();
        self.done = !matches!(read, Some(Ok(_)));
        read
    }

    fn read(&mut self) -> Result<Option<Box<RecordedLine>>, ReadError> {
        let mut line = self.spare.pop().unwrap_or_default();
        let RecordedLine { bytes, .. } = &mut *line;
        read_line(&mut self.from, bytes)?;
        let (number, offset) = (self.lines + 1, self.offset);
        let damaged = |why: String| Err(ReadError::Damaged { number, offset, why });
        if !bytes.ends_with(b"\n") {
            let length = bytes.len() as u64;
            if length == MAX_LINE_BYTES {
                return damaged("it is too long".to_string());
            }
            if length > 0 {
                self.tail = Tail::Torn { at: offset, line: number, bytes: length, round: None };
            }
            return Ok(None);
        }
        let content = match frequent(bytes) {
            Some(content) => content,
            None => match parse(bytes) {
                Ok(line) => Content::Read(Box::new(line)),
                Err(why) => return damaged(why),
            },
        };
        if matches!(&content, Content::Read(line) if matches!(**line, JournalLine::CasinoDay(_))) {
            return damaged("it is a second header".to_string());
        }
        self.lines = number;
        self.offset += bytes.len() as u64;
        (line.number, line.offset, line.content) = (number, offset, content);
        Ok(Some(line))
    }

    /// Takes lines back that are not needed any more: the next ones are read into their memory.
    pub(crate) fn reuse(&mut self, lines: impl Iterator<Item = Box<RecordedLine>>) {
        self.spare.extend(lines.map(|mut line| {
            line.bytes.clear();
            line
        }));
    }
}

pub(super) fn parse(bytes: &[u8]) -> Result<JournalLine, String> {
    serde_json::from_slice(bytes).map_err(|error| {
        // The text is a single line, so only the column of the error has a meaning.
        let why = error.to_string().replace(" at line 1 column", " at column");
        // It may quote the line, which may contain terminal escape sequences.
        shown::one_line(&why).into_owned()
    })
}

/// The lines after the header. A torn last line is left out; [`Reader::tail`] tells of it. After an error
/// nothing more comes.
impl<R: BufRead> Iterator for Reader<R> {
    type Item = Result<Entry, ReadError>;

    fn next(&mut self) -> Option<Result<Entry, ReadError>> {
        let entry = |line: Box<RecordedLine>| {
            Ok(Entry { line: line.line()?, bytes: line.bytes, number: line.number, offset: line.offset })
        };
        let next = self.recorded()?.and_then(entry);
        self.done |= next.is_err();
        Some(next)
    }
}

#[cfg(test)]
mod tests {
    use std::io::BufReader;

    use super::*;

    #[test]
    fn lines_do_not_depend_on_chunk_boundaries() {
        let text = b"one\n\ntwo and a half\n\nthe last has no end";
        for pieces in 1..=text.len() {
            let mut from = BufReader::with_capacity(pieces, &text[..]);
            let mut lines = Vec::new();
            loop {
                let mut line = Vec::new();
                read_line(&mut from, &mut line).unwrap();
                if line.is_empty() {
                    break;
                }
                lines.push(line);
            }
            let whole: Vec<&[u8]> = text.split_inclusive(|byte| *byte == b'\n').collect();
            assert_eq!(lines, whole, "in pieces of {pieces}");
        }
    }

    #[test]
    fn no_more_is_read_than_the_longest_line_has() {
        let mut line = Vec::new();
        read_line(&mut BufReader::new(io::repeat(b'x')), &mut line).unwrap();
        assert_eq!(line.len() as u64, MAX_LINE_BYTES);
    }
}
