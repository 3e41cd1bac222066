//! Where a wrong answer of a sister game comes from: what a student's output shows, the readings of the documents that
//! are known to be wrong, and the evidence for each.
//!
//! Nothing here runs a program, gives points or writes a report: text goes in, and what is wrong with it comes out.
//! `evidence` is what both games have in common: observations of a rule are counted, and a [`Reading`] is named only if
//! it explains every single one. [`blackjack`] follows transcripts, [`cribbage`] looks at values and choices.

pub mod blackjack;
pub mod cribbage;
mod evidence;

pub use evidence::{Flaw, OutputPlace, Reading, ReadingTally, Theme, known};
