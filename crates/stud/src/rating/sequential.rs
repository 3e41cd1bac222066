//! A test of whether a ranking is settled, which may be read after every block.
//!
//! For each pair of bots and each of the two orders there is a bettor who starts with a capital of 1 and bets,
//! before each block, that the second bot will take more chips in it than the first. If on average it does not,
//! no way of betting makes the capital grow on average (it is a nonnegative supermartingale), and by Ville's
//! inequality it ever reaches 1/p with a probability of at most p, however often one looks and whenever one
//! stops. So when a capital reaches (number of bettors) / error rate, the order it bets on is taken as shown; all
//! such statements together are wrong with at most the error rate, among them those about neighbours in the
//! ranking, whichever pairs these turn out to be. Nothing is assumed about the distribution of chips but that a stack
//! is finite, so that rare large pots cannot mislead it, as they could a test that assumes normal distributions.
//!
//! A bettor spreads its capital evenly over stakes of very different sizes and lets each run. See Waudby-Smith
//! and Ramdas, "Estimating means of bounded random variables by betting" (2024).

/// The number of sizes of stakes, each half of the one before. The largest loses nine tenths of its capital in the worst
/// block that is possible.
const STAKES: usize = 12;

/// The least that a stake's capital falls to. It stays a normal number, which processors multiply fast.
const LOST: f64 = 1e-200;

/// A test of the order of every pair of bots at once.
///
/// ```
/// use casino_stud::rating::SequentialTest;
///
/// // Two bots whose results of a block differ by at most 20 chips, and an error rate of 5 %.
/// let mut test = SequentialTest::new(2, 20.0, 0.05);
/// for _ in 0..100 {
///     test.add(&[-5, 5]);
/// }
/// assert_eq!(test.better(0, 1), Some(1));
/// ```
#[derive(Clone, Debug)]
pub struct SequentialTest {
    bots: usize,
    /// The stakes for each chip of difference.
    stakes: [f64; STAKES],
    /// The capital at which the order that it bets on counts as shown.
    enough: f64,
    /// The capital of each stake for the pairs (0, 1), (0, 2), …, (1, 2), …, on the first bot and on the second.
    capitals: Vec<[[f64; STAKES]; 2]>,
    /// The bot that has been shown to be better, for the same pairs.
    shown: Vec<Option<usize>>,
}

impl SequentialTest {
    /// Makes a test of `bots` bots whose results of one block never differ by more than `widest` chips. The probability that it
    /// makes any wrong statement is at most `error`, which is above 0 and below 1.
    pub fn new(bots: usize, widest: f64, error: f64) -> SequentialTest {
        let pairs = bots * (bots - 1) / 2;
        let mut stakes = [0.9 / widest; STAKES];
        for at in 1..STAKES {
            stakes[at] = stakes[at - 1] / 2.0;
        }
        SequentialTest {
            bots,
            stakes,
            enough: 2.0 * pairs as f64 / error,
            capitals: vec![[[1.0 / STAKES as f64; STAKES]; 2]; pairs],
            shown: vec![None; pairs],
        }
    }

    /// Adds the chips that each bot won in the next block.
    pub fn add(&mut self, chips: &[i64]) {
        let mut pair = 0;
        for first in 0..self.bots {
            for second in first + 1..self.bots {
                if self.shown[pair].is_none() {
                    self.bet(pair, first, second, (chips[first] - chips[second]) as f64);
                }
                pair += 1;
            }
        }
    }

    fn bet(&mut self, pair: usize, first: usize, second: usize, difference: f64) {
        for (capitals, (bot, won)) in
            self.capitals[pair].iter_mut().zip([(first, difference), (second, -difference)])
        {
            let mut all = 0.0;
            for (capital, stake) in capitals.iter_mut().zip(&self.stakes) {
                *capital = (*capital * (1.0 + stake * won)).max(LOST);
                all += *capital;
            }
            if all >= self.enough {
                self.shown[pair] = Some(bot);
            }
        }
    }

    /// Which of two bots has been shown to be better, if any.
    pub fn better(&self, one: usize, other: usize) -> Option<usize> {
        let (low, high) = (one.min(other), one.max(other));
        self.shown[low * (2 * self.bots - low - 1) / 2 + high - low - 1]
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::cards::{Seed, Stream};

    /// A rare large gain against a frequent small loss: the mean is `shift`, the spread as crooked as pots are.
    fn crooked(dice: &mut Stream, shift: i64) -> i64 {
        shift + if dice.one_in(200) { 1990 } else { -10 }
    }

    /// Ties are the hardest case: whatever is stated is wrong. With an error rate of 20 % at most 20 % of the
    /// runs may ever state anything, and a test that never did would be of no use.
    #[test]
    fn statements_are_wrong_no_more_often_than_said() {
        let mut dice = Seed::chosen("ties").stream("test");
        let (runs, blocks) = (400, 3_000);
        let mut wrong = 0;
        for _ in 0..runs {
            let mut test = SequentialTest::new(3, 2_200.0, 0.2);
            for _ in 0..blocks {
                let chips = [(); 3].map(|()| crooked(&mut dice, 0));
                test.add(&chips);
            }
            wrong += i32::from(test.shown.iter().any(Option::is_some));
        }
        assert!((1..=80).contains(&wrong), "{wrong} of {runs}");
    }

    /// The same chips looked at after every block by the test of the textbook, at 1.96 standard errors: that one
    /// errs far more often than the 5 % it promises for one look.
    #[test]
    fn looking_often_fools_the_textbook_but_not_this_test() {
        let mut dice = Seed::chosen("peeking").stream("test");
        let (mut textbook, mut ours) = (0, 0);
        for _ in 0..200 {
            let mut test = SequentialTest::new(2, 2_200.0, 0.05);
            let (mut sum, mut squares, mut fooled) = (0.0, 0.0, false);
            for block in 1..=3_000 {
                let chips = [crooked(&mut dice, 0), crooked(&mut dice, 0)];
                test.add(&chips);
                let difference = (chips[0] - chips[1]) as f64;
                sum += difference;
                squares += difference * difference;
                fooled |= block > 200 && f64::abs(sum) > 1.96 * f64::sqrt(squares);
            }
            textbook += i32::from(fooled);
            ours += i32::from(test.better(0, 1).is_some());
        }
        assert!(textbook > 40 && ours <= 10, "{textbook} {ours}");
    }

    #[test]
    fn a_real_order_is_found_and_stays() {
        let mut dice = Seed::chosen("order").stream("test");
        for _ in 0..20 {
            let mut test = SequentialTest::new(4, 2_200.0, 0.05);
            let settles = |test: &SequentialTest, ranking: [usize; 4]| {
                ranking.windows(2).all(|pair| test.better(pair[0], pair[1]) == Some(pair[0]))
            };
            let mut blocks = 0;
            while !settles(&test, [2, 0, 3, 1]) {
                let chips = [20, -60, 60, -20].map(|shift| crooked(&mut dice, shift));
                test.add(&chips);
                blocks += 1;
                assert!(blocks < 60_000);
            }
            assert_eq!(test.better(3, 0), Some(0));
            assert_eq!((test.better(0, 2), test.better(2, 0)), (Some(2), Some(2)));
            assert!(!settles(&test, [0, 2, 3, 1]));
        }
    }
}
