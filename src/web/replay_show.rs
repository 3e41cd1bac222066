//! A recorded tournament that plays itself in a given time, directed by the rule of the live page.

use std::time::Duration;

use serde::Serialize;

use super::director::{Director, Scene, Shot};
use super::time_budget::{Remaining, TimeBudget};

/// What the director looks at of a recorded round at one table.
#[derive(Clone, Copy, Debug)]
pub(super) struct RecordedScene {
    pub(super) round: u64,
    /// The table, from 1.
    pub(super) table: u32,
    /// How long it is shown at the usual pace.
    pub(super) takes: Duration,
    pub(super) score: u32,
    /// How many players left in it.
    pub(super) exits: usize,
}

/// A round of the replay, and how long it is shown.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize)]
pub(super) struct ReplayShot {
    /// The place of the round among those on the page, from 1.
    round: u64,
    /// How long it is shown, in milliseconds.
    ms: u64,
    /// Whether it is shown step by step; otherwise only its end is.
    detail: bool,
}

/// What is shown of these rounds, which are in the order of the journal, in this time.
pub(super) fn programme(rounds: &[RecordedScene], total: Duration) -> Vec<ReplayShot> {
    let sets: Vec<&[RecordedScene]> = rounds.chunk_by(|one, other| one.round == other.round).collect();
    let remaining =
        Remaining { rounds_left: Some(sets.len() as u64), levels_left: Some(1), ..Remaining::default() };
    let mut budget = TimeBudget::of_recording(total, remaining);
    let mut director = Director::default();
    let (mut shots, mut elapsed, mut before) = (Vec::new(), Duration::ZERO, 0);
    for (at, set) in sets.iter().enumerate() {
        let scene = |recorded: &RecordedScene| Scene {
            table: recorded.table,
            takes: recorded.takes,
            score: recorded.score,
            must: recorded.exits > 0,
            is_last: at + 1 == sets.len(),
        };
        let scenes: Vec<Scene> = set.iter().map(scene).collect();
        match director.shoot(&scenes, 0, &budget, elapsed) {
            Shot::Detail { tables, pace } => {
                for table in tables {
                    let Some(place) = set.iter().position(|scene| scene.table == table) else { continue };
                    let takes = set[place].takes.mul_f64(pace);
                    elapsed += takes;
                    shots.push(ReplayShot {
                        round: (before + place + 1) as u64,
                        ms: takes.as_millis() as u64,
                        detail: true,
                    });
                }
            }
            Shot::Montage(takes) => {
                elapsed += takes;
                shots.push(ReplayShot {
                    round: (before + 1) as u64,
                    ms: takes.as_millis() as u64,
                    detail: false,
                });
            }
        }
        before += set.len();
        scenes.iter().for_each(|scene| budget.note_usual(scene.takes));
        budget.note_round(elapsed, 2, Duration::ZERO);
    }
    shots
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_recording_takes_the_time_it_is_given_and_shows_what_matters() {
        let scene = |round: u64| RecordedScene {
            round: round / 2 + 1,
            table: (round % 2) as u32 + 1,
            takes: Duration::from_secs(12),
            score: if round % 100 == 51 { 700 } else { round as u32 % 37 },
            exits: usize::from(round % 100 == 51),
        };
        let rounds: Vec<RecordedScene> = (0..800).map(scene).collect();
        for minutes in [5, 20, 40] {
            let total = Duration::from_secs(60 * minutes);
            let shots = programme(&rounds, total);
            let all = Duration::from_millis(shots.iter().map(|shot| shot.ms).sum());
            assert!(all > total.mul_f64(0.9) && all < total.mul_f64(1.1), "{all:?} of {total:?}");
            for dramatic in (0..800).filter(|round| round % 100 == 51) {
                assert!(shots.iter().any(|shot| shot.round == dramatic + 1 && shot.detail), "{dramatic}");
            }
            assert!(shots.last().is_some_and(|shot| shot.detail));
        }
    }
}
