//! Probabilities and places by the bootstrap, which draws the results again and again.

use crate::cards::Stream;

use super::estimates::Estimates;

/// How many times the results are drawn again.
const RESAMPLES: usize = 2_000;

/// How many sums of batches are drawn from at most: more would take long and show nothing else.
const MOST_DRAWN: usize = 512;

/// The results of drawing the batches of a tally again and again.
#[derive(Clone, Debug)]
pub(super) struct Bootstrap {
    bots: usize,
    /// The mean of each bot in each resample, resample by resample, in chips a round.
    means: Vec<f64>,
}

impl Bootstrap {
    /// Draws the batches again.
    pub(super) fn new(estimates: &Estimates, rng: &mut Stream) -> Bootstrap {
        let (bots, rounds) = (estimates.bots(), estimates.rounds());
        let together = rounds.len().div_ceil(MOST_DRAWN).max(1);
        let rounds: Vec<f64> = rounds.chunks(together).map(|rounds| rounds.iter().sum()).collect();
        let all = rounds.len();
        // By how many chips each sum of consecutive batches deviates from the mean.
        let mut beyond = vec![0.0; all * bots];
        for (batch, row) in estimates.deviations().chunks(bots.max(1)).enumerate() {
            let sums = &mut beyond[batch / together * bots..];
            sums.iter_mut().zip(row).for_each(|(sum, chips)| *sum += chips);
        }
        let bound = u32::try_from(all).expect("batches are few");
        let mut means = Vec::with_capacity(RESAMPLES * bots);
        let mut sums = vec![0.0; bots];
        for _ in 0..RESAMPLES {
            sums.fill(0.0);
            let mut drawn_rounds = 0.0;
            for _ in 0..all {
                let batch = rng.below(bound) as usize;
                drawn_rounds += rounds[batch];
                let row = &beyond[batch * bots..(batch + 1) * bots];
                sums.iter_mut().zip(row).for_each(|(sum, chips)| *sum += chips);
            }
            means.extend(sums.iter().enumerate().map(|(bot, sum)| estimates.mean(bot) + sum / drawn_rounds));
        }
        Bootstrap { bots, means }
    }

    /// The probability that one bot is better than another: the share of the resamples in which it is. Equal results count
    /// half, and each bot begins with half a resample, so that nothing is ever quite certain.
    pub(super) fn probability(&self, one: usize, other: usize) -> f64 {
        let score = |means: &[f64]| match means[one].total_cmp(&means[other]) {
            std::cmp::Ordering::Greater => 1.0,
            std::cmp::Ordering::Equal => 0.5,
            std::cmp::Ordering::Less => 0.0,
        };
        let score: f64 = self.means.chunks(self.bots).map(score).sum();
        (score + 0.5) / (RESAMPLES as f64 + 1.0)
    }

    /// The best and the worst place, from 1, that a bot takes in the middle 95 % of the resamples.
    pub(super) fn places(&self, bot: usize) -> (usize, usize) {
        let place = |means: &[f64]| 1 + means.iter().filter(|mean| **mean > means[bot]).count();
        let mut places: Vec<usize> = self.means.chunks(self.bots).map(place).collect();
        places.sort_unstable();
        (places[RESAMPLES / 40], places[RESAMPLES - 1 - RESAMPLES / 40])
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::cards::Seed;
    use crate::rating::{BlockResult, BlockTally};

    fn add(tally: &mut BlockTally, block: u64, chips: &[i64], lineup: &[usize]) {
        let first = vec![0; chips.len()];
        let at_stake: Vec<i64> = chips.iter().map(|chips| chips.abs()).collect();
        let (first, at_stake, controls) = (&first[..], &at_stake[..], &[][..]);
        tally.add(block, BlockResult { chips, first, at_stake, lineup, weight: 1.0, controls });
    }

    #[test]
    fn who_always_gets_the_same_has_no_doubt_about_it() {
        let mut tally = BlockTally::new(3, 3, 0, 1);
        for block in 0..50 {
            let luck = if block % 2 == 0 { 40 } else { -34 };
            add(&mut tally, block, &[-3, 3 + luck, -luck], &[0, 1, 2]);
        }
        let bootstrap =
            Bootstrap::new(&Estimates::new(&tally, 3), &mut Seed::chosen("x").stream("bootstrap"));
        assert!(bootstrap.probability(1, 0) > 0.9);
        let both = bootstrap.probability(1, 2) + bootstrap.probability(2, 1);
        assert!((both - 1.0).abs() < 1e-3);
        let (best, worst) = bootstrap.places(1);
        assert!(best == 1 && worst >= 2);
    }
}
