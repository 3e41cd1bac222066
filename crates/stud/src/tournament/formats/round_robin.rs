//! In each pod everyone meets everyone, two at a table.

use crate::tournament::progress::{EventProgress, PlayerState};
use crate::tournament::{Standings, TableGame};

use super::scheduler::{FormatRules, Scheduler};
use super::seating::{pairs, spread};

/// The invariants of a round robin.
pub(super) const RULES: FormatRules = FormatRules {
    forgives: true,
    levels: |plan, players| Some(levels_of_pod(plan.seats.min(players) as u64)),
    in_words: |plan, players| match players.div_ceil(plan.seats) {
        1 => format!("{players} players, everyone against everyone"),
        pods => format!("{pods} groups, in each everyone against everyone"),
    },
    ..FormatRules::new("round-robin", || Box::new(RoundRobin::default()))
};

/// In an odd pod one player rests in each level.
fn levels_of_pod(players: u64) -> u64 {
    if players.is_multiple_of(2) { players.saturating_sub(1) } else { players }
}

#[derive(Clone, Debug, Default)]
struct RoundRobin {
    pods: Vec<Vec<usize>>,
}

impl Scheduler for RoundRobin {
    /// In every pod the matches of the level. A player whose opponent has left sits alone and has won.
    fn next_level(&mut self, progress: &mut EventProgress) -> Option<Vec<Vec<usize>>> {
        if progress.is_first_level() {
            self.pods = spread(&progress.in_drawn_order(progress.alive()), progress.seats);
        }
        let mut tables = Vec::new();
        for pod in &self.pods {
            for (one, other) in pairs(pod.len(), progress.levels_begun()) {
                let players: Vec<usize> =
                    [pod[one], pod[other]].into_iter().filter(|player| progress.is_alive(*player)).collect();
                if !players.is_empty() {
                    tables.push(players);
                }
            }
        }
        (!tables.is_empty()).then_some(tables)
    }

    fn level_over(&mut self, progress: &mut EventProgress, before: &[PlayerState], tables: &[TableGame]) {
        progress.count_chips(before, tables);
        for table in tables {
            debug_assert!(table.players().iter().all(|player| before[*player].exit.is_none()));
            count_match(progress, table);
        }
    }

    fn standings(&self, players: &[PlayerState]) -> Standings {
        let points = players.iter().map(|player| (player.match_points, player.net));
        Standings::by_points(players.iter().map(PlayerState::chips_and_exit), points)
    }
}

/// Two points for the winner of the match, or one each.
fn count_match(progress: &mut EventProgress, table: &TableGame) {
    let players = table.players();
    let seats: Vec<usize> = (0..players.len()).filter(|seat| progress.is_alive(players[*seat])).collect();
    let stacks = table.table().stacks();
    match seats[..] {
        [alone] => progress.player_mut(players[alone]).match_points += 2,
        [one, other] if stacks[one] == stacks[other] => {
            seats.iter().for_each(|seat| progress.player_mut(players[*seat]).match_points += 1);
        }
        [one, other] => {
            let winner = if stacks[one] > stacks[other] { one } else { other };
            progress.player_mut(players[winner]).match_points += 2;
        }
        _ => {}
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_pod_has_as_many_levels_as_there_are_pairs_for() {
        for players in 2..=17 {
            let levels = (0..).take_while(|level| !pairs(players, *level).is_empty()).count();
            assert_eq!(levels_of_pod(players as u64), levels as u64, "{players} players");
        }
    }
}
