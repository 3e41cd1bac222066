//! A round at a table, as it is handed to the show.

use casino_stud::cards::Card;
use casino_stud::replay::{PublicEvent, PublicExit};
use casino_stud::stud::{Chips, Seat};
use casino_stud::tournament::Point;

/// The state of a table, and its events since its last tally. Players are 0-based.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct TableTally {
    /// The number of the table, from 1.
    pub table: u32,
    /// The last round this tells of; 0 before the first.
    pub round: u64,
    /// Players and chips, in seat order.
    pub chips: Vec<(usize, Chips)>,
    /// The stacks over the rounds, where they are kept.
    pub points: Vec<Point>,
    /// Exits since the last tally.
    pub exits: Vec<PublicExit>,
    /// Forgiven fouls since the last tally: the latest few, with round and kind.
    pub fouls: Vec<(usize, u64, String)>,
    /// The number of forgiven fouls since the last tally.
    pub foul_count: u64,
    /// Each player's last action, in seat order.
    pub last_replies: Vec<Option<String>>,
    /// Whether nothing more is played at this table for now.
    pub done: bool,
}

impl TableTally {
    /// Whether somebody has left or fouled since the last tally.
    pub fn has_news(&self) -> bool {
        !self.exits.is_empty() || self.foul_count > 0
    }
}

/// The hole cards of all players in a finished round. Only if the teacher shows them; a public event has no field for
/// them.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct TvHoles(pub Vec<(Seat, Card)>);

/// A complete round at a table, in public form.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct TableRound {
    /// The number of the table, from 1.
    pub table: u32,
    /// The number of the round, from 1.
    pub round: u64,
    /// The state of the table at the deal, and the events since the last round sent.
    pub before: TableTally,
    /// Its public events, in order.
    pub events: Vec<PublicEvent>,
    /// The hole cards of all players, if requested.
    pub holes: Option<TvHoles>,
    /// How the table stands after it.
    pub after: TableTally,
    /// Whether the page requested this round. An unrequested one is the last of its table.
    pub asked: bool,
}

impl TableRound {
    /// How many players were dealt in.
    pub fn dealt(&self) -> usize {
        match self.events.first() {
            Some(PublicEvent::Dealt(deal)) => deal.seats.len(),
            _ => 0,
        }
    }
}
