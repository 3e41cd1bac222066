//! The places of the players (R20).

use crate::stud::Chips;
use crate::table::{ExitReason, FoulTally};

use super::Placing;

/// How and when a player left.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Exit {
    /// The last round the player was in, from 1.
    pub round: u64,
    /// The chips it began that round with.
    pub began_with: Chips,
    /// The reason for which it left.
    pub why: ExitReason,
    /// Whether the player lived to the end of that round and could not pay the next ante, which had been raised: then it left
    /// after all who left in the round.
    pub after_round: bool,
}

/// Where a player stands.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Standing {
    /// The place, from 1, shared by players nothing tells apart; `None` for house bots that have none among others, and for
    /// an ejected player whom no other one outlived.
    pub place: Option<usize>,
    /// The player's seat at the start, from 0.
    pub player: usize,
    /// The player's chips; 0 if it has left.
    pub chips: Chips,
    /// How the player left; `None` for those in until the end.
    pub exit: Option<Exit>,
    /// The tie-break, in formats that do not rank by elimination.
    pub points: Option<i64>,
    /// The fouls that the player was forgiven (R19).
    pub fouls: FoulTally,
}

impl Standing {
    fn is_ejected(&self) -> bool {
        self.exit.as_ref().is_some_and(|exit| matches!(exit.why, ExitReason::Foul(_)))
    }

    /// The place as a list of places has it, in four columns.
    pub fn place_in_words(&self) -> String {
        self.place.map_or("   –".to_string(), |place| format!("{place:>3}."))
    }
}

/// All places, best first; those who share one in seat order.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Standings(Vec<Standing>);

impl Standings {
    /// The places of players with these chips and exits, in seat order: last one in first, those still in by
    /// their chips, those who left in the same round by the chips they began it with, then shared.
    pub fn new(players: impl IntoIterator<Item = (Chips, Option<Exit>)>) -> Standings {
        let ranked = players.into_iter().map(|(chips, exit)| {
            let merit = match &exit {
                None => (u64::MAX, true, chips),
                Some(exit) => (exit.round, exit.after_round, exit.began_with),
            };
            (chips, exit, None, merit)
        });
        Standings::ranked(ranked)
    }

    /// The places of players with these chips and exits by their points, and where those are equal by the second
    /// value, then shared.
    pub fn by_points<M: Ord>(
        players: impl IntoIterator<Item = (Chips, Option<Exit>)>,
        points: impl IntoIterator<Item = (i64, M)>,
    ) -> Standings {
        let players = players.into_iter().zip(points);
        Standings::ranked(players.map(|((chips, exit), merit)| (chips, exit, Some(merit.0), merit)))
    }

    fn ranked<M: Ord>(players: impl Iterator<Item = (Chips, Option<Exit>, Option<i64>, M)>) -> Standings {
        let standing = |(player, (chips, exit, points, merit))| {
            (merit, Standing { place: None, player, chips, exit, points, fouls: FoulTally::default() })
        };
        let mut standings: Vec<(M, Standing)> = players.enumerate().map(standing).collect();
        // By the seat where nothing else tells: a sort that keeps an order needs as much memory again.
        standings.sort_unstable_by(|(one, first), (other, second)| {
            other.cmp(one).then(first.player.cmp(&second.player))
        });
        for index in 0..standings.len() {
            let tied = index > 0 && standings[index].0 == standings[index - 1].0;
            standings[index].1.place = if tied { standings[index - 1].1.place } else { Some(index + 1) };
        }
        Standings(standings.into_iter().map(|(_, standing)| standing).collect())
    }

    /// The same order, in which only those have places whom this gives one. An ejected player is never first.
    #[must_use]
    pub(super) fn placed_by(mut self, placing: &Placing) -> Standings {
        let (mut placed, mut last) = (0, (None, None));
        for standing in &mut self.0 {
            if !placing.has_place(standing.player) {
                standing.place = None;
                continue;
            }
            placed += 1;
            // Players who shared a place still share it.
            let place = if standing.place == last.0 { last.1 } else { Some(placed) };
            last = (standing.place, place);
            standing.place = place.filter(|place| *place > 1 || !standing.is_ejected());
        }
        self
    }

    /// The same places with the fouls that each player was forgiven.
    #[must_use]
    pub(super) fn with_fouls(mut self, fouls_of: impl Fn(usize) -> FoulTally) -> Standings {
        for standing in &mut self.0 {
            standing.fouls = fouls_of(standing.player);
        }
        self
    }

    /// The places, best first.
    pub fn places(&self) -> &[Standing] {
        &self.0
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::table::{Fault, Foul};

    #[test]
    fn last_one_in_first_then_by_round_then_by_chips_then_shared() {
        let out = |round, began_with| {
            let why = ExitReason::Busted { chips: 0, ante: 1 };
            (0, Some(Exit { round, began_with, why, after_round: false }))
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
        let order = |standings: &Standings| -> Vec<(Option<usize>, usize)> {
            standings.places().iter().map(|s| (s.place, s.player)).collect()
        };
        let places = [(1, 4), (2, 1), (2, 6), (4, 3), (5, 2), (5, 5), (7, 0)];
        assert_eq!(order(&standings), places.map(|(place, player)| (Some(place), player)));
        // House bots stay where their chips put them, and have no place.
        let placing = Placing::new([false, true, false, false, true, false, false], false);
        let places = [(0, 4), (0, 1), (1, 6), (2, 3), (3, 2), (3, 5), (5, 0)];
        let placed = order(&standings.placed_by(&placing));
        assert_eq!(placed, places.map(|(place, player)| ((place > 0).then_some(place), player)));
        // Three chips are too few for an ante of 5, but their owner outlived the players who left in the round.
        let why = ExitReason::Busted { chips: 3, ante: 5 };
        let unable = (0, Some(Exit { round: 9, began_with: 3, why, after_round: true }));
        let standings = Standings::new([out(9, 40), unable, out(10, 1)]);
        let order: Vec<usize> = standings.places().iter().map(|s| s.player).collect();
        assert_eq!(order, [2, 1, 0]);
    }

    /// Whoever else plays, an ejected player is not first, and the others have the places that they would have anyway.
    #[test]
    fn an_ejected_player_is_never_first() {
        let fault = || Fault::Removed { reason: "a rehearsal".to_string() };
        let out = |round: u64, is_ejected: bool| {
            let why = match is_ejected {
                true => ExitReason::Foul(Foul::Fault { fault: fault(), allowed: None }),
                false => ExitReason::Busted { chips: 0, ante: 1 },
            };
            (0, Some(Exit { round, began_with: 10, why, after_round: false }))
        };
        let ends = || [(50, None), out(8, true), out(8, false), out(9, true), out(9, false)];
        let mut first_by_merit = 0;
        for way in 0..1_000 {
            let ways = [way % 5, way / 5 % 5, way / 25 % 5];
            let bits = way / 125;
            let houses = [bits % 2 == 1, bits / 2 % 2 == 1, bits / 4 % 2 == 1];
            let players = || ways.map(|way| ends()[way].clone());
            let placing = Placing::new(houses, false);
            let placed = Standings::new(players()).placed_by(&placing);
            let as_busted =
                players().map(|(chips, exit)| (chips, exit.and_then(|exit| out(exit.round, false).1)));
            let busted = Standings::new(as_busted).placed_by(&placing);
            for (one, other) in placed.places().iter().zip(busted.places()) {
                assert_eq!(one.player, other.player);
                let is_first_of_ejected = one.is_ejected() && other.place == Some(1);
                assert_eq!(
                    one.place,
                    if is_first_of_ejected { None } else { other.place },
                    "{ways:?} {houses:?}"
                );
                first_by_merit += u32::from(is_first_of_ejected);
            }
        }
        assert!(first_by_merit > 100, "{first_by_merit}");
    }
}
