//! The lines of a journal as far as a replay has to know them before it plays.
//!
//! Most lines follow from play: a replay makes them anew and compares bytes, so only their type is read. All others are
//! parsed.

use crate::protocol::read_reply;
use crate::table::Reply;

use super::reader::parse;
use super::{JournalLine, ReadError};

/// A line of a round that is replayed, and its place. It is boxed, and the box is reused: a round has dozens.
#[derive(Debug, Default)]
pub(crate) struct RecordedLine {
    pub(crate) bytes: Vec<u8>,
    /// Its number, from 1.
    pub(crate) number: u64,
    /// The offset of its first byte, from 0.
    pub(crate) offset: u64,
    pub(crate) content: Content,
}

#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub(crate) enum Content {
    /// A round begins, and all of the line follows.
    Deal,
    /// The player in this seat, from 1, gave this legal or illegal reply.
    Reply { seat: usize, reply: Reply },
    /// A street, a pass, a forced fold or a win: all of it follows.
    #[default]
    Follows,
    /// The round is over, and all of the line follows.
    End,
    /// Any other line, and any that is written in another way.
    Read(Box<JournalLine>),
}

impl RecordedLine {
    /// The line as data.
    pub(crate) fn line(&self) -> Result<JournalLine, ReadError> {
        let (number, offset) = (self.number, self.offset);
        parse(&self.bytes).map_err(|why| ReadError::Damaged { number, offset, why })
    }

    pub(crate) fn begins_round(&self) -> bool {
        match &self.content {
            Content::Deal => true,
            Content::Read(line) => matches!(**line, JournalLine::Deal { .. }),
            _ => false,
        }
    }

    /// The table and the round that this line deals, if it is written as the dealer writes it.
    pub(crate) fn deal(&self) -> Option<(u32, u64)> {
        let rest = self.bytes.strip_prefix(b"{\"type\":\"deal\",\"table\":")?;
        let (table, rest) = number(rest)?;
        let (round, _) = number(rest.strip_prefix(b",\"round\":")?)?;
        Some((u32::try_from(table).ok()?, round))
    }

    /// Whether the lines of a round at a table end before it.
    pub(crate) fn begins_part(&self) -> bool {
        let begins_other_part = |line: &JournalLine| {
            matches!(
                line,
                JournalLine::Entry(_)
                    | JournalLine::Level { .. }
                    | JournalLine::Resumed { .. }
                    | JournalLine::Over { .. }
            )
        };
        self.begins_round() || self.read().is_some_and(begins_other_part)
    }

    /// Whether it states the SHA-256 of the bytes before it.
    pub(crate) fn states_digest(&self) -> bool {
        matches!(self.read(), Some(JournalLine::Resumed { .. } | JournalLine::Over { .. }))
    }

    /// Whether a round at a table is over with it.
    pub(crate) fn ends_round(&self) -> bool {
        self.content == Content::End || matches!(self.read(), Some(JournalLine::End { .. }))
    }

    /// The line, if it is one that has been read.
    pub(crate) fn read(&self) -> Option<&JournalLine> {
        match &self.content {
            Content::Read(line) => Some(line),
            _ => None,
        }
    }
}

/// The content of a frequent line by its first bytes. The rest of such a line is not checked here: it follows from play, and
/// the bytes are compared. `None` for every other line, and for a reply that is not written as the dealer writes it.
pub(super) fn frequent(bytes: &[u8]) -> Option<Content> {
    let rest = bytes.strip_prefix(b"{\"type\":\"")?;
    let kind = rest.split(|byte| *byte == b'"').next()?;
    match kind {
        b"deal" => Some(Content::Deal),
        b"end" => Some(Content::End),
        b"street" | b"pass" | b"forced_fold" | b"won" => Some(Content::Follows),
        b"reply" => reply(rest),
        _ => None,
    }
}

/// The number at the beginning, and what follows it.
fn number(bytes: &[u8]) -> Option<(u64, &[u8])> {
    let digits = bytes.iter().take_while(|byte| byte.is_ascii_digit()).count();
    let (digits, rest) = bytes.split_at(digits);
    Some((std::str::from_utf8(digits).ok()?.parse().ok()?, rest))
}

fn reply(rest: &[u8]) -> Option<Content> {
    let rest = rest.strip_prefix(b"reply\",\"seat\":")?.strip_suffix(b"\"}\n")?;
    let (seat, rest) = rest.split_at(rest.iter().position(|byte| *byte == b',')?);
    let seat = std::str::from_utf8(seat).ok()?.parse().ok()?;
    let reply = read_reply(rest.strip_prefix(b",\"reply\":\"")?).ok()?;
    Some(Content::Reply { seat, reply })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_deal_names_its_table_and_round() {
        let deal =
            |line: &str| RecordedLine { bytes: line.as_bytes().to_vec(), ..RecordedLine::default() }.deal();
        assert_eq!(deal(r#"{"type":"deal","table":12,"round":345,"seats":[1]}"#), Some((12, 345)));
        assert_eq!(deal(r#"{"type":"deal","round":345,"table":12,"seats":[1]}"#), None);
        assert_eq!(deal(r#"{"type":"deal","table":4294967296,"round":1}"#), None);
        assert_eq!(deal(r#"{"type":"deal","table":,"round":1}"#), None);
        assert_eq!(deal(r#"{"type":"end","round":345,"stacks":[1]}"#), None);
    }

    #[test]
    fn frequent_lines_are_recognized_by_their_first_bytes() {
        let bet = |chips| Content::Reply { seat: 17, reply: Reply::Bet(chips) };
        for (line, content) in [
            (r#"{"type":"deal","table":1"#, Some(Content::Deal)),
            (r#"{"type":"end","round":7,"stacks":[0,99,100]}"#, Some(Content::End)),
            (r#"{"type":"won","seat":1,"half":"whole","chips":120}"#, Some(Content::Follows)),
            (r#"{"type":"forced_fold","seat":2}"#, Some(Content::Follows)),
            (r#"{"type":"reply","seat":17,"reply":"bet:4294967295"}"#, Some(bet(u32::MAX))),
            (r#"{"type":"reply","seat":17,"reply":"bet:4294967296"}"#, None),
            (r#"{"type":"reply","seat":-1,"reply":"fold"}"#, None),
            (r#"{"type":"reply","seat":1,"reply":"fold"},"#, None),
            (r#"{"type":"left","seat":1,"forfeited":3,"why":"x"}"#, None),
            (r#" {"type":"pass","seat":2}"#, None),
        ] {
            assert_eq!(frequent(format!("{line}\n").as_bytes()), content, "{line}");
        }
    }
}
