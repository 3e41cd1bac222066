//! Tables and journals from outside: what they do for whoever drives them.

mod journal;
#[path = "../../../../tests/support/play.rs"]
mod support;
mod table;
