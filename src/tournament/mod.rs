//! Tournaments: who plays, who sits where, how long, and who came where.

mod freezeout;
mod names;
mod play;
mod roster;
mod standings;

pub use freezeout::Freezeout;
pub use names::harmless;
pub use play::{Ending, Record, Unrecorded, play, play_until};
pub use roster::{Entrant, Player, Roster};
pub use standings::{Exit, Standing, Standings};
