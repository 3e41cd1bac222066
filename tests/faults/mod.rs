//! Faults of players and strangers that no file of `scenarios` can have, over real sockets on a clock controlled by the
//! test.

mod common;
mod lobby;
mod rehearsal;
mod wire;
