//! JSON values with their positions: line, column and field, so that an error names the place to change.
//! `serde_json` does the parsing; this adds the positions and the errors.

use std::borrow::Cow;
use std::fmt;

use serde::Deserialize;
use serde::de::{Deserializer, MapAccess, Visitor};
use serde_json::value::RawValue;

use casino_stud::stud::Chips;

/// The deepest nesting of lists and objects.
const DEPTH: usize = 16;

/// A place in a file.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Location {
    /// The line, from 1.
    pub line: usize,
    /// The column in characters, from 1.
    pub column: usize,
    /// The field, like `seats[1].stack`; empty for the file as a whole.
    pub field: String,
}

/// What is wrong with a file, and where.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct FileError {
    /// The place of the mistake.
    pub place: Location,
    /// What is wrong, and what to write instead.
    pub message: String,
}

/// `LINE:COLUMN: FIELD: what is wrong`: after a file's name and a colon, editors can follow it.
impl fmt::Display for FileError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}:{}: ", self.place.line, self.place.column)?;
        if !self.place.field.is_empty() {
            write!(f, "{}: ", self.place.field)?;
        }
        f.write_str(&self.message)
    }
}

impl std::error::Error for FileError {}

/// A value with its place in the file.
#[derive(Clone, Debug)]
pub(crate) struct Node {
    pub(crate) place: Location,
    pub(crate) value: Value,
}

/// A JSON value whose parts have places.
#[derive(Clone, Debug)]
pub(crate) enum Value {
    Null,
    Truth(bool),
    Number(serde_json::Number),
    Text(String),
    List(Vec<Node>),
    Object(Vec<(String, Node)>),
}

impl Node {
    pub(crate) fn read(text: &str) -> Result<Node, FileError> {
        // Editors of Windows put a mark before the first letter.
        let text = text.strip_prefix('\u{feff}').unwrap_or(text);
        let raw: &RawValue = serde_json::from_str(text).map_err(|error| {
            let full = error.to_string();
            let message = full.split(" at line ").next().unwrap_or(&full);
            let column = text.lines().nth(error.line().saturating_sub(1)).map_or(1, |line| {
                let before = line.len().min(error.column().saturating_sub(1));
                line.char_indices().take_while(|(at, _)| *at < before).count() + 1
            });
            let place = Location { line: error.line().max(1), column, field: String::new() };
            FileError { place, message: format!("this is no JSON: {message}") }
        })?;
        Source { text }.node(raw, String::new(), 0)
    }

    /// A mistake at the place of this value.
    pub(crate) fn mistake(&self, message: impl Into<String>) -> FileError {
        FileError { place: self.place.clone(), message: message.into() }
    }

    fn wanted(&self, what: &str) -> FileError {
        let is = match &self.value {
            Value::Null => "null",
            Value::Truth(_) => "true or false",
            Value::Number(_) => "a number",
            Value::Text(_) => "a text",
            Value::List(_) => "a list",
            Value::Object(_) => "an object",
        };
        self.mistake(format!("write {what} here, not {is}"))
    }

    /// The value, which has to be a text.
    pub(crate) fn text(&self) -> Result<&str, FileError> {
        match &self.value {
            Value::Text(text) => Ok(text),
            _ => Err(self.wanted("a text")),
        }
    }

    /// The value, which has to be true or false.
    pub(crate) fn truth(&self) -> Result<bool, FileError> {
        match self.value {
            Value::Truth(truth) => Ok(truth),
            _ => Err(self.wanted("true or false")),
        }
    }

    /// The value, which has to be a whole number between these two.
    pub(crate) fn number(&self, least: u64, most: u64) -> Result<u64, FileError> {
        match &self.value {
            Value::Number(number) => {
                number.as_u64().filter(|number| (least..=most).contains(number)).ok_or_else(|| {
                    self.mistake(format!(
                        "{number} is not possible: write a whole number from {least} to {most}"
                    ))
                })
            }
            _ => Err(self.wanted("a number")),
        }
    }

    /// The value, which has to be an amount of chips between these two.
    pub(crate) fn chips(&self, least: Chips, most: Chips) -> Result<Chips, FileError> {
        self.number(u64::from(least), u64::from(most)).map(|chips| chips as Chips)
    }

    /// The elements of the value, which has to be a list.
    pub(crate) fn list(&self) -> Result<&[Node], FileError> {
        match &self.value {
            Value::List(list) => Ok(list),
            _ => Err(self.wanted("a list")),
        }
    }

    /// The elements of a list, or the value itself as the only element.
    pub(crate) fn one_or_many(&self) -> &[Node] {
        match &self.value {
            Value::List(list) => list,
            _ => std::slice::from_ref(self),
        }
    }

    /// The fields of an object, in the order they are written.
    pub(crate) fn entries(&self) -> Result<&[(String, Node)], FileError> {
        match &self.value {
            Value::Object(entries) => Ok(entries),
            _ => Err(self.wanted("an object")),
        }
    }

    /// The fields of an object that may have only these.
    pub(crate) fn fields(&self, known: &[&str]) -> Result<Fields<'_>, FileError> {
        let entries = self.entries()?;
        for (key, value) in entries {
            if !known.contains(&key.as_str()) {
                let (key, known) = (brief(key), known.join(", "));
                return Err(value.mistake(format!("there is no field \"{key}\"; there are {known}")));
            }
        }
        Ok(Fields { of: self, entries })
    }

    /// The meaning of the value, which has to be one of these words.
    pub(crate) fn word<T: Copy>(&self, words: &[(&str, T)]) -> Result<T, FileError> {
        let text = self.text()?;
        words.iter().find(|(word, _)| *word == text).map(|(_, meaning)| *meaning).ok_or_else(|| {
            let all: Vec<&str> = words.iter().map(|(word, _)| *word).collect();
            self.mistake(format!("\"{}\" is not possible: write {}", brief(text), all.join(" or ")))
        })
    }
}

/// How many characters of a text of the file are told at most.
const TOLD: usize = 40;

/// How many characters of the way to a field are told at most: its end.
const WAY: usize = 200;

/// A text of the file as it is told to people: its beginning, with what acts on a terminal escaped.
fn brief(text: &str) -> String {
    match text.char_indices().nth(TOLD) {
        Some((end, _)) => format!("{}…", text[..end].escape_debug()),
        None => text.escape_debug().to_string(),
    }
}

#[derive(Clone, Copy, Debug)]
pub(crate) struct Fields<'a> {
    of: &'a Node,
    entries: &'a [(String, Node)],
}

impl<'a> Fields<'a> {
    pub(crate) fn maybe(&self, name: &str) -> Option<&'a Node> {
        self.entries.iter().find(|(key, _)| key == name).map(|(_, value)| value)
    }

    pub(crate) fn maybe_text(&self, name: &str) -> Result<Option<String>, FileError> {
        self.maybe(name).map(|node| node.text().map(str::to_string)).transpose()
    }

    /// The value of a required field.
    pub(crate) fn need(&self, name: &str) -> Result<&'a Node, FileError> {
        self.maybe(name).ok_or_else(|| self.of.mistake(format!("the field \"{name}\" is missing")))
    }
}

/// The text of the file, which the raw values borrow from.
struct Source<'t> {
    text: &'t str,
}

impl Source<'_> {
    fn place(&self, piece: &str, mut field: String) -> Location {
        if let Some((begin, _)) = field.char_indices().rev().nth(WAY) {
            field.replace_range(..begin, "…");
        }
        // A raw value borrows from the text, so its address tells where it stands.
        let offset = (piece.as_ptr() as usize).saturating_sub(self.text.as_ptr() as usize);
        let before = self.text.get(..offset).unwrap_or(self.text);
        let line_start = before.rfind('\n').map_or(0, |at| at + 1);
        Location {
            line: before.matches('\n').count() + 1,
            column: before[line_start..].chars().count() + 1,
            field,
        }
    }

    fn node(&self, raw: &RawValue, field: String, depth: usize) -> Result<Node, FileError> {
        let piece = raw.get();
        let place = self.place(piece, field);
        let bad = |error: serde_json::Error| FileError { place: place.clone(), message: error.to_string() };
        if depth > DEPTH {
            return Err(FileError {
                place,
                message: "no list or object lies this deep in others".to_string(),
            });
        }
        let field = &place.field;
        let value = match piece.as_bytes().first() {
            Some(b'{') => {
                let Pairs(pairs) = serde_json::from_str(piece).map_err(bad)?;
                let mut entries: Vec<(String, Node)> = Vec::with_capacity(pairs.len());
                for (key, raw) in pairs {
                    let dot = if field.is_empty() { "" } else { "." };
                    let node = self.node(raw, format!("{field}{dot}{}", brief(&key)), depth + 1)?;
                    if entries.iter().any(|(other, _)| *other == key) {
                        return Err(node.mistake("this field is there twice: keep one of the two"));
                    }
                    entries.push((key.into_owned(), node));
                }
                Value::Object(entries)
            }
            Some(b'[') => {
                let list: Vec<&RawValue> = serde_json::from_str(piece).map_err(bad)?;
                let node = |(index, raw)| self.node(raw, format!("{field}[{index}]"), depth + 1);
                Value::List(list.into_iter().enumerate().map(node).collect::<Result<_, _>>()?)
            }
            Some(b'"') => Value::Text(serde_json::from_str(piece).map_err(bad)?),
            Some(b't' | b'f') => Value::Truth(piece == "true"),
            Some(b'n') => Value::Null,
            _ => Value::Number(serde_json::from_str(piece).map_err(bad)?),
        };
        Ok(Node { place, value })
    }
}

/// An object's fields in the order they are written, also those that are there twice.
struct Pairs<'t>(Vec<(Cow<'t, str>, &'t RawValue)>);

impl<'t> Deserialize<'t> for Pairs<'t> {
    fn deserialize<D: Deserializer<'t>>(deserializer: D) -> Result<Pairs<'t>, D::Error> {
        struct Reader;
        impl<'t> Visitor<'t> for Reader {
            type Value = Pairs<'t>;

            fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
                f.write_str("an object")
            }

            fn visit_map<A: MapAccess<'t>>(self, mut map: A) -> Result<Pairs<'t>, A::Error> {
                let mut pairs = Vec::new();
                while let Some(pair) = map.next_entry::<Cow<'t, str>, &'t RawValue>()? {
                    pairs.push(pair);
                }
                Ok(Pairs(pairs))
            }
        }
        deserializer.deserialize_map(Reader)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_value_knows_its_line_column_and_field() {
        let text = "{\n  \"ä\": [1, {\"b\": \"x\"}],\n  \"c\": true }";
        let root = Node::read(text).unwrap();
        let as_on_windows = format!("\u{feff}{}", text.replace('\n', "\r\n"));
        assert_eq!(format!("{:?}", Node::read(&as_on_windows).unwrap()), format!("{root:?}"));
        let fields = root.fields(&["ä", "c"]).unwrap();
        let list = fields.need("ä").unwrap().list().unwrap();
        let inner = list[1].fields(&["b"]).unwrap().need("b").unwrap();
        assert_eq!(inner.place, Location { line: 2, column: 18, field: "ä[1].b".to_string() });
        assert_eq!(inner.mistake("no").to_string(), "2:18: ä[1].b: no");
        assert_eq!(
            root.fields(&["c"]).unwrap_err().to_string(),
            "2:8: ä: there is no field \"ä\"; there are c"
        );
    }

    #[test]
    fn of_a_long_name_only_the_beginning_is_told() {
        let long = "\u{1b}".repeat(500);
        let text = format!("{{\"a\": {{\"{}\": 1}}}}", "\\u001b".repeat(500));
        let root = Node::read(&text).unwrap();
        let shown = format!("{}…", "\\u{1b}".repeat(40));
        let inner = root.fields(&["a"]).unwrap().need("a").unwrap();
        let message = inner.fields(&["b"]).unwrap_err();
        assert_eq!(message.message, format!("there is no field \"{shown}\"; there are b"));
        assert_eq!(message.place.field.chars().count(), 202, "{}", message.place.field);
        assert!(message.place.field.starts_with('…') && shown.ends_with(&message.place.field[3..]));
        let word = Node::read(&format!("\"{}\"", "\\u001b".repeat(500))).unwrap();
        assert!(word.word(&[("b", ())]).unwrap_err().message.starts_with(&format!("\"{shown}\" is not")));
        assert_eq!(brief(&long[..40]), "\\u{1b}".repeat(40), "all of a short one");
    }

    #[test]
    fn what_is_no_json_or_too_deep_or_there_twice_is_refused_with_its_place() {
        let say = |text: &str| Node::read(text).unwrap_err().to_string();
        assert!(say("").starts_with("1:1: this is no JSON: EOF"), "{}", say(""));
        assert!(
            say("{\n  \"a\": 1,,\n}").starts_with("2:10: this is no JSON: "),
            "{}",
            say("{\n  \"a\": 1,,\n}")
        );
        assert_eq!(say("{\"a\": 1,\n\"a\": 2}"), "2:6: a: this field is there twice: keep one of the two");
        assert!(say(&format!("{}{}", "[".repeat(40), "]".repeat(40))).contains("this deep"));
        // Half of a surrogate pair is no text.
        assert!(say("[\"\\ud800\"]").starts_with("1:2: [0]: "), "{}", say("[\"\\ud800\"]"));
        for number in ["-1", "1.5", "11", "1e3"] {
            let message = Node::read(number).unwrap().number(0, 10).unwrap_err().message;
            assert!(message.contains("from 0 to 10"), "{message}");
        }
    }
}
