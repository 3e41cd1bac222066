//! A tournament scrolling by in the terminal.

use std::fmt;
use std::io;

use crate::cards::notation::pretty;
use crate::cards::{Card, Suit};
use crate::stud::{Chips, Half, Seat, Strength};
use crate::table::TableEvent;
use crate::tournament::{Player, Recorder, TableGame, in_public};

use super::Output;

/// How often the stacks are shown, in rounds.
const STACKS_EVERY: u64 = 25;

/// The widest bar of a stack, in characters.
const BAR: usize = 40;

/// Prints a line for each round, whoever leaves and why, and now and then all stacks.
pub(super) struct Show {
    output: Output,
    players: Vec<Player>,
    pot: Chips,
    /// What has happened and is not sure yet.
    pending: String,
}

impl Show {
    pub(super) fn new(output: Output, players: &[Player]) -> Show {
        Show { output, players: players.to_vec(), pot: 0, pending: String::new() }
    }

    fn name(&self, seat: Seat) -> &str {
        &self.players[seat.index()].name
    }

    fn round(&mut self, tournament: &TableGame) {
        let table = tournament.table();
        let number = table.round_number();
        let shown: Vec<Card> = table.shown().into_iter().flatten().collect();
        let hand = match shown[..] {
            [a, b, c] => format!("{} ({})", self.cards(&shown), Strength::of([a, b, c])),
            _ => format!("{}, everyone else folded", self.cards(&shown)),
        };
        let mut takers = Vec::new();
        for event in table.events() {
            if let TableEvent::Won { seat, half, chips } = *event {
                takers.push(match half {
                    Half::Spade => {
                        let hole = self.cards(&[table.round().hole(seat)]);
                        format!("{} {chips} for {hole}", self.name(seat))
                    }
                    Half::Whole | Half::Hand => format!("{} {chips}", self.name(seat)),
                });
            }
        }
        let line = format!("round {number:>5}  pot {:>5}  {}  with {hand}", self.pot, takers.join(", "));
        self.line(line);
        for event in table.events() {
            if let TableEvent::Left { seat, .. } = *event {
                let why = table.exit_reason(seat).expect("who leaves is told why");
                let why = in_public(why, &self.players);
                let line = format!("             {} is out: {why}", self.name(seat));
                let line = self.output.paint("31", &line);
                self.line(line);
            }
        }
        if number.is_multiple_of(STACKS_EVERY) {
            self.stacks(table.stacks());
        }
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

    fn cards(&self, cards: &[Card]) -> String {
        let colour = |card: &Card| match card.suit() {
            Suit::Spades => "1",
            Suit::Hearts => "31",
            Suit::Diamonds => "34",
            Suit::Clubs => "32",
        };
        cards.iter().map(|card| self.output.paint(colour(card), &pretty(*card))).collect::<Vec<_>>().join(" ")
    }
}

impl Recorder for Show {
    fn event(&mut self, tournament: &TableGame, event: &TableEvent) -> io::Result<()> {
        match event {
            TableEvent::Won { chips, .. } => self.pot += chips,
            TableEvent::Dealt { .. } => self.pot = 0,
            TableEvent::Ended => self.round(tournament),
            _ => {}
        }
        Ok(())
    }

    fn commit(&mut self) -> io::Result<()> {
        if self.pending.is_empty() {
            return Ok(());
        }
        let shown = self.output.text(std::mem::take(&mut self.pending)).and_then(|()| self.output.flush());
        shown.map_err(|failure| failure.into_io())
    }
}
