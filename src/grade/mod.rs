//! Judging programs that students wrote: running them, comparing, and explaining what was wrong.
//!
//! A [`Report`] is data and knows nothing of how it is shown; [`formats`] shows it to people, serde as JSON.

pub mod batch;
pub mod blackjack;
mod cases;
pub mod cribbage;
pub mod formats;
pub mod grade_submission;
pub mod gradebook;
pub mod program;
pub mod prolog;
mod report;
pub mod rubric;
pub mod situation;
mod step_item;
pub mod stud;
pub mod submission;
mod verdict;

pub use cases::CaseSettings;
pub(crate) use formats::harmless;
pub use formats::text;
pub use report::{ByHand, Item, Outcome, Part, Points, Report, ReportSummary};
pub use verdict::write_verdict;
