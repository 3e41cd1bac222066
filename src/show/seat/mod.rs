//! A person's place at a table, for a browser.
//!
//! The table is drawn as the show draws it, from the same `Page`, but at the dealer's pace: a person plays before the
//! room sees it. Private data, the hole card and the question, comes from the person's own chair, and is sent only with
//! the key of that chair.

mod lessons;
mod place;
mod seen;
mod words;

pub(crate) use lessons::{LESSONS, Lesson, NO_HURRY, YOU};
pub(crate) use place::{Place, PlaceView, Places};
pub(crate) use seen::{PersonTable, SeenRecorder};
