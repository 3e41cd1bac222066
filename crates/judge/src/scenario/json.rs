//! Reads files that people write into types that serde derives, and names the field of each mistake.

use std::fmt;
use std::marker::PhantomData;

use serde::Deserialize;
use serde::de::value::{MapAccessDeserializer, SeqAccessDeserializer};
use serde::de::{DeserializeOwned, Deserializer, Error, IntoDeserializer, MapAccess, SeqAccess, Visitor};

use casino_stud::{json_error, shown};

/// An error in a file.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub struct FileError {
    /// The line and column, from 1, at which reading ended; `None` if the file can be read and its content is wrong.
    pub position: Option<(usize, usize)>,
    /// The field, like `seats[1].stack`; empty for the file as a whole.
    pub field: String,
    /// The problem and the remedy.
    pub message: String,
}

impl FileError {
    /// A mistake in the content of this field.
    pub(crate) fn of(field: &str, message: impl AsRef<str>) -> FileError {
        let short = |text: &str| shown::short_line(text).into_owned();
        FileError { position: None, field: short(field), message: short(message.as_ref()) }
    }

    /// `FILE:LINE:COLUMN: FIELD: what is wrong`, which editors can follow, or the same without the position.
    pub fn in_file(&self, file: impl fmt::Display) -> String {
        let space = if self.position.is_some() { "" } else { " " };
        format!("{file}:{space}{self}")
    }
}

impl fmt::Display for FileError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        if let Some((line, column)) = self.position {
            write!(f, "{line}:{column}: ")?;
        }
        if !self.field.is_empty() {
            write!(f, "{}: ", self.field)?;
        }
        f.write_str(&self.message)
    }
}

pub(crate) fn read<T: DeserializeOwned>(text: &str) -> Result<T, FileError> {
    // Editors of Windows put a mark before the first letter.
    let mut reader = serde_json::Deserializer::from_str(text.strip_prefix('\u{feff}').unwrap_or(text));
    let file = serde_path_to_error::deserialize(&mut reader).map_err(|error| {
        // serde writes the path of the whole file as a dot, or as a question mark if the text is no JSON.
        let field = if error.inner().is_data() { error.path().to_string() } else { String::new() };
        at_position(field.trim_start_matches('.'), error.inner())
    })?;
    reader.end().map_err(|error| at_position("", &error))?;
    Ok(file)
}

fn at_position(field: &str, error: &serde_json::Error) -> FileError {
    let position = Some((error.line().max(1), error.column().max(1)));
    FileError { position, ..FileError::of(field, json_error::without_place(error)) }
}

/// A whole number between these two.
#[derive(Clone, Copy, Debug, Default, Deserialize)]
#[serde(try_from = "u32")]
pub(crate) struct Whole<const MIN: u32, const MAX: u32>(pub(crate) u32);

impl<const MIN: u32, const MAX: u32> TryFrom<u32> for Whole<MIN, MAX> {
    type Error = String;

    fn try_from(number: u32) -> Result<Self, String> {
        match (MIN..=MAX).contains(&number) {
            true => Ok(Whole(number)),
            false => Err(format!("{number} is not possible: write a whole number from {MIN} to {MAX}")),
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
        while let Some(entry) = map.next_entry::<String, T>()? {
            if self.0.iter().any(|(key, _)| *key == entry.0) {
                return Err(A::Error::custom(format_args!(
                    "`{}` is there twice: keep one of the two",
                    entry.0
                )));
            }
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
    fn values_are_read_by_their_shape() {
        let text = "{\n  \"ä\": [1, {\"b\": \"x\"}],\n  \"c\": true }";
        for text in [text.to_string(), format!("\u{feff}{}", text.replace('\n', "\r\n"))] {
            let file = read::<Example>(&text).unwrap();
            let fields: Vec<String> = file.list.each("ä").map(|(field, _)| field).collect();
            assert_eq!(fields, ["ä[0]", "ä[1]"]);
        }
    }

    #[test]
    fn mistakes_have_a_line_a_column_and_a_field() {
        for (text, said) in [
            ("{\"ä\": 4}", "1:8: ä: 4 is not possible: write a whole number from 1 to 3"),
            (
                "{\"ä\": [2,\n true]}",
                "2:5: ä[1]: a whole number that is not negative is needed here, not true",
            ),
            ("{\"ä\": {\"b\": 1}}", "1:14: ä.b: a text in double quotes is needed here, not the number 1"),
            ("{\"d\": 1}", "1:4: d: there is no field `d`; there are `ä` or `c`"),
            ("{\"ä\": {\"b\": \"\", \"b\": \"\"}}", "1:25: ä: `b` is there twice: keep one of the two"),
        ] {
            assert_eq!(mistake(text).to_string(), said);
        }
    }

    #[test]
    fn the_file_of_a_mistake_precedes_its_position() {
        let unread = FileError { position: Some((2, 7)), ..FileError::of("c", "no") };
        assert_eq!(unread.in_file("a.json"), "a.json:2:7: c: no");
        assert_eq!(FileError::of("c", "no").in_file("a.json"), "a.json: c: no");
    }

    #[test]
    fn long_names_are_truncated() {
        let error = mistake(&format!("{{\"{}\": 1}}", "\\u001b".repeat(500)));
        assert!(error.message.starts_with("there is no field `\\u001b\\u001b"), "{error}");
        assert!(error.field.starts_with("\\u001b"), "{error}");
        assert!(error.to_string().len() < 900, "{error}");
    }

    #[test]
    fn invalid_or_deep_json_is_refused_with_its_place() {
        let say = |text: &str| mistake(text).to_string();
        assert_eq!(say(""), "1:1: the file ends in the middle of it");
        let comma = say("{\n  \"c\": true,,\n}");
        assert!(comma.starts_with("2:13: this is not JSON: "), "{comma}");
        let deep = say(&format!("{{\"ä\": {}{}}}", "[".repeat(99_999), "]".repeat(99_999)));
        assert!(
            deep.starts_with("1:9: ä[0]: a whole number that is not negative is needed here, not a list"),
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
