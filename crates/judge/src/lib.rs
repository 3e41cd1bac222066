//! Judging programs that nobody trusts: [`sandbox`] runs them, [`scenario`] puts them into situations, [`check`] leads them
//! through the protocol and says what is wrong, and [`grade`] gives points and reasons.

pub mod check;
pub mod grade;
pub mod sandbox;
pub mod scenario;
mod verdict;

pub use verdict::Verdict;
