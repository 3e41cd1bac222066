//! Intervals by the bootstrap, which draws the results again and again.

use crate::cards::Stream;

use super::estimates::Estimates;

/// How many times the results are drawn again.
const RESAMPLES: usize = 2_000;

/// The results of drawing the batches of a tally again and again.
#[derive(Clone, Debug)]
pub(super) struct Bootstrap {
    bots: usize,
    /// The mean of each bot in each resample, resample by resample, in chips a round.
    means: Vec<f64>,
    /// The ends of the middle 95 % of each bot's studentised deviations.
    middle: Vec<[f64; 2]>,
    /// The standard error of each bot's mean, in chips a round.
    errors: Vec<f64>,
}

impl Bootstrap {
    /// Draws the batches again.
    pub(super) fn new(estimates: &Estimates, rng: &mut Stream) -> Bootstrap {
        let (bots, rounds) = (estimates.bots(), estimates.rounds());
        let all = rounds.len();
        // By how many chips each batch deviates from the mean.
        let beyond = estimates.deviations();
        let rounds_of_batch = rounds.iter().sum::<f64>() / all as f64;
        let error_of = |sum: f64, squares: f64| {
            let mean = sum / all as f64;
            let variance = (squares - all as f64 * mean * mean).max(0.0) / (all as f64 - 1.0);
            (variance / all as f64).sqrt() / rounds_of_batch
        };
        let errors: Vec<f64> = (0..bots).map(|bot| estimates.spread(bot).error).collect();
        let bound = u32::try_from(all).expect("batches are few");
        let mut means = Vec::with_capacity(RESAMPLES * bots);
        let mut deviations: Vec<Vec<f64>> = vec![Vec::with_capacity(RESAMPLES); bots];
        let (mut sums, mut squares) = (vec![0.0; bots], vec![0.0; bots]);
        for _ in 0..RESAMPLES {
            sums.fill(0.0);
            squares.fill(0.0);
            let mut drawn_rounds = 0.0;
            for _ in 0..all {
                let batch = rng.below(bound) as usize;
                drawn_rounds += rounds[batch];
                let row = &beyond[batch * bots..(batch + 1) * bots];
                for ((sum, square), chips) in sums.iter_mut().zip(&mut squares).zip(row) {
                    *sum += chips;
                    *square += chips * chips;
                }
            }
            for bot in 0..bots {
                let deviation = sums[bot] / drawn_rounds;
                means.push(estimates.mean(bot) + deviation);
                let error = error_of(sums[bot], squares[bot]);
                deviations[bot].push(if error > 0.0 { deviation / error } else { 0.0 });
            }
        }
        let middle = deviations
            .into_iter()
            .map(|mut deviations| {
                deviations.sort_unstable_by(f64::total_cmp);
                [deviations[RESAMPLES / 40], deviations[RESAMPLES - 1 - RESAMPLES / 40]]
            })
            .collect();
        Bootstrap { bots, means, middle, errors }
    }

    /// The 95 % interval of a bot's mean, in chips a round. It is the bootstrap-t interval, which is as skewed as the results
    /// are.
    pub(super) fn interval(&self, bot: usize, mean: f64) -> (f64, f64) {
        let [low, high] = self.middle[bot];
        (mean - high * self.errors[bot], mean - low * self.errors[bot])
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
        let moved: Vec<i64> = chips.iter().map(|chips| chips.abs()).collect();
        let (first, moved, controls) = (&first[..], &moved[..], &[][..]);
        tally.add(block, BlockResult { chips, first, moved, lineup, weight: 1.0, controls });
    }

    /// Crooked results with a known mean: of 300 samples of 150 blocks about 95 % of the intervals hold it. The
    /// seed is fixed, so this is a calculation and no luck.
    #[test]
    fn intervals_hold_the_truth_as_often_as_they_promise() {
        let seed = Seed::chosen("coverage");
        let (mut chips, mut rng) = (seed.stream("chips"), seed.stream("bootstrap"));
        let mut held = 0;
        let runs = 300;
        for _ in 0..runs {
            let mut tally = BlockTally::new(2, 2, 0, 1);
            for block in 0..150 {
                // 95 one time in ten, else -9: the mean is 1.4 a block, 0.7 a round.
                let won = if chips.one_in(10) { 95 } else { -9 };
                add(&mut tally, block, &[won, -won], &[0, 1]);
            }
            let (low, high) = Bootstrap::new(&Estimates::new(&tally, 2), &mut rng).interval(0, tally.mean(0));
            held += i32::from((low..=high).contains(&0.7));
        }
        assert!((276..=294).contains(&held), "{held} of {runs}");
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
        assert_eq!(bootstrap.interval(0, -1.0), (-1.0, -1.0));
        assert!(bootstrap.probability(1, 0) > 0.9);
        let both = bootstrap.probability(1, 2) + bootstrap.probability(2, 1);
        assert!((both - 1.0).abs() < 1e-3);
        let (best, worst) = bootstrap.places(1);
        assert!(best == 1 && worst >= 2);
    }
}
