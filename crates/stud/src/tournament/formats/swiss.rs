//! In each level those with like points meet, and nobody meets the same player again while that can be avoided.

use std::cmp::Reverse;

use crate::tournament::progress::{EventProgress, PlayerState};
use crate::tournament::{Standings, TableGame};

use super::in_words::tables;
use super::scheduler::{FormatRules, Scheduler};

/// What is always the same about a Swiss event.
pub(super) const RULES: FormatRules = FormatRules {
    usual_seats: 4,
    forgives: true,
    levels: |_, players| Some(levels_of(players)),
    in_words: |plan, players| {
        let levels = match levels_of(players) {
            1 => "1 level".to_string(),
            levels => format!("{levels} levels"),
        };
        format!("{} in each of {levels}; those with like points meet", tables(plan, players))
    },
    ..FormatRules::new("swiss", || Box::new(Swiss::default()))
};

/// The points of who wins a table; the last there has none, and the others stand evenly between.
const WON: i64 = 100;

/// The strength of opponents is counted in parts of a point, so that the mean of a table's is exact enough.
const PARTS: i64 = 1_000;

/// For so many players the best seating is looked for: as many as a word has bits, and some less.
const SEARCHED: usize = 60;

/// In how many steps it is looked for. What is best by then is taken.
const STEPS: u32 = 100_000;

/// As many levels as a knockout of so many players has.
fn levels_of(players: usize) -> u64 {
    u64::from(players.next_power_of_two().trailing_zeros()).max(1)
}

#[derive(Clone, Debug, Default)]
struct Swiss {
    /// Whom each player has met: in each level that is over the others at its table.
    met: Vec<Vec<Vec<usize>>>,
}

impl Scheduler for Swiss {
    fn next_level(&mut self, progress: &mut EventProgress) -> Option<Vec<Vec<usize>>> {
        let players = progress.players().len();
        if progress.is_first_level() {
            self.met = vec![Vec::new(); players];
        }
        let alive = progress.alive();
        if alive.len() < 2 || progress.levels_begun() as u64 >= levels_of(players) {
            return None;
        }
        let mut ranked = progress.in_drawn_order(alive);
        // Those with equal points stay as they were drawn.
        ranked.sort_by_key(|player| Reverse(progress.players()[*player].match_points));
        Some(self.seated(ranked, progress.seats))
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

/// Gives the points of a table in a level. Who sits alone has won.
fn count_table(progress: &mut EventProgress, table: &TableGame) {
    let standings = table.standings();
    let places = standings.places();
    let others = places.len() as i64 - 1;
    for standing in places {
        let beaten = places.iter().filter(|other| other.place > standing.place).count() as i64;
        let tied = places.iter().filter(|other| other.place == standing.place).count() as i64 - 1;
        let points = if others == 0 { WON } else { WON * (2 * beaten + tied) / (2 * others) };
        progress.player_mut(table.players()[standing.player]).match_points += points;
    }
}

impl Swiss {
    /// How strong those were whom a player has met: the mean points of each table, added up, in parts of a point.
    fn strength_met(&self, player: usize, players: &[PlayerState]) -> i64 {
        let mean = |others: &Vec<usize>| {
            let points: i64 = others.iter().map(|other| players[*other].match_points).sum();
            PARTS * points / others.len() as i64
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

    /// Seats these players, the best first, at as few tables as hold them. Where tables have two seats and the players
    /// are an odd number, the last of those sits alone who did so least often.
    fn seated(&self, mut ranked: Vec<usize>, seats: usize) -> Vec<Vec<usize>> {
        let tables = ranked.len().div_ceil(seats);
        let mut alone = None;
        if ranked.len() / tables == 1 {
            let last = ranked.iter().rev().min_by_key(|player| self.times_alone(**player)).copied();
            ranked.retain(|player| Some(*player) != last);
            alone = last;
        }
        let mut sizes = Sizes::of(ranked.len(), tables - usize::from(alone.is_some()));
        let mut seating = Vec::new();
        // From a great field table after table is filled, and only the last players are looked at all together.
        while ranked.len() > SEARCHED {
            seating.push(self.first_table(&mut ranked, sizes.take()));
        }
        seating.extend(self.best(&ranked, sizes));
        seating.extend(alone.map(|player| vec![player]));
        seating
    }

    /// The first player and the next ones whom none of them has met, or has met least often.
    fn first_table(&self, ranked: &mut Vec<usize>, size: usize) -> Vec<usize> {
        let mut table = vec![ranked.remove(0)];
        while table.len() < size {
            let met = |player: &usize| table.iter().map(|other| self.times_met(*player, *other)).sum::<u32>();
            let next = match ranked.iter().position(|player| met(player) == 0) {
                Some(unmet) => unmet,
                None => (0..ranked.len()).min_by_key(|at| met(&ranked[*at])).expect("tables hold everyone"),
            };
            table.push(ranked.remove(next));
        }
        table
    }

    /// The seating of these players with the fewest who meet again, of those that were looked at.
    fn best(&self, ranked: &[usize], sizes: Sizes) -> Vec<Vec<usize>> {
        let row = |one: &usize| ranked.iter().map(|other| self.times_met(*one, *other)).collect();
        let met: Vec<Vec<u32>> = ranked.iter().map(row).collect();
        let (mut rest, mut left, mut first) = (ranked.to_vec(), sizes, Vec::new());
        while !rest.is_empty() {
            first.push(self.first_table(&mut rest, left.take()));
        }
        let place = |player: usize| ranked.iter().position(|other| *other == player).expect("all are ranked");
        let places = |table: Vec<usize>| table.into_iter().map(place).collect();
        let first: Vec<Vec<usize>> = first.into_iter().map(places).collect();
        let first = exchanged(first, &met);
        let mut search =
            Search { most: cost_of(&first, &met), best: first, met, steps: STEPS, tables: Vec::new() };
        search.seat((1 << ranked.len()) - 1, sizes, 0);
        let players = |table: Vec<usize>| table.into_iter().map(|place| ranked[place]).collect();
        search.best.into_iter().map(players).collect()
    }
}

/// How many tables of which size are left to be filled.
#[derive(Clone, Copy, Debug)]
struct Sizes {
    /// The seats of a smaller table.
    seats: usize,
    /// How many tables have a seat more.
    larger: usize,
    smaller: usize,
}

impl Sizes {
    /// The sizes of so many tables that hold so many players and differ by one at most.
    fn of(players: usize, tables: usize) -> Sizes {
        let seats = players / tables.max(1);
        let larger = players - seats * tables;
        Sizes { seats, larger, smaller: tables - larger }
    }

    /// The size of the next table: the larger ones come first.
    fn take(&mut self) -> usize {
        let (size, left) = self.next().next().expect("tables are left where players are");
        *self = left;
        size
    }

    /// Each size that the next table can have, and what is left then.
    fn next(self) -> impl Iterator<Item = (usize, Sizes)> {
        let Sizes { seats, larger, smaller } = self;
        let one_more = larger.checked_sub(1).map(|larger| (seats + 1, Sizes { larger, ..self }));
        let exactly = smaller.checked_sub(1).map(|smaller| (seats, Sizes { smaller, ..self }));
        one_more.into_iter().chain(exactly)
    }
}

/// How often those who sit together have met before.
fn cost_of(tables: &[Vec<usize>], met: &[Vec<u32>]) -> u32 {
    let mut cost = 0;
    for table in tables {
        for (at, one) in table.iter().enumerate() {
            cost += table[at + 1..].iter().map(|other| met[*one][*other]).sum::<u32>();
        }
    }
    cost
}

/// The same tables after players at two of them have changed places as long as fewer meet again by it: each time those by whom
/// most is gained, and of several the two who are ranked nearest to each other.
fn exchanged(mut tables: Vec<Vec<usize>>, met: &[Vec<u32>]) -> Vec<Vec<usize>> {
    while let Some(((at, seat), (other, place))) = best_exchange(&tables, met) {
        let player = tables[at][seat];
        tables[at][seat] = std::mem::replace(&mut tables[other][place], player);
    }
    tables
}

/// The table and the seat of each of two players by whose exchange most is gained; `None` if nothing is by any.
fn best_exchange(tables: &[Vec<usize>], met: &[Vec<u32>]) -> Option<((usize, usize), (usize, usize))> {
    let again = |player: usize, table: &[usize], without: usize| {
        let others = table.iter().filter(|other| **other != without);
        others.map(|other| i64::from(met[player][*other])).sum::<i64>()
    };
    let seats = |from: usize| {
        let tables = tables.iter().enumerate().skip(from);
        tables.flat_map(|(at, table)| (0..table.len()).map(move |seat| (at, seat)))
    };
    let exchange = |((at, seat), (other, place)): ((usize, usize), (usize, usize))| {
        let (mine, theirs) = (&tables[at], &tables[other]);
        let (one, two) = (mine[seat], theirs[place]);
        let now = again(one, mine, one) + again(two, theirs, two);
        let then = again(one, theirs, two) + again(two, mine, one);
        (then - now, one.abs_diff(two), ((at, seat), (other, place)))
    };
    let all = seats(0).flat_map(|one| seats(one.0 + 1).map(move |other| (one, other)));
    let best = all.map(exchange).filter(|(gain, ..)| *gain < 0).min();
    best.map(|(.., exchange)| exchange)
}

/// Looks for the seating in which the fewest meet again, by places among the ranked players. Each table begins with the
/// best player who has no seat yet, so that no seating is looked at twice.
struct Search {
    /// How often each two have met.
    met: Vec<Vec<u32>>,
    best: Vec<Vec<usize>>,
    /// The cost of the best seating so far.
    most: u32,
    /// How many steps may still be taken.
    steps: u32,
    /// The tables that are filled, the last one perhaps in part.
    tables: Vec<Vec<usize>>,
}

impl Search {
    /// Seats the players of these bits at tables of these sizes, where what has been seated costs so much.
    fn seat(&mut self, open: u64, sizes: Sizes, cost: u32) {
        if cost >= self.most {
            return;
        }
        if open == 0 {
            (self.best, self.most) = (self.tables.clone(), cost);
            return;
        }
        let first = open.trailing_zeros() as usize;
        for (size, left) in sizes.next() {
            self.tables.push(vec![first]);
            self.fill(open & !(1 << first), (size - 1, left), cost);
            self.tables.pop();
        }
    }

    /// Fills the last table with so many more players, and then seats all others.
    fn fill(&mut self, open: u64, (missing, sizes): (usize, Sizes), cost: u32) {
        if missing == 0 {
            return self.seat(open, sizes, cost);
        }
        let last = self.tables.last().and_then(|table| table.last()).copied().unwrap_or(0);
        let mut later = open & (u64::MAX << last);
        while later != 0 && self.steps > 0 && self.most > cost {
            let next = later.trailing_zeros() as usize;
            later &= later - 1;
            self.steps -= 1;
            let table = self.tables.last_mut().expect("a table has begun");
            let again: u32 = table.iter().map(|other| self.met[next][*other]).sum();
            table.push(next);
            self.fill(open & !(1 << next), (missing - 1, sizes), cost + again);
            self.tables.last_mut().expect("it is the same table").pop();
        }
    }
}

#[cfg(test)]
mod tests {
    use std::collections::BTreeSet;

    use proptest::prelude::*;

    use super::*;
    use crate::cards::Seed;

    /// The fewest who can meet again, by going through all seatings at tables of these sizes.
    fn fewest_again(swiss: &Swiss, players: &[usize], sizes: &[usize]) -> u32 {
        let Some((first, others)) = players.split_first() else { return 0 };
        let mut fewest = u32::MAX;
        for size in sizes.iter().copied().collect::<BTreeSet<usize>>() {
            let mut left = sizes.to_vec();
            left.remove(left.iter().position(|other| *other == size).unwrap());
            for chosen in (0u32..1 << others.len()).filter(|chosen| chosen.count_ones() as usize == size - 1)
            {
                let is_chosen = |at: &usize| chosen >> at & 1 == 1;
                let (with, without): (Vec<usize>, Vec<usize>) = (0..others.len()).partition(is_chosen);
                let table: Vec<usize> =
                    [*first].into_iter().chain(with.iter().map(|at| others[*at])).collect();
                let rest: Vec<usize> = without.iter().map(|at| others[*at]).collect();
                let here: u32 = pairs(&table).map(|(one, other)| swiss.times_met(one, other)).sum();
                fewest = fewest.min(here + fewest_again(swiss, &rest, &left));
            }
        }
        fewest
    }

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

        /// Whatever came of the levels before: everybody sits once, tables are even, and in a small field no seating
        /// lets fewer meet again.
        #[test]
        fn as_few_meet_again_as_can_be(players in 2..=9usize, seats in 2..=6usize, seed in any::<u32>()) {
            let mut swiss = Swiss { met: vec![Vec::new(); players] };
            let mut draw = Seed::chosen(seed.to_string()).stream("ranks");
            for _ in 0..5 {
                let mut ranked: Vec<usize> = (0..players).collect();
                draw.shuffle(&mut ranked);
                let seating = swiss.seated(ranked.clone(), seats);
                prop_assert_eq!(&seating, &swiss.seated(ranked, seats), "nothing else decides");
                let mut everyone = seating.concat();
                everyone.sort_unstable();
                prop_assert_eq!(&everyone, &(0..players).collect::<Vec<_>>());
                let sizes: Vec<usize> = seating.iter().map(Vec::len).collect();
                prop_assert_eq!(sizes.len(), players.div_ceil(seats));
                prop_assert!(sizes.iter().max() <= sizes.iter().min().map(|size| size + 1).as_ref());
                let alone: Vec<usize> = seating.iter().filter(|table| table.len() == 1).map(|table| table[0]).collect();
                let times = |player: &usize| swiss.times_alone(*player);
                prop_assert!(alone.iter().all(|player| Some(times(player)) == everyone.iter().map(times).min()));
                let together: Vec<usize> = everyone.into_iter().filter(|player| !alone.contains(player)).collect();
                let sizes: Vec<usize> = sizes.into_iter().filter(|size| *size > 1).collect();
                prop_assert_eq!(again(&swiss, &seating), fewest_again(&swiss, &together, &sizes));
                note(&mut swiss, &seating);
            }
        }
    }

    #[test]
    fn those_with_like_points_meet_and_in_a_great_field_nobody_twice() {
        for (players, seats) in [(30, 2), (31, 2), (30, 3), (30, 4), (64, 4), (100, 4)] {
            let mut swiss = Swiss { met: vec![Vec::new(); players] };
            let first = swiss.seated((0..players).collect(), seats);
            assert!(first.concat().is_sorted(), "nobody has met: the best sit together, and so on down");
            note(&mut swiss, &first);
            for _ in 1..levels_of(players) {
                let seating = swiss.seated((0..players).collect(), seats);
                assert_eq!(again(&swiss, &seating), 0, "{players} players at tables of {seats}");
                note(&mut swiss, &seating);
            }
        }
    }

    #[test]
    fn a_field_has_as_many_levels_as_a_knockout() {
        let levels = [2, 3, 4, 5, 8, 9, 30, 100].map(levels_of);
        assert_eq!(levels, [1, 2, 2, 3, 3, 4, 5, 7]);
    }
}
