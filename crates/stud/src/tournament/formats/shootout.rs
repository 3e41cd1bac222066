//! The winner of each table goes on.

use crate::tournament::TableGame;
use crate::tournament::progress::{EventProgress, PlayerState};

use super::in_words::tables_and;
use super::scheduler::{FormatRules, Scheduler};
use super::seating::spread;

/// The invariants of a shootout.
pub(super) const RULES: FormatRules = FormatRules {
    in_words: |plan, players| tables_and(plan, players, "; the winner of each advances"),
    ..FormatRules::new("shootout", || Box::new(Shootout::default()))
};

#[derive(Clone, Debug, Default)]
struct Shootout {
    /// How many tables the last level had.
    tables: usize,
}

impl Scheduler for Shootout {
    fn next_level(&mut self, progress: &mut EventProgress) -> Option<Vec<Vec<usize>>> {
        let alive = progress.alive();
        if alive.len() < 2 || !progress.is_first_level() && self.tables < 2 {
            return None;
        }
        let tables = spread(&progress.in_drawn_order(alive), progress.seats);
        self.tables = tables.len();
        Some(tables)
    }

    fn level_over(&mut self, progress: &mut EventProgress, _: &[PlayerState], tables: &[TableGame]) {
        for table in tables {
            progress.eliminate_losers(table);
        }
    }
}
