//! Faults of players and strangers, over real sockets on a clock controlled by the test.

mod common;
mod lobby;
mod players;
mod wire;
