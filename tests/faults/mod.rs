//! What players and strangers do wrong, over real sockets on a clock that moves only when a test says so.

mod common;
mod lobby;
mod players;
mod wire;
