//! Everyone plays all rounds: each level begins with the starting stack, and the chips won in all levels count.

use crate::tournament::progress::{EventProgress, PlayerState};
use crate::tournament::{Standings, TableGame};

use super::in_words::tables;
use super::scheduler::{FormatRules, Scheduler};
use super::seating::spread;

pub(super) const RULES: FormatRules = FormatRules {
    forgives: true,
    ends_by_itself: false,
    in_words: |plan, players| tables(plan, players) + "; everyone plays all rounds",
    ..FormatRules::new("rounds", || Box::new(Rounds))
};

#[derive(Clone, Debug)]
struct Rounds;

impl Scheduler for Rounds {
    fn next_level(&mut self, progress: &mut EventProgress) -> Option<Vec<Vec<usize>>> {
        let alive = progress.alive();
        (alive.len() > 1).then(|| spread(&progress.in_drawn_order(alive), progress.seats))
    }

    fn level_over(&mut self, progress: &mut EventProgress, before: &[PlayerState], tables: &[TableGame]) {
        progress.count_chips(before, tables);
    }

    fn standings(&self, players: &[PlayerState]) -> Standings {
        let points = players.iter().map(|player| (player.net, 0));
        Standings::by_points(players.iter().map(PlayerState::chips_and_exit), points)
    }
}
