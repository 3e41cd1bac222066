//! The interface of a day's displays. The day sends them its events and never asks about their state.

use std::fmt;
use std::net::SocketAddr;
use std::path::PathBuf;
use std::pin::Pin;
use std::sync::Arc;
use std::time::Duration;

use casino_show::rounds::{BoardRow, TournamentInfo};
use casino_show::state::LobbyView;
use casino_stud::tournament::{Event, Recorder};

use super::{ConsoleState, PersonSeat};

/// The displays to open for a day.
pub struct Opening {
    /// The teacher's state: commands of the console go here.
    pub console_state: Arc<ConsoleState>,
    /// The address of the page for the room, if there is to be one.
    pub page: Option<SocketAddr>,
    /// The address of the console and the token it wants, if there is to be one.
    pub console: Option<(SocketAddr, String)>,
}

/// Without the token.
impl fmt::Debug for Opening {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let console = self.console.as_ref().map(|(address, _)| address);
        f.debug_struct("Opening").field("page", &self.page).field("console", &console).finish_non_exhaustive()
    }
}

/// An interruption after which a recorded tournament goes on.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Interruption {
    /// The journal of the tournament.
    pub journal: PathBuf,
    /// How many bytes it had.
    pub length: u64,
    /// How many rounds had been recorded.
    pub rounds: u64,
    /// How long it was interrupted, if that is known.
    pub pause: Option<Duration>,
}

/// The first round that the page shows after an interruption, when so many had been recorded: the dealer is at most one round ahead
/// of a show in step, so everything before the last but one has been seen to its end.
pub(crate) fn first_shown_again(recorded: u64) -> u64 {
    recorded.saturating_sub(1).max(1)
}

/// The page of a day, with its console. No method waits, except for the end of the show.
pub trait Showing: Send + Sync {
    /// The address of the page, as it was opened.
    fn page(&self) -> Option<SocketAddr>;

    /// The address of the console, as it was opened.
    fn console(&self) -> Option<SocketAddr>;

    /// Shows the public lobby.
    fn lobby(&self, lobby: LobbyView);

    /// A tournament begins with this event, or continues after an interruption. The recorder shows the events it
    /// receives.
    fn begin(
        &self,
        info: TournamentInfo,
        event: &Event,
        interruption: Option<Interruption>,
    ) -> Box<dyn Recorder>;

    /// Lets these people, by index among players of these names, play on the page through the returned seats. `hints`
    /// are odds that a person could work out.
    fn seat(&self, names: &[String], seats: Vec<PersonSeat>, hints: bool) -> Vec<Box<dyn Recorder>>;

    /// The tournament is over after so many rounds, by the rules or because it was stopped.
    fn end(&self, rows: Vec<BoardRow>, rounds: u64, stopped: bool);

    /// Shows the seed of a tournament that is over.
    fn reveal(&self, seed: String);

    /// Waits until the tournament has been shown to its end, the ceremony included.
    fn is_over(&self) -> Pin<Box<dyn Future<Output = ()> + Send + '_>>;
}
