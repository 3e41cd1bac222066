//! Tournaments: who plays, who sits where, how long, and who came where.

mod freezeout;
mod names;
mod play;
pub mod rate;
mod roster;
mod standings;

pub use freezeout::Freezeout;
pub use names::harmless;
pub use play::{Record, Unrecorded, play};
pub use roster::{Entrant, Player, Roster};
pub use standings::{Exit, Standing, Standings};
