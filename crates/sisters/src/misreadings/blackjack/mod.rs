//! Compares transcripts of Blackjack with the rules of the course document.
//!
//! A transcript is read leniently into lines (`transcript_line`). [`Inspection`] finds the kinds of lines that break a
//! rule, each judged by the program's own lines before it (`walk`), and the known misreadings with which a model of the game
//! prints exactly the program's lines (`model`).

mod inspection;
mod model;
mod transcript_line;
mod walk;
mod written;

pub use inspection::{Inspection, TextFault, TranscriptShare};
pub use walk::BrokenRule;
pub use written::{AskedGame, FirstDifference, WrittenGame};
