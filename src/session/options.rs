//! What a tournament is played with, and how it is shown.

use std::fmt;
use std::net::SocketAddr;
use std::num::NonZero;
use std::path::PathBuf;

use crate::server::Contestants;
use crate::stud::{Chips, ShortStack};
use crate::table::OnFoul;
use crate::tournament::{EventPlan, Player, Recorder};

use super::Output;

/// The most rounds of a tournament where nobody says otherwise: it ends one that nobody would ever win.
pub(crate) const DEFAULT_ROUNDS: u64 = 1_000;

/// The rounds of a format that ends by itself.
pub(crate) const NO_LIMIT: u64 = 1_000_000_000;

/// A new tournament, as somebody wants it.
pub(crate) struct NewTournament {
    /// The house bots and programs that play.
    pub(crate) contestants: Contestants,
    /// What is played at many tables, if anything.
    pub(crate) plan: Option<EventPlan>,
    /// The most rounds to play.
    pub(crate) rounds: Option<u64>,
    /// The chips everybody starts with.
    pub(crate) stack: Chips,
    /// The text the seed is made from; drawn from the system if there is none.
    pub(crate) seed: Option<String>,
    /// Where the journal goes, if not into the folder of the presentation.
    pub(crate) journal: Option<PathBuf>,
    /// How long a reply may take, in milliseconds.
    pub(crate) reply_ms: u64,
    /// What a foul costs.
    pub(crate) on_foul: OnFoul,
    /// What happens to a player who cannot call.
    pub(crate) short_stack: ShortStack,
    /// Whether `login` is asked a second time.
    pub(crate) relogin: bool,
    /// How many threads play the tables of an event; all cores if nobody says.
    pub(crate) jobs: Option<NonZero<usize>>,
    /// How it is shown.
    pub(crate) presentation: Presentation,
}

/// How a tournament is shown while it is played, and what is kept of it.
#[derive(Clone)]
pub(crate) struct Presentation {
    /// The folder for the result, the journal and the output of started programs.
    pub(crate) out: Option<PathBuf>,
    /// Whether one JSON object is printed at the end, and nothing for people.
    pub(crate) json: bool,
    /// Whether only the final table is printed.
    pub(crate) quiet: bool,
    /// Where the page for the room is.
    pub(crate) web: Option<SocketAddr>,
    /// Where the teacher's console is.
    pub(crate) console: Option<SocketAddr>,
    /// How long the page stays after the end, in seconds; until Ctrl-C if nobody says.
    pub(crate) stay: Option<u64>,
    /// The time from the end of a round to the next deal, in milliseconds.
    pub(crate) pace: u64,
    /// What is drawn on the terminal.
    pub(crate) display: Display,
}

/// The display on the terminal.
#[derive(Clone, Copy)]
pub(crate) struct Display {
    /// Makes the display of one table, for these players and at most so many rounds.
    pub(crate) table: fn(Output, &[Player], u64) -> Box<dyn Recorder>,
    /// Gives the terminal back as it was before.
    pub(crate) leave: fn(),
}

impl fmt::Debug for Display {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("Display")
    }
}
