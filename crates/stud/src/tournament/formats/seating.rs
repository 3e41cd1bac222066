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

#[cfg(test)]
mod tests {
    use super::*;
    use crate::cards::Seed;
    use proptest::prelude::*;

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
    }
}
