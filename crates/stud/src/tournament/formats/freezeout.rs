//! Everyone plays to the last chip; tables are balanced and broken down to a final table.

use crate::cards::Stream;
use crate::tournament::progress::EventProgress;

use super::in_words::tables_and;
use super::scheduler::{FormatRules, Scheduler};
use super::seating::{balance, spread};

/// The invariants of a freeze-out.
pub(super) const RULES: FormatRules = FormatRules {
    balances: true,
    forgives: false,
    ends_by_itself: false,
    in_words: |plan, players| tables_and(plan, players, ", then the last table"),
    ..FormatRules::new("freezeout", || Box::new(Freezeout::default()))
};

#[derive(Clone, Debug, Default)]
struct Freezeout {
    /// The players at each table of the last seating.
    tables: Vec<Vec<usize>>,
}

impl Scheduler for Freezeout {
    fn next_level(&mut self, progress: &mut EventProgress) -> Option<Vec<Vec<usize>>> {
        if !progress.eliminate_insolvent_players() {
            return None;
        }
        let alive = progress.alive();
        if alive.len() < 2 {
            return None;
        }
        self.tables = if progress.is_first_level() {
            spread(&progress.in_drawn_order(alive), progress.plan.seats)
        } else {
            self.balanced(progress, &mut progress.draw())
        };
        Some(self.tables.clone())
    }

    fn reseat(&mut self, progress: &mut EventProgress) -> Option<Vec<Vec<usize>>> {
        if progress.alive().len() < 2 {
            return None;
        }
        self.tables = self.balanced(progress, &mut progress.draw_in_level());
        Some(self.tables.clone())
    }

    fn take_over(&mut self, seating: &[Vec<usize>]) {
        self.tables = seating.to_vec();
    }
}

impl Freezeout {
    /// The tables of those who are left.
    fn balanced(&self, progress: &EventProgress, draw: &mut Stream) -> Vec<Vec<usize>> {
        let mut tables = self.tables.clone();
        tables.iter_mut().for_each(|table| table.retain(|player| progress.is_alive(*player)));
        balance(tables, progress.plan.seats, draw)
    }
}
