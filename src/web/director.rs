//! Which rounds are shown in detail, at which tables, and which pass as a montage. `docs/web.md` has the rule in words.

use std::collections::VecDeque;
use std::time::Duration;

use super::time_budget::TimeBudget;

/// How many rounds the drama of a round is compared with.
const MEMORY: usize = 48;

/// How much slower or faster than usual a round is shown at most.
const SLOWEST: f64 = 1.5;
/// How much faster than usual a round that has to be shown may pass.
const FASTEST: f64 = 0.4;

/// How long a table stays on show where nobody waits for the show.
const LOOK: Duration = Duration::from_secs(2);

/// The time from one picture of a montage to the next.
pub(super) const FRAME: Duration = Duration::from_millis(150);
/// The longest a round of a montage takes.
const LONGEST: Duration = Duration::from_secs(1);
/// The part of its time that a round of a montage takes: the rest is kept for rounds that are shown.
const MONTAGE_PART: f64 = 0.25;

/// What there is to see of a round at one table.
#[derive(Clone, Copy, Debug)]
pub(super) struct Scene {
    /// The table, from 1.
    pub(super) table: u32,
    /// How long it takes to show it at the usual pace.
    pub(super) takes: Duration,
    pub(super) score: u32,
    /// Whether it gets its time whatever else there is.
    pub(super) must: bool,
    /// Whether it may be the last round of all: time has been kept back for it.
    pub(super) is_last: bool,
}

#[derive(Clone, Debug, PartialEq)]
pub(super) enum Shot {
    /// These tables, one after the other, this many times as slowly as usual.
    Detail {
        /// The tables, from 1.
        tables: Vec<u32>,
        /// 2 is twice as slow as usual.
        pace: f64,
    },
    /// In a montage, in this time.
    Montage(Duration),
}

#[derive(Clone, Debug, Default)]
pub(super) struct Director {
    /// The drama of the rounds just past, the highest of all tables.
    scores: VecDeque<u32>,
    /// How many rounds the show can afford: it earns a part of one with each round, and pays for each that it shows.
    credit: f64,
    last: u32,
    /// Since when the last table has been on show, in the time of the show.
    since: Option<Duration>,
}

impl Director {
    /// How a complete round is shown. `chosen` is the table that the teacher wants to see.
    pub(super) fn shoot(
        &mut self,
        scenes: &[Scene],
        chosen: u32,
        budget: &TimeBudget,
        elapsed: Duration,
    ) -> Shot {
        let Some(best) = best(scenes, chosen, self.last) else { return Shot::Montage(Duration::ZERO) };
        if best.is_last {
            return Shot::Detail { tables: vec![best.table], pace: budget.last_round_pace(elapsed) };
        }
        let share = budget.share(elapsed);
        let rank = self.rank(best.score);
        self.remember(best.score);
        let afford = share.as_secs_f64() / best.takes.as_secs_f64().max(0.1);
        self.credit = (self.credit + afford).min(2.0 + afford);
        let must = best.must || (chosen > 0 && best.table == chosen && afford > 0.2);
        let needs = 1.5 * (1.0 - rank);
        if !must && (self.credit < needs || afford < 0.02) {
            return Shot::Montage(share.mul_f64(MONTAGE_PART).min(LONGEST));
        }
        // How fast it is shown follows from what rounds usually take, not from what happens in this one.
        let usual = budget.usual_round();
        let usable = budget.stage_left(elapsed).max(share).as_secs_f64() / usual;
        if usable < FASTEST / 2.0 {
            return Shot::Montage(share.mul_f64(MONTAGE_PART).min(LONGEST));
        }
        self.credit = (self.credit - 1.0).max(-2.0);
        self.last = best.table;
        let tables = more_tables(scenes, best, share);
        let pace = (share.as_secs_f64() / (usual * tables.len() as f64)).clamp(1.0, SLOWEST);
        let pace = if usable < 1.0 { usable.clamp(FASTEST, 1.0) } else { pace };
        Shot::Detail { tables, pace }
    }

    /// The table of a round that is shown where nobody waits for the show. However fast it is, people see a table for a
    /// while before it goes to another.
    pub(super) fn choose(&mut self, scenes: &[Scene], chosen: u32, elapsed: Duration) -> Option<u32> {
        let is_held = chosen == 0 && self.since.is_some_and(|since| elapsed < since + LOOK);
        let best = best(scenes, if is_held { self.last } else { chosen }, self.last)?;
        if best.table != self.last || self.since.is_none() {
            self.since = Some(elapsed);
        }
        self.last = best.table;
        Some(best.table)
    }

    /// For how many rounds the dealer gets leave at once.
    pub(super) fn rounds_at_once(budget: &TimeBudget, elapsed: Duration) -> u64 {
        let each = budget.share(elapsed).mul_f64(MONTAGE_PART).min(LONGEST);
        let rounds = FRAME.as_secs_f64() / each.as_secs_f64().max(1e-6);
        (rounds.ceil() as u64).clamp(1, 1_024)
    }

    /// The part of the rounds just past that had less drama.
    fn rank(&self, score: u32) -> f64 {
        let less = self.scores.iter().filter(|before| **before < score).count();
        let same = self.scores.iter().filter(|before| **before == score).count();
        (less as f64 + same as f64 / 2.0) / self.scores.len().max(1) as f64
    }

    fn remember(&mut self, score: u32) {
        if self.scores.len() == MEMORY {
            self.scores.pop_front();
        }
        self.scores.push_back(score);
    }
}

/// The table that is shown first: the teacher's, or the one with most drama; of equal ones another than just before.
fn best(scenes: &[Scene], chosen: u32, last: u32) -> Option<Scene> {
    let key = |scene: &&Scene| {
        (scene.table == chosen, scene.score, scene.table != last, std::cmp::Reverse(scene.table))
    };
    scenes.iter().max_by_key(key).copied()
}

/// The tables that are shown of a round, the best one last.
fn more_tables(scenes: &[Scene], best: Scene, share: Duration) -> Vec<u32> {
    let mut others: Vec<&Scene> = scenes.iter().filter(|scene| scene.table != best.table).collect();
    others.sort_by_key(|scene| (std::cmp::Reverse(scene.score), scene.table));
    let (mut tables, mut takes) = (vec![best.table], best.takes);
    for scene in others {
        if takes + scene.takes > share {
            break;
        }
        takes += scene.takes;
        tables.push(scene.table);
    }
    tables.reverse();
    tables
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::web::time_budget::Remaining;

    fn scene(score: u32, takes: u64) -> Scene {
        Scene { table: 1, takes: Duration::from_secs(takes), score, must: false, is_last: false }
    }

    #[test]
    fn however_much_time_there_is_no_round_is_slower_than_the_slowest_and_none_tells_its_length() {
        for rounds_left in [None, Some(3), Some(400)] {
            let remaining = Remaining { rounds_left, ..Remaining::default() };
            let budget = TimeBudget::new(Duration::from_secs(7_200), 6, remaining);
            let shots = [4, 12, 60]
                .map(|takes| Director::default().shoot(&[scene(9, takes)], 0, &budget, Duration::ZERO));
            let Shot::Detail { pace, .. } = shots[0] else { panic!("there is time for every round") };
            assert!((1.0..=SLOWEST).contains(&pace), "{pace}");
            assert!(shots.iter().all(|shot| *shot == shots[0]), "{shots:?}");
        }
    }
}
