//! Shared helpers: hosts, players who connect to them, and their parts without process or socket.
#![allow(clippy::unwrap_used, dead_code, unreachable_pub, reason = "not every test needs everything")]

pub mod client;
pub mod host;
mod play;

pub use play::*;
