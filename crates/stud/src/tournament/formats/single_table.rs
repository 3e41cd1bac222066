//! The document's own game: everyone at one table until one player is left or the last round is over.

use crate::table::ExitReason;
use crate::tournament::Standing;
use crate::tournament::progress::Progress;

use super::scheduler::{Announce, FormatRules, Scheduler};

/// What is always the same about the game at one table.
pub(super) const RULES: FormatRules = FormatRules {
    announce: Announce::AtOnce,
    restacks: false,
    ends_by_itself: false,
    ..FormatRules::new("single-table", || Box::new(SingleTable))
};

/// Seats nobody: the event begins with its only level, and its only table is seated.
#[derive(Clone, Debug)]
struct SingleTable;

impl Scheduler for SingleTable {
    fn next_level(&mut self, _: &mut Progress) -> Option<Vec<Vec<usize>>> {
        None
    }

    fn exit_reason_at_the_end(&self, standing: &Standing, players: usize, rounds: u64) -> ExitReason {
        ExitReason::RoundsPlayed { rounds, chips: standing.chips, place: standing.place, players }
    }
}
