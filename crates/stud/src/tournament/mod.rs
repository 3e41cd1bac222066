//! Tournaments: the players, their seats, the formats, and the places at the end.

mod console_action;
mod day_settings;
mod decks;
mod event;
mod formats;
mod names;
mod placing;
mod progress;
mod race;
mod recorder;
mod roster;
mod standings;
mod table_game;

pub use console_action::{ConsoleAction, HoleCards};
pub use day_settings::DaySettings;
pub use decks::{Decks, PlaceError, Slot};
pub use event::{
    Ending, EntryError, Event, EventBots, EventPlan, FEWEST_PLAYERS, LateEntry, MAX_PLAYERS, MAX_ROUNDS,
    PlanError, Reseating, TableResult, play, play_until,
};
pub use formats::{Format, FormatRules, UnknownFormat};
pub use names::{SecretIds, as_typed, harmless, harmless_line, is_program_name, reveals_one_of};
pub use placing::Placing;
pub use progress::Level;
pub use race::{Point, Race};
pub use recorder::{NoRecorder, Recorder, SharedRecorder, TableRecorder, TimeBankUse};
pub use roster::{Entrant, NamedBy, Newcomer, Player, Roster, in_public};
pub use standings::{Exit, Standing, Standings};
pub use table_game::TableGame;
