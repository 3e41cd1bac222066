//! How the players of an event meet: a file for each format, and the one table that lists them.
//!
//! A new format is a file beside these with its [`FormatRules`] and its scheduler, a line in [`FORMATS`], and a
//! section in `docs/tournaments.md`.

mod equal_deals;
mod freezeout;
mod in_words;
mod scheduler;
mod seating;
mod single_table;
mod swiss;

use std::fmt;
use std::str::FromStr;
use std::sync::LazyLock;

use serde::de::Error as _;
use serde::{Deserialize, Deserializer, Serialize, Serializer};

pub use scheduler::FormatRules;
pub(super) use scheduler::Scheduler;

static FORMATS: [&FormatRules; 5] =
    [&single_table::RULES, &freezeout::RULES, &swiss::RULES, &equal_deals::RULES, &equal_deals::FRESH];

/// How the players of an event meet. `docs/tournaments.md` describes each format.
#[derive(Clone, Copy)]
pub struct Format(&'static FormatRules);

impl Format {
    /// The document's own game: everyone at one table, in one level.
    pub const SINGLE_TABLE: Format = Format(&single_table::RULES);

    /// Everyone at one table, and each deck once from every seat.
    pub const EQUAL_DEALS: Format = Format(&equal_deals::RULES);

    /// Everyone at one table, and a fresh deck for each round.
    pub const FRESH_DEALS: Format = Format(&equal_deals::FRESH);

    /// All formats.
    pub fn all() -> impl Iterator<Item = Format> {
        FORMATS.iter().map(|rules| Format(rules))
    }

    /// The format that has this name.
    pub fn named(name: &str) -> Option<Format> {
        Format::all().find(|format| format.0.name == name)
    }

    /// The invariants of this format.
    pub fn rules(self) -> &'static FormatRules {
        self.0
    }
}

/// A freeze-out, which is played where many tables are wanted and no format is named.
impl Default for Format {
    fn default() -> Format {
        Format(&freezeout::RULES)
    }
}

impl PartialEq for Format {
    fn eq(&self, other: &Format) -> bool {
        self.0.name == other.0.name
    }
}

impl Eq for Format {}

impl fmt::Debug for Format {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.0.name)
    }
}

/// The names of the formats.
static NAMES: LazyLock<Vec<&str>> = LazyLock::new(|| Format::all().map(|format| format.0.name).collect());

/// A name that belongs to no format.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
#[error("the formats are {}", NAMES.join(", "))]
pub struct UnknownFormat;

impl FromStr for Format {
    type Err = UnknownFormat;

    fn from_str(text: &str) -> Result<Format, UnknownFormat> {
        Format::named(text).ok_or(UnknownFormat)
    }
}

impl Serialize for Format {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        serializer.serialize_str(self.0.name)
    }
}

impl<'de> Deserialize<'de> for Format {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Format, D::Error> {
        let name = String::deserialize(deserializer)?;
        Format::named(&name)
            .ok_or_else(|| D::Error::custom(format_args!("the format {name} is not known; {UnknownFormat}")))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn formats_are_read_by_the_names_they_are_written_with() {
        for format in Format::all() {
            let name = format.rules().name;
            assert_eq!(name.parse::<Format>(), Ok(format));
            let written = serde_json::to_string(&format).expect("a name is written");
            assert_eq!(written, format!("\"{name}\""));
            assert_eq!(serde_json::from_str::<Format>(&written).ok(), Some(format));
        }
    }

    #[test]
    fn unknown_format_names_are_refused() {
        let names = "the formats are single-table, freezeout, swiss, equal-deals, fresh-deals";
        for name in ["table", "knockout", ""] {
            assert_eq!(name.parse::<Format>().map_err(|error| error.to_string()), Err(names.to_string()));
            let error = serde_json::from_str::<Format>(&format!("\"{name}\"")).expect_err("no such format");
            let known = format!("the format {name} is not known; {names}");
            assert!(error.to_string().starts_with(&known), "{error}");
        }
    }
}
