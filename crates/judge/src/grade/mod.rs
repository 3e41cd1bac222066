//! Grading programs that students wrote.
//!
//! A [`Report`] is data; [`formats`] shows it to people, serde as JSON, and student text is escaped where it is
//! shown. Points are whole hundredths. A bot for stud goes through `submission`, `sandbox`, `check` and
//! `situation`, which `grade_submission` puts together and `rubric` turns into points; `situation::JudgedPlayer`
//! makes house bots and programs alike. No verdict rests on one run: `situation/sequential.rs` has Wald's test. `batch`
//! grades folders; a verdict is keyed by submission, rubric, settings and version, and never written inside a sandbox.

pub mod batch;
pub mod blackjack;
mod cases;
pub mod cribbage;
pub mod formats;
pub mod from_source;
pub mod grade_submission;
pub mod gradebook;
mod grading_failure;
pub mod lms;
mod machine;
mod plays_well;
pub mod program;
mod prolog;
mod report;
pub mod rubric;
pub mod similar;
pub mod situation;
mod stays;
pub mod stud;
pub mod submission;

pub use cases::CaseSettings;
pub use formats::text;
pub use grading_failure::{FailureKind, GradingFailure};
pub use report::{Item, ManualPart, Outcome, Part, Points, Report, ReportSummary};
