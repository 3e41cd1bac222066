//! Whether a ranking is settled, which may be asked after every block.

use serde::{Deserialize, Serialize};

use super::estimates::Estimates;
use super::{BlockTally, RatingPlan};

/// When a ranking counts as settled.
#[derive(Clone, Debug)]
pub struct StoppingRule {
    error: f64,
    within: f64,
}

/// The state of a sequential test of a ranking.
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

enum PairOrder {
    Open,
    Ordered,
    Equal(f64),
}

impl StoppingRule {
    /// A ranking is settled when each bot has been shown to be better than the next one, or to win as much to within
    /// `within` chips a round. The probability that anything in it is wrong is at most `error`, above 0 and below 1.
    pub fn new(error: f64, within: f64) -> StoppingRule {
        StoppingRule { error, within }
    }

    /// Whether the ranking after these blocks is settled.
    pub(super) fn is_settled(&self, tally: &BlockTally, plan: &RatingPlan) -> bool {
        if tally.batches().count() < 2 {
            return false;
        }
        let estimates = Estimates::new(tally, plan.seats());
        let ranking = estimates.ranking();
        ranking.windows(2).all(|pair| !matches!(self.known(&estimates, pair[0], pair[1]), PairOrder::Open))
    }

    fn known(&self, estimates: &Estimates, one: usize, other: usize) -> PairOrder {
        let bots = estimates.bots();
        let each = self.error / (bots * (bots - 1) / 2) as f64;
        let difference = estimates.mean(one) - estimates.mean(other);
        match estimates.spread_of_difference(one, other).sequence(each) {
            Some(half) if difference > half => PairOrder::Ordered,
            Some(half) if difference + half < self.within => PairOrder::Equal(difference + half),
            Some(_) | None => PairOrder::Open,
        }
    }

    /// The decided part of this ranking, best first.
    pub(super) fn verdict(
        &self,
        estimates: &Estimates,
        ranking: &[usize],
        name: impl Fn(usize) -> String,
    ) -> SequentialVerdict {
        let (mut open, mut equal) = (Vec::new(), Vec::new());
        for pair in ranking.windows(2) {
            let bots = [name(pair[0]), name(pair[1])];
            match self.known(estimates, pair[0], pair[1]) {
                PairOrder::Open => open.push(bots),
                PairOrder::Equal(within) => equal.push(EqualPair { bots, within }),
                PairOrder::Ordered => {}
            }
        }
        SequentialVerdict { error: self.error, settled: open.is_empty(), open, equal }
    }
}
