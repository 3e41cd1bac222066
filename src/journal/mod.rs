//! The append-only record of a tournament: a JSON line for each event, enough to rebuild every round.

mod line;
mod writer;

pub use line::{Header, HeaderPlayer, Line, Replied, StandingLine};
pub use writer::{Durability, Journal};
