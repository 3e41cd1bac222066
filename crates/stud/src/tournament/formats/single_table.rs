//! The document's own game: everyone at one table until one player is left or the last round is over.

use crate::stud::Chips;
use crate::table::ExitReason;
use crate::tournament::progress::EventProgress;

use super::scheduler::{FormatRules, Scheduler};

/// The invariants of the game at one table.
pub(super) const RULES: FormatRules = FormatRules {
    forgives: false,
    ends_by_itself: false,
    one_level: true,
    ..FormatRules::new("single-table", || Box::new(SingleTable))
};

#[derive(Clone, Debug)]
struct SingleTable;

impl Scheduler for SingleTable {
    fn next_level(&mut self, progress: &mut EventProgress) -> Option<Vec<Vec<usize>>> {
        let alive = progress.alive();
        let is_begun = !progress.is_first_level();
        (!is_begun && alive.len() > 1).then(|| vec![progress.in_drawn_order(alive)])
    }

    fn exit_reason_at_the_end(
        &self,
        chips: Chips,
        (place, players): (usize, usize),
        rounds: u64,
    ) -> ExitReason {
        ExitReason::RoundsPlayed { rounds, chips, place, players }
    }
}
