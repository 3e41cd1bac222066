//! A level of an event, as it is handed to the show.

use casino_stud::tournament::{Event, TableGame};

use super::{EventTable, EventView, SeriesPart};
use crate::rounds::{BoardRow, ExitRank};
use crate::timing::Remaining;

/// A level that has been seated, or in which an event goes on.
#[derive(Clone, Debug)]
pub struct LevelView {
    /// The tables of the level, where there can be several.
    pub event: Option<EventView>,
    /// The standings before it.
    pub rows: Vec<BoardRow>,
    /// The stacks with which those who left began their last round.
    pub exits: Vec<(usize, ExitRank)>,
    /// The rounds played before it.
    pub rounds: u64,
    /// The estimate of the remaining way to the end.
    pub remaining: Remaining,
    /// The names of all players, those who have come in late after the others.
    pub players: Vec<String>,
    /// The tournament of the series that is just over, where the level begins another one.
    pub finished: Option<Box<FinishedTournament>>,
}

/// A tournament of a series that is over.
#[derive(Clone, Debug)]
pub struct FinishedTournament {
    /// Its place in the series.
    pub part: SeriesPart,
    /// All players in first place.
    pub winners: Vec<BoardRow>,
}

/// The level in play of this event, as sent to the page.
pub fn level_view(event: &Event, players: Vec<String>) -> Option<LevelView> {
    let level = event.level()?;
    let table = |table: &TableGame| EventTable {
        table: table.number(),
        round: table.table().round_number(),
        playing: table.table().seated().len(),
        players: table.players().iter().map(|player| player + 1).collect(),
        chips: table.table().stacks().to_vec(),
        done: false,
    };
    let view = EventView {
        level: level.number,
        tournament: level.tournament,
        series: event.plan().series,
        first_round: level.first_round,
        ante: level.ante,
        forgives: event.plan().format.rules().forgives,
        tables: event.tables().iter().map(table).collect(),
        featured: None,
    };
    let standings = event.standings();
    Some(LevelView {
        event: (event.plan().numbers_tables() || event.plan().series > 1).then_some(view),
        rows: BoardRow::all(&standings),
        exits: ExitRank::all(&standings).collect(),
        rounds: event.rounds_complete(),
        remaining: Remaining::of(event),
        finished: finished(event),
        players,
    })
}

/// The tournament of a series that is just over, if the level in play is the first of the next and no round of it has been
/// dealt.
fn finished(event: &Event) -> Option<Box<FinishedTournament>> {
    let level = event.level()?;
    if event.levels_begun() > 1 || event.next_round() != level.first_round {
        return None;
    }
    last_of_series(event)
}

/// The tournament of a series that was over last.
pub fn last_of_series(event: &Event) -> Option<Box<FinishedTournament>> {
    let (number, standings) = event.last_tournament()?;
    let winners = BoardRow::all(standings).into_iter().filter(|row| row.place == Some(1)).collect();
    let part = SeriesPart { number, of: event.plan().series };
    Some(Box::new(FinishedTournament { part, winners }))
}
