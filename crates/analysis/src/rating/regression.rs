//! Comparing two ratings to find out whether a bot got worse.

use super::RatingReport;

/// The results of a bot in two ratings, and the test of their difference.
#[derive(Clone, Debug, PartialEq)]
pub struct Change {
    /// The name of the bot.
    pub name: String,
    /// The chips for each round in the former rating.
    pub before: f64,
    /// The chips for each round now.
    pub now: f64,
    /// The standard error of the difference.
    pub error: f64,
    /// The probability of so large a loss if nothing has changed.
    pub chance: f64,
    /// Whether both reports give the bot an interval. Where one does not, too few deals decided to trust the standard errors.
    pub trusted: bool,
    /// Whether that probability is below the level of the test; never where it cannot be trusted.
    pub worse: bool,
}

/// The comparison of two ratings for all bots that are watched.
#[derive(Clone, Debug, PartialEq)]
pub struct Regression {
    /// The probability that any bot is called worse although none has changed.
    pub level: f64,
    /// The bots, in the order of the standings now.
    pub changes: Vec<Change>,
}

/// Why two reports cannot be compared, in a sentence.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error("{0}")]
pub struct RegressionError(String);

impl Regression {
    /// Compares two reports on the same bots. Chips go from one bot to another, so if one gets better the others get worse;
    /// the bots to `watch` are those that may have changed. Each is tested at `level` divided by their number.
    pub fn new(
        before: &RatingReport,
        now: &RatingReport,
        watch: &[String],
        level: f64,
    ) -> Result<Regression, RegressionError> {
        let refuse = |why: String| Err(RegressionError(why));
        let names = |report: &RatingReport| {
            report.plan.bots().iter().map(|bot| bot.name.as_str()).collect::<Vec<_>>().join(", ")
        };
        if names(before) != names(now) {
            return refuse(format!("the field was {} then and is {} now", names(before), names(now)));
        }
        let game = |report: &RatingReport| {
            let rules = report.plan.table_settings().rules;
            let (seats, stack) = (report.plan.seats(), report.plan.stack());
            format!("{seats} seats, stack {stack}, ante {}, raises up to {}", rules.ante, rules.raise_cap)
        };
        if game(before) != game(now) {
            return refuse(format!("the game was {} then and is {} now", game(before), game(now)));
        }
        if let Some(stranger) =
            watch.iter().find(|name| !now.standings.iter().any(|verdict| verdict.name == **name))
        {
            return refuse(format!("there is no bot {} to watch", stranger.escape_debug()));
        }
        let mut changes = Vec::new();
        for verdict in now.standings.iter().filter(|verdict| watch.contains(&verdict.name)) {
            let Some(former) = before.standings.iter().find(|former| former.name == verdict.name) else {
                return refuse(format!("{} has no line in the former standings", verdict.name));
            };
            let (was, is) = (former.chips_per_round, verdict.chips_per_round);
            let error = was.error.hypot(is.error);
            let loss = was.value - is.value;
            let chance = match error > 0.0 {
                true => libm::erfc(loss / error / std::f64::consts::SQRT_2) / 2.0,
                false if loss > 0.0 => 0.0,
                false => 1.0,
            };
            let trusted = was.interval().is_some() && is.interval().is_some();
            let worse = trusted && chance < level / watch.len() as f64;
            let name = verdict.name.clone();
            changes.push(Change { name, before: was.value, now: is.value, error, chance, trusted, worse });
        }
        Ok(Regression { level, changes })
    }

    /// Whether nothing can be said of a bot, because a report gives it no interval.
    pub fn is_open(&self) -> bool {
        self.changes.iter().any(|change| !change.trusted)
    }

    /// Whether any bot got worse.
    pub fn is_worse(&self) -> bool {
        self.changes.iter().any(|change| change.worse)
    }
}

#[cfg(test)]
mod tests {
    use super::super::plan::tests::plan;
    use super::super::report::tests::played;
    use super::*;

    fn report(rounds: u64) -> RatingReport {
        let plan = plan(&["bold", "simple"], 2, rounds, 0);
        RatingReport::new(&plan, &played(&plan), None)
    }

    #[test]
    fn only_significant_losses_are_regressions() {
        let before = report(2_000);
        let watch = ["bold".to_string()];
        let same = Regression::new(&before, &before, &watch, 0.05).unwrap();
        assert_eq!((same.is_worse(), same.changes.len(), same.changes[0].chance), (false, 1, 0.5));
        let shifted = |errors: f64| {
            let mut now = before.clone();
            let bold = now.standings.iter_mut().find(|verdict| verdict.name == "bold").unwrap();
            // The error of the difference is the root of two times each one's.
            bold.chips_per_round.value -= errors * bold.chips_per_round.error * 2f64.sqrt();
            Regression::new(&before, &now, &watch, 0.05).unwrap()
        };
        assert!(!shifted(1.6).is_worse());
        assert!(shifted(1.7).is_worse());
        assert!((shifted(1.644_853_6).changes[0].chance - 0.05).abs() < 1e-6);
        assert!(!shifted(-9.0).is_worse());
    }

    /// Where a report gives a bot no interval, it is called neither worse nor as good as before.
    #[test]
    fn too_few_deciding_deals_give_no_regression_result() {
        let mut before = report(2_000);
        let mut now = before.clone();
        for verdict in &mut now.standings {
            verdict.chips_per_round.value -= 1_000.0;
        }
        let watch = ["bold".to_string()];
        let regression = |before: &RatingReport| Regression::new(before, &now, &watch, 0.05).unwrap();
        assert!(regression(&before).is_worse() && !regression(&before).is_open());
        for verdict in &mut before.standings {
            (verdict.chips_per_round.low, verdict.chips_per_round.high) = (None, None);
        }
        assert!(!regression(&before).is_worse() && regression(&before).is_open());
    }

    #[test]
    fn other_fields_and_games_are_refused() {
        let before = report(20);
        let refused = |now: &RatingReport, watch: &[&str]| {
            let watch: Vec<String> = watch.iter().map(|name| name.to_string()).collect();
            Regression::new(&before, now, &watch, 0.05).unwrap_err().to_string()
        };
        assert!(refused(&before, &["nobody"]).contains("no bot nobody"));
        let other = plan(&["bold", "raiser"], 2, 20, 0);
        let other = RatingReport::new(&other, &played(&other), None);
        assert!(refused(&other, &[]).contains("was bold, simple then and is bold, raiser now"));
    }
}
