//! What a day needs of whatever shows it. The day says what there is to see, and never asks what became of it.

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

/// What is to be opened for a day.
pub struct Opening {
    /// What the teacher knows and may do: the orders of the console go here.
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
    /// How long it was interrupted, if that is known.
    pub pause: Option<Duration>,
    /// Whether somebody has said anew how many minutes it is shown. Otherwise it goes on with what was left.
    pub has_new_minutes: bool,
}

/// The page of a day, and the console with it. Nothing here waits, but the end of the show for whom it is waited for.
pub trait Showing: Send + Sync {
    /// The address of the page, as it was opened.
    fn page(&self) -> Option<SocketAddr>;

    /// The address of the console, as it was opened.
    fn console(&self) -> Option<SocketAddr>;

    /// Shows the lobby to everybody.
    fn lobby(&self, lobby: LobbyView);

    /// A tournament begins as this event stands, or goes on after an interruption. What the recorder is told is shown.
    fn begin(
        &self,
        info: TournamentInfo,
        event: &Event,
        interruption: Option<Interruption>,
    ) -> Box<dyn Recorder>;

    /// These people among players of these names play on the page, and see their tables by what is returned. `hints` are
    /// the odds that a person could work out.
    fn seat(&self, names: &[String], seats: Vec<PersonSeat>, hints: bool) -> Vec<Box<dyn Recorder>>;

    /// The tournament is over after so many rounds, by the rules or because it was stopped.
    fn end(&self, rows: Vec<BoardRow>, rounds: u64, stopped: bool);

    /// Shows the seed of a tournament that is over.
    fn reveal(&self, seed: String);

    /// Waits until the tournament has been shown to its end, the ceremony included.
    fn is_over(&self) -> Pin<Box<dyn Future<Output = ()> + Send + '_>>;
}
