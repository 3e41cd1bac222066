//! Judging programs that nobody trusts: [`sandbox`] runs them, [`scenario`] puts them into situations, [`check`] leads them
//! through the protocol and says what is wrong, and [`grade`] gives points and reasons. [`figures`] is the
//! document in which they, and all of the program, tell what came of it.

pub mod check;
pub mod figures;
pub mod grade;
pub mod sandbox;
pub mod scenario;
mod verdict;

pub use verdict::Verdict;
