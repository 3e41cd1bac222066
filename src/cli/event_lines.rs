//! An event scrolling by in the terminal.

use std::fmt;
use std::io;
use std::mem;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};

use casino_stud::replay::{Paint, PublicEvent, PublicRound, RoundEnd};
use casino_stud::stud::{Chips, Half, Seat};
use casino_stud::table::TableEvent;
use casino_stud::tournament::{
    Event, EventPlan, Newcomer, NoRecorder, Player, Recorder, TableGame, TableRecorder, in_public,
};

use super::Output;
use casino_stud::shown::count;

const MAX_LEADERS: usize = 5;

/// Prints the levels of an event. It also prints a line for each round, and who leaves and why, if there is one table or if
/// that is requested: the rounds of many tables are too many to read.
pub(super) struct EventLines {
    output: Output,
    players: Arc<[Player]>,
    has_rounds: bool,
    numbers_tables: bool,
    /// The lines handed over by the tables.
    handed: Arc<Mutex<String>>,
}

/// The lines about the rounds of one table.
struct SpokenRounds {
    paint: Paint,
    players: Arc<[Player]>,
    numbers_tables: bool,
    /// The lines about rounds that are not recorded yet.
    pending: String,
    handed: Arc<Mutex<String>>,
}

impl EventLines {
    pub(super) fn new(output: Output, players: &[Player], plan: &EventPlan) -> EventLines {
        let numbers_tables = plan.numbers_tables();
        EventLines {
            output,
            players: players.into(),
            has_rounds: !numbers_tables,
            numbers_tables,
            handed: Arc::default(),
        }
    }

    /// The same for rounds at any table.
    pub(super) fn with_all_rounds(self) -> EventLines {
        EventLines { has_rounds: true, ..self }
    }

    /// Prints the results of the last level and the next one.
    fn print_level(&mut self, event: &Event) -> io::Result<()> {
        if !event.plan().numbers_tables() {
            return Ok(());
        }
        let mut lines = String::new();
        let is_reseated = event.level().is_some_and(|level| level.seating > 1) && !event.is_over();
        if let (Some((level, _)), false) = (event.history().last(), is_reseated) {
            let standings = event.standings();
            let leaders = standings.places().iter().take(MAX_LEADERS).map(|standing| {
                let name = &self.players[standing.player].name;
                match standing.points {
                    Some(points) => format!("{name} {points} points"),
                    None => format!("{name} {}", standing.chips),
                }
            });
            let leaders = leaders.collect::<Vec<_>>().join(", ");
            lines.push_str(&format!("    after level {}: {leaders}\n", level.number));
        }
        if let (Some(level), false) = (event.level(), event.is_over()) {
            let tables = event.tables().len();
            let playing: usize = event.tables().iter().map(|table| table.players().len()).sum();
            let of_series = match event.plan().series {
                1 => String::new(),
                series => format!("tournament {} of {series}, ", level.tournament),
            };
            let ante = if is_reseated { String::new() } else { format!(", the ante is {}", level.ante) };
            lines.push_str(&format!(
                "{of_series}level {:>3}, rounds {} to {}: {playing} players at {}{ante}\n",
                level.number,
                level.first_round,
                level.last_round(),
                count(tables, "table")
            ));
        }
        self.output.show(lines)
    }
}

fn lock(handed: &Mutex<String>) -> MutexGuard<'_, String> {
    // Lines are handed over and taken whole: a panic elsewhere leaves none half-done.
    handed.lock().unwrap_or_else(PoisonError::into_inner)
}

impl SpokenRounds {
    fn name(&self, game: &TableGame, seat: Seat) -> &str {
        &self.players[game.player_at(seat)].name
    }

    fn lines_of_round(&mut self, game: &TableGame) {
        let table = game.table();
        let events = PublicRound::events(game);
        for event in &events {
            if let PublicEvent::Ended(end) = event {
                let line = self.end(game, end);
                self.line(line);
            }
        }
        for event in &events {
            if let PublicEvent::Left { seat, .. } = *event {
                let why = table.exit_reason(seat).expect("a player who leaves is told why");
                let why = in_public(why, &self.players);
                let line = format!("             {} is out: {why}", self.name(game, seat));
                let line = self.paint.paint("31", &line);
                self.line(line);
            }
        }
    }

    fn end(&self, game: &TableGame, end: &RoundEnd) -> String {
        let number = game.table().round_number();
        let shown = self.paint.cards(&end.hand, 0);
        let hand = match end.strength {
            Some(strength) => format!("{shown} ({strength})"),
            None => format!("{shown}, everyone else folded"),
        };
        let taker = |(seat, half, chips): &(Seat, Half, Chips)| match (half, end.spade) {
            (Half::Spade, Some((_, spade))) => {
                format!("{} {chips} for {}", self.name(game, *seat), self.paint.cards(&[spade], 0))
            }
            _ => format!("{} {chips}", self.name(game, *seat)),
        };
        let takers: Vec<String> = end.payouts.iter().map(taker).collect();
        let place = if self.numbers_tables { format!("table {}  ", game.number()) } else { String::new() };
        format!("{place}round {number:>5}  pot {:>5}  {}  with {hand}", end.pot(), takers.join(", "))
    }

    fn line(&mut self, line: impl fmt::Display) {
        self.pending.push_str(&format!("{line}\n"));
    }
}

impl TableRecorder for SpokenRounds {
    fn event(&mut self, table: &TableGame, event: &TableEvent) -> io::Result<()> {
        if *event == TableEvent::Ended {
            self.lines_of_round(table);
        }
        Ok(())
    }

    fn hand_over(&mut self) {
        lock(&self.handed).push_str(&mem::take(&mut self.pending));
    }
}

impl Recorder for EventLines {
    fn entry(&mut self, event: &Event, newcomer: &Newcomer) -> io::Result<()> {
        let late = newcomer.player.clone();
        let line = format!("{} comes in late, for round {}\n", late.name, event.next_round());
        self.players = self.players.iter().cloned().chain([late]).collect();
        self.output.show(line)
    }

    fn level(&mut self, event: &Event) -> io::Result<()> {
        self.print_level(event)
    }

    fn for_table(&mut self, _: &TableGame) -> Box<dyn TableRecorder> {
        if !self.has_rounds {
            return Box::new(NoRecorder);
        }
        Box::new(SpokenRounds {
            paint: self.output.colours(),
            players: Arc::clone(&self.players),
            numbers_tables: self.numbers_tables,
            pending: String::new(),
            handed: Arc::clone(&self.handed),
        })
    }

    fn commit(&mut self) -> io::Result<()> {
        let lines = mem::take(&mut *lock(&self.handed));
        if lines.is_empty() {
            return Ok(());
        }
        self.output.show(lines)
    }

    fn over(&mut self, event: &Event) -> io::Result<()> {
        self.print_level(event)
    }
}
