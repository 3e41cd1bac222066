//! A recorded tournament that plays itself in a given time, directed by the rule of the live page.

use std::time::Duration;

use serde::Serialize;

use crate::timing::{Director, Remaining, Scene, Shot, TimeBudget, usual_round};

/// The director's view of a recorded round at one table.
#[derive(Clone, Copy, Debug)]
pub struct RecordedScene {
    /// The number of the round.
    pub round: u64,
    /// The table, from 1.
    pub table: u32,
    /// How long it is shown at the usual pace.
    pub takes: Duration,
    /// How many players were dealt in.
    pub dealt: usize,
    /// Its drama.
    pub score: u32,
    /// How many players left in it.
    pub exits: usize,
}

/// A round of the replay, and how it is shown.
#[derive(Clone, Copy, Debug, PartialEq, Serialize)]
#[cfg_attr(test, derive(ts_rs::TS))]
#[serde(untagged)]
pub enum ReplayShot {
    /// Step by step.
    Detail {
        /// The place of the round among those on the page, from 1.
        round: u64,
        /// 2 is twice as slow as usual.
        pace: f64,
    },
    /// Only its end.
    Montage {
        /// The place of the round among those on the page, from 1.
        round: u64,
        /// How long it is shown, in milliseconds.
        ms: u64,
    },
}

/// The scenes of these rounds, in the order of the journal, for this time.
pub fn programme(rounds: &[RecordedScene], total: Duration) -> Vec<ReplayShot> {
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
            Shot::Detail(tables) => {
                let shown = || (0..).zip(*set).filter(|(_, scene)| tables.contains(&scene.table));
                let pace = budget.pace(elapsed, shown().map(|(_, scene)| usual_round(scene.dealt)).sum());
                for (place, scene) in shown() {
                    elapsed += scene.takes.mul_f64(pace);
                    shots.push(ReplayShot::Detail { round: before + place + 1, pace });
                }
            }
            Shot::Montage(takes) => {
                elapsed += takes;
                shots.push(ReplayShot::Montage { round: before + 1, ms: takes.as_millis() as u64 });
            }
        }
        before += set.len() as u64;
        budget.note_round(elapsed, 2, Duration::ZERO);
    }
    shots
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_recording_fits_its_time_and_shows_the_key_rounds() {
        let scene = |round: u64| RecordedScene {
            round: round / 2 + 1,
            table: (round % 2) as u32 + 1,
            takes: Duration::from_secs(12),
            dealt: 6,
            score: if round % 100 == 51 { 700 } else { round as u32 % 37 },
            exits: usize::from(round % 100 == 51),
        };
        let rounds: Vec<RecordedScene> = (0..800).map(scene).collect();
        for minutes in [5, 20, 40] {
            let total = Duration::from_secs(60 * minutes);
            let shots = programme(&rounds, total);
            let takes = |shot: &ReplayShot| match shot {
                ReplayShot::Detail { pace, .. } => Duration::from_secs(12).mul_f64(*pace),
                ReplayShot::Montage { ms, .. } => Duration::from_millis(*ms),
            };
            let all: Duration = shots.iter().map(takes).sum();
            assert!(all > total.mul_f64(0.9) && all < total.mul_f64(1.1), "{all:?} of {total:?}");
            for dramatic in (0..800).filter(|round| round % 100 == 51) {
                let is_shown = |shot: &ReplayShot| matches!(shot, ReplayShot::Detail { round, .. } if *round == dramatic + 1);
                assert!(shots.iter().any(is_shown), "{dramatic}");
            }
            assert!(matches!(shots.last(), Some(ReplayShot::Detail { .. })));
        }
    }
}
