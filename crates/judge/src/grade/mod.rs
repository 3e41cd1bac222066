//! Judging programs that students wrote: running them, comparing, and explaining what was wrong.
//!
//! A [`Report`] is data and knows nothing of how it is shown; [`formats`] shows it to people, serde as JSON.
//!
//! Student text is made harmless where it is shown, never where it is stored. Points are whole hundredths, and parts of
//! them add up to the whole.
//!
//! A bot for stud goes through `submission` (what it is, how it is built), `sandbox`, `check` (the protocol, step by
//! step) and `situation` (at a table with scripted cards and players), which `grade_submission` puts together and
//! `rubric` turns into points. `situation::JudgedPlayer` is the one seam between a bot in this process and a program:
//! the ladder of house bots is graded by the same lines as a student. No verdict rests on one run:
//! `situation/sequential.rs` has Wald's test and `situation/fisher.rs` Fisher's, and both are checked against exact
//! sums. `batch` grades folders side by side; a verdict is keyed by a fingerprint of the submission, the rubric, the
//! settings and the version, written at once, and never written by anything in a sandbox.

pub mod batch;
pub mod blackjack;
mod cases;
pub mod cribbage;
pub mod formats;
pub mod from_source;
pub mod grade_submission;
pub mod gradebook;
mod machine;
pub mod plays_well;
pub mod program;
pub mod prolog;
mod report;
pub mod roster_file;
pub mod rubric;
mod setback;
pub mod situation;
mod stays;
pub mod stud;
pub mod submission;
mod verdict;

pub use cases::CaseSettings;
pub use formats::text;
pub use report::{ByHand, Item, Outcome, Part, Points, Report, ReportSummary};
pub use setback::{Setback, SetbackKind};
pub use verdict::{try_verdict, write_verdict};
