//! A tournament scrolling by in the terminal.

use std::fmt;
use std::io;
use std::sync::{Arc, Mutex, PoisonError};

use casino_stud::replay::{Paint, PublicEvent, PublicRound, RoundEnd};
use casino_stud::stud::{Chips, Half, Seat};
use casino_stud::table::TableEvent;
use casino_stud::tournament::{Player, Recorder, TableGame, in_public};

use super::Output;

/// How often the stacks are shown, in rounds.
const STACKS_EVERY: u64 = 25;

/// The widest bar of a stack, in characters.
const BAR: usize = 40;

/// Prints a line for each round, those who leave and why, and now and then all stacks.
pub(super) struct Show {
    output: Output,
    players: Vec<Player>,
    /// The lines about events that are not recorded yet.
    pending: String,
    /// What the lines about a round begin with: the table, where there are several.
    place: String,
    /// What the tables of an event have handed over.
    handed: Arc<Mutex<String>>,
}

impl Show {
    pub(super) fn new(output: Output, players: &[Player]) -> Show {
        Show {
            output,
            players: players.to_vec(),
            pending: String::new(),
            place: String::new(),
            handed: Arc::default(),
        }
    }

    fn name(&self, game: &TableGame, seat: Seat) -> &str {
        &self.players[game.player_at(seat)].name
    }

    fn round(&mut self, game: &TableGame) {
        self.lines_of_round(game);
        let table = game.table();
        if table.round_number().is_multiple_of(STACKS_EVERY) {
            self.stacks(table.stacks());
        }
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
                let line = self.output.paint("31", &line);
                self.line(line);
            }
        }
    }

    fn end(&self, game: &TableGame, end: &RoundEnd) -> String {
        let number = game.table().round_number();
        let paint = Paint { colours: self.output.colour() };
        let shown = paint.cards(&end.hand, 0);
        let hand = match end.strength {
            Some(strength) => format!("{shown} ({strength})"),
            None => format!("{shown}, everyone else folded"),
        };
        let taker = |(seat, half, chips): &(Seat, Half, Chips)| match (half, end.spade) {
            (Half::Spade, Some((_, spade))) => {
                format!("{} {chips} for {}", self.name(game, *seat), paint.cards(&[spade], 0))
            }
            _ => format!("{} {chips}", self.name(game, *seat)),
        };
        let takers: Vec<String> = end.payouts.iter().map(taker).collect();
        format!("{}round {number:>5}  pot {:>5}  {}  with {hand}", self.place, end.pot(), takers.join(", "))
    }

    fn line(&mut self, line: impl fmt::Display) {
        self.pending.push_str(&format!("{line}\n"));
    }

    fn stacks(&mut self, stacks: &[Chips]) {
        let most = stacks.iter().copied().max().unwrap_or(0).max(1);
        let width = self.players.iter().map(|player| player.name.chars().count()).max().unwrap_or(0);
        let mut order: Vec<usize> = (0..stacks.len()).filter(|seat| stacks[*seat] > 0).collect();
        order.sort_by_key(|seat| std::cmp::Reverse(stacks[*seat]));
        self.line("");
        for seat in order {
            let length = (u64::from(stacks[seat]) * BAR as u64).div_ceil(u64::from(most)) as usize;
            let bar = self.output.paint("36", &"█".repeat(length));
            let line = format!("  {:<width$} {:>6} {bar}", self.players[seat].name, stacks[seat]);
            self.line(line);
        }
        self.line("");
    }
}

/// Prints the rounds of one table among several, when all have played them.
struct TableLines(Show);

impl Recorder for TableLines {
    fn event(&mut self, table: &TableGame, event: &TableEvent) -> io::Result<()> {
        if *event == TableEvent::Ended {
            self.0.lines_of_round(table);
        }
        Ok(())
    }

    fn hand_over(&mut self) {
        let Show { pending, handed, .. } = &mut self.0;
        handed.lock().unwrap_or_else(PoisonError::into_inner).push_str(&std::mem::take(pending));
    }

    fn commit(&mut self) -> io::Result<()> {
        Ok(())
    }
}

impl Recorder for Show {
    fn for_table(&mut self, table: &TableGame) -> Box<dyn Recorder + Send> {
        let (place, handed) = (format!("table {}  ", table.number()), Arc::clone(&self.handed));
        let show = Show::new(Output::of_a_day(), &self.players);
        Box::new(TableLines(Show { place, handed, ..show }))
    }

    fn event(&mut self, tournament: &TableGame, event: &TableEvent) -> io::Result<()> {
        if *event == TableEvent::Ended {
            self.round(tournament);
        }
        Ok(())
    }

    fn commit(&mut self) -> io::Result<()> {
        let handed = std::mem::take(&mut *self.handed.lock().unwrap_or_else(PoisonError::into_inner));
        self.pending.push_str(&handed);
        if self.pending.is_empty() {
            return Ok(());
        }
        let shown = self.output.text(std::mem::take(&mut self.pending)).and_then(|()| self.output.flush());
        shown.map_err(|failure| failure.into_io())
    }
}
