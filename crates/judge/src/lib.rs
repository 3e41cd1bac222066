//! Judging untrusted programs: [`sandbox`] runs them, [`scenario`], [`check`] and [`grade`] judge them,
//! [`hand_ins`] finds whose a submission is by a [`roster`], [`figures`] is the document of the results, and
//! [`junit`] their form for a CI.
//!
//! ```toml
//! [dependencies]
//! casino-judge = "0.1"
//! ```

pub mod check;
pub mod figures;
pub mod grade;
pub mod hand_ins;
pub mod junit;
pub mod roster;
pub mod sandbox;
pub mod scenario;

/// The verdict on a checked or graded program.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Verdict {
    /// Everything is as it should be.
    Passed,
    /// Something is not.
    Failed,
    /// The program never started or never connected, or nothing could be tried with it.
    NeverStarted,
    /// The judging machine failed; there is no verdict on the program.
    NotJudged,
}
