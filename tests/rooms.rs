//! The tests of tables and journals that need no room above the core, as a test program of the core's package. They are
//! run as part of `tests/together.rs`; here they are for `make mutants`, which compiles them once for each change of the
//! core that a test should notice.

extern crate casino_core as casino_day;

mod journal;
#[path = "support/play.rs"]
mod support;
mod table;
