//! Compares transcripts of Blackjack with the rules of the course document.
//!
//! A transcript is read into hands (`transcript`) and followed (`followed`); each rule is then checked alone (`rules`).
//! A decision is compared with the cards that the program itself has shown, so that one slip is one difference.

mod followed;
mod inspection;
mod rules;
mod transcript;
mod transcript_line;
mod ways;
mod written;

pub use inspection::{Inspection, TranscriptParts};
pub use written::{AskedGame, FirstDifference, TranscriptDifference, WrittenGame};
