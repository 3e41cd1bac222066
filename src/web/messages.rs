//! The messages of dealers and the teacher to the page, and its requests to them.

use std::sync::atomic::{AtomicBool, AtomicU32, Ordering};

use tokio::sync::Notify;

use casino_stud::cards::Card;
use casino_stud::replay::{BoardRow, ExitRank, PublicEvent, PublicExit, TournamentInfo};
use casino_stud::stud::{Chips, Seat};
use casino_stud::tournament::Point;

use super::page::EventView;
use super::sections::SeriesPart;
use super::time_budget::Remaining;
use crate::session::{Interruption, LobbyView};

/// Which rounds the page would like to have. The dealers look at it once a round: nothing is sent that was not asked
/// for, so a page that is busy costs the dealers nothing.
#[derive(Debug, Default)]
pub(super) struct Requests {
    /// [`NOTHING`], [`ONE`] or [`EVERY`].
    rounds: AtomicU32,
    /// Whether everybody's hole cards come with a round.
    holes: AtomicBool,
    /// Whether a tournament is still being shown, its ceremony included.
    is_showing: AtomicBool,
    shown: Notify,
    /// For tests: the show falls when this round has been shown.
    #[cfg(test)]
    pub(super) falls_after: std::sync::atomic::AtomicU64,
}

const NOTHING: u32 = 0;
/// The next round that is dealt, at all tables.
const ONE: u32 = 1;
/// Every round that is dealt, at all tables.
const EVERY: u32 = 2;

impl Requests {
    /// Asks for the next round that is dealt, at all tables.
    pub(super) fn want_one(&self) {
        self.rounds.store(ONE, Ordering::Relaxed);
    }

    /// Asks for every round from now on.
    pub(super) fn want_every(&self) {
        self.rounds.store(EVERY, Ordering::Relaxed);
    }

    pub(super) fn want_none(&self) {
        self.rounds.store(NOTHING, Ordering::Relaxed);
    }

    /// Says whether everybody's hole cards are wanted with a round.
    pub(super) fn want_holes(&self, wanted: bool) {
        self.holes.store(wanted, Ordering::Relaxed);
    }

    /// Whether everybody's hole cards are wanted with a round.
    pub(super) fn wants_holes(&self) -> bool {
        self.holes.load(Ordering::Relaxed)
    }

    /// Whether the show is to fall after this round, which it does once.
    #[cfg(test)]
    pub(super) fn falls_after(&self, round: u64) -> bool {
        self.falls_after.compare_exchange(round, 0, Ordering::Relaxed, Ordering::Relaxed).is_ok()
    }

    pub(super) fn show_begins(&self) {
        self.is_showing.store(true, Ordering::Release);
    }

    /// The show of a tournament is over, its ceremony included.
    pub(super) fn show_ends(&self) {
        self.is_showing.store(false, Ordering::Release);
        self.shown.notify_one();
    }

    pub(super) async fn show_is_over(&self) {
        while self.is_showing.load(Ordering::Acquire) {
            self.shown.notified().await;
        }
    }

    /// For the dealer: whether the round that is being dealt is wanted. A request for one round is used up by it.
    pub(super) fn take_round(&self) -> bool {
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

/// How a table stands, and what happened there since its last tally. Players are numbered from 0.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub(super) struct TableTally {
    pub(super) table: u32,
    /// The last round this tells of; 0 before the first.
    pub(super) round: u64,
    /// Players and chips, in seat order.
    pub(super) chips: Vec<(usize, Chips)>,
    pub(super) points: Vec<Point>,
    /// Who left since the last tally.
    pub(super) exits: Vec<PublicExit>,
    /// Who committed a foul and was forgiven since the last tally: the latest few, with round and what it was.
    pub(super) fouls: Vec<(usize, u64, String)>,
    pub(super) foul_count: u64,
    /// What each player answered last, in seat order.
    pub(super) last_replies: Vec<Option<String>>,
    /// Whether nothing more is played at this table for now.
    pub(super) done: bool,
}

/// Everybody's hole cards in a round that is over. Only where the teacher wants them shown; a public event has no room
/// for them.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub(super) struct TvHoles(pub(super) Vec<(Seat, Card)>);

/// A complete round at a table, as everybody may know it.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub(super) struct TableRound {
    pub(super) table: u32,
    pub(super) round: u64,
    /// How the table stood when the round was dealt, and what happened since the last round that was sent.
    pub(super) before: TableTally,
    pub(super) events: Vec<PublicEvent>,
    /// Everybody's hole cards, where they were asked for.
    pub(super) holes: Option<TvHoles>,
    pub(super) after: TableTally,
    /// Whether the page asked for this round. One that nobody asked for is the last of its table.
    pub(super) asked: bool,
}

impl TableRound {
    /// How many players were dealt in.
    pub(super) fn dealt(&self) -> usize {
        match self.events.first() {
            Some(PublicEvent::Dealt(deal)) => deal.seats.len(),
            _ => 0,
        }
    }
}

/// A level that has been seated, or in which an event goes on.
#[derive(Debug)]
pub(super) struct LevelView {
    /// The tables of the level, where there can be several.
    pub(super) event: Option<EventView>,
    /// The standings before it.
    pub(super) rows: Vec<BoardRow>,
    /// The stacks with which those who left began their last round.
    pub(super) exits: Vec<(usize, ExitRank)>,
    /// The rounds played before it.
    pub(super) rounds: u64,
    /// What can be said of the way to the end.
    pub(super) remaining: Remaining,
    /// The names of all players, those who have come in late after the others.
    pub(super) players: Vec<String>,
    /// The tournament of the series that is just over, where the level begins another one.
    pub(super) finished: Option<Box<FinishedTournament>>,
}

/// A tournament of a series that is over.
#[derive(Clone, Debug)]
pub(super) struct FinishedTournament {
    pub(super) part: SeriesPart,
    pub(super) winners: Vec<BoardRow>,
}

#[derive(Debug)]
pub(super) enum PageMessage {
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
    End {
        /// The rows of the final table.
        rows: Vec<BoardRow>,
        /// How many rounds were played.
        rounds: u64,
        /// Whether somebody stopped it.
        stopped: bool,
    },
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
    fn a_request_for_one_round_is_used_up_and_one_for_every_round_is_not() {
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
