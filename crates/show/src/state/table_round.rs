//! A round at a table, as it is handed to the show.

use casino_stud::cards::Card;
use casino_stud::replay::{PublicEvent, PublicExit};
use casino_stud::stud::{Chips, Seat};
use casino_stud::tournament::Point;

/// How a table stands, and what happened there since its last tally. Players are numbered from 0.
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
    /// Who left since the last tally.
    pub exits: Vec<PublicExit>,
    /// Who committed a foul and was forgiven since the last tally: the latest few, with round and what it was.
    pub fouls: Vec<(usize, u64, String)>,
    /// The number of forgiven fouls since the last tally.
    pub foul_count: u64,
    /// What each player answered last, in seat order.
    pub last_replies: Vec<Option<String>>,
    /// Whether nothing more is played at this table for now.
    pub done: bool,
}

/// Everybody's hole cards in a round that is over. Only where the teacher wants them shown; a public event has no room
/// for them.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct TvHoles(pub Vec<(Seat, Card)>);

/// A complete round at a table, as everybody may know it.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct TableRound {
    /// The number of the table, from 1.
    pub table: u32,
    /// The number of the round, from 1.
    pub round: u64,
    /// How the table stood when the round was dealt, and what happened since the last round that was sent.
    pub before: TableTally,
    /// Its public events, in order.
    pub events: Vec<PublicEvent>,
    /// Everybody's hole cards, where they were asked for.
    pub holes: Option<TvHoles>,
    /// How the table stands after it.
    pub after: TableTally,
    /// Whether the page asked for this round. One that nobody asked for is the last of its table.
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
