//! What several tests need: hosts, players who connect to them, and what of both needs neither process nor socket.
#![allow(clippy::unwrap_used, dead_code, unreachable_pub, reason = "not every test needs everything")]

pub mod client;
pub mod host;
mod play;

pub use play::*;
