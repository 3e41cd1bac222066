//! Two at a table; the winners go on in a bracket.

use crate::tournament::TableGame;
use crate::tournament::progress::{EventProgress, PlayerState};

use super::scheduler::{FormatRules, Scheduler};
use super::seating::bracket;

/// The invariants of a knockout.
pub(super) const RULES: FormatRules = FormatRules {
    seats: Some(2),
    in_words: |_, players| format!("{players} players, two at a table; the winners advance"),
    ..FormatRules::new("knockout", || Box::new(Knockout::default()))
};

#[derive(Clone, Debug, Default)]
struct Knockout {
    /// The matches of the last level; when it is over, the winner of each.
    matches: Vec<Vec<usize>>,
}

impl Scheduler for Knockout {
    fn next_level(&mut self, progress: &mut EventProgress) -> Option<Vec<Vec<usize>>> {
        if progress.is_first_level() {
            self.matches = bracket(&progress.in_drawn_order(progress.alive()));
        } else if self.matches.len() < 2 || progress.alive().len() < 2 {
            return None;
        } else {
            self.matches = self.matches.chunks(2).map(<[_]>::concat).collect();
        }
        Some(self.matches.clone())
    }

    fn level_over(&mut self, progress: &mut EventProgress, _: &[PlayerState], tables: &[TableGame]) {
        for table in tables {
            let winner = progress.eliminate_losers(table);
            self.matches[table.number() as usize - 1].retain(|player| Some(*player) == winner);
        }
    }
}
