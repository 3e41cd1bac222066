//! Title and venue of the day.

use std::fmt;
use std::str::FromStr;

use serde::{Deserialize, Serialize};
use thiserror::Error;

use crate::tournament::harmless_line;

/// Maximum length of a title, or of a place and date, in characters.
const MAX_OCCASION_CHARS: usize = 100;

/// The title, place and date shown on the page, report and certificates. They affect nothing else.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Occasion {
    /// The title of the day.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub title: Option<OccasionText>,
    /// The place and date.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub venue: Option<OccasionText>,
}

impl Occasion {
    /// Whether nothing is said of the day.
    pub fn is_empty(&self) -> bool {
        self.title.is_none() && self.venue.is_none()
    }

    /// The title, or the name of the game without one.
    pub fn title(&self) -> &str {
        self.title.as_ref().map_or("Casino Day", OccasionText::as_str)
    }

    /// The place and date, or an empty text.
    pub fn venue(&self) -> &str {
        self.venue.as_ref().map_or("", OccasionText::as_str)
    }
}

/// A line that is harmless to show, of at most 100 characters.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(try_from = "String", into = "String")]
pub struct OccasionText(String);

/// Why a text cannot stand on page, report and certificates.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Error)]
#[error(
    "write one line of at most {MAX_OCCASION_CHARS} letters, digits and signs, as in \"Room 101, 24 November\""
)]
pub struct OccasionTextError;

impl OccasionText {
    /// The text.
    pub fn as_str(&self) -> &str {
        &self.0
    }
}

impl FromStr for OccasionText {
    type Err = OccasionTextError;

    fn from_str(text: &str) -> Result<OccasionText, OccasionTextError> {
        let text = text.trim();
        let is_shown_whole = harmless_line(text, MAX_OCCASION_CHARS).is_some_and(|shown| shown == text);
        if is_shown_whole { Ok(OccasionText(text.to_string())) } else { Err(OccasionTextError) }
    }
}

impl TryFrom<String> for OccasionText {
    type Error = OccasionTextError;

    fn try_from(text: String) -> Result<OccasionText, OccasionTextError> {
        text.parse()
    }
}

impl From<OccasionText> for String {
    fn from(text: OccasionText) -> String {
        text.0
    }
}

impl fmt::Display for OccasionText {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.0)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn lines_are_kept_and_terminal_control_characters_refused() {
        for text in ["Casino Day 2026 – Dept. of Informatics", "Hörsaal 101, 24. November 2026", "♠"] {
            assert_eq!(text.parse::<OccasionText>().map(|line| line.to_string()), Ok(text.to_string()));
        }
        let long = "x".repeat(101);
        for text in ["", "  ", "two\nlines", "\u{1b}[31mred", "\u{202e}evil", long.as_str()] {
            assert_eq!(text.parse::<OccasionText>(), Err(OccasionTextError), "{text:?}");
        }
    }

    #[test]
    fn a_journal_with_another_text_is_refused() {
        let read = |json: &str| serde_json::from_str::<Occasion>(json);
        assert_eq!(read("{}").unwrap().title(), "Casino Day");
        let whole = r#"{"title":"Aces","venue":"today"}"#;
        assert_eq!(read(whole).unwrap().venue(), "today");
        assert_eq!(serde_json::to_string(&read(whole).unwrap()).unwrap(), whole);
        assert!(read(r#"{"title":"\u001b[2J"}"#).is_err() && read(r#"{"place":"x"}"#).is_err());
    }
}
