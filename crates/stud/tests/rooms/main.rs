//! Tests of tables and journals through their public interface.

mod journal;
#[path = "../../../../tests/support/play.rs"]
mod support;
mod table;
