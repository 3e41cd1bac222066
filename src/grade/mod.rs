//! Judging programs that students wrote: run them, compare, and say what was wrong so that one learns
//! from it.
//!
//! A [`Report`] is data and knows nothing of how it is shown; [`text()`] shows it to people, serde as JSON.

pub mod blackjack;
pub mod check;
pub mod cribbage;
pub mod ghost;
pub mod program;
pub mod prolog;
mod report;
pub mod sandbox;
pub mod scenario;
pub mod submission;
mod text;
mod verdict;

pub use report::{Item, Outcome, Part, Points, Report, Summary};
pub(crate) use text::harmless;
pub use text::text;
pub use verdict::write_verdict;
