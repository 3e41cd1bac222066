//! What dealers and the people in charge tell the page, and what it wishes to be told.

use std::sync::atomic::{AtomicU32, Ordering};

use crate::replay::{BoardRow, DisplayStep, PublicExit, TournamentInfo};
use crate::stud::Chips;
use crate::tournament::Point;

use super::page::{EventView, LobbyView};

/// What the page would like to have next. The dealers look at it in passing: nothing is sent that was not asked
/// for, so a page that is busy costs the dealers nothing.
#[derive(Debug, Default)]
pub(super) struct Requests {
    /// The table whose next round is to be shown, beat by beat, as [`wish_for`] has it, or [`NOTHING`].
    round: AtomicU32,
    /// Grows whenever a tally is wished for, of each table at the end of its next round.
    pub(super) tally: AtomicU32,
}

const NOTHING: u32 = 0;

/// A wish for a round at this table, from 1, or at any if it is 0.
const fn wish_for(table: u32) -> u32 {
    table + 1
}

impl Requests {
    /// Wishes for the next round at this table, or at any if it is 0. While a round is on its way nobody may wish for
    /// another one: the beats of two would be mixed.
    pub(super) fn want_round(&self, table: u32) {
        self.round.store(wish_for(table), Ordering::Relaxed);
    }

    /// Wishes for this table instead, or for any if it is 0, unless no wish waits or a dealer has just taken it. True if
    /// that could be.
    pub(super) fn rather_want(&self, table: u32) -> bool {
        let instead = |wish| (wish != NOTHING).then_some(wish_for(table));
        self.round.fetch_update(Ordering::Relaxed, Ordering::Relaxed, instead).is_ok()
    }

    /// Whether no dealer has taken the wish for a round yet.
    #[cfg(test)]
    pub(super) fn waits_for_round(&self) -> bool {
        self.round.load(Ordering::Relaxed) != NOTHING
    }

    /// For the dealer at this table: whether the round that is being dealt is to be shown. Of several dealers the first
    /// one shows its round.
    pub(super) fn take_round(&self, table: u32) -> bool {
        let wish = self.round.load(Ordering::Relaxed);
        // An exchange on every deal would be dear: it is only made when the wish is there.
        (wish == wish_for(0) || wish == wish_for(table))
            && self.round.compare_exchange(wish, NOTHING, Ordering::Relaxed, Ordering::Relaxed).is_ok()
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

/// What a dealer tells the page.
#[derive(Debug)]
pub(super) enum TableMessage {
    /// A beat of the round that was wished for.
    DisplayStep(DisplayStep),
    /// A tally.
    Tally(TableTally),
    /// The tournament is over by the rules: the last tally, and the whole last round.
    Over(TableTally, Vec<DisplayStep>),
}

/// What the page is told.
#[derive(Debug)]
pub(super) enum PageMessage {
    /// Who is in the lobby.
    Lobby(LobbyView),
    /// A tournament begins.
    Begin(TournamentInfo),
    /// A level of an event begins.
    Level {
        /// Its tables.
        hall: EventView,
        /// Who stands where before it.
        rows: Vec<BoardRow>,
        /// The rounds played before it.
        rounds: u64,
    },
    /// A dealer of the tournament tells something.
    Dealer(TableMessage),
    /// The tournament has come to its end, by the rules or not.
    End {
        /// The final table.
        rows: Vec<BoardRow>,
        /// How many rounds were played.
        rounds: u64,
        /// Whether somebody stopped it.
        stopped: bool,
    },
    /// The people in charge have chosen which table is shown.
    Featured,
    /// The seed may be seen, once the last round has been shown.
    Reveal(String),
    /// A sentence for everyone.
    Say(String),
    /// Everything is over: the page goes.
    Close,
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_wish_is_granted_once_and_by_the_table_that_is_meant() {
        let wishes = Requests::default();
        assert!(!wishes.rather_want(2) && !wishes.waits_for_round() && !wishes.take_round(2));
        wishes.want_round(3);
        assert!(!wishes.take_round(2));
        assert!(wishes.rather_want(2) && !wishes.take_round(3));
        assert!(wishes.take_round(2) && !wishes.take_round(2));
        assert!(!wishes.rather_want(3), "nobody can change a wish that is being granted");
        wishes.want_round(0);
        assert!(wishes.waits_for_round() && wishes.take_round(7) && !wishes.waits_for_round());
    }
}
