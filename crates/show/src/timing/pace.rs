//! How long a round takes where people watch it.

use std::time::Duration;

/// Actions per player in a round without raises and with some folds, times ten.
const ACTIONS_PER_PLAYER_TENTHS: u64 = 22;

/// How long a player's action is looked at at a table of so many. A full table takes longer than two players, but not as
/// many times as it has seats.
pub fn for_action(players: usize) -> Duration {
    Duration::from_millis(6_000 / (players as u64 + 5))
}

/// About how long a round of so many players at a table is shown step by step at the usual pace: deal, two streets and the
/// result. `docs/web.md` has the steps.
pub fn usual_round(players: usize) -> Duration {
    let actions = for_action(players).as_millis() as u64 * ACTIONS_PER_PLAYER_TENTHS * players as u64 / 10;
    Duration::from_millis(1_200 + 2 * 900 + actions + 4_000)
}
