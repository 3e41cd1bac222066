//! The places that bots may have by their chips.

use super::estimates::Estimates;
use super::intervals::ONE_SIDED_ERROR_RATE;

/// The best and the worst place, from 1, of each bot in 95 % of all ratings or more; `None` for a bot of which no difference to
/// another one has an interval.
///
/// A bot ranks below those that are certainly better, and above those that are certainly worse. The statement covers a
/// bot and all others at once, so the error probability is divided by their number (Bonferroni). Where a difference has
/// no interval, nothing is certain.
pub(super) fn places(estimates: &Estimates) -> Vec<Option<(usize, usize)>> {
    let bots = estimates.bots();
    let side = ONE_SIDED_ERROR_RATE / (bots as f64 - 1.0);
    let mut places = vec![(1, bots); bots];
    let mut is_known = vec![false; bots];
    for one in 0..bots {
        for other in one + 1..bots {
            let spread = estimates.spread_of_difference(one, other);
            let difference = estimates.mean(one) - estimates.mean(other);
            if spread.interval(difference, ONE_SIDED_ERROR_RATE).is_none() {
                continue;
            }
            (is_known[one], is_known[other]) = (true, true);
            let Some((low, high)) = spread.interval(difference, side) else { continue };
            if low > 0.0 {
                places[one].1 -= 1;
                places[other].0 += 1;
            } else if high < 0.0 {
                places[one].0 += 1;
                places[other].1 -= 1;
            }
        }
    }
    places.into_iter().zip(is_known).map(|(range, is_known)| is_known.then_some(range)).collect()
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::rating::{BlockResult, BlockTally};
    use casino_stud::cards::Seed;

    /// Blocks of three bots: the first takes a chip or two from each of the others in every block.
    fn estimates(blocks: u64) -> Estimates {
        let mut tally = BlockTally::new(3, 3, 0, 1);
        let mut dice = Seed::chosen("places").stream("chips");
        for block in 0..blocks {
            let luck = i64::from(dice.below(41)) - 20;
            let more = i64::from(dice.below(2));
            let chips = &[2 + 2 * more, luck - 1 - more, -luck - 1 - more][..];
            let at_stake: Vec<i64> = chips.iter().map(|chips| chips.abs()).collect();
            tally.add(block, BlockResult { chips, at_stake: &at_stake });
        }
        Estimates::new(&tally, 3)
    }

    #[test]
    fn places_are_given_only_if_the_differences_show_them() {
        assert_eq!(places(&estimates(400)), [Some((1, 1)), Some((2, 3)), Some((2, 3))]);
        assert_eq!(places(&estimates(99)), [None; 3]);
    }
}
