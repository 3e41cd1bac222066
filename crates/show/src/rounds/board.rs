//! The public state of a tournament as a whole: its terms and standings.

use std::collections::BTreeMap;

use serde::Serialize;

use casino_stud::cards::Seed;
use casino_stud::journal::{Header, Occasion};
use casino_stud::stud::Chips;
use casino_stud::table::OnFoul;
use casino_stud::tournament::{Exit, Placing, Standing, Standings};

/// The constant part of a tournament, except for the seed.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize)]
#[cfg_attr(test, derive(ts_rs::TS))]
pub struct TournamentInfo {
    /// The number of the tournament in the day, from 1.
    pub number: u32,
    /// The names in seat order.
    pub players: Vec<String>,
    /// The chips of each player at the start.
    pub stack: Chips,
    /// The most rounds that are played, if there is a limit.
    pub rounds: Option<u64>,
    /// Whether a foul costs the hand only.
    pub rehearsal: bool,
    /// The SHA-256 of the seed, if the seed was drawn.
    pub promise: Option<String>,
    /// The seed, once it is revealed.
    pub seed: Option<String>,
    /// Title, place and date.
    #[serde(default, skip_serializing_if = "Occasion::is_empty")]
    #[cfg_attr(test, ts(type = "Occasion"))]
    pub occasion: Occasion,
    /// The house bots among the players, and the ranked players.
    #[serde(default, rename = "house", skip_serializing_if = "marks_no_player")]
    #[cfg_attr(test, ts(type = "number[]"))]
    pub placing: Placing,
}

fn marks_no_player(placing: &Placing) -> bool {
    placing.house_bots().next().is_none()
}

impl TournamentInfo {
    /// The `number`th tournament of a day, from 1, before its first round.
    pub fn new(header: &Header, seed: &Seed, number: u32) -> TournamentInfo {
        TournamentInfo {
            number,
            players: header.roster().into_iter().map(|player| player.name).collect(),
            stack: header.terms.stack,
            rounds: header.terms.rounds,
            rehearsal: header.terms.conduct.on_foul == OnFoul::Fold,
            promise: seed.promise(),
            seed: None,
            occasion: header.occasion.clone(),
            placing: header.placing(),
        }
    }
}

impl TournamentInfo {
    /// A player of this name comes in late, after all others.
    pub fn enter(&mut self, name: String) {
        self.placing.enter(self.players.len());
        self.players.push(name);
    }
}

/// A row of the standings.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
#[cfg_attr(test, derive(ts_rs::TS))]
pub struct BoardRow {
    /// The seat, from 1.
    pub seat: usize,
    /// The place, from 1; may be shared. `None` for a house bot that has none among others.
    pub place: Option<usize>,
    /// The chips of the player.
    pub chips: Chips,
    /// The score instead of chips, in formats that have one.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub points: Option<i64>,
    /// The round in which the player left.
    pub left_in_round: Option<u64>,
    /// Why the player left.
    pub why: Option<String>,
    /// The player's forgiven fouls in a rehearsal: the number of each kind, and the round of the first.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub fouls: Option<String>,
}

impl ExitRank {
    /// Of all players who are out.
    pub fn all(standings: &Standings) -> impl Iterator<Item = (usize, ExitRank)> {
        let rank = |exit: &Exit| ExitRank { after_round: exit.after_round, began_with: exit.began_with };
        standings.places().iter().filter_map(move |row| Some((row.player, rank(row.exit.as_ref()?))))
    }
}

impl BoardRow {
    /// The rows of all players, first place first.
    pub fn all(standings: &Standings) -> Vec<BoardRow> {
        let row = |standing: &Standing| BoardRow {
            seat: standing.player + 1,
            place: standing.place,
            chips: standing.chips,
            points: standing.points,
            left_in_round: standing.exit.as_ref().map(|exit| exit.round),
            why: standing.exit.as_ref().map(|exit| exit.why.in_public()),
            fouls: (!standing.fouls.is_empty()).then(|| standing.fouls.to_string()),
        };
        standings.places().iter().map(row).collect()
    }
}

/// The tie-break of players who left in the same round, the later place first (R20).
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, PartialOrd, Ord)]
pub struct ExitRank {
    /// Whether the player lived to the end of the round, and could not pay the next ante.
    pub after_round: bool,
    /// The stack with which it began the round, in chips.
    pub began_with: Chips,
}

/// Sorts the rows: by the format's score, or by R20. Unranked players get no place. `exits` has the players who left,
/// 0-based.
pub fn rank(rows: &mut [BoardRow], exits: &BTreeMap<usize, ExitRank>) {
    if rows.iter().any(|row| row.points.is_some()) {
        // Points change with the level, and the places with them.
        return;
    }
    let merit = |row: &BoardRow| match row.left_in_round {
        None => (u64::MAX, ExitRank { after_round: false, began_with: row.chips }),
        Some(round) => (round, exits.get(&(row.seat - 1)).copied().unwrap_or_default()),
    };
    rows.sort_by_key(|row| (std::cmp::Reverse(merit(row)), row.seat));
    let (mut placed, mut last) = (0, None);
    for row in rows.iter_mut().filter(|row| row.place.is_some()) {
        placed += 1;
        let merit = merit(row);
        row.place = match last {
            Some((before, place)) if before == merit => place,
            _ => Some(placed),
        };
        last = Some((merit, row.place));
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn players_unable_to_ante_leave_after_the_other_exits() {
        let row = |seat, left_in_round| BoardRow {
            seat,
            place: Some(1),
            chips: 0,
            points: None,
            left_in_round,
            why: None,
            fouls: None,
        };
        let mut rows = [row(1, Some(24)), row(2, None), row(3, Some(24)), row(4, Some(24))];
        let exit = |after_round, began_with| ExitRank { after_round, began_with };
        rank(&mut rows, &BTreeMap::from([(0, exit(true, 5)), (2, exit(false, 9)), (3, exit(true, 5))]));
        assert_eq!(
            rows.map(|row| (row.seat, row.place)),
            [(2, Some(1)), (1, Some(2)), (4, Some(2)), (3, Some(4))]
        );
    }
}
