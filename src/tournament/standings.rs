//! Who came where (R20).

use crate::stud::Chips;
use crate::table::Farewell;

/// How and when a player left.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Exit {
    /// The last round the player was in, from 1.
    pub round: u64,
    /// The chips it began that round with.
    pub began_with: Chips,
    /// Why it left.
    pub why: Farewell,
}

/// Where a player stands.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Standing {
    /// The place, from 1; shared by players nothing tells apart.
    pub place: usize,
    /// The player's seat at the start, from 0.
    pub player: usize,
    /// The player's chips; 0 for whoever has left.
    pub chips: Chips,
    /// How the player left; `None` for those in until the end.
    pub exit: Option<Exit>,
}

/// All places, best first; those who share one in seat order.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Standings(Vec<Standing>);

impl Standings {
    /// The places of players with these chips and exits, in seat order: last one in first, those still in by
    /// their chips, those who left in the same round by the chips they began it with, then shared.
    pub fn new(players: impl IntoIterator<Item = (Chips, Option<Exit>)>) -> Standings {
        let mut standings: Vec<Standing> = players
            .into_iter()
            .enumerate()
            .map(|(player, (chips, exit))| Standing { place: 0, player, chips, exit })
            .collect();
        let merit = |standing: &Standing| match &standing.exit {
            None => (u64::MAX, standing.chips),
            Some(exit) => (exit.round, exit.began_with),
        };
        standings.sort_by_key(|standing| std::cmp::Reverse(merit(standing)));
        for index in 0..standings.len() {
            let tied = index > 0 && merit(&standings[index]) == merit(&standings[index - 1]);
            standings[index].place = if tied { standings[index - 1].place } else { index + 1 };
        }
        Standings(standings)
    }

    /// The places, best first.
    pub fn places(&self) -> &[Standing] {
        &self.0
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn last_one_in_first_then_by_round_then_by_chips_then_shared() {
        let out = |round, began_with| {
            (0, Some(Exit { round, began_with, why: Farewell::Broke { chips: 0, ante: 1 } }))
        };
        let standings = Standings::new([
            out(3, 10),
            (70, None),
            out(9, 5),
            out(9, 40),
            (90, None),
            out(9, 5),
            (70, None),
        ]);
        let order: Vec<(usize, usize)> = standings.places().iter().map(|s| (s.place, s.player)).collect();
        assert_eq!(order, [(1, 4), (2, 1), (2, 6), (4, 3), (5, 2), (5, 5), (7, 0)]);
    }
}
