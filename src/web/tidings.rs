//! What dealers and the people in charge tell the page, and what it wishes to be told.

use std::sync::atomic::{AtomicBool, AtomicU32};

use crate::stud::Chips;

use super::beat::Beat;
use super::page::{BoardRow, HallView, LobbyView, Programme};
use super::race::Point;

/// What the page would like to have next. The dealers look at it in passing: nothing is sent that was not asked
/// for, so a page that is busy costs the dealers nothing.
#[derive(Debug, Default)]
pub(super) struct Wishes {
    /// The next round, beat by beat.
    pub(super) round: AtomicBool,
    /// At which table: 0 for any.
    pub(super) table: AtomicU32,
    /// Grows whenever a tally is wished for, of each table at the end of its next round.
    pub(super) tally: AtomicU32,
}

/// Who left: a player from 0, when, with how much it began the round, and why.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct Gone {
    pub(super) player: usize,
    pub(super) round: u64,
    pub(super) began_with: Chips,
    pub(super) why: String,
}

/// How a table stands after a round, and what happened there since its last tally. Players are numbered from 0.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub(super) struct Tally {
    pub(super) table: u32,
    pub(super) round: u64,
    /// Players and chips, in seat order.
    pub(super) chips: Vec<(usize, Chips)>,
    pub(super) points: Vec<Point>,
    /// Who left since the last tally.
    pub(super) exits: Vec<Gone>,
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
pub(super) enum Told {
    /// A beat of the round that was wished for.
    Beat(Beat),
    /// A tally.
    Tally(Tally),
    /// The tournament is over by the rules: the last tally, and the whole last round.
    Over(Tally, Vec<Beat>),
}

/// What the page is told.
#[derive(Debug)]
pub(super) enum News {
    /// Who is in the lobby.
    Lobby(LobbyView),
    /// A tournament begins.
    Begin(Programme),
    /// A level of an event begins.
    Level {
        /// Its tables.
        hall: HallView,
        /// Who stands where before it.
        rows: Vec<BoardRow>,
        /// The rounds played before it.
        rounds: u64,
    },
    /// A dealer of the tournament tells something.
    Dealer(Told),
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
