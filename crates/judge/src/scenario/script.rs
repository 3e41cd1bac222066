//! The script of a player: one entry for each question.

use bytes::BytesMut;
use serde::Deserialize;

use casino_host::FrameCodec;
use casino_stud::hex;
use casino_stud::protocol::{Login, modified_utf8};
use tokio_util::codec::{Decoder, Encoder};

use super::json::{Either, OneOrMany};

#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct ScriptEntry {
    pub(super) field: String,
    pub(super) action: ScriptAction,
}

#[derive(Clone, Debug, PartialEq, Eq, Deserialize)]
#[serde(try_from = "Either<String, EntryFile>")]
pub(super) enum ScriptAction {
    Answer(ScriptedMessage),
    /// Sends its answer after the limit.
    Late(ScriptedMessage),
    Silence,
    Disconnect(Disconnect),
    /// Sends something before the next question.
    Unasked(ScriptedMessage),
}

#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct ScriptedMessage {
    pub(super) bytes: Vec<u8>,
    /// The text a transcript shows for it.
    pub(super) shown: String,
    /// Whether it is sent a byte at a time instead of all at once.
    pub(super) split: bool,
    pub(super) then: Option<Disconnect>,
}

impl ScriptedMessage {
    pub(super) fn login(&self) -> Option<Login> {
        let mut bytes = BytesMut::from(self.bytes.as_slice());
        let frame = FrameCodec::default().decode(&mut bytes).ok()??;
        Login::read(&frame).ok()
    }

    /// The bytes of a late message within the limit and after it; with `split` all but the last are in time.
    pub(super) fn split_at_limit(&self) -> (&[u8], &[u8]) {
        self.bytes.split_at(if self.split { self.bytes.len() - 1 } else { 0 })
    }

    /// Whether the dealer still waits after reading this, because it has no whole frame.
    pub(super) fn leaves_dealer_waiting(&self) -> bool {
        let mut bytes = BytesMut::from(self.bytes.as_slice());
        self.then.is_none() && matches!(FrameCodec::default().decode(&mut bytes), Ok(None))
    }
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, Deserialize)]
pub(super) enum Disconnect {
    #[serde(rename = "hang up")]
    HangUp,
    #[serde(rename = "reset")]
    Reset,
}

impl Disconnect {
    /// The text a transcript shows for it.
    pub(super) fn shown(self) -> String {
        match self {
            Disconnect::HangUp => "(hangs up)".to_string(),
            Disconnect::Reset => "(resets the connection)".to_string(),
        }
    }
}

/// An entry that is more than the text of an answer: it has one of the first five fields.
#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct EntryFile {
    text: Option<OneOrMany<String>>,
    bytes: Option<String>,
    late: Option<String>,
    unasked: Option<Either<String, UnaskedBytes>>,
    fault: Option<FaultWord>,
    split: Option<bool>,
    then: Option<Disconnect>,
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct UnaskedBytes {
    bytes: String,
}

#[derive(Clone, Copy, Deserialize)]
enum FaultWord {
    #[serde(rename = "silence")]
    Silence,
    #[serde(rename = "hang up")]
    HangUp,
    #[serde(rename = "reset")]
    Reset,
}

impl TryFrom<Either<String, EntryFile>> for ScriptAction {
    type Error = String;

    fn try_from(entry: Either<String, EntryFile>) -> Result<ScriptAction, String> {
        let entry = match entry {
            Either::Short(text) => return Ok(ScriptAction::Answer(message(&[text])?)),
            Either::Long(entry) => entry,
        };
        let EntryFile { text, bytes, late, unasked, fault, split, then } = entry;
        let given = [text.is_some(), bytes.is_some(), late.is_some(), unasked.is_some(), fault.is_some()];
        if given.iter().filter(|given| **given).count() != 1 {
            return Err("an act has exactly one of the fields text, bytes, late, unasked, fault".to_string());
        }
        if split.is_some() && (unasked.is_some() || fault.is_some()) {
            return Err("\"split\" goes only with text or bytes or late".to_string());
        }
        if then.is_some() && text.is_none() && bytes.is_none() {
            return Err("\"then\" goes only with text or bytes".to_string());
        }
        let split = split.unwrap_or(false);
        let finish = |message: ScriptedMessage| {
            let slowly = if split { "(a byte at a time) " } else { "" };
            ScriptedMessage { shown: format!("{slowly}{}", message.shown), split, then, ..message }
        };
        if let Some(texts) = text {
            return Ok(ScriptAction::Answer(finish(message(&texts.values)?)));
        }
        if let Some(digits) = bytes {
            return Ok(ScriptAction::Answer(finish(raw(&digits)?)));
        }
        if let Some(text) = late {
            let message = finish(message(&[text])?);
            let shown = format!("(too late) {}", message.shown);
            return Ok(ScriptAction::Late(ScriptedMessage { shown, ..message }));
        }
        if let Some(unasked) = unasked {
            let message = match unasked {
                Either::Short(text) => message(&[text])?,
                Either::Long(UnaskedBytes { bytes }) => raw(&bytes)?,
            };
            let shown = format!("(unasked) {}", message.shown);
            return Ok(ScriptAction::Unasked(ScriptedMessage { shown, ..message }));
        }
        Ok(match fault {
            Some(FaultWord::HangUp) => ScriptAction::Disconnect(Disconnect::HangUp),
            Some(FaultWord::Reset) => ScriptAction::Disconnect(Disconnect::Reset),
            Some(FaultWord::Silence) | None => ScriptAction::Silence,
        })
    }
}

/// A message with the texts, each in a frame, one right after the other.
fn message(texts: &[String]) -> Result<ScriptedMessage, String> {
    let mut bytes = BytesMut::new();
    for text in texts {
        FrameCodec::default()
            .encode(modified_utf8::encode(text).as_slice(), &mut bytes)
            .map_err(|error| error.to_string())?;
    }
    Ok(ScriptedMessage { bytes: bytes.to_vec(), shown: texts.join(" + "), split: false, then: None })
}

fn raw(text: &str) -> Result<ScriptedMessage, String> {
    let digits: Vec<u8> = text
        .chars()
        .filter(|c| !c.is_ascii_whitespace())
        .map(|c| c.to_digit(16).map(|digit| digit as u8))
        .collect::<Option<_>>()
        .filter(|digits: &Vec<u8>| digits.len().is_multiple_of(2) && !digits.is_empty())
        .ok_or("write bytes as pairs of hexadecimal digits, like \"00 04 66 6f 6c 64\"")?;
    let bytes: Vec<u8> = digits.chunks(2).map(|pair| pair[0] << 4 | pair[1]).collect();
    let shown = format!("(bytes) {}", hex::spaced(&bytes));
    Ok(ScriptedMessage { bytes, shown, split: false, then: None })
}

#[cfg(test)]
mod tests {
    use super::super::json;
    use super::*;

    fn read(text: &str) -> Result<ScriptAction, String> {
        json::read(text).map_err(|mistake| mistake.to_string())
    }

    #[test]
    fn short_and_long_forms() {
        let plain = read("\"bet:5\"").unwrap();
        assert_eq!(read("{\"text\": \"bet:5\"}").unwrap(), plain);
        assert_eq!(read("{\"text\": [\"bet:5\"]}").unwrap(), plain);
        let ScriptAction::Answer(by_hand) = read("{\"bytes\": \"0005 6265743a35\"}").unwrap() else {
            panic!("an answer")
        };
        let ScriptAction::Answer(plain) = plain else { panic!("an answer") };
        assert_eq!((by_hand.bytes, plain.shown.as_str()), (plain.bytes, "bet:5"));
        assert_eq!(read("{\"fault\": \"hang up\"}"), Ok(ScriptAction::Disconnect(Disconnect::HangUp)));
        assert!(matches!(
            read("{\"late\": \"fold\", \"split\": true}"),
            Ok(ScriptAction::Late(ScriptedMessage { split: true, .. }))
        ));
        assert!(matches!(read("{\"unasked\": {\"bytes\": \"00\"}}"), Ok(ScriptAction::Unasked(_))));
    }
}
