//! Looking on while a journal is played again.

use crate::stud::Seat;
use crate::table::{Answer, ExitReason, Notice, TableEvent};
use crate::tournament::TableGame;

/// Receives the events of a journal while it is replayed.
pub trait Observer {
    /// A player answers a question, which is still [`crate::table::Table::question`].
    fn answered(&mut self, tournament: &TableGame, seat: Seat, answer: &Answer) {
        let _ = (tournament, seat, answer);
    }

    /// An event has happened, and the line in the journal is the one it makes.
    fn event(&mut self, tournament: &TableGame, event: &TableEvent) {
        let _ = (tournament, event);
    }

    /// A message to a player.
    fn notice(&mut self, tournament: &TableGame, seat: Seat, notice: &Notice) {
        let _ = (tournament, seat, notice);
    }

    /// A player of an event, 0-based in the order of the header, is eliminated by the format, not at its table.
    fn eliminated(&mut self, player: usize, why: &ExitReason) {
        let _ = (player, why);
    }
}

/// Ignores every event.
impl Observer for () {}

/// Tells everything to both, the first one first.
impl<A: Observer, B: Observer> Observer for (A, B) {
    fn answered(&mut self, tournament: &TableGame, seat: Seat, answer: &Answer) {
        self.0.answered(tournament, seat, answer);
        self.1.answered(tournament, seat, answer);
    }

    fn event(&mut self, tournament: &TableGame, event: &TableEvent) {
        self.0.event(tournament, event);
        self.1.event(tournament, event);
    }

    fn notice(&mut self, tournament: &TableGame, seat: Seat, notice: &Notice) {
        self.0.notice(tournament, seat, notice);
        self.1.notice(tournament, seat, notice);
    }

    fn eliminated(&mut self, player: usize, why: &ExitReason) {
        self.0.eliminated(player, why);
        self.1.eliminated(player, why);
    }
}

/// A part of a journal that has been played again.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Segment {
    /// A round at a table. The tournament's table shows it until the next part.
    Round {
        /// Its number, from 1.
        round: u64,
    },
    /// A level of an event begins.
    Level {
        /// Its number, from 1.
        level: u64,
    },
    /// A player has come in late, and sits down with the next level.
    Entry {
        /// Its number, from 0.
        player: usize,
    },
    /// The dealer was started again.
    Resumed {
        /// The round that is dealt next.
        round: u64,
    },
    /// The tournament is over.
    Over,
}
