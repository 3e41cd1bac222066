//! Everyone meets the same house bots, one after the other, with the same cards.

use crate::tournament::progress::{EventProgress, PlayerState};
use crate::tournament::{Standings, TableGame};

use super::scheduler::{FormatRules, Scheduler};

/// The invariants of a gauntlet.
pub(super) const RULES: FormatRules = FormatRules {
    fewest_players: 1,
    forgives: true,
    against_house: true,
    same_cards: true,
    levels: |plan, _| Some(plan.against.len() as u64),
    in_words: |plan, players| match (players, plan.against.join(", ")) {
        (1, against) => format!("one player against {against}"),
        (_, against) => format!("{players} players, each against {against}"),
    },
    ..FormatRules::new("gauntlet", || Box::new(Gauntlet))
};

#[derive(Clone, Debug)]
struct Gauntlet;

impl Scheduler for Gauntlet {
    fn next_level(&mut self, progress: &mut EventProgress) -> Option<Vec<Vec<usize>>> {
        let level = progress.levels_begun();
        if level == progress.house_opponents {
            return None;
        }
        let house = progress.players().len() + level;
        let tables: Vec<Vec<usize>> =
            progress.alive().into_iter().map(|player| vec![player, house]).collect();
        (!tables.is_empty()).then_some(tables)
    }

    fn level_over(&mut self, progress: &mut EventProgress, before: &[PlayerState], tables: &[TableGame]) {
        progress.count_chips(before, tables);
    }

    fn standings(&self, players: &[PlayerState]) -> Standings {
        let points = players.iter().map(|player| (player.net, 0));
        Standings::by_points(players.iter().map(PlayerState::chips_and_exit), points)
    }
}
