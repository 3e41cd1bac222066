//! Which rounds are shown in detail, at which tables, and which pass as a montage. `docs/web.md` has the rule in words.

use std::collections::VecDeque;
use std::time::Duration;

use super::TimeBudget;

const DRAMA_WINDOW_ROUNDS: usize = 48;

/// A round that would have to pass in a smaller part of its time is not shown in detail.
const MIN_DETAIL_TIME_SHARE: f64 = 0.2;

/// How long a table stays on show when the game does not wait for the show.
const MIN_TABLE_TIME: Duration = Duration::from_secs(2);

const MAX_MONTAGE_ROUND_TIME: Duration = Duration::from_secs(1);
/// The part of its time that a round of a montage takes: the rest is kept for rounds that are shown.
const MONTAGE_TIME_SHARE: f64 = 0.25;

/// The content of a round at one table.
#[derive(Clone, Copy, Debug)]
pub struct Scene {
    /// The table, from 1.
    pub table: u32,
    /// How long it takes to show it at the usual pace.
    pub takes: Duration,
    /// The drama of the round.
    pub score: u32,
    /// Whether it gets its time in any case.
    pub must: bool,
    /// Whether it may be the last round of all: time has been kept back for it.
    pub is_last: bool,
}

/// The director's choice, with knowledge of later events: the rounds and tables shown. Speed, order and words are
/// decided elsewhere.
#[derive(Clone, Debug, PartialEq)]
pub enum Shot {
    /// At these tables, from 1, by number.
    Detail(Vec<u32>),
    /// In a montage, in this time.
    Montage(Duration),
}

/// Chooses the rounds and tables that are shown in detail.
#[derive(Clone, Debug, Default)]
pub struct Director {
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
    pub fn shoot(&mut self, scenes: &[Scene], chosen: u32, budget: &TimeBudget, elapsed: Duration) -> Shot {
        let Some(best) = best(scenes, chosen, self.last) else { return Shot::Montage(Duration::ZERO) };
        if best.is_last {
            return Shot::Detail(vec![best.table]);
        }
        let share = budget.share(elapsed);
        let rank = self.rank(best.score);
        self.remember(best.score);
        let afford = share.as_secs_f64() / best.takes.as_secs_f64().max(0.1);
        self.credit = (self.credit + afford).min(2.0 + afford);
        let must = best.must || (chosen > 0 && best.table == chosen && afford > 0.2);
        let needs = 1.5 * (1.0 - rank);
        if !must && (self.credit < needs || afford < 0.02) {
            return Shot::Montage(share.mul_f64(MONTAGE_TIME_SHARE).min(MAX_MONTAGE_ROUND_TIME));
        }
        let stage = budget.stage_left(elapsed).as_secs_f64();
        let usable = (stage / best.takes.as_secs_f64().max(0.1)).max(afford);
        if usable < MIN_DETAIL_TIME_SHARE {
            return Shot::Montage(share.mul_f64(MONTAGE_TIME_SHARE).min(MAX_MONTAGE_ROUND_TIME));
        }
        self.credit = (self.credit - 1.0).max(-2.0);
        self.last = best.table;
        Shot::Detail(more_tables(scenes, best, share))
    }

    /// The table of a round that is shown without the game waiting. At any speed, a table stays visible for a while
    /// before the next one.
    pub fn choose(&mut self, scenes: &[Scene], chosen: u32, elapsed: Duration) -> Option<u32> {
        let is_held = chosen == 0 && self.since.is_some_and(|since| elapsed < since + MIN_TABLE_TIME);
        let best = best(scenes, if is_held { self.last } else { chosen }, self.last)?;
        if best.table != self.last || self.since.is_none() {
            self.since = Some(elapsed);
        }
        self.last = best.table;
        Some(best.table)
    }

    /// The part of the rounds just past that had less drama.
    fn rank(&self, score: u32) -> f64 {
        let less = self.scores.iter().filter(|before| **before < score).count();
        let same = self.scores.iter().filter(|before| **before == score).count();
        (less as f64 + same as f64 / 2.0) / self.scores.len().max(1) as f64
    }

    /// A round of this drama has passed.
    fn remember(&mut self, score: u32) {
        if self.scores.len() == DRAMA_WINDOW_ROUNDS {
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

/// The tables that are shown of a round, by number.
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
    tables.sort_unstable();
    tables
}
