//! The messages of dealers and the teacher to the page, and its requests to them.

use std::sync::atomic::{AtomicU32, Ordering};

use crate::replay::{BoardRow, DisplayStep, PublicExit, TournamentInfo};
use crate::stud::Chips;
use crate::tournament::Point;

use super::page::{EventView, LobbyView};

/// What the page would like to have next. The dealers look at it in passing: nothing is sent that was not asked
/// for, so a page that is busy costs the dealers nothing.
#[derive(Debug, Default)]
pub(super) struct Requests {
    /// The table whose next round is to be shown step by step, as [`request_for`] has it, or [`NOTHING`].
    round: AtomicU32,
    /// Grows whenever a tally is asked for, of each table at the end of its next round.
    pub(super) tally: AtomicU32,
}

const NOTHING: u32 = 0;

/// The request for a round at this table, from 1, or at any if it is 0.
const fn request_for(table: u32) -> u32 {
    table + 1
}

impl Requests {
    /// Asks for the next round at this table, or at any if it is 0. While a round is on its way no other one may be
    /// asked for: the steps of two would be mixed.
    pub(super) fn want_round(&self, table: u32) {
        self.round.store(request_for(table), Ordering::Relaxed);
    }

    /// Asks for this table instead, or for any if it is 0, unless nothing is asked for or a dealer has just taken the
    /// request. Returns whether that could be.
    pub(super) fn want_instead(&self, table: u32) -> bool {
        let instead = |request| (request != NOTHING).then_some(request_for(table));
        self.round.fetch_update(Ordering::Relaxed, Ordering::Relaxed, instead).is_ok()
    }

    /// Whether no dealer has taken the request for a round yet.
    #[cfg(test)]
    pub(super) fn waits_for_round(&self) -> bool {
        self.round.load(Ordering::Relaxed) != NOTHING
    }

    /// For the dealer at this table: whether the round that is being dealt is to be shown. Of several dealers the first
    /// one shows its round.
    pub(super) fn take_round(&self, table: u32) -> bool {
        let request = self.round.load(Ordering::Relaxed);
        // An exchange on every deal would be dear: it is only made when the request is there.
        (request == request_for(0) || request == request_for(table))
            && self.round.compare_exchange(request, NOTHING, Ordering::Relaxed, Ordering::Relaxed).is_ok()
    }
}

/// How a table stands after a round, and what happened there since its last tally. Players are numbered from 0.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub(super) struct TableTally {
    pub(super) table: u32,
    pub(super) round: u64,
    /// Players and chips, in seat order.
    pub(super) chips: Vec<(usize, Chips)>,
    pub(super) points: Vec<Point>,
    /// Who left since the last tally.
    pub(super) exits: Vec<PublicExit>,
    /// Who committed a foul and was forgiven since the last tally: the latest few, with round and what it was.
    pub(super) fouls: Vec<(usize, u64, String)>,
    /// How many such fouls there were.
    pub(super) foul_count: u64,
    /// What each player answered last, in seat order.
    pub(super) last_replies: Vec<Option<String>>,
    /// Whether nothing more is played at this table for now.
    pub(super) done: bool,
}

/// A message of a dealer to the page.
#[derive(Debug)]
pub(super) enum TableMessage {
    /// A step of the round that was asked for.
    DisplayStep(DisplayStep),
    /// How the table stands after a round.
    Tally(TableTally),
    /// The tournament is over by the rules: the last tally, and the whole last round.
    Over(TableTally, Vec<DisplayStep>),
}

/// A message to the page.
#[derive(Debug)]
pub(super) enum PageMessage {
    /// The lobby has changed.
    Lobby(LobbyView),
    /// A tournament begins with these terms.
    Begin(TournamentInfo),
    /// A level of an event begins.
    Level {
        /// The tables of the level.
        event: EventView,
        /// The standings before it.
        rows: Vec<BoardRow>,
        /// The rounds played before it.
        rounds: u64,
    },
    /// A dealer of the tournament has a message.
    Dealer(TableMessage),
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
    /// A sentence for everybody who watches.
    Say(String),
    /// Everything is over: the page is closed.
    Close,
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_request_is_taken_once_and_by_the_table_that_is_meant() {
        let requests = Requests::default();
        assert!(!requests.want_instead(2) && !requests.waits_for_round() && !requests.take_round(2));
        requests.want_round(3);
        assert!(!requests.take_round(2));
        assert!(requests.want_instead(2) && !requests.take_round(3));
        assert!(requests.take_round(2) && !requests.take_round(2));
        assert!(!requests.want_instead(3), "nobody can change a request that is being granted");
        requests.want_round(0);
        assert!(requests.waits_for_round() && requests.take_round(7) && !requests.waits_for_round());
    }
}
