//! The stacks over the rounds, never more than a screen can show.

use serde::Serialize;

use crate::stud::Chips;

/// The most points that are kept of the players of one table.
const MAX_POINTS: usize = 512;

/// The most stacks in all points together: a viewer who comes late gets them all at once.
const MAX_STACKS: usize = 9_000;

/// All stacks after a round.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct Point {
    /// The round, from 1; 0 is the start.
    pub round: u64,
    /// The stacks in seat order, in chips.
    pub stacks: Vec<Chips>,
}

/// A point for each `stride` rounds, and the newest point of any round.
///
/// The rounds are divided into intervals of `stride` rounds, and the first point of each interval is kept: with a point
/// for every round, these are the rounds 0, `stride`, 2 × `stride` and so on. When there are too many points, the
/// stride is doubled, and points that are no longer the first of their interval are dropped. The newest point stays as
/// a provisional end until a newer one comes. Memory is bounded for any sequence of rounds, with gaps of any size, in
/// any order.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct Race {
    stride: u64,
    points: Vec<Point>,
    /// The most points that are kept, the provisional end not counted.
    #[serde(skip)]
    most: usize,
}

impl Default for Race {
    fn default() -> Race {
        Race { stride: 1, points: Vec::new(), most: MAX_POINTS }
    }
}

impl Race {
    /// A race of this many players: the more, the fewer points.
    pub fn of(players: usize) -> Race {
        Race { most: (MAX_STACKS / players.max(1)).clamp(8, MAX_POINTS), ..Race::default() }
    }

    /// A race that begins with these stacks: the point of round 0 is there and stays.
    pub fn from_start(stacks: Vec<Chips>) -> Race {
        Race { points: vec![Point { round: 0, stacks: stacks.clone() }], ..Race::of(stacks.len()) }
    }

    /// How many rounds there are from one point to the next.
    pub fn stride(&self) -> u64 {
        self.stride
    }

    /// Whether a point of this round would be kept for more than a provisional end.
    #[inline]
    pub fn wants(&self, round: u64) -> bool {
        self.points.last().is_none_or(|last| round / self.stride > last.round / self.stride)
    }

    /// Takes a point: for good if it is the first of its stretch, otherwise as the provisional end. A point of the
    /// newest round takes that point's place; older ones are ignored. At most the last point goes or changes, except
    /// where the stride is doubled.
    pub fn push(&mut self, point: Point) {
        let last = self.points.last();
        if last.is_some_and(|last| last.round > point.round || *last == point) {
            return;
        }
        if last.is_some_and(|last| last.round == point.round) || self.end_is_provisional() {
            self.points.pop();
        }
        self.points.push(point);
        while self.lasting() > self.most {
            self.thin();
        }
    }

    /// Makes this the same as another race, which may be the same one some points later. Returns from which place of
    /// [`points`](Race::points) on they are others than before, `None` if they are the same; another stride changes all.
    pub fn follow(&mut self, newer: &Race) -> Option<usize> {
        let alike = self.points.iter().zip(&newer.points).take_while(|(old, new)| old == new).count();
        let same = if self.stride == newer.stride { alike } else { 0 };
        if (same, same) == (self.points.len(), newer.points.len()) {
            return None;
        }
        self.points.truncate(same);
        self.points.extend_from_slice(&newer.points[same..]);
        (self.stride, self.most) = (newer.stride, newer.most);
        Some(same)
    }

    /// The points, by round.
    pub fn points(&self) -> &[Point] {
        &self.points
    }

    /// Whether the last point shares its stretch with the one before.
    fn end_is_provisional(&self) -> bool {
        match self.points.as_slice() {
            [.., before, last] => before.round / self.stride == last.round / self.stride,
            _ => false,
        }
    }

    /// How many points stay.
    fn lasting(&self) -> usize {
        self.points.len() - usize::from(self.end_is_provisional())
    }

    /// Doubles the stride. The first of each stretch stays, and the newest point. At 2^63 only two stretches are left, and
    /// at least eight points are kept: the stride cannot overflow.
    fn thin(&mut self) {
        self.stride *= 2;
        let (stride, newest) = (self.stride, self.points.last().map(|point| point.round));
        let mut stretch = None;
        self.points.retain(|point| {
            let first = stretch.replace(point.round / stride) != Some(point.round / stride);
            first || Some(point.round) == newest
        });
    }
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    fn rounds(race: &Race) -> Vec<u64> {
        race.points().iter().map(|point| point.round).collect()
    }

    #[test]
    fn ten_million_rounds_are_reduced_to_a_few_hundred_points() {
        let mut race = Race::from_start(vec![500; 4]);
        for round in 1..=10_000_000_u64 {
            race.push(Point { round, stacks: vec![round as Chips; 4] });
        }
        let rounds = rounds(&race);
        let (newest, even) = rounds.split_last().unwrap();
        assert_eq!(*newest, 10_000_000);
        assert!((MAX_POINTS / 2..=MAX_POINTS).contains(&even.len()), "{}", even.len());
        let expected: Vec<u64> = (0..even.len() as u64).map(|at| at * race.stride()).collect();
        assert_eq!(even, expected, "round 0 is the first, and the points are even");
        assert!(newest - even.last().unwrap() <= race.stride());
    }

    #[test]
    fn followers_receive_one_point_a_round_and_few_full_races() {
        let mut race = Race::from_start(vec![500; 4]);
        let (mut copy, mut sent) = (race.clone(), 0);
        for round in 1..=50_000_u64 {
            race.push(Point { round, stacks: vec![round as Chips; 4] });
            sent += race.points().len() - copy.follow(&race).expect("a new round changes the points");
        }
        assert_eq!(copy, race);
        assert!(sent < 55_000, "{sent}");
    }

    #[test]
    fn the_race_of_200_players_over_100000_rounds_is_bounded() {
        let mut race = Race::from_start(vec![500; 200]);
        for round in (0..u64::from(u32::MAX)).step_by(40_000) {
            race.push(Point { round, stacks: vec![1; 200] });
            assert!(race.points().len() <= MAX_STACKS / 200 + 1);
        }
        assert_eq!(race.points()[0].round, 0);
    }

    #[test]
    fn the_newest_point_is_replaced_by_a_newer_one() {
        let mut race = Race { stride: 4, ..Race::from_start(vec![9]) };
        for (round, from, after) in [
            (1, Some(1), vec![0, 1]),
            (2, Some(1), vec![0, 2]),
            (2, None, vec![0, 2]),
            (1, None, vec![0, 2]),
            (4, Some(1), vec![0, 4]),
            (5, Some(2), vec![0, 4, 5]),
            // Round 8 has no point: the first point of its interval represents it.
            (9, Some(2), vec![0, 4, 9]),
            (10, Some(3), vec![0, 4, 9, 10]),
            (12, Some(3), vec![0, 4, 9, 12]),
        ] {
            let mut before = race.clone();
            race.push(Point { round, stacks: vec![9] });
            assert_eq!(before.follow(&race), from, "round {round}");
            assert_eq!(rounds(&race), after, "round {round}");
        }
        let corrected = Point { round: 12, stacks: vec![8] };
        let mut before = race.clone();
        race.push(corrected.clone());
        assert_eq!(before.follow(&race), Some(3), "the newest round again, with other stacks");
        assert_eq!(race.points()[3], corrected);
    }

    /// Rounds as they come on a good day and on a bad one: one by one, repeated, backwards, and far away.
    fn steps() -> impl Strategy<Value = Vec<u64>> {
        let step = prop_oneof![
            6 => Just(1_u64),
            2 => 0..50_u64,
            1 => any::<u64>(),
            1 => any::<u32>().prop_map(u64::from),
            1 => Just(u64::MAX),
        ];
        prop::collection::vec(step, 1..3_000)
    }

    proptest! {
        #![proptest_config(ProptestConfig::with_cases(60))]

        #[test]
        fn any_race_is_bounded_evenly_spaced_and_followed(
            players in 1..2_000_usize,
            steps in steps(),
        ) {
            let mut race = Race::from_start(vec![500; players.min(3)]);
            race.most = Race::of(players).most;
            let (mut copy, mut newest) = (race.clone(), 0_u64);
            for (at, step) in steps.into_iter().enumerate() {
                // Mostly from the newest round upwards; overflow wraps around to the beginning.
                let round = newest.wrapping_add(step);
                let point = Point { round, stacks: vec![at as Chips; players.min(3)] };
                race.push(point.clone());
                let from = copy.follow(&race);
                prop_assert_eq!(&copy, &race);
                prop_assert_eq!(from.is_none(), round < newest);
                newest = newest.max(round);
                if from.is_some() {
                    prop_assert_eq!(race.points().last(), Some(&point));
                }
                let rounds = rounds(&race);
                prop_assert!(rounds.len() <= race.most + 1);
                prop_assert_eq!(rounds[0], 0);
                prop_assert!(rounds.windows(2).all(|pair| pair[0] < pair[1]));
                let lasting = &rounds[..race.lasting()];
                let stride = race.stride();
                prop_assert!(lasting.windows(2).all(|pair| pair[0] / stride < pair[1] / stride));
            }
        }
    }
}
