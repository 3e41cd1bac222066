//! Tournaments: who plays, who sits where, how long, and who came where.

mod decks;
mod event;
mod floor;
mod names;
mod play;
mod race;
mod roster;
mod standings;
mod table_game;

pub use decks::{Decks, PlaceError, Slot};
pub use event::{
    Event, EventBots, EventPlan, EventRecorder, Format, Level, MAX_PLAYERS, MakeOpponent, TableResult,
    play_event,
};
pub use floor::Floor;
pub use names::{harmless, is_one_of, tells_one_of};
pub use play::{Ending, NoRecorder, Recorder, play, play_until};
pub use race::{Point, Race};
pub use roster::{Entrant, Player, Roster, in_public};
pub use standings::{Exit, Standing, Standings};
pub use table_game::TableGame;
