//! What the terminal is told of an event of many tables.

use std::io;

use casino_stud::table::TableEvent;
use casino_stud::tournament::{Event, Player, Recorder, TableGame};

use super::Output;

/// How many of the leaders are named after a level.
const LEADERS: usize = 5;

/// Tells the terminal how the levels of an event of many tables go.
pub(super) struct LevelLines {
    players: Vec<Player>,
    output: Output,
}

impl LevelLines {
    pub(super) fn new(output: Output, players: Vec<Player>) -> LevelLines {
        LevelLines { players, output }
    }

    /// Says how the last level went and what the next one is.
    fn tell(&mut self, event: &Event) -> io::Result<()> {
        let mut lines = Vec::new();
        let is_reseated = event.level().is_some_and(|level| level.seating > 1) && !event.is_over();
        if let (Some((level, _)), false) = (event.history().last(), is_reseated) {
            let standings = event.standings();
            let leaders = standings.places().iter().take(LEADERS).map(|standing| {
                let name = &self.players[standing.player].name;
                match standing.points {
                    Some(points) => format!("{name} {points} points"),
                    None => format!("{name} {}", standing.chips),
                }
            });
            lines.push(format!(
                "    after level {}: {}",
                level.number,
                leaders.collect::<Vec<_>>().join(", ")
            ));
        }
        if let (Some(level), false) = (event.level(), event.is_over()) {
            let tables = event.tables().len();
            let playing: usize = event.tables().iter().map(|table| table.players().len()).sum();
            let of_series = match event.plan().series {
                1 => String::new(),
                series => format!("tournament {} of {series}, ", level.tournament),
            };
            let ante = if is_reseated { String::new() } else { format!(", the ante is {}", level.ante) };
            lines.push(format!(
                "{of_series}level {:>3}, rounds {} to {}: {playing} players at {tables} table{}{ante}",
                level.number,
                level.first_round,
                level.last_round(),
                if tables == 1 { "" } else { "s" }
            ));
            lines.extend(unequal(event));
        }
        let told =
            lines.iter().try_for_each(|line| self.output.line(line)).and_then(|()| self.output.flush());
        told.map_err(|failure| failure.into_io())
    }
}

/// What is to be said where one player of each table goes on and the tables are not equally large.
fn unequal(event: &Event) -> Option<String> {
    let sizes = || event.tables().iter().map(|table| table.players().len());
    let (fewest, most) = sizes().min().zip(sizes().max())?;
    (event.plan().format.rules().winners_go_on && fewest < most).then(|| {
        format!(
            "    some tables have {most} players and some {fewest}: it is easier to go on from a smaller one, and the seats were \
             drawn"
        )
    })
}

impl Recorder for LevelLines {
    fn level(&mut self, event: &Event) -> io::Result<()> {
        self.tell(event)
    }

    fn event(&mut self, _: &TableGame, _: &TableEvent) -> io::Result<()> {
        Ok(())
    }

    fn commit(&mut self) -> io::Result<()> {
        Ok(())
    }

    fn over(&mut self, event: &Event) -> io::Result<()> {
        self.tell(event)
    }
}
