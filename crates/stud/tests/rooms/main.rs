//! Tests of tables and journals through the public interface.

mod journal;
#[path = "../../../../tests/support/play.rs"]
mod support;
mod table;
