//! The lines of a journal as far as a replay has to know them before it plays.
//!
//! Most lines follow from play: a replay makes them anew and compares bytes, and nothing in them has to be read. Only
//! that such a line is one has to be known before anything is played of its round, so they are looked over without
//! being made into data. What is not exactly as the dealer writes it is read as any JSON is.

use crate::stud::Chips;
use crate::table::Reply;

use super::JournalLine;

/// A line of a round that is played again, and where it stands. It is handed on in a box, whose memory is used again:
/// there are dozens in a round.
#[derive(Debug, Default)]
pub(crate) struct RecordedLine {
    pub(crate) bytes: Vec<u8>,
    /// Its number, from 1.
    pub(crate) number: u64,
    /// The offset of its first byte, from 0.
    pub(crate) offset: u64,
    pub(crate) content: Content,
    /// The SHA-256 of everything before it, if it is a line that says what that is.
    pub(crate) before: Option<String>,
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
    pub(crate) fn line(&self) -> JournalLine {
        serde_json::from_slice(&self.bytes).expect("a line that was read or looked over can be read")
    }

    pub(crate) fn begins_round(&self) -> bool {
        match &self.content {
            Content::Deal => true,
            Content::Read(line) => matches!(**line, JournalLine::Deal { .. }),
            _ => false,
        }
    }

    /// Whether the lines of a round end before it.
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

    /// Whether a round is over with it. An end that is written in another way does not follow, and its round is refused.
    pub(crate) fn ends_round(&self) -> bool {
        self.content == Content::End
    }

    /// The line, if it is one that has been read.
    pub(crate) fn read(&self) -> Option<&JournalLine> {
        match &self.content {
            Content::Read(line) => Some(line),
            _ => None,
        }
    }
}

/// Looks a line over. `None` if it is not exactly as the dealer writes one of the frequent lines; it may be a line all
/// the same.
pub(super) fn look_over(bytes: &[u8]) -> Option<Content> {
    let mut rest = Rest(bytes.strip_prefix(b"{\"type\":\"")?);
    let content = match rest.0.first()? {
        b'r' => {
            rest.word(b"reply\",\"seat\":")?;
            let seat = rest.number(u64::from(u32::MAX))? as usize;
            rest.word(b",\"reply\":\"")?;
            let reply = match rest.word(b"fold") {
                Some(()) => Reply::Fold,
                None => {
                    rest.word(b"bet:")?;
                    Reply::Bet(rest.chips()?)
                }
            };
            rest.word(b"\"")?;
            Content::Reply { seat, reply }
        }
        b'd' => {
            rest.word(b"deal\",\"table\":")?;
            rest.number(u64::from(u32::MAX))?;
            rest.word(b",\"round\":")?;
            rest.number(u64::MAX)?;
            rest.word(b",\"seats\":")?;
            rest.list(|rest| rest.seat())?;
            for field in [b",\"hole\":".as_slice(), b",\"up\":", b",\"second\":"] {
                rest.word(field)?;
                rest.list(Rest::card)?;
            }
            Content::Deal
        }
        b'e' => {
            rest.word(b"end\",\"round\":")?;
            rest.number(u64::MAX)?;
            rest.word(b",\"stacks\":")?;
            rest.list(|rest| rest.chips().map(|_| ()))?;
            Content::End
        }
        b's' => {
            rest.word(b"street\",\"street\":")?;
            rest.number(u64::from(u8::MAX))?;
            rest.word(b",\"opener\":")?;
            rest.seat()?;
            Content::Follows
        }
        b'w' => {
            rest.word(b"won\",\"seat\":")?;
            rest.seat()?;
            rest.word(b",\"half\":\"")?;
            rest.word(b"whole").or_else(|| rest.word(b"hand")).or_else(|| rest.word(b"spade"))?;
            rest.word(b"\",\"chips\":")?;
            rest.chips()?;
            Content::Follows
        }
        b'p' => {
            rest.word(b"pass\",\"seat\":")?;
            rest.seat()?;
            Content::Follows
        }
        b'f' => {
            rest.word(b"forced_fold\",\"seat\":")?;
            rest.seat()?;
            Content::Follows
        }
        _ => return None,
    };
    rest.word(b"}\n")?;
    rest.0.is_empty().then_some(content)
}

struct Rest<'a>(&'a [u8]);

impl Rest<'_> {
    #[inline]
    fn word(&mut self, word: &[u8]) -> Option<()> {
        self.0 = self.0.strip_prefix(word)?;
        Some(())
    }

    /// A number as JSON has it, up to `most`.
    #[inline]
    fn number(&mut self, most: u64) -> Option<u64> {
        let digits = self.0.iter().take_while(|byte| byte.is_ascii_digit()).count();
        let (number, rest) = self.0.split_at(digits);
        if digits == 0 || (digits > 1 && number[0] == b'0') {
            return None;
        }
        let add = |sum: u64, digit: &u8| sum.checked_mul(10)?.checked_add(u64::from(digit - b'0'));
        let value = number.iter().try_fold(0, add).filter(|value| *value <= most)?;
        self.0 = rest;
        Some(value)
    }

    fn seat(&mut self) -> Option<()> {
        self.number(u64::from(u32::MAX)).map(|_| ())
    }

    fn chips(&mut self) -> Option<Chips> {
        self.number(u64::from(Chips::MAX)).map(|chips| chips as Chips)
    }

    /// A card as the dealer writes it: `"10S"`.
    fn card(&mut self) -> Option<()> {
        let length = match self.0 {
            [b'"', b'2'..=b'9' | b'J' | b'Q' | b'K' | b'A', b'C' | b'D' | b'H' | b'S', b'"', ..] => 4,
            [b'"', b'1', b'0', b'C' | b'D' | b'H' | b'S', b'"', ..] => 5,
            _ => return None,
        };
        self.0 = &self.0[length..];
        Some(())
    }

    fn list(&mut self, item: impl Fn(&mut Self) -> Option<()>) -> Option<()> {
        self.word(b"[")?;
        if self.word(b"]").is_some() {
            return Some(());
        }
        loop {
            item(self)?;
            if self.word(b"]").is_some() {
                return Some(());
            }
            self.word(b",")?;
        }
    }
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    /// One line of each kind that is looked over, with numbers of several lengths.
    const LINES: [&str; 12] = [
        r#"{"type":"deal","table":1,"round":12,"seats":[1,3],"hole":["10S","AD"],"up":["2C","QH"],"second":["9S","10D"]}"#,
        r#"{"type":"deal","table":4294967295,"round":18446744073709551615,"seats":[],"hole":[],"up":[],"second":[]}"#,
        r#"{"type":"street","street":1,"opener":4}"#,
        r#"{"type":"reply","seat":17,"reply":"fold"}"#,
        r#"{"type":"reply","seat":3,"reply":"bet:0"}"#,
        r#"{"type":"reply","seat":3,"reply":"bet:4294967295"}"#,
        r#"{"type":"pass","seat":2}"#,
        r#"{"type":"forced_fold","seat":2}"#,
        r#"{"type":"won","seat":1,"half":"whole","chips":120}"#,
        r#"{"type":"won","seat":10,"half":"hand","chips":0}"#,
        r#"{"type":"won","seat":1,"half":"spade","chips":4294967295}"#,
        r#"{"type":"end","round":7,"stacks":[0,99,100]}"#,
    ];

    /// What a line says, read as any JSON is.
    fn read(bytes: &[u8]) -> Option<Content> {
        Some(match serde_json::from_slice::<JournalLine>(bytes).ok()? {
            JournalLine::Deal { .. } => Content::Deal,
            JournalLine::End { .. } => Content::End,
            JournalLine::Reply { seat, reply } => {
                Content::Reply { seat, reply: crate::protocol::read_reply(reply.as_bytes()).ok()? }
            }
            JournalLine::Street { .. }
            | JournalLine::Pass { .. }
            | JournalLine::ForcedFold { .. }
            | JournalLine::Won { .. } => Content::Follows,
            _ => return None,
        })
    }

    #[test]
    fn the_frequent_lines_are_looked_over() {
        for line in LINES {
            let bytes = format!("{line}\n").into_bytes();
            assert!(read(&bytes).is_some(), "{line}");
            assert_eq!(look_over(&bytes), read(&bytes), "{line}");
            assert_eq!(look_over(line.as_bytes()), None, "without its line feed: {line}");
            assert_eq!(look_over(format!(" {line}\n").as_bytes()), None, "{line}");
        }
        for line in [
            r#"{"type":"foul","seat":1,"asked":true,"did":{"bet":99},"why":"x"}"#,
            r#"{"type":"left","seat":1,"forfeited":3,"why":"x"}"#,
            r#"{"type":"time_bank","seat":1,"used_ms":400,"left_ms":1600}"#,
            r#"{"type":"resumed","round":1,"before":""}"#,
        ] {
            assert_eq!(look_over(format!("{line}\n").as_bytes()), None, "{line}");
        }
    }

    #[test]
    fn numbers_too_great_for_their_field_and_other_spellings_are_left_to_the_reader_of_json() {
        for line in [
            r#"{"type":"deal","table":4294967296,"round":1,"seats":[],"hole":[],"up":[],"second":[]}"#,
            r#"{"type":"deal","table":1,"round":18446744073709551616,"seats":[],"hole":[],"up":[],"second":[]}"#,
            r#"{"type":"deal","table":1,"round":1,"seats":[1],"hole":["TS"],"up":["2C"],"second":["1S"]}"#,
            r#"{"type":"street","street":256,"opener":4}"#,
            r#"{"type":"reply","seat":3,"reply":"bet:4294967296"}"#,
            r#"{"type":"reply","seat":3,"reply":"bet:05"}"#,
            r#"{"type":"reply","seat":3,"reply":"bet:"}"#,
            r#"{"type":"reply","seat":03,"reply":"fold"}"#,
            r#"{"type":"reply","seat":-3,"reply":"fold"}"#,
            r#"{"type":"won","seat":1,"half":"half","chips":120}"#,
            r#"{"type":"end","round":7,"stacks":[0,4294967296]}"#,
            r#"{"type":"end","round":7,"stacks":[0,]}"#,
            r#"{"type":"end","round":7,"stacks":[0,1]},"#,
            r#"{"type":"pass","seat":}"#,
        ] {
            assert_eq!(look_over(format!("{line}\n").as_bytes()), None, "{line}");
        }
    }

    proptest! {
        /// Whatever is changed in a line: if it is looked over, it can be read, says the same, and is written the same.
        #[test]
        fn what_is_looked_over_can_be_read(
            line in 0..LINES.len(),
            at in any::<prop::sample::Index>(),
            removed in 0..3_usize,
            put in "[0-9a-zA-Z\",:{}\\[\\] -]{0,3}",
        ) {
            let mut bytes = format!("{}\n", LINES[line]).into_bytes();
            let at = at.index(bytes.len());
            let end = (at + removed).min(bytes.len());
            bytes.splice(at..end, put.into_bytes());
            if let Some(content) = look_over(&bytes) {
                prop_assert_eq!(Some(content), read(&bytes));
                let line: JournalLine = serde_json::from_slice(&bytes).unwrap();
                let mut again = Vec::new();
                line.write(&mut again);
                prop_assert_eq!(again, bytes);
            }
        }
    }
}
