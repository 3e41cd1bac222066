//! The spread of results, and intervals for their means.

/// Half width of a 95 % interval in standard errors, for every ± of the program.
pub const HALF_INTERVAL: f64 = 1.96;

/// The explanation of ±, printed once by every output that has one.
pub const HALF_INTERVAL_IN_WORDS: &str = "± is half of a 95 % interval.";

/// An interval is given with at least so many deciding blocks (see [`Spread::deciding`]).
const MIN_DECIDING_BLOCKS: f64 = 3.0;

/// An interval is given with at least so many batches: fewer do not tell how they are spread.
pub(super) const MIN_BATCHES: f64 = 100.0;

/// An interval is given with at least so many batches for each unit of kurtosis: a few batches that differ much from the
/// others tell as little as a few batches.
const MIN_BATCHES_PER_KURTOSIS: f64 = 8.0;

/// A ranking is called settled with at least so many deciding blocks (see [`Spread::deciding`]).
const MIN_DECIDING_BLOCKS_TO_STOP: f64 = 5.0;

/// A ranking is called settled with at least so many batches for each unit of kurtosis. They are more than for an interval,
/// because the ranking is looked at again and again.
const MIN_BATCHES_PER_KURTOSIS_TO_STOP: f64 = 30.0;

/// If all blocks gave the same result, that is believed after so many blocks.
const MIN_EQUAL_BLOCKS: f64 = 100.0;

/// The number of blocks for which [`Spread::sequence`] is as narrow as it can be made.
const NARROWEST_AT_BLOCKS: f64 = 500.0;

/// How often an interval of 95 % may miss on one side.
pub(super) const ONE_SIDED_ERROR_RATE: f64 = 0.025;

/// An interval that would have to reach farther than so many standard errors is not given.
const MAX_INTERVAL_STANDARD_ERRORS: f64 = 6.0;

/// Sums of the powers of deviations from a mean.
#[derive(Clone, Copy, Debug)]
pub(super) struct PowerSums {
    count: f64,
    squares: f64,
    cubes: f64,
    fourths: f64,
}

impl PowerSums {
    pub(super) fn of(deviations: impl Iterator<Item = f64>) -> PowerSums {
        let mut sums = PowerSums { count: 0.0, squares: 0.0, cubes: 0.0, fourths: 0.0 };
        for deviation in deviations {
            let square = deviation * deviation;
            sums.count += 1.0;
            sums.squares += square;
            sums.cubes += square * deviation;
            sums.fourths += square * square;
        }
        sums
    }

    fn skewness(&self) -> f64 {
        let second = self.squares / self.count;
        if second > 0.0 { self.cubes / self.count / libm::pow(second, 1.5) } else { 0.0 }
    }

    pub(super) fn kurtosis(&self) -> f64 {
        let second = self.squares / self.count;
        if second > 0.0 { self.fourths / self.count / (second * second) } else { 0.0 }
    }
}

/// How the results of a bot, or the difference of two, are spread.
#[derive(Clone, Copy, Debug)]
pub(super) struct Spread {
    /// The standard error of the mean of a round, in chips.
    pub(super) error: f64,
    skewness: f64,
    pub(super) kurtosis: f64,
    batches: f64,
    blocks: f64,
    /// Effective number of blocks: as many as would add up to the sum of squares of the results if each had the maximum
    /// stakes.
    pub(super) deciding: f64,
    /// Whether every block gave the same, and it was not nothing.
    is_steady: bool,
}

impl Spread {
    /// The spread of results with these deviations. No block has more at stake than `most`. `played` are the rounds and the blocks,
    /// and `is_lopsided` is whether the mean is not 0.
    pub(super) fn new(sums: PowerSums, most: f64, played: (f64, f64), is_lopsided: bool) -> Spread {
        let (rounds, blocks) = played;
        let batches = sums.count;
        Spread {
            error: (sums.squares * batches / (batches - 1.0)).sqrt() / rounds,
            skewness: sums.skewness(),
            kurtosis: sums.kurtosis(),
            batches,
            blocks,
            deciding: if most > 0.0 { sums.squares / (most * most) } else { 0.0 },
            is_steady: sums.squares == 0.0 && is_lopsided,
        }
    }

    /// Whether every block gave the same, often enough to believe it.
    fn is_certain(&self) -> bool {
        self.is_steady && self.blocks >= MIN_EQUAL_BLOCKS
    }

    /// By how many standard errors the number of blocks that decided is above the least that an interval takes; negative below.
    /// Such a number is counted with the root of itself as standard error, and twice its root with 1.
    fn margin(&self) -> f64 {
        if self.error == 0.0 || self.batches < MIN_BATCHES {
            return -1.0;
        }
        let needed = (MIN_BATCHES_PER_KURTOSIS * self.kurtosis / self.batches)
            .max(MIN_DECIDING_BLOCKS / self.deciding);
        2.0 * (self.batches / self.kurtosis).sqrt() * (1.0 - needed.sqrt())
    }

    /// By how much the mean of a round may be off, in chips, if the results are looked at after any number of blocks and
    /// it must never be off by more with a probability above `error`; `None` while that cannot be said. It is the
    /// asymptotic confidence sequence of Waudby-Smith, Arbour, Sinha, Kennedy and Ramdas (2024).
    pub(super) fn sequence(&self, error: f64) -> Option<f64> {
        if self.error == 0.0 {
            // Nothing but an endless run of equal results has no spread: two copies of one bot that plays by its cards alone.
            return (self.blocks >= NARROWEST_AT_BLOCKS).then_some(0.0);
        }
        let is_enough = self.deciding >= MIN_DECIDING_BLOCKS_TO_STOP
            && self.batches >= MIN_BATCHES_PER_KURTOSIS_TO_STOP * self.kurtosis;
        is_enough.then(|| {
            let twice = -2.0 * libm::log(error);
            let scaled = self.blocks * (twice + libm::log(twice) + 1.0) / NARROWEST_AT_BLOCKS;
            let width = (scaled + 1.0) / scaled * 2.0 * libm::log((scaled + 1.0).sqrt() / error);
            self.error * width.sqrt()
        })
    }

    /// The interval around this mean that misses the truth with the probability `side` on each side, `None` if too few blocks
    /// decided to say anything: Student's, with fewer degrees of freedom the heavier the tails are, and as skewed as the results
    /// (Hall's transformation, 1992).
    ///
    /// Where hardly enough blocks decided, runs with an interval are those in which more than usual did. If one bot won
    /// most of these blocks, its lead is then exaggerated, and the interval reaches back the farther for it (selective inference:
    /// Fithian, Sun and Taylor, 2014).
    pub(super) fn interval(&self, mean: f64, side: f64) -> Option<(f64, f64)> {
        self.reaching(mean, normal_point(side))
    }

    /// The same interval, of which is said how many standard errors it would reach if the results were normal and many.
    fn reaching(&self, mean: f64, normal: f64) -> Option<(f64, f64)> {
        if self.is_certain() {
            return Some((mean, mean));
        }
        let selected = selected(self.margin(), normal)?;
        // How far the mean and the number of deciding blocks go together.
        let together = (self.skewness * self.skewness / (self.kurtosis - 1.0).max(1e-9)).min(1.0);
        let back = (together * selected * selected + (1.0 - together) * normal * normal).sqrt();
        let (down, up) = if self.skewness > 0.0 { (back, normal) } else { (normal, back) };
        let error = self.error;
        Some((mean - error * self.bent(down), mean - error * self.bent(-up)))
    }

    /// How far an interval reaches, in standard errors, that would reach this far if the results were normal and many.
    fn bent(&self, normal: f64) -> f64 {
        // As many as the estimate of the variance is worth.
        let freedom = (2.0 * self.batches / (self.kurtosis - 1.0).max(2.0)).max(4.0);
        let student = student_point(normal, freedom);
        let skew = self.skewness / self.batches.sqrt();
        match skew.abs() < 1e-6 {
            true => student,
            false => 3.0 / skew * (libm::cbrt(1.0 + skew * (student - skew / 6.0)) - 1.0),
        }
    }
}

/// How many times an interval of a few standard errors is halved to find a point of it: the error is then below a millionth.
const BISECTION_STEPS: usize = 24;

/// The probability that a normal number is above so many standard deviations.
fn beyond(point: f64) -> f64 {
    libm::erfc(point / std::f64::consts::SQRT_2) / 2.0
}

/// Above how many standard deviations a normal number is with this probability, at most one half.
pub(super) fn normal_point(probability: f64) -> f64 {
    let (mut near, mut far) = (0.0, 40.0);
    // Down to the precision of a 53-bit number.
    for _ in 0..60 {
        let middle = (near + far) / 2.0;
        if beyond(middle) > probability {
            near = middle;
        } else {
            far = middle;
        }
    }
    far
}

/// Above how many standard errors Student's statistic is as rarely as a normal number is above `normal`, with so many degrees of
/// freedom, four at least.
pub(super) fn student_point(normal: f64, freedom: f64) -> f64 {
    let (cube, fifth) = (normal.powi(3), normal.powi(5));
    normal
        + (cube + normal) / (4.0 * freedom)
        + (5.0 * fifth + 16.0 * cube + 3.0 * normal) / (96.0 * freedom * freedom)
}

/// How many standard errors an interval has to reach back for the truth if it is only looked at where a normal number is
/// above a limit, and the number was above it by `margin`: as many that a number so far beyond the truth would come up as
/// rarely among the cases in which it is above the limit as one beyond `normal` among all. `None` if it would have to reach too
/// far to be of use.
fn selected(margin: f64, normal: f64) -> Option<f64> {
    let is_far = |reach: f64| beyond(reach) <= beyond(normal) * beyond(reach - margin);
    if margin <= 0.0 || !is_far(MAX_INTERVAL_STANDARD_ERRORS) {
        return None;
    }
    let (mut near, mut far) = (normal, MAX_INTERVAL_STANDARD_ERRORS);
    if is_far(near) {
        return Some(normal);
    }
    for _ in 0..BISECTION_STEPS {
        let middle = (near + far) / 2.0;
        *(if is_far(middle) { &mut far } else { &mut near }) = middle;
    }
    Some(far)
}
