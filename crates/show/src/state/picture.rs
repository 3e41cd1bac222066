//! The page moved by the levels and rounds of its tournament: the live page, a page after a crash, a replay and the seat of a
//! person are one picture at different places.

use std::borrow::Borrow;

use super::page_changes::change_by_step;
use super::{FinishedTournament, LevelView, Page, TableRound, follow};
use crate::rounds::{DisplayStep, TableView};

/// A part of a recorded tournament, in its order.
#[derive(Clone, Debug)]
pub enum Part {
    /// A level was seated.
    Level(LevelView),
    /// A round was played at a table.
    Round(TableRound),
    /// The tournament was over by the rules: the last one of a series, if it was one.
    Over(Option<Box<FinishedTournament>>),
}

impl Page {
    /// Moves to the end of a part: everything stands as after it.
    pub fn advance(&mut self, part: &Part) {
        match part {
            Part::Level(level) => self.show_level(level.clone()),
            Part::Round(round) => {
                if round.before.has_news() {
                    self.show_tallies([&round.before]);
                }
                self.count(&[round], true);
            }
            Part::Over(_) => {}
        }
    }

    /// Moves by a step of a round, without the chances of the players. Returns the table, if it shows anything.
    pub fn step(&mut self, round: &TableRound, step: &DisplayStep, finale: bool) -> Option<&TableView> {
        change_by_step(self, round, step, finale, |table, change| change(table));
        self.table.as_ref()
    }

    /// Counts a round that has been shown at these tables: everything on the page stands as after it. The race has a point of it if
    /// all tables are known round by round (`in_step`), and otherwise those of the only table.
    pub fn count<R: Borrow<TableRound>>(&mut self, rounds: &[R], in_step: bool) {
        let rounds = || rounds.iter().map(Borrow::borrow);
        self.show_tallies(rounds().map(|round| &round.after));
        rounds().for_each(|round| follow(self, round));
        let last = rounds().next().map_or(0, |round| round.round);
        self.add_to_race(last, in_step, rounds().map(|round| &round.after));
    }
}
