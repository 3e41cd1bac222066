//! The messages of dealers and the teacher to the page, and its requests to them.

use std::sync::atomic::{AtomicBool, AtomicU32, Ordering};

use tokio::sync::Notify;

use casino_show::plan::FinalResult;
use casino_show::rounds::TournamentInfo;
use casino_show::state::{FinishedTournament, LevelView, LobbyView, TableRound};

use crate::session::{ConsoleState, Interruption, ShowMinutes};

/// Which rounds the page would like to have. The dealers look at it once a round: nothing is sent that was not asked
/// for, so a page that is busy costs the dealers nothing.
#[derive(Debug, Default)]
pub(crate) struct Requests {
    /// [`NOTHING`], [`ONE`] or [`EVERY`].
    rounds: AtomicU32,
    holes: AtomicBool,
    /// Whether a tournament is still being shown, its ceremony included.
    is_showing: AtomicBool,
    shown: Notify,
    /// For tests: the show panics when this round has been shown.
    #[cfg(test)]
    pub(super) panics_after: std::sync::atomic::AtomicU64,
}

const NOTHING: u32 = 0;
/// The next round that is dealt, at all tables.
const ONE: u32 = 1;
/// Every round that is dealt, at all tables.
const EVERY: u32 = 2;

impl Requests {
    /// Asks for the next round that is dealt, at all tables.
    pub(crate) fn want_one(&self) {
        self.rounds.store(ONE, Ordering::Relaxed);
    }

    pub(crate) fn want_every(&self) {
        self.rounds.store(EVERY, Ordering::Relaxed);
    }

    pub(crate) fn want_none(&self) {
        self.rounds.store(NOTHING, Ordering::Relaxed);
    }

    /// Sets whether rounds come with all hole cards.
    pub(crate) fn want_holes(&self, wanted: bool) {
        self.holes.store(wanted, Ordering::Relaxed);
    }

    /// Whether rounds come with all hole cards.
    pub(crate) fn wants_holes(&self) -> bool {
        self.holes.load(Ordering::Relaxed)
    }

    /// Whether the show is to panic after this round, which it does once.
    #[cfg(test)]
    pub(crate) fn panics_after(&self, round: u64) -> bool {
        self.panics_after.compare_exchange(round, 0, Ordering::Relaxed, Ordering::Relaxed).is_ok()
    }

    pub(crate) fn show_begins(&self) {
        self.is_showing.store(true, Ordering::Release);
    }

    /// The show of a tournament is over, its ceremony included.
    pub(crate) fn show_ends(&self) {
        self.is_showing.store(false, Ordering::Release);
        self.shown.notify_one();
    }

    pub(crate) async fn show_is_over(&self) {
        while self.is_showing.load(Ordering::Acquire) {
            self.shown.notified().await;
        }
    }

    /// For the dealer: whether the round that is being dealt is wanted. A request for one round is used up by it.
    pub(crate) fn take_round(&self) -> bool {
        match self.rounds.load(Ordering::Relaxed) {
            NOTHING => false,
            EVERY => true,
            // An exchange on every deal would be dear: it is only made when the request is there.
            request => {
                self.rounds.compare_exchange(request, NOTHING, Ordering::Relaxed, Ordering::Relaxed).is_ok()
            }
        }
    }
}

/// A tournament begins: says which rounds are wanted, and closes the gate where the dealer keeps in step with the show.
/// This comes before anything is dealt, so that the first round is not missed.
pub(crate) fn open_show(console_state: &ConsoleState, requests: &Requests) {
    let in_step = console_state.minutes() != ShowMinutes::NONE;
    if in_step {
        requests.want_every();
    } else {
        requests.want_one();
    }
    requests.show_begins();
    console_state.controls().reset_gate(in_step);
}
#[derive(Debug)]
pub(crate) enum PageMessage {
    Lobby(LobbyView),
    Begin(TournamentInfo),
    /// A recorded tournament goes on, or only its end is left to be shown.
    GoOn(TournamentInfo, Interruption),
    Level(LevelView),
    /// The dealer has recorded rounds: all tables that played them come together.
    Dealer(Vec<TableRound>),
    /// The tournament is over by the rules: the last round that was sent is its last.
    Decided(Option<Box<FinishedTournament>>),
    /// The tournament has come to its end, by the rules or not.
    End(FinalResult),
    /// The teacher has chosen which table is shown.
    Featured,
    /// The seed may be seen, once the last round has been shown.
    Reveal(String),
    Close,
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn single_round_requests_expire_and_standing_ones_stay() {
        let requests = Requests::default();
        assert!(!requests.take_round());
        requests.want_one();
        assert!(requests.take_round() && !requests.take_round());
        requests.want_every();
        assert!(requests.take_round() && requests.take_round());
        requests.want_none();
        assert!(!requests.take_round());
    }
}
