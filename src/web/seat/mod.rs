//! A person's place at a table: what it sees, and is told in words, in a browser.
//!
//! The table is drawn as the show draws it, from the same `Page`, only at the dealer's pace: a person plays
//! before the room sees it. What is private, the hole card and the question, comes from the person's own chair alone, and
//! leaves for nobody but who has the key of that chair.

mod lessons;
mod place;
mod routes;
mod seen;
mod words;

pub(crate) use lessons::LESSONS;
#[cfg(test)]
pub(super) use place::PlaceView;
pub(super) use place::{Place, Places};
pub(super) use routes::{SeatContext, routes};
pub(super) use seen::{Seen, SeenRecorder};
