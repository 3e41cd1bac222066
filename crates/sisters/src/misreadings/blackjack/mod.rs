//! Compares transcripts of Blackjack with the rules of the course document.
//!
//! A transcript is read leniently into lines (`transcript_line`). [`Inspection`] finds the known misreadings (`misread_rules`)
//! with which the game prints the program's lines. Beside other faults, a misreading is one with which the lines of one
//! kind break no rule any more. Then each line is judged by the rules as misread and by the lines before it (`walk`).

mod inspection;
mod misread_rules;
mod transcript_line;
mod walk;
mod written;

pub use inspection::{Inspection, TextFault, TranscriptShare};
pub use walk::BrokenRule;
pub use written::{AskedGame, FirstDifference, WrittenGame};
