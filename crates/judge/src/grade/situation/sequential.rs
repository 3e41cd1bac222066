//! Wald's sequential probability ratio test: does a bot do a thing nearly always, or no more often than by chance?
//!
//! The test ends when the likelihood ratio of the hypotheses, [`PASS_SHARE`] and [`FAIL_SHARE`], passes
//! (1 − e) / e either way, e being [`ERROR_PROBABILITY`], which bounds both errors. A bot that always or never does the thing
//! is known after 15 or 8 runs; for a bot between the two shares the result is that of the nearer share.

/// The probability under the first hypothesis: a bot that does the thing in this share of its runs or more passes.
pub(crate) const PASS_SHARE: f64 = 0.8;

/// The probability under the other hypothesis: a bot that does the thing in this share of its runs or less fails.
pub(crate) const FAIL_SHARE: f64 = 0.5;

/// The largest probability of either error: that a bot at one of the two shares is taken for one at the other.
pub(crate) const ERROR_PROBABILITY: f64 = 0.001;

/// Runs after which the test is truncated: the bot is then between the two shares.
const MAX_RUNS: u32 = 400;

#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub(crate) struct Sequential {
    runs: u32,
    happened: u32,
    log_ratio: f64,
}

impl Sequential {
    pub(crate) fn add(&mut self, happened: bool) {
        self.runs += 1;
        self.happened += u32::from(happened);
        self.log_ratio += if happened {
            libm::log(PASS_SHARE / FAIL_SHARE)
        } else {
            libm::log((1.0 - PASS_SHARE) / (1.0 - FAIL_SHARE))
        };
    }

    pub(crate) fn verdict(&self) -> Option<bool> {
        let threshold = libm::log((1.0 - ERROR_PROBABILITY) / ERROR_PROBABILITY);
        if self.log_ratio.abs() >= threshold || self.runs >= MAX_RUNS {
            Some(self.log_ratio > 0.0)
        } else {
            None
        }
    }

    pub(crate) fn runs(&self) -> u32 {
        self.runs
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn run(mut happens: impl FnMut() -> bool) -> (bool, u32) {
        let mut test = Sequential::default();
        loop {
            test.add(happens());
            if let Some(verdict) = test.verdict() {
                return (verdict, test.runs());
            }
        }
    }

    #[test]
    fn a_bot_without_chance_is_decided_soon() {
        assert_eq!(run(|| true), (true, 15));
        assert_eq!(run(|| false), (false, 8));
    }

    /// The probability, exactly, that the test ends with yes: summed over all ways it can go.
    fn chance_of_yes(share: f64) -> f64 {
        let mut open = vec![(Sequential::default(), 1.0f64)];
        let mut yes = 0.0;
        while !open.is_empty() {
            let mut next: Vec<(Sequential, f64)> = Vec::new();
            for (test, chance) in open {
                for (happened, part) in [(true, share), (false, 1.0 - share)] {
                    let mut test = test;
                    test.add(happened);
                    match test.verdict() {
                        Some(true) => yes += chance * part,
                        Some(false) => {}
                        None => match next.iter_mut().find(|(other, _)| other.happened == test.happened) {
                            Some((_, sum)) => *sum += chance * part,
                            None => next.push((test, chance * part)),
                        },
                    }
                }
            }
            open = next;
        }
        yes
    }

    #[test]
    fn the_errors_are_at_most_the_error_bound() {
        let wrongly_failed = 1.0 - chance_of_yes(PASS_SHARE);
        let wrongly_passed = chance_of_yes(FAIL_SHARE);
        assert!(wrongly_failed <= ERROR_PROBABILITY, "{wrongly_failed}");
        assert!(wrongly_passed <= ERROR_PROBABILITY, "{wrongly_passed}");
        assert!(chance_of_yes(0.9) > 0.999_99 && chance_of_yes(0.3) < 1e-6);
        assert!((0.2..0.8).contains(&chance_of_yes(0.66)), "in between there is no right answer");
    }
}
