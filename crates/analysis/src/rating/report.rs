//! The report of a rating.

use std::fmt;

use serde::{Deserialize, Serialize};

use super::estimates::Estimates;
use super::freeze_outs::tournament_records;
use super::intervals::{MIN_BATCHES, ONE_SIDED_ERROR_RATE, Spread};
use super::places::places;
use super::{FoulCounts, PlayedPart, RatingPlan, SequentialVerdict, StoppingRule, TournamentRecord};

/// The two-sided 95 % point of the normal distribution.
const Z: f64 = 1.959_963_984_540_054;

/// The report of a rating. It depends on the plan and the results and on nothing else. The front page of this crate shows
/// how one is made.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct RatingReport {
    /// The plan that was played.
    pub plan: RatingPlan,
    /// How many blocks were played; fewer than the plan has if it was settled or stopped early.
    pub blocks: u64,
    /// How many rounds these are.
    pub rounds: u64,
    /// How many of the rounds each bot played.
    pub rounds_each: u64,
    /// How many tournaments were played to their end.
    pub freeze_outs: u64,
    /// The bots, best first.
    pub standings: Vec<BotVerdict>,
    /// All pairs, in the order of the standings.
    pub pairs: Vec<PairLine>,
    /// The result of the sequential test, if there was one.
    pub sure: Option<SequentialVerdict>,
}

/// An estimate with its 95 % interval.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Estimate {
    /// The estimated value.
    pub value: f64,
    /// The lower end of the interval; `None` if too few deals decided to say anything.
    pub low: Option<f64>,
    /// The upper end of the interval; `None` if too few deals decided to say anything.
    pub high: Option<f64>,
    /// The standard error of the estimate.
    pub error: f64,
    /// How many blocks decided: how many as wild as the wildest that was played it would take to give the spread of all.
    pub deciding: f64,
    /// How heavy the tails are: the kurtosis of the batches of blocks, 3 for a normal distribution.
    pub kurtosis: f64,
}

/// The rating of one bot.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct BotVerdict {
    /// The place by chips, from 1; shared by bots with equal chips.
    pub place: usize,
    /// The best place that the bot may have by its chips, at 95 %; `None` if no difference to another bot has an interval.
    pub best_place: Option<usize>,
    /// The worst place that the bot may have by its chips, at 95 %; `None` if no difference to another bot has an interval.
    pub worst_place: Option<usize>,
    /// The name of the bot.
    pub name: String,
    /// Chips won for each round played, with the interval over blocks.
    pub chips_per_round: Estimate,
    /// The bot's results in tournaments, if any were played.
    pub freeze_outs: Option<TournamentRecord>,
    /// The fouls that the bot committed.
    pub fouls: FoulCounts,
}

/// How two bots compare.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct PairLine {
    /// The name of the bot that stands higher.
    pub first: String,
    /// The name of the other bot.
    pub second: String,
    /// How many chips more the first wins for each round played, with the interval over blocks.
    pub difference: Estimate,
    /// The number of rounds, of all bots together, until the 95 % interval is as wide to either side as the difference itself,
    /// if the difference is as estimated.
    pub rounds_to_tell_apart: Option<f64>,
}

impl PairLine {
    /// Whether the 95 % interval shows that the first is better; `None` if there is none.
    pub fn is_told_apart(&self) -> Option<bool> {
        self.difference.interval().map(|(low, _)| low > 0.0)
    }
}

impl Estimate {
    pub(super) fn new(value: f64, spread: &Spread) -> Estimate {
        let ends = spread.interval(value, ONE_SIDED_ERROR_RATE);
        Estimate {
            value,
            low: ends.map(|(low, _)| low),
            high: ends.map(|(_, high)| high),
            error: spread.error,
            deciding: spread.deciding,
            kurtosis: spread.kurtosis,
        }
    }

    /// The ends of the 95 % interval, if enough deals decided to give one.
    pub fn interval(&self) -> Option<(f64, f64)> {
        self.low.zip(self.high)
    }

    /// Whether it is a difference that was nothing in every block.
    pub fn is_nothing(&self) -> bool {
        self.value == 0.0 && self.error == 0.0
    }
}

/// The value and its interval, with as many digits after the point as the format asks for, else three.
impl fmt::Display for Estimate {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let (value, digits) = (self.value, f.precision().unwrap_or(3));
        match self.interval() {
            Some((low, high)) => write!(f, "{value:+.digits$} ({low:+.digits$} to {high:+.digits$})"),
            None => write!(f, "{value:+.digits$} (too few deciding deals)"),
        }
    }
}

/// The fouls of each bot first, then the standings.
impl fmt::Display for RatingReport {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        for fouls in self.standings.iter().filter_map(|bot| bot.fouls.sentence(&bot.name)) {
            writeln!(f, "{fouls}")?;
        }
        writeln!(f, "Chips won for each round played, with 95 % intervals, over {} rounds:", self.rounds)?;
        for BotVerdict { place, name, chips_per_round, .. } in &self.standings {
            writeln!(f, "{place:>3}  {name:<10} {chips_per_round:.2}")?;
        }
        Ok(())
    }
}

impl RatingReport {
    /// Makes the report of the rounds played. `sure` is the stopping test, if there was one.
    ///
    /// # Panics
    /// If fewer than two blocks were played, because then there is no variance.
    pub fn new(plan: &RatingPlan, played: &PlayedPart, sure: Option<&StoppingRule>) -> RatingReport {
        let tally = played.tally();
        assert!(tally.blocks() >= 2, "one block says nothing about its spread");
        let name = |bot: usize| plan.bots()[bot].name.clone();
        let estimates = Estimates::new(tally, plan.seats());
        let ranges = places(&estimates);
        let records = tournament_records(plan.bot_count(), played.finishes());
        let ranking = estimates.ranking();
        let place = |bot: usize| {
            1 + ranking.iter().filter(|other| estimates.mean(**other) > estimates.mean(bot)).count()
        };
        let standings = ranking.iter().map(|&bot| {
            let value = estimates.mean(bot);
            let spread = estimates.spread(bot);
            BotVerdict {
                place: place(bot),
                best_place: ranges[bot].map(|(best, _)| best),
                worst_place: ranges[bot].map(|(_, worst)| worst),
                name: name(bot),
                chips_per_round: Estimate::new(value, &spread),
                freeze_outs: records[bot],
                fouls: played.fouls(bot),
            }
        });
        let standings: Vec<BotVerdict> = standings.collect();
        let rounds = tally.blocks() * plan.rounds_per_block();
        let pair = |first: usize, second: usize| {
            let spread = estimates.spread_of_difference(first, second);
            let value = estimates.mean(first) - estimates.mean(second);
            let difference = Estimate::new(value, &spread);
            // Fewer blocks have no interval.
            let least = MIN_BATCHES * plan.rounds_per_block() as f64;
            let needed = (rounds as f64 * (Z * spread.error / difference.value).powi(2)).max(least);
            PairLine {
                first: name(first),
                second: name(second),
                difference,
                rounds_to_tell_apart: (difference.value > 0.0).then_some(needed),
            }
        };
        let pairs = ranking.iter().enumerate();
        let pairs =
            pairs.flat_map(|(at, &first)| ranking[at + 1..].iter().map(move |&second| (first, second)));
        let sure = sure.map(|sure| sure.verdict(&estimates, &ranking, name));
        RatingReport {
            plan: plan.clone(),
            blocks: tally.blocks(),
            rounds,
            rounds_each: tally.blocks() * plan.seats() as u64,
            freeze_outs: played.finishes().len() as u64,
            standings,
            pairs: pairs.map(|(first, second)| pair(first, second)).collect(),
            sure,
        }
    }

    /// The pairs of neighbours in the standings.
    pub fn neighbours(&self) -> impl Iterator<Item = &PairLine> {
        // The pairs of the first bot come first, then those of the second, one fewer each time.
        let bots = self.standings.len();
        let mut at = 0;
        (1..bots).filter_map(move |rank| {
            let pair = self.pairs.get(at);
            at += bots - rank;
            pair
        })
    }
}

#[cfg(test)]
pub(super) mod tests {
    use super::super::plan::tests::plan;
    use super::super::{BotPlayers, play};
    use super::*;
    use casino_stud::strategies::HouseBot;

    pub(in super::super) fn played(plan: &RatingPlan) -> PlayedPart {
        let bots = plan.bots().iter().map(|bot| HouseBot::named(&bot.name).unwrap()).collect();
        play(plan, &mut [BotPlayers::house(bots)]).unwrap()
    }

    #[test]
    fn a_report_ranks_weighs_and_reads_back() {
        let plan = plan(&["caller", "folder", "simple"], 3, 3_000, 40);
        let report = RatingReport::new(&plan, &played(&plan), None);
        assert_eq!((report.blocks, report.rounds, report.rounds_each), (1_000, 3_000, 3_000));
        let total: f64 = report.standings.iter().map(|verdict| verdict.chips_per_round.value).sum();
        assert!(total.abs() < 1e-9);
        let folder = report.standings.iter().find(|verdict| verdict.name == "folder").unwrap();
        assert!((folder.chips_per_round.value + 1.0).abs() < 0.02, "{folder:?}");
        assert_eq!(report.pairs.len(), 3);
        assert_eq!(report.neighbours().count(), 2);
        for (pair, verdicts) in report.neighbours().zip(report.standings.windows(2)) {
            assert_eq!((&pair.first, &pair.second), (&verdicts[0].name, &verdicts[1].name));
            assert!(pair.difference.value >= 0.0);
        }
        let records = || report.standings.iter().map(|verdict| verdict.freeze_outs.unwrap());
        assert!(records().all(|record| record.tournaments == 42));
        assert!(records().map(|record| record.won).sum::<u64>() >= 42);
        let mut fouled = report.clone();
        fouled.standings[1].fouls.kinds.insert("illegal bet".to_string(), 212);
        let (text, name) = (fouled.to_string(), &report.standings[1].name);
        assert!(
            text.starts_with(&format!("{name} fouled 212 times: illegal bet 212 times.\nChips")),
            "{text}"
        );
        let json = serde_json::to_string(&report).unwrap();
        assert_eq!(serde_json::from_str::<RatingReport>(&json).unwrap(), report);
    }
}
