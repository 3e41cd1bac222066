//! A race: neighbours in the ranking whose order is open play on, two at a time.

use serde::{Deserialize, Serialize};

use super::estimates::Estimates;
use super::intervals::Spread;
use super::{BlockTally, Plan};

/// What two bots won in the same places. In each block one of them takes its turns in a drawn circle; then both change places,
/// and the other takes the same turns: the same hands in the same seats, against the same opponents.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub(super) struct PairRace {
    pub(super) bots: [usize; 2],
    /// The blocks, of these two alone.
    tally: BlockTally,
}

impl PairRace {
    pub(super) fn new(bots: [usize; 2], plan: &Plan) -> PairRace {
        PairRace { bots, tally: PairRace::empty(plan) }
    }

    /// An empty tally of two bots.
    pub(super) fn empty(plan: &Plan) -> BlockTally {
        BlockTally::new(2, plan.seats(), 0, 1)
    }

    pub(super) fn append(&mut self, next: &BlockTally) {
        self.tally.append_as_next(next);
        self.tally.coarsen();
    }

    /// How many rounds were played for it.
    pub(super) fn rounds(&self, plan: &Plan) -> u64 {
        self.tally.blocks() * PairRace::rounds_per_block(plan)
    }

    pub(super) fn rounds_per_block(plan: &Plan) -> u64 {
        2 * plan.seats() as u64
    }

    /// By how many chips a round the first is better than the second, and how that is spread.
    pub(super) fn difference(&self, plan: &Plan) -> (f64, Spread) {
        let estimates = Estimates::new(&self.tally, plan.seats());
        estimates.difference(0, 1)
    }
}
