//! A sequential test of whether a bot got worse than in a former rating of the same deals, between two margins.
//!
//! Both ratings play the same blocks, so what a bot lost is the difference of the two results of each block. A loss of at most
//! the one margin is harmless, one of the other margin or more is harmful, and in between either answer is right. The test is
//! the generalised sequential probability ratio test that testers of chess engines use (Fishtest): the
//! likelihood of the two margins under a normal distribution with the variance that was seen, looked at after every piece of
//! blocks, until one of them is so many times more likely as the error is to be rare (Wald, 1945).

use super::intervals::PowerSums;
use super::{BlockTally, Plan, RatingReport, RegressionError};

/// A bot is not judged before so many batches.
const LEAST_BATCHES: f64 = 50.0;

/// A bot is judged with at least so many batches for each unit of kurtosis: what a few blocks decide is not known yet.
const ENOUGH_EVEN: f64 = 30.0;

/// Losses in chips a round: what is harmless, and from where on a loss is harmful.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Margins {
    /// A loss of at most so much does no harm; 0 or more.
    pub harmless: f64,
    /// A loss of so much or more does harm; more than is harmless.
    pub harmful: f64,
}

/// What the test has found out about a bot.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum MarginVerdict {
    /// It loses more than is harmless.
    Worse,
    /// It loses less than is harmful.
    NotWorse,
    /// More rounds would have to be played.
    Open,
}

/// A bot that is watched.
#[derive(Clone, Debug)]
pub struct MarginChange {
    /// The name of the bot.
    pub name: String,
    /// How many chips a round fewer it won than then, in the blocks that were compared.
    pub loss: f64,
    /// What is known of it.
    pub verdict: MarginVerdict,
    bot: usize,
}

/// The sequential test of all bots that are watched.
#[derive(Clone, Debug)]
pub struct MarginTest {
    margins: Margins,
    /// The probability of an error about each bot.
    error: f64,
    former: Vec<Vec<f64>>,
    changes: Vec<MarginChange>,
    /// How many batches were compared.
    batches: usize,
}

impl MarginTest {
    /// Makes a test of this plan's bots to `watch` against a former rating of the same deals. The probability that any of
    /// them is called worse whose loss is harmless is at most `level`, as far as the results are spread like those that were
    /// seen, and as large is that of the opposite error for each bot.
    ///
    /// # Errors
    /// [`RegressionError`] if the former rating did not play the same deals, or a bot to watch is not there.
    pub fn new(
        former: &RatingReport,
        plan: &Plan,
        watch: &[String],
        margins: Margins,
        level: f64,
    ) -> Result<MarginTest, RegressionError> {
        if let Some(other) = plan.difference_of_deals(&former.plan) {
            return Err(RegressionError::new(format!(
                "with margins block is compared with block, and {other}: use the flags of the former rating"
            )));
        }
        if former.batches.is_empty() {
            return Err(RegressionError::new(
                "the former result does not say what each block gave".to_string(),
            ));
        }
        let change = |name: &String| {
            let bot = plan.bots().iter().position(|bot| bot.name == *name).ok_or_else(|| {
                RegressionError::new(format!("there is no bot {} to watch", name.escape_debug()))
            })?;
            Ok(MarginChange { name: name.clone(), loss: 0.0, verdict: MarginVerdict::Open, bot })
        };
        let changes = watch.iter().map(change).collect::<Result<Vec<_>, _>>()?;
        let error = level / changes.len().max(1) as f64;
        Ok(MarginTest { margins, error, former: former.batches.clone(), changes, batches: 0 })
    }

    /// The bots that are watched, and what has been found out about them.
    pub fn changes(&self) -> &[MarginChange] {
        &self.changes
    }

    /// Looks at what has been played. Whoever is judged stays so.
    pub(super) fn look(&mut self, tally: &BlockTally, plan: &Plan) {
        // The last batch may not be complete.
        let complete = (tally.blocks() / tally.batch_len()) as usize;
        let compared = complete.min(self.former.len());
        if compared == self.batches {
            return;
        }
        self.batches = compared;
        let rounds = (tally.batch_len() * plan.seats() as u64) as f64;
        let now = tally.counted();
        for change in self.changes.iter_mut().filter(|change| change.verdict == MarginVerdict::Open) {
            let bot = change.bot;
            let losses: Vec<f64> = self.former[..compared]
                .iter()
                .zip(&now)
                .map(|(then, now)| (then[bot] - now[bot]) / rounds)
                .collect();
            change.loss = losses.iter().sum::<f64>() / compared as f64;
            change.verdict = self.margins.verdict(&losses, self.error);
        }
    }

    /// Whether every bot has been judged.
    pub(super) fn is_decided(&self) -> bool {
        self.changes.iter().all(|change| change.verdict != MarginVerdict::Open)
    }
}

impl Margins {
    /// What these losses of blocks show, with at most this probability of an error either way.
    fn verdict(&self, losses: &[f64], error: f64) -> MarginVerdict {
        let count = losses.len() as f64;
        if count < LEAST_BATCHES {
            return MarginVerdict::Open;
        }
        let mean = losses.iter().sum::<f64>() / count;
        let sums = PowerSums::of(losses.iter().map(|loss| loss - mean));
        let beyond_middle = mean - (self.harmless + self.harmful) / 2.0;
        let ratio = count * (self.harmful - self.harmless) * beyond_middle / sums.sample_variance();
        let enough = -libm::log(error);
        // A spread of nothing is believed where nothing has changed at all.
        let is_even = match sums.sample_variance() > 0.0 {
            true => count >= ENOUGH_EVEN * sums.kurtosis(),
            false => mean == 0.0,
        };
        match is_even {
            true if ratio >= enough => MarginVerdict::Worse,
            true if ratio <= -enough => MarginVerdict::NotWorse,
            _ => MarginVerdict::Open,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::super::plan::tests::plan;
    use super::super::{HousePlayers, PartTerms, PlayedPart, play_on};
    use super::*;
    use crate::cards::Seed;
    use crate::strategies::HouseBot;

    /// As often as is promised, and no more often, a bot whose loss is harmless is called worse; and a test that never called
    /// anybody worse would be of no use.
    #[test]
    fn errors_are_as_rare_as_was_asked_for() {
        let margins = Margins { harmless: 0.0, harmful: 2.0 };
        let mut dice = Seed::chosen("margins").stream("chips");
        let mut run = |loss: f64| {
            let mut losses = Vec::new();
            while losses.len() < 4_000 {
                losses.extend((0..8).map(|_| f64::from(dice.below(41)) - 20.0 + loss));
                match margins.verdict(&losses, 0.05) {
                    MarginVerdict::Open => {}
                    verdict => return (verdict, losses.len()),
                }
            }
            (MarginVerdict::Open, losses.len())
        };
        let harmless: Vec<_> = (0..1_000).map(|_| run(0.0)).collect();
        let harmful: Vec<_> = (0..1_000).map(|_| run(2.0)).collect();
        let count = |runs: &[(MarginVerdict, usize)], verdict| {
            runs.iter().filter(|(other, _)| *other == verdict).count()
        };
        let wrong = [count(&harmless, MarginVerdict::Worse), count(&harmful, MarginVerdict::NotWorse)];
        assert!(wrong.iter().all(|wrong| (1..=50).contains(wrong)), "{wrong:?} of 1,000");
        // One look at the same error rates takes 4 · 1.645² · 140 / 2² = 379 blocks.
        let mean = harmful.iter().map(|(_, blocks)| *blocks).sum::<usize>() / 1_000;
        assert!(mean < 250, "{mean} blocks");
    }

    #[test]
    fn the_same_bot_is_soon_not_worse_and_a_worse_one_soon_is() {
        let plan = plan(&["bold", "cautious", "simple"], 3, 6_000, 0);
        let bots = |simple: &str| {
            let named = |name: &str| HouseBot::named(name).unwrap();
            HousePlayers::new(vec![named("bold"), named("cautious"), named(simple)])
        };
        let play = |simple: &str, test: Option<&mut MarginTest>| {
            let mut played = PlayedPart::new(&plan, super::super::Shard::WHOLE);
            let terms = PartTerms { margins: test, ..PartTerms::default() };
            play_on(&plan, &mut [bots(simple)], &mut played, terms).unwrap();
            played
        };
        let former = RatingReport::new(&plan, &play("simple", None), None);
        let margins = Margins { harmless: 0.1, harmful: 0.5 };
        let test = |simple: &str| {
            let mut test = MarginTest::new(&former, &plan, &["simple".to_string()], margins, 0.05).unwrap();
            let played = play(simple, Some(&mut test));
            (test.changes()[0].verdict, played.tally().blocks())
        };
        assert_eq!(test("simple"), (MarginVerdict::NotWorse, 256));
        let (verdict, blocks) = test("folder");
        assert!(verdict == MarginVerdict::Worse && blocks < plan.blocks(), "{verdict:?} after {blocks}");
        let mut other = former.clone();
        other.batches.clear();
        let refused = |former: &RatingReport, watch: &str| {
            MarginTest::new(former, &plan, &[watch.to_string()], margins, 0.05).unwrap_err().to_string()
        };
        assert!(refused(&other, "simple").contains("what each block gave"));
        assert!(refused(&former, "nobody").contains("no bot nobody"));
    }
}
