//! Reads files that people write: types that serde derives, and the place of each mistake in line, column and field.

use std::collections::HashMap;
use std::fmt;
use std::marker::PhantomData;

use serde::Deserialize;
use serde::de::value::{MapAccessDeserializer, SeqAccessDeserializer};
use serde::de::{DeserializeOwned, Deserializer, Error, IntoDeserializer, MapAccess, SeqAccess, Visitor};
use serde_json::value::RawValue;

use casino_stud::{json_error, shown};

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

/// An error in a file, with its place.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct FileError {
    /// The place of the mistake.
    pub place: Location,
    /// The problem and the remedy.
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

pub(crate) fn read<T: DeserializeOwned>(text: &str) -> Result<(T, Places<'_>), FileError> {
    // Editors of Windows put a mark before the first letter.
    let text = text.strip_prefix('\u{feff}').unwrap_or(text);
    let mut places = Places { text, known: HashMap::new(), reached: Position::default() };
    let raw: &RawValue = serde_json::from_str(text).map_err(|error| {
        let line = text.split_inclusive('\n').nth(error.line().saturating_sub(1)).unwrap_or_default();
        let before = line.char_indices().take_while(|(at, _)| *at + 1 < error.column());
        let place = Location { line: error.line().max(1), column: before.count() + 1, field: String::new() };
        FileError { place, message: json_error::without_place(&error) }
    })?;
    places.note(raw, String::new(), 0)?;
    let mut reader = serde_json::Deserializer::from_str(text);
    serde_path_to_error::deserialize(&mut reader)
        .map_err(|error| {
            // The way to the file as a whole is written as a dot.
            let field = error.path().to_string();
            places.mistake(field.trim_start_matches('.'), json_error::without_place(error.inner()))
        })
        .map(|file| (file, places))
}

/// The deepest nesting whose places are known; no file is read that is deeper.
const MAX_NESTING_DEPTH: usize = 16;

#[derive(Debug)]
pub(crate) struct Places<'t> {
    text: &'t str,
    known: HashMap<String, Position>,
    /// The value that was found last: the next one stands behind it.
    reached: Position,
}

#[derive(Clone, Copy, Debug, Default)]
struct Position {
    offset: usize,
    line: usize,
    /// In characters.
    column: usize,
}

impl<'t> Places<'t> {
    fn note(&mut self, raw: &'t RawValue, field: String, depth: usize) -> Result<(), FileError> {
        let piece = raw.get();
        // A raw value borrows from the text, so its address gives its position.
        self.advance((piece.as_ptr() as usize).saturating_sub(self.text.as_ptr() as usize));
        if self.known.insert(field.clone(), self.reached).is_some() {
            return Err(self.mistake(&field, "this field is there twice: keep one of the two"));
        }
        if depth < MAX_NESTING_DEPTH {
            // Any other value has no entries.
            let entries: Entries<&RawValue> = serde_json::from_str(piece).unwrap_or_default();
            let list: Vec<&RawValue> = serde_json::from_str(piece).unwrap_or_default();
            for (key, raw) in entries.0 {
                self.note(raw, below(&field, &key), depth + 1)?;
            }
            for (index, raw) in list.into_iter().enumerate() {
                self.note(raw, format!("{field}[{index}]"), depth + 1)?;
            }
        }
        Ok(())
    }

    /// Advances to this offset, which is behind the current one: each letter of a file is visited once.
    fn advance(&mut self, offset: usize) {
        for letter in self.text[self.reached.offset..offset].chars() {
            self.reached.column += 1;
            if letter == '\n' {
                (self.reached.line, self.reached.column) = (self.reached.line + 1, 0);
            }
        }
        self.reached.offset = offset;
    }

    /// The place of a field, or of the whole file if it has no such field.
    pub(crate) fn of(&self, field: &str) -> Location {
        let Position { line, column, .. } = self.known.get(field).copied().unwrap_or_default();
        Location { line: line + 1, column: column + 1, field: shown::short_line(field).into_owned() }
    }

    pub(crate) fn mistake(&self, field: &str, message: impl AsRef<str>) -> FileError {
        FileError { place: self.of(field), message: shown::short_line(message.as_ref()).into_owned() }
    }
}

/// A field of an object as it stands in a place.
pub(crate) fn below(field: &str, key: &str) -> String {
    if field.is_empty() { key.to_string() } else { format!("{field}.{key}") }
}

/// A whole number between these two.
#[derive(Clone, Copy, Debug, Default, Deserialize)]
#[serde(try_from = "u32")]
pub(crate) struct Whole<const LEAST: u32, const MOST: u32>(pub(crate) u32);

impl<const LEAST: u32, const MOST: u32> TryFrom<u32> for Whole<LEAST, MOST> {
    type Error = String;

    fn try_from(number: u32) -> Result<Self, String> {
        match (LEAST..=MOST).contains(&number) {
            true => Ok(Whole(number)),
            false => Err(format!("{number} is not possible: write a whole number from {LEAST} to {MOST}")),
        }
    }
}

/// The fields of an object with arbitrary names, in the order they are written.
#[derive(Clone, Debug)]
pub(crate) struct Entries<T>(pub(crate) Vec<(String, T)>);

impl<T> Default for Entries<T> {
    fn default() -> Entries<T> {
        Entries(Vec::new())
    }
}

impl<'de, T: Deserialize<'de>> Deserialize<'de> for Entries<T> {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        deserializer.deserialize_map(Entries::default())
    }
}

impl<'de, T: Deserialize<'de>> Visitor<'de> for Entries<T> {
    type Value = Self;

    fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("an object")
    }

    fn visit_map<A: MapAccess<'de>>(mut self, mut map: A) -> Result<Self, A::Error> {
        while let Some(entry) = map.next_entry()? {
            self.0.push(entry);
        }
        Ok(self)
    }
}

/// A value parsed by its shape: a text or number, a list, or an object.
trait Shaped<'de>: Sized {
    fn simple<D: Deserializer<'de>>(value: D) -> Result<Self, D::Error>;
    fn list<A: SeqAccess<'de>>(list: A) -> Result<Self, A::Error>;
    fn object<A: MapAccess<'de>>(object: A) -> Result<Self, A::Error>;
}

struct ByShape<T>(PhantomData<T>);

macro_rules! simple {
    ($($visit:ident $of:ty),*) => {
        $(fn $visit<E: Error>(self, value: $of) -> Result<T, E> {
            T::simple(value.into_deserializer())
        })*
    };
}

impl<'de, T: Shaped<'de>> Visitor<'de> for ByShape<T> {
    type Value = T;

    fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("a text, a number, a list or an object")
    }

    simple!(visit_bool bool, visit_i64 i64, visit_u64 u64, visit_f64 f64, visit_str &str);

    fn visit_seq<A: SeqAccess<'de>>(self, list: A) -> Result<T, A::Error> {
        T::list(list)
    }

    fn visit_map<A: MapAccess<'de>>(self, object: A) -> Result<T, A::Error> {
        T::object(object)
    }
}

#[derive(Clone, Debug)]
pub(crate) struct OneOrMany<T> {
    pub(crate) values: Vec<T>,
    pub(crate) is_list: bool,
}

impl<T> Default for OneOrMany<T> {
    fn default() -> OneOrMany<T> {
        OneOrMany { values: Vec::new(), is_list: true }
    }
}

impl<T> OneOrMany<T> {
    /// Each value with its field, if that of all is `field`.
    pub(crate) fn each(&self, field: &str) -> impl Iterator<Item = (String, &T)> {
        self.values.iter().enumerate().map(move |(index, value)| {
            (if self.is_list { format!("{field}[{index}]") } else { field.to_string() }, value)
        })
    }
}

impl<'de, T: Deserialize<'de>> Deserialize<'de> for OneOrMany<T> {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        deserializer.deserialize_any(ByShape(PhantomData))
    }
}

impl<'de, T: Deserialize<'de>> Shaped<'de> for OneOrMany<T> {
    fn simple<D: Deserializer<'de>>(value: D) -> Result<Self, D::Error> {
        Ok(OneOrMany { values: vec![T::deserialize(value)?], is_list: false })
    }

    fn list<A: SeqAccess<'de>>(list: A) -> Result<Self, A::Error> {
        let values = Vec::deserialize(SeqAccessDeserializer::new(list))?;
        Ok(OneOrMany { values, is_list: true })
    }

    fn object<A: MapAccess<'de>>(object: A) -> Result<Self, A::Error> {
        Self::simple(MapAccessDeserializer::new(object))
    }
}

#[derive(Clone, Debug)]
pub(crate) enum Either<S, T> {
    Short(S),
    Long(T),
}

impl<'de, S: Deserialize<'de>, T: Deserialize<'de>> Deserialize<'de> for Either<S, T> {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        deserializer.deserialize_any(ByShape(PhantomData))
    }
}

impl<'de, S: Deserialize<'de>, T: Deserialize<'de>> Shaped<'de> for Either<S, T> {
    fn simple<D: Deserializer<'de>>(value: D) -> Result<Self, D::Error> {
        S::deserialize(value).map(Either::Short)
    }

    fn list<A: SeqAccess<'de>>(list: A) -> Result<Self, A::Error> {
        S::deserialize(SeqAccessDeserializer::new(list)).map(Either::Short)
    }

    fn object<A: MapAccess<'de>>(object: A) -> Result<Self, A::Error> {
        T::deserialize(MapAccessDeserializer::new(object)).map(Either::Long)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[derive(Debug, Deserialize)]
    #[serde(deny_unknown_fields)]
    #[expect(dead_code, reason = "only read")]
    struct Example {
        #[serde(default, rename = "ä")]
        list: OneOrMany<Either<Whole<1, 3>, Entries<String>>>,
        #[serde(default)]
        c: bool,
    }

    fn mistake(text: &str) -> FileError {
        read::<Example>(text).unwrap_err()
    }

    #[test]
    fn every_value_knows_its_line_column_and_field() {
        let text = "{\n  \"ä\": [1, {\"b\": \"x\"}],\n  \"c\": true }";
        for text in [text.to_string(), format!("\u{feff}{}", text.replace('\n', "\r\n"))] {
            let (file, places) = read::<Example>(&text).unwrap();
            let fields: Vec<String> = file.list.each("ä").map(|(field, _)| field).collect();
            assert_eq!(fields, ["ä[0]", "ä[1]"]);
            let inner = Location { line: 2, column: 18, field: "ä[1].b".to_string() };
            assert_eq!(places.of("ä[1].b"), inner);
            assert_eq!(places.mistake("ä[1].b", "no").to_string(), "2:18: ä[1].b: no");
        }
        for (text, said) in [
            ("{\"ä\": 4}", "1:7: ä: 4 is not possible: write a whole number from 1 to 3"),
            (
                "{\"ä\": [2,\n true]}",
                "2:2: ä[1]: a whole number that is not negative is needed here, not true",
            ),
            ("{\"ä\": {\"b\": 1}}", "1:13: ä.b: a text in double quotes is needed here, not the number 1"),
            ("{\"d\": 1}", "1:7: d: there is no field `d`; there are `ä` or `c`"),
            (
                "{\"ä\": {\"b\": \"\", \"b\": \"\"}}",
                "1:22: ä.b: this field is there twice: keep one of the two",
            ),
        ] {
            assert_eq!(mistake(text).to_string(), said);
        }
    }

    #[test]
    fn long_names_are_truncated() {
        let error = mistake(&format!("{{\"{}\": 1}}", "\\u001b".repeat(500)));
        assert!(error.message.starts_with("there is no field `\\u001b\\u001b"), "{error}");
        assert!(error.place.field.starts_with("\\u001b"), "{error}");
        assert!(error.to_string().len() < 900, "{error}");
    }

    #[test]
    fn invalid_or_deep_json_is_refused_with_its_place() {
        let say = |text: &str| mistake(text).to_string();
        assert_eq!(say(""), "1:1: the file ends in the middle of it");
        let comma = say("{\n  \"c\": 1,,\n}");
        assert!(comma.starts_with("2:10: this is not JSON: "), "{comma}");
        let deep = say(&format!("{{\"ä\": {}{}}}", "[".repeat(99_999), "]".repeat(99_999)));
        assert!(
            deep.starts_with("1:8: ä[0]: a whole number that is not negative is needed here, not a list"),
            "{deep}"
        );
        // Half of a surrogate pair is not text.
        let half = say("{\"ä\": {\"b\": \"\\ud800\"}}");
        assert!(half.starts_with("1:"), "{half}");
        for number in ["-1", "1.5", "11", "1e3", "4294967296"] {
            let message = say(&format!("{{\"ä\": {number}}}"));
            assert!(message.contains("a whole number"), "{message}");
        }
    }
}
