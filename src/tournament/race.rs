//! The stacks over the rounds, never more than a screen can show.

use serde::Serialize;

use crate::stud::Chips;

/// The most points that are kept of the players of one table.
const MOST: usize = 512;

/// The most stacks in all points together: a viewer who comes late gets them all at once.
const STACKS: usize = 9_000;

/// All stacks after a round.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct Point {
    /// The round, from 1; 0 is the start.
    pub round: u64,
    /// The stacks in seat order, in chips.
    pub stacks: Vec<Chips>,
}

/// Points of every `stride`-th round. Whenever there are too many, every other one goes.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct Race {
    stride: u64,
    points: Vec<Point>,
    /// The most points that are kept.
    #[serde(skip)]
    most: usize,
}

impl Default for Race {
    fn default() -> Race {
        Race { stride: 1, points: Vec::new(), most: MOST }
    }
}

impl Race {
    /// A race of this many players: the more, the fewer points.
    pub fn of(players: usize) -> Race {
        Race { most: (STACKS / players.max(1)).clamp(8, MOST), ..Race::default() }
    }

    /// Whether a point of this round would be kept.
    #[inline]
    pub fn wants(&self, round: u64) -> bool {
        round.is_multiple_of(self.stride)
    }

    /// Keeps a point. The last point of all is kept whatever its round.
    pub fn push(&mut self, point: Point) {
        if self.points.last().is_some_and(|last| last.round >= point.round) {
            return;
        }
        self.points.push(point);
        if self.points.len() > self.most {
            self.stride *= 2;
            let stride = self.stride;
            self.points.retain(|point| point.round.is_multiple_of(stride));
        }
    }

    /// The points, by round.
    pub fn points(&self) -> &[Point] {
        &self.points
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_million_rounds_leave_a_few_hundred_even_points() {
        let mut race = Race::default();
        for round in 0..1_000_000 {
            if race.wants(round) {
                race.push(Point { round, stacks: vec![round as Chips] });
            }
        }
        let rounds: Vec<u64> = race.points().iter().map(|point| point.round).collect();
        assert!((MOST / 2..=MOST).contains(&rounds.len()), "{}", rounds.len());
        assert!(rounds.windows(2).all(|pair| pair[1] - pair[0] == race.stride), "{rounds:?}");
        race.push(Point { round: 7, stacks: vec![] });
        assert_eq!(race.points().len(), rounds.len(), "an old point changes nothing");
    }
}
