//! In each level players with similar points meet, and a seat goes to the player who has met the others at its table
//! least often.

use std::cmp::Reverse;

use crate::tournament::progress::{EventProgress, PlayerState};
use crate::tournament::{Standings, TableGame};

use super::in_words::tables;
use super::scheduler::{FormatRules, Scheduler};

/// The invariants of a Swiss event.
pub(super) const RULES: FormatRules = FormatRules {
    usual_seats: 4,
    levels: |players| Some(levels_of(players)),
    in_words: |plan, players| {
        let levels = match levels_of(players) {
            1 => "1 level".to_string(),
            levels => format!("{levels} levels"),
        };
        format!("{} in each of {levels}; those with like points meet", tables(plan, players))
    },
    ..FormatRules::new("swiss", || Box::new(Swiss::default()))
};

/// The points of the winner of a table; the last gets none, and the others are spaced evenly between.
const WINNER_POINTS: i64 = 100;

/// The strength of opponents is counted in parts of a point, so that the mean of a table's is exact enough.
const POINT_FRACTIONS: i64 = 1_000;

/// As many levels as a knockout of so many players would have.
fn levels_of(players: usize) -> u64 {
    u64::from(players.next_power_of_two().trailing_zeros()).max(1)
}

#[derive(Clone, Debug, Default)]
struct Swiss {
    /// The opponents of each player: in each finished level, the others at its table.
    met: Vec<Vec<Vec<usize>>>,
}

impl Scheduler for Swiss {
    fn next_level(&mut self, progress: &mut EventProgress) -> Option<Vec<Vec<usize>>> {
        let players = progress.players.len();
        if progress.is_first_level() {
            self.met = vec![Vec::new(); players];
        }
        let alive = progress.alive();
        if alive.len() < 2 || progress.levels as u64 >= levels_of(players) {
            return None;
        }
        let mut ranked = progress.in_drawn_order(alive);
        // Those with equal points stay as they were drawn.
        ranked.sort_by_key(|player| Reverse(progress.players[*player].match_points));
        Some(self.seated(ranked, progress.plan.seats))
    }

    fn level_over(&mut self, progress: &mut EventProgress, before: &[PlayerState], tables: &[TableGame]) {
        progress.count_chips(before, tables);
        for table in tables {
            count_table(progress, table);
            let players = table.players();
            for player in players {
                let others = players.iter().copied().filter(|other| other != player);
                self.met[*player].push(others.collect());
            }
        }
    }

    fn standings(&self, players: &[PlayerState]) -> Standings {
        let merit = |(index, player): (usize, &PlayerState)| {
            (player.match_points, (self.strength_met(index, players), player.net))
        };
        let merits = players.iter().enumerate().map(merit);
        Standings::by_points(players.iter().map(PlayerState::chips_and_exit), merits)
    }
}

/// Gives the points of a table in a level. A player alone at a table has won.
fn count_table(progress: &mut EventProgress, table: &TableGame) {
    let standings = table.standings();
    let places = standings.places();
    let others = places.len() as i64 - 1;
    for standing in places {
        let beaten = places.iter().filter(|other| other.place > standing.place).count() as i64;
        let tied = places.iter().filter(|other| other.place == standing.place).count() as i64 - 1;
        let points =
            if others == 0 { WINNER_POINTS } else { WINNER_POINTS * (2 * beaten + tied) / (2 * others) };
        progress.players[table.players()[standing.player]].match_points += points;
    }
}

impl Swiss {
    /// How strong those were whom a player has met: the mean points of each table, added up, in parts of a point.
    fn strength_met(&self, player: usize, players: &[PlayerState]) -> i64 {
        let mean = |others: &Vec<usize>| {
            let points: i64 = others.iter().map(|other| players[*other].match_points).sum();
            POINT_FRACTIONS * points / others.len() as i64
        };
        let tables = self.met.get(player).into_iter().flatten();
        tables.filter(|others| !others.is_empty()).map(mean).sum()
    }

    /// How often two players have met.
    fn times_met(&self, one: usize, other: usize) -> u32 {
        self.met[one].iter().filter(|table| table.contains(&other)).count() as u32
    }

    /// How often a player has sat alone.
    fn times_alone(&self, player: usize) -> usize {
        self.met[player].iter().filter(|table| table.is_empty()).count()
    }

    /// Seats these players, the best first, at as few tables as hold them, the larger tables first. Where tables have two seats
    /// and the players are an odd number, the last of those sits alone who did so least often.
    fn seated(&self, mut ranked: Vec<usize>, seats: usize) -> Vec<Vec<usize>> {
        let mut tables = ranked.len().div_ceil(seats);
        let mut alone = None;
        if ranked.len() / tables == 1 {
            alone = ranked.iter().rev().min_by_key(|player| self.times_alone(**player)).copied();
            ranked.retain(|player| Some(*player) != alone);
            tables -= 1;
        }
        let mut seating = Vec::new();
        for left in (1..=tables).rev() {
            let size = ranked.len().div_ceil(left);
            seating.push(self.next_table(&mut ranked, size));
        }
        seating.extend(alone.map(|player| vec![player]));
        seating
    }

    /// Takes the first player and the next ones who have met those at the table least often.
    fn next_table(&self, ranked: &mut Vec<usize>, size: usize) -> Vec<usize> {
        let mut table = vec![ranked.remove(0)];
        while table.len() < size {
            let met = |player: usize| table.iter().map(|other| self.times_met(player, *other)).sum::<u32>();
            let next = (0..ranked.len()).min_by_key(|at| met(ranked[*at])).expect("tables hold everyone");
            table.push(ranked.remove(next));
        }
        table
    }
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;
    use crate::cards::Seed;

    fn pairs(table: &[usize]) -> impl Iterator<Item = (usize, usize)> {
        table.iter().enumerate().flat_map(|(at, one)| table[at + 1..].iter().map(|other| (*one, *other)))
    }

    fn note(swiss: &mut Swiss, seating: &[Vec<usize>]) {
        for table in seating {
            for player in table {
                swiss.met[*player].push(table.iter().copied().filter(|other| other != player).collect());
            }
        }
    }

    fn again(swiss: &Swiss, seating: &[Vec<usize>]) -> u32 {
        seating.iter().flat_map(|table| pairs(table)).map(|(one, other)| swiss.times_met(one, other)).sum()
    }

    proptest! {
        #![proptest_config(ProptestConfig::with_cases(40))]

        /// After any earlier levels: each player sits once, tables are even, byes are spread evenly, and each seat goes
        /// to a remaining player who has met the table least often.
        #[test]
        fn seats_go_to_players_who_have_met_the_table_least(players in 2..=40usize, seats in 2..=6usize, seed in any::<u32>()) {
            let mut swiss = Swiss { met: vec![Vec::new(); players] };
            let mut draw = Seed::chosen(seed.to_string()).stream("ranks");
            for _ in 0..5 {
                let mut ranked: Vec<usize> = (0..players).collect();
                draw.shuffle(&mut ranked);
                let seating = swiss.seated(ranked.clone(), seats);
                let mut everyone = seating.concat();
                everyone.sort_unstable();
                prop_assert_eq!(&everyone, &(0..players).collect::<Vec<_>>());
                let sizes: Vec<usize> = seating.iter().map(Vec::len).collect();
                prop_assert_eq!(sizes.len(), players.div_ceil(seats));
                prop_assert!(sizes.iter().max() <= sizes.iter().min().map(|size| size + 1).as_ref());
                let alone: Vec<usize> = seating.iter().filter(|table| table.len() == 1).map(|table| table[0]).collect();
                let times = |player: &usize| swiss.times_alone(*player);
                prop_assert!(alone.iter().all(|player| Some(times(player)) == everyone.iter().map(times).min()));
                let mut left: Vec<usize> = ranked.into_iter().filter(|player| !alone.contains(player)).collect();
                for table in seating.iter().filter(|table| table.len() > 1) {
                    prop_assert_eq!(table[0], left[0], "the best of those left begins a table");
                    left.remove(0);
                    for at in 1..table.len() {
                        let met = |player: usize| table[..at].iter().map(|other| swiss.times_met(player, *other)).sum::<u32>();
                        let least = left.iter().map(|player| met(*player)).min();
                        let place = left.iter().position(|player| Some(met(*player)) == least);
                        prop_assert_eq!(place.map(|place| left.remove(place)), Some(table[at]));
                    }
                }
                note(&mut swiss, &seating);
            }
        }
    }

    #[test]
    fn those_with_like_points_meet_and_few_meet_again() {
        for (players, seats) in [(30, 2), (31, 2), (30, 3), (30, 4), (64, 4), (100, 4)] {
            let mut swiss = Swiss { met: vec![Vec::new(); players] };
            let first = swiss.seated((0..players).collect(), seats);
            assert!(first.concat().is_sorted(), "nobody has met: the best sit together, and so on down");
            note(&mut swiss, &first);
            let (mut met, mut met_again) = (0, 0);
            for _ in 1..levels_of(players) {
                let seating = swiss.seated((0..players).collect(), seats);
                met += seating.iter().flat_map(|table| pairs(table)).count() as u32;
                met_again += again(&swiss, &seating);
                note(&mut swiss, &seating);
            }
            assert!(
                8 * met_again <= met,
                "{players} players at tables of {seats}: {met_again} of {met} meet again"
            );
        }
    }

    #[test]
    fn a_field_has_the_levels_of_a_bracket() {
        let levels = [2, 3, 4, 5, 8, 9, 30, 100].map(levels_of);
        assert_eq!(levels, [1, 2, 2, 3, 3, 4, 5, 7]);
    }
}
