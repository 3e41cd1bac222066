//! Judging programs that nobody trusts: [`sandbox`] runs them, [`scenario`] puts them into situations, [`check`] leads them
//! through the protocol and says what is wrong, and [`grade`] gives points and reasons. [`figures`] is the
//! document in which they, and all of the program, tell what came of it.

pub mod check;
pub mod figures;
pub mod grade;
pub mod sandbox;
pub mod scenario;

/// What judging a program comes to, whether it was checked or graded.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Verdict {
    /// Everything is as it should be.
    Passed,
    /// Something is not.
    Failed,
    /// The program never started or never connected, or nothing could be tried with it.
    NeverStarted,
    /// The machine that judges could not: nothing is said about the program.
    NotJudged,
}
