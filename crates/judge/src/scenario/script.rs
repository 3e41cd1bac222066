//! The script of a player: one entry for each question.

use bytes::BytesMut;

use casino_stud::hex;
use casino_stud::protocol::{FrameCodec, Login, modified_utf8};

use super::json::{FileError, Location, Node, Value};

/// One entry of a script.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct ScriptEntry {
    pub(super) place: Location,
    pub(super) action: ScriptAction,
}

#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) enum ScriptAction {
    /// Sends its answer within the limit.
    Answer(ScriptedMessage),
    /// Sends its answer after the limit.
    Late(ScriptedMessage),
    /// Sends nothing until the limit is over.
    Silence,
    /// Closes or resets the connection instead of answering.
    Disconnect(Disconnect),
    /// Sends something before the next question.
    Unasked(ScriptedMessage),
}

/// A message of a script, as bytes.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct ScriptedMessage {
    pub(super) bytes: Vec<u8>,
    /// The text a transcript shows for it.
    pub(super) shown: String,
    /// Whether it is sent a byte at a time instead of all at once.
    pub(super) split: bool,
    /// Whether and how the player disconnects after it.
    pub(super) then: Option<Disconnect>,
}

impl ScriptedMessage {
    /// The login in this message, if it is one.
    pub(super) fn login(&self) -> Option<Login> {
        let mut bytes = BytesMut::from(self.bytes.as_slice());
        let frame = FrameCodec::default().decode(&mut bytes).ok()??;
        Login::read(&frame).ok()
    }

    /// The bytes of a late message that are sent within the limit, and those after it: with `split` all but the last are
    /// sent in time.
    pub(super) fn split_at_limit(&self) -> (&[u8], &[u8]) {
        self.bytes.split_at(if self.split { self.bytes.len() - 1 } else { 0 })
    }

    /// Whether the dealer goes on waiting after it has read this, because no whole frame is in it.
    pub(super) fn leaves_dealer_waiting(&self) -> bool {
        let mut bytes = BytesMut::from(self.bytes.as_slice());
        self.then.is_none() && matches!(FrameCodec::default().decode(&mut bytes), Ok(None))
    }
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Disconnect {
    HangUp,
    Reset,
}

impl Disconnect {
    const WORDS: [(&str, Disconnect); 2] = [("hang up", Disconnect::HangUp), ("reset", Disconnect::Reset)];

    /// The text a transcript shows for it.
    pub(super) fn shown(self) -> String {
        match self {
            Disconnect::HangUp => "(hangs up)".to_string(),
            Disconnect::Reset => "(resets the connection)".to_string(),
        }
    }
}

impl ScriptEntry {
    /// A text stands for an answer; everything else is an object with one of the kinds of entries in it.
    pub(super) fn read(node: &Node) -> Result<ScriptEntry, FileError> {
        let place = node.place.clone();
        if let Value::Text(text) = &node.value {
            return Ok(ScriptEntry {
                place,
                action: ScriptAction::Answer(message(node, std::slice::from_ref(text))?),
            });
        }
        let kinds = ["text", "bytes", "late", "unasked", "fault"];
        let fields = node.fields(&["text", "bytes", "late", "unasked", "fault", "split", "then"])?;
        let given: Vec<&str> = kinds.into_iter().filter(|kind| fields.maybe(kind).is_some()).collect();
        let [kind] = given[..] else {
            return Err(node.mistake(format!("an act has exactly one of the fields {}", kinds.join(", "))));
        };
        let act = fields.need(kind)?;
        let may = |name: &str, allowed: &[&str]| match fields.maybe(name) {
            Some(extra) if !allowed.contains(&kind) => {
                Err(extra.mistake(format!("\"{name}\" goes only with {}", allowed.join(" or "))))
            }
            extra => Ok(extra),
        };
        let split = may("split", &["text", "bytes", "late"])?.map_or(Ok(false), Node::truth)?;
        let then = may("then", &["text", "bytes"])?.map(|then| then.word(&Disconnect::WORDS)).transpose()?;
        let finish = |message: ScriptedMessage| {
            let slowly = if split { "(a byte at a time) " } else { "" };
            ScriptedMessage { shown: format!("{slowly}{}", message.shown), split, then, ..message }
        };
        let action = match kind {
            "text" => {
                let texts: Result<Vec<String>, FileError> =
                    act.one_or_many().iter().map(|text| text.text().map(str::to_string)).collect();
                ScriptAction::Answer(finish(message(act, &texts?)?))
            }
            "bytes" => ScriptAction::Answer(finish(raw(act)?)),
            "late" => {
                let message = finish(message(act, &[act.text()?.to_string()])?);
                ScriptAction::Late(ScriptedMessage {
                    shown: format!("(too late) {}", message.shown),
                    ..message
                })
            }
            "unasked" => {
                let message = match &act.value {
                    Value::Object(_) => raw(act.fields(&["bytes"])?.need("bytes")?)?,
                    _ => message(act, &[act.text()?.to_string()])?,
                };
                ScriptAction::Unasked(ScriptedMessage {
                    shown: format!("(unasked) {}", message.shown),
                    ..message
                })
            }
            _ => act
                .word(&[
                    ("silence", FaultWord::Silence),
                    ("hang up", FaultWord::Disconnect(Disconnect::HangUp)),
                    ("reset", FaultWord::Disconnect(Disconnect::Reset)),
                ])?
                .action(),
        };
        Ok(ScriptEntry { place, action })
    }
}

#[derive(Clone, Copy)]
enum FaultWord {
    Silence,
    Disconnect(Disconnect),
}

impl FaultWord {
    fn action(self) -> ScriptAction {
        match self {
            FaultWord::Silence => ScriptAction::Silence,
            FaultWord::Disconnect(disconnect) => ScriptAction::Disconnect(disconnect),
        }
    }
}

/// A message with the texts, each in a frame, one right after the other.
fn message(node: &Node, texts: &[String]) -> Result<ScriptedMessage, FileError> {
    let mut bytes = BytesMut::new();
    for text in texts {
        FrameCodec::default()
            .encode(modified_utf8::encode(text).as_slice(), &mut bytes)
            .map_err(|error| node.mistake(error.to_string()))?;
    }
    Ok(ScriptedMessage { bytes: bytes.to_vec(), shown: texts.join(" + "), split: false, then: None })
}

/// A message from bytes in hexadecimal digits.
fn raw(node: &Node) -> Result<ScriptedMessage, FileError> {
    let text = node.text()?;
    let digits: Vec<u8> = text
        .chars()
        .filter(|c| !c.is_ascii_whitespace())
        .map(|c| c.to_digit(16).map(|digit| digit as u8))
        .collect::<Option<_>>()
        .filter(|digits: &Vec<u8>| digits.len().is_multiple_of(2) && !digits.is_empty())
        .ok_or_else(|| {
            node.mistake("write bytes as pairs of hexadecimal digits, like \"00 04 66 6f 6c 64\"")
        })?;
    let bytes: Vec<u8> = digits.chunks(2).map(|pair| pair[0] << 4 | pair[1]).collect();
    let shown = format!("(bytes) {}", hex::spaced(&bytes));
    Ok(ScriptedMessage { bytes, shown, split: false, then: None })
}

#[cfg(test)]
mod tests {
    use super::*;

    fn read(text: &str) -> Result<ScriptAction, String> {
        ScriptEntry::read(&Node::read(text).unwrap())
            .map(|act| act.action)
            .map_err(|mistake| mistake.to_string())
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

    #[test]
    fn mistakes_say_what_to_write() {
        for (text, words) in [
            ("{}", "exactly one of the fields text, bytes"),
            ("{\"text\": \"fold\", \"late\": \"fold\"}", "exactly one of the fields"),
            ("{\"fault\": \"sleeps\"}", "write silence or hang up or reset"),
            ("{\"bytes\": \"0\"}", "pairs of hexadecimal digits"),
            ("{\"bytes\": \"zz\"}", "pairs of hexadecimal digits"),
            ("{\"late\": \"fold\", \"then\": \"hang up\"}", "\"then\" goes only with text or bytes"),
            ("{\"fault\": \"reset\", \"split\": true}", "\"split\" goes only with"),
            ("{\"tekst\": \"fold\"}", "there is no field \"tekst\""),
            ("5", "write an object here, not a number"),
        ] {
            let message = read(text).unwrap_err();
            assert!(message.contains(words), "{text}: {message}");
        }
    }
}
