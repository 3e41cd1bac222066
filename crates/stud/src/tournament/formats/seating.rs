//! How players are spread over tables, by nothing but the seed and the results. `docs/tournaments.md` has them in
//! words.

use crate::cards::Stream;

/// Spreads the players over as few tables as hold them: in their order, so that sizes differ by one at most and the
/// first tables are the larger ones.
pub(super) fn spread(players: &[usize], seats: usize) -> Vec<Vec<usize>> {
    let tables = players.len().div_ceil(seats);
    let mut rest = players;
    let table = |index: usize| {
        let size = players.len() / tables + usize::from(index < players.len() % tables);
        let (seated, others) = rest.split_at(size);
        rest = others;
        seated.to_vec()
    };
    (0..tables).map(table).collect()
}

/// Breaks the last tables as long as fewer hold everyone, and then moves players from the largest to the smallest
/// until sizes differ by one at most. Everyone else stays. When one table is left, its seats are drawn.
pub(super) fn balance(mut tables: Vec<Vec<usize>>, seats: usize, draw: &mut Stream) -> Vec<Vec<usize>> {
    let before = tables.len();
    let wanted = tables.iter().map(Vec::len).sum::<usize>().div_ceil(seats);
    let mut homeless: Vec<usize> = tables.drain(wanted.min(before)..).flatten().collect();
    if wanted == 1 && before > 1 {
        homeless.extend(tables.drain(..).flatten());
        homeless.sort_unstable();
        draw.shuffle(&mut homeless);
        return vec![homeless];
    }
    homeless.sort_unstable();
    draw.shuffle(&mut homeless);
    for player in homeless {
        let smallest = smallest(&tables);
        tables[smallest].push(player);
    }
    loop {
        let (from, to) = (largest(&tables), smallest(&tables));
        let size = tables[from].len();
        if size < tables[to].len() + 2 {
            return tables;
        }
        let seat = draw.below(u32::try_from(size).expect("a table is small")) as usize;
        let player = tables[from].remove(seat);
        tables[to].push(player);
    }
}

fn smallest(tables: &[Vec<usize>]) -> usize {
    (0..tables.len()).min_by_key(|table| tables[*table].len()).expect("there is a table")
}

fn largest(tables: &[Vec<usize>]) -> usize {
    (0..tables.len()).min_by_key(|table| std::cmp::Reverse(tables[*table].len())).expect("there is a table")
}

/// The matches of a bracket's first level: as many players as are over a power of two play, and the first of the
/// order go on without.
pub(super) fn bracket(players: &[usize]) -> Vec<Vec<usize>> {
    let places = players.len().next_power_of_two();
    let byes = places - players.len();
    let mut rest = players.iter().copied();
    (0..places / 2).map(|index| rest.by_ref().take(if index < byes { 1 } else { 2 }).collect()).collect()
}

/// The pairs of opponents in a level (from 0) of a round robin of this many, by places in the pod: the first place stays and
/// the others go round. In an odd pod one player rests.
pub(super) fn pairs(players: usize, level: usize) -> Vec<(usize, usize)> {
    let places = players + players % 2;
    if level + 1 >= places {
        return Vec::new();
    }
    let round = places - 1;
    let place = |index: usize| if index == 0 { 0 } else { 1 + (index - 1 + level) % round };
    (0..places / 2)
        .map(|index| (place(index), place(places - 1 - index)))
        .filter(|(one, other)| *one < players && *other < players)
        .collect()
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::cards::Seed;
    use proptest::prelude::*;
    use std::collections::BTreeSet;

    fn sizes_are_even(tables: &[Vec<usize>]) -> bool {
        let sizes = || tables.iter().map(Vec::len);
        sizes().max().unwrap_or(0) <= sizes().min().unwrap_or(0) + 1
    }

    fn everyone(tables: &[Vec<usize>]) -> Vec<usize> {
        let mut all: Vec<usize> = tables.iter().flatten().copied().collect();
        all.sort_unstable();
        all
    }

    proptest! {
        #[test]
        fn players_are_spread_evenly(players in 2..300usize, seats in 2..=17usize) {
            let all: Vec<usize> = (0..players).collect();
            let tables = spread(&all, seats);
            prop_assert_eq!(everyone(&tables), all);
            prop_assert!(sizes_are_even(&tables));
            prop_assert_eq!(tables.len(), players.div_ceil(seats));
            prop_assert!(tables.iter().all(|table| table.len() <= seats));
        }

        /// With exits anywhere, no player is lost or doubled, tables are as few and as even as possible, and players
        /// stay at a table that remains and is not too large.
        #[test]
        fn tables_are_balanced_and_broken(
            players in 2..300usize, seats in 2..=17usize, leave in prop::collection::vec(any::<bool>(), 300), seed in any::<u64>(),
        ) {
            let all: Vec<usize> = (0..players).collect();
            let mut tables = spread(&all, seats);
            tables.iter_mut().for_each(|table| table.retain(|player| !leave[*player]));
            let left = everyone(&tables);
            prop_assume!(left.len() >= 2);
            let draw = || Seed::chosen(seed.to_string()).stream("level 2");
            let balanced = balance(tables.clone(), seats, &mut draw());
            prop_assert_eq!(everyone(&balanced), left.clone());
            prop_assert!(sizes_are_even(&balanced));
            prop_assert_eq!(balanced.len(), left.len().div_ceil(seats));
            prop_assert!(balanced.iter().all(|table| table.len() <= seats));
            prop_assert_eq!(&balanced, &balance(tables.clone(), seats, &mut draw()));
            if balanced.len() > 1 {
                let most = balanced.iter().map(Vec::len).max().unwrap_or(0);
                for (before, after) in tables.iter().zip(&balanced) {
                    if before.len() < most {
                        prop_assert!(after.starts_with(before));
                    }
                }
            }
        }

        #[test]
        fn a_bracket_has_byes_only_in_its_first_level(players in 2..300usize) {
            let all: Vec<usize> = (0..players).collect();
            let matches = bracket(&all);
            prop_assert_eq!(everyone(&matches), all);
            prop_assert!(matches.len().is_power_of_two());
            prop_assert!(matches.iter().all(|players| !players.is_empty() && players.len() <= 2));
        }
    }

    #[test]
    fn round_robin_pairs_meet_once_and_play_once_a_level() {
        for players in 2..=17 {
            let mut met = BTreeSet::new();
            for level in 0..players + players % 2 - 1 {
                let mut busy = BTreeSet::new();
                for (one, other) in pairs(players, level) {
                    assert!(busy.insert(one) && busy.insert(other), "{players} players, level {level}");
                    assert!(met.insert((one.min(other), one.max(other))), "{one} has met {other}");
                }
            }
            assert_eq!(met.len(), players * (players - 1) / 2);
            assert!(pairs(players, players + players % 2 - 1).is_empty());
        }
    }
}
