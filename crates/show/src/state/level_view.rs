//! A level of an event, as it is handed to the show.

use casino_stud::tournament::{Event, TableGame};

use super::{HallTable, HallView, SeriesPart};
use crate::rounds::{BoardRow, ExitRank};
use crate::timing::Remaining;

/// A level that has been seated, or in which an event goes on.
#[derive(Clone, Debug)]
pub struct LevelView {
    /// The tables of the level, where there can be several.
    pub hall: Option<HallView>,
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
    let table = |table: &TableGame| HallTable {
        table: table.number(),
        round: table.table().round_number(),
        playing: table.table().seated().len(),
        players: table.players().iter().map(|player| player + 1).collect(),
        chips: table.table().stacks().to_vec(),
        done: false,
    };
    let view = HallView {
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
        hall: (event.plan().numbers_tables() || event.plan().series > 1).then_some(view),
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
    if level.seating > 1 || event.levels_begun() > 1 || event.next_round() != level.first_round {
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

#[cfg(test)]
mod tests {
    use std::io;

    use super::*;
    use casino_stud::cards::Seed;
    use casino_stud::strategies::{Bot, HOUSE};
    use casino_stud::table::TableSettings;
    use casino_stud::tournament::{EventBots, EventPlan, Format, NoRecorder, Recorder, TableRecorder, play};

    /// The seatings of a series, and the tournaments that its levels report as just over.
    #[derive(Default)]
    struct Levels {
        seatings: usize,
        finished: Vec<u32>,
    }

    impl Recorder for Levels {
        fn level(&mut self, event: &Event) -> io::Result<()> {
            self.seatings += 1;
            let view = level_view(event, Vec::new()).unwrap();
            self.finished.extend(view.finished.map(|finished| finished.part.number));
            Ok(())
        }

        fn for_table(&mut self, _: &TableGame) -> Box<dyn TableRecorder> {
            Box::new(NoRecorder)
        }
    }

    #[test]
    fn a_tournament_of_a_series_is_just_over_once() {
        let seed = Seed::chosen("a series at several tables");
        let bot = |player: usize| {
            Box::new(HOUSE[player % HOUSE.len()].seated(&player.to_string(), &seed)) as Box<dyn Bot>
        };
        let format = Format::all().find(|format| format.rules().name == "freezeout").unwrap();
        let plan =
            EventPlan { format, series: 3, seats: 4, level_rounds: Some(500), ..EventPlan::single_table() };
        let mut event = Event::new(plan, TableSettings::default(), &seed, 12, 60, Some(400));
        let mut levels = Levels::default();
        play(&mut event, &mut EventBots::new((0..12).map(bot).collect()), &mut levels).unwrap();
        assert_eq!(levels.finished, [1, 2], "in {} seatings", levels.seatings);
        assert!(
            levels.seatings > 6,
            "tables are balanced in the first level of a tournament: {}",
            levels.seatings
        );
    }
}
