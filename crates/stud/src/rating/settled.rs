//! Whether a ranking is settled, which may be asked after every block.

use serde::{Deserialize, Serialize};

use super::estimates::Estimates;
use super::intervals::Spread;
use super::race::PairRace;
use super::{BlockTally, Plan, SequentialTest};

/// When a ranking counts as settled.
#[derive(Clone, Debug)]
pub struct Sure {
    error: f64,
    within: f64,
    /// The test that is proven for all bots, where it was asked for.
    proven: Option<SequentialTest>,
    /// After how many blocks the ranking was looked at last.
    looked_at: u64,
    /// Whether everybody plays on until all is settled.
    whole_blocks: bool,
    /// What has been found out about each pair, in the order of [`pair_number`]. It stays, whatever comes.
    found: Vec<Option<PairOrder>>,
}

/// What has been found out about a ranking.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct SequentialVerdict {
    /// The error rate that was asked for.
    pub error: f64,
    /// Whether every bot has been shown to be better than the next one, or equal to it.
    pub settled: bool,
    /// The neighbours in the standings whose order is still open.
    pub open: Vec<[String; 2]>,
    /// The neighbours in the standings whose chips for a round are equal within so much as was asked for.
    #[serde(default)]
    pub equal: Vec<EqualPair>,
}

/// Two bots that are equal within so many chips.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct EqualPair {
    /// The names of the two.
    pub bots: [String; 2],
    /// How far apart they are at most, in chips a round.
    pub within: f64,
}

/// What has been found out about two bots.
#[derive(Clone, Copy, Debug, PartialEq)]
struct PairOrder {
    /// The bot that is the better one, or won more.
    better: usize,
    /// By how many chips they differ at most, if they count as equal.
    within: Option<f64>,
    /// Whether it was found out in a race.
    in_race: bool,
}

/// A race begins when a block of it, for all pairs that are open, takes at most so many times the rounds of a whole block.
const RACE_FROM: f64 = 4.0;

/// Where a pair stands among all pairs.
fn pair_number(one: usize, other: usize) -> usize {
    let (low, high) = (one.min(other), one.max(other));
    high * (high - 1) / 2 + low
}

impl Sure {
    /// A ranking is settled when each bot has been shown to be better than the next one, or to win as much to within `within`
    /// chips a round. The probability that anything in it is wrong is at most `error`, above 0 and below 1.
    pub fn new(error: f64, within: f64) -> Sure {
        Sure { error, within, proven: None, looked_at: 0, whole_blocks: false, found: Vec::new() }
    }

    /// The same with a test that is proven whatever the bots do, instead of one that trusts the spread that was seen. It says
    /// nothing of equality.
    #[must_use]
    pub fn proven(self, plan: &Plan) -> Sure {
        let test = SequentialTest::new(plan.bot_count(), plan.widest_difference(), self.error);
        Sure { proven: Some(test), ..self }
    }

    /// The same with everybody playing on until all is settled, instead of a race of those whose order is open.
    #[must_use]
    pub fn whole_blocks(self) -> Sure {
        Sure { whole_blocks: true, ..self }
    }

    /// Adds the chips that each bot won in the next block.
    pub(super) fn add(&mut self, chips: &[i64]) {
        if let Some(test) = &mut self.proven {
            test.add(chips);
        }
    }

    /// Whether the ranking after these blocks is settled.
    pub(super) fn is_settled(&mut self, tally: &BlockTally, plan: &Plan) -> bool {
        // What stand-ins foretell takes long to find out: after a fiftieth more blocks is often enough.
        let is_soon = tally.controls().0 > 0 && tally.blocks() < self.looked_at + self.looked_at / 50;
        if tally.batches().count() < 2 || is_soon {
            return false;
        }
        self.looked_at = tally.blocks();
        let estimates = Estimates::new(tally, plan.seats());
        let error = self.error_of_pair(plan);
        for pair in self.open_pairs(&estimates) {
            let found = self.order(&estimates, pair, error);
            self.note(pair, found);
        }
        self.open_pairs(&estimates).is_empty()
    }

    /// Whether these bots' race has shown which of them is better, or that they are equal.
    pub(super) fn is_over(&mut self, race: &PairRace, plan: &Plan) -> bool {
        let found = PairOrder::of(race.bots, race.difference(plan), self.error_of_pair(plan), self.within);
        self.note(race.bots, found.map(|found| PairOrder { in_race: true, ..found }));
        found.is_some()
    }

    fn note(&mut self, [one, other]: [usize; 2], found: Option<PairOrder>) {
        let at = pair_number(one, other);
        self.found.resize(self.found.len().max(at + 1), None);
        self.found[at] = found;
    }

    fn found(&self, one: usize, other: usize) -> Option<PairOrder> {
        self.found.get(pair_number(one, other)).copied().flatten()
    }

    /// The probability of an error about a pair: it is tested before a race, and in it.
    fn error_of_pair(&self, plan: &Plan) -> f64 {
        let tests = if self.may_race(plan) { 2.0 } else { 1.0 };
        let bots = plan.bot_count();
        self.error / tests / (bots * (bots - 1) / 2) as f64
    }

    /// Whether two bots can play on without the others: where not all sit at one table. What stand-ins foretell is known of whole
    /// blocks alone, and a test that is proven has begun with them.
    pub(super) fn may_race(&self, plan: &Plan) -> bool {
        let has_spare_bots = plan.bot_count() > plan.seats();
        !self.whole_blocks && self.proven.is_none() && has_spare_bots && plan.stand_ins().count() == 0
    }

    /// The pairs that have to race, if a race is worth while after these blocks.
    pub(super) fn racing(&self, tally: &BlockTally, plan: &Plan) -> Vec<[usize; 2]> {
        if tally.batches().count() < 2 || !self.may_race(plan) {
            return Vec::new();
        }
        let open = self.open_pairs(&Estimates::new(tally, plan.seats()));
        let rounds = open.len() as f64 * PairRace::rounds_per_block(plan) as f64;
        if rounds <= RACE_FROM * plan.rounds_per_block() as f64 { open } else { Vec::new() }
    }

    /// The bots by their chips, best first; but neighbours who were found to stand the other way round do so.
    pub(super) fn ranking(&self, estimates: &Estimates) -> Vec<usize> {
        let mut ranking = estimates.ranking();
        let is_reversed = |pair: &[usize]| {
            let found = self.found(pair[0], pair[1]);
            found.is_some_and(|found| found.better == pair[1] && (found.within.is_none() || found.in_race))
        };
        // Each pass puts one more bot in its place, if what was found goes together.
        for _ in 0..ranking.len() {
            for at in 1..ranking.len() {
                if is_reversed(&ranking[at - 1..=at]) {
                    ranking.swap(at - 1, at);
                }
            }
        }
        ranking
    }

    /// The neighbours in the ranking of whom nothing has been found out.
    fn open_pairs(&self, estimates: &Estimates) -> Vec<[usize; 2]> {
        let ranking = self.ranking(estimates);
        let pairs = ranking.windows(2).map(|pair| [pair[0], pair[1]]);
        pairs.filter(|[one, other]| self.found(*one, *other).is_none()).collect()
    }

    fn order(&self, estimates: &Estimates, [one, other]: [usize; 2], error: f64) -> Option<PairOrder> {
        if let Some(test) = &self.proven {
            let better = test.better(one, other)?;
            return Some(PairOrder { better, within: None, in_race: false });
        }
        PairOrder::of([one, other], estimates.difference(one, other), error, self.within)
    }

    /// What has been found out about this ranking, best first.
    pub(super) fn verdict(&self, ranking: &[usize], name: impl Fn(usize) -> String) -> SequentialVerdict {
        let (mut open, mut equal) = (Vec::new(), Vec::new());
        for pair in ranking.windows(2) {
            let bots = [name(pair[0]), name(pair[1])];
            match self.found(pair[0], pair[1]) {
                Some(PairOrder { within: Some(within), .. }) => equal.push(EqualPair { bots, within }),
                Some(PairOrder { better, .. }) if better == pair[0] => {}
                _ => open.push(bots),
            }
        }
        SequentialVerdict { error: self.error, settled: open.is_empty(), open, equal }
    }
}

impl PairOrder {
    /// What this difference of the first less the second shows, if anything, with at most this probability of an error.
    fn of([one, other]: [usize; 2], by: (f64, Spread), error: f64, within: f64) -> Option<PairOrder> {
        let (difference, spread) = by;
        let half = spread.sequence(error)?;
        let better = if difference < 0.0 { other } else { one };
        let most = difference.abs() + half;
        match difference.abs() > half {
            true => Some(PairOrder { better, within: None, in_race: false }),
            false if most < within => Some(PairOrder { better, within: Some(most), in_race: false }),
            false => None,
        }
    }
}
