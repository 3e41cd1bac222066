//! Everyone plays to the last chip; tables are balanced and broken down to a final table.

use crate::tournament::progress::Progress;

use super::scheduler::{FormatRules, Scheduler};
use super::seating::{balance, spread};

/// What is always the same about a freeze-out.
pub(super) const RULES: FormatRules = FormatRules {
    restacks: false,
    ends_by_itself: false,
    ..FormatRules::new("freezeout", || Box::new(Freezeout::default()))
};

#[derive(Clone, Debug, Default)]
struct Freezeout {
    /// The players at each table of the last level.
    tables: Vec<Vec<usize>>,
}

impl Scheduler for Freezeout {
    fn next_level(&mut self, progress: &mut Progress) -> Option<Vec<Vec<usize>>> {
        if !progress.eliminate_who_cannot_pay() {
            return None;
        }
        let alive = progress.alive();
        if alive.len() < 2 {
            return None;
        }
        let seats = progress.seats;
        self.tables = if progress.is_first_level() {
            spread(&progress.in_drawn_order(alive), seats)
        } else {
            let mut tables = std::mem::take(&mut self.tables);
            tables.iter_mut().for_each(|table| table.retain(|player| progress.is_alive(*player)));
            balance(tables, seats, &mut progress.draw())
        };
        Some(self.tables.clone())
    }
}
