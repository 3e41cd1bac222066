//! The report of a rating.

use std::fmt;

use serde::{Deserialize, Serialize};
use skillratings::MultiTeamOutcome;
use skillratings::weng_lin::{WengLinConfig, WengLinRating, weng_lin_multi_team};

use super::bootstrap::Bootstrap;
use super::estimates::Estimates;
use super::intervals::Spread;
use super::{Finish, Fouls, Plan, PlayedPart, SequentialVerdict, Sure};

/// The two-sided 95 % point of the normal distribution.
const Z: f64 = 1.959_963_984_540_054;

/// The report of a rating. It depends on the plan and the results and on nothing else. The front page of this crate shows
/// how one is made.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct RatingReport {
    /// The plan that was played.
    pub plan: Plan,
    /// How many blocks were played; fewer than the plan has if it was settled or stopped early.
    pub blocks: u64,
    /// How many rounds these are.
    pub rounds: u64,
    /// How many of the rounds each bot played.
    pub rounds_each: u64,
    /// By which factor plain deals would have made the variance larger with the same number of rounds, as the geometric mean
    /// over the bots. Plain deals would have needed this many times the rounds.
    pub plain_deals_need: Option<f64>,
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

/// What a rating says about one bot.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct BotVerdict {
    /// The place by chips, from 1; shared by bots with equal chips.
    pub place: usize,
    /// The best place that the bot takes in the middle 95 % of the bootstrap's resamples.
    pub best_place: usize,
    /// The worst place that the bot takes in the middle 95 % of the bootstrap's resamples.
    pub worst_place: usize,
    /// The name of the bot.
    pub name: String,
    /// Chips won for each round played, with the interval over blocks.
    pub chips_per_round: Estimate,
    /// By which factor plain deals would have made the variance larger; `None` if there is no variance to compare.
    pub plain_deals_need: Option<f64>,
    /// The bot's rating from tournaments, if any were played.
    pub rating: Option<Rating>,
    /// The fouls that the bot committed.
    pub fouls: Fouls,
}

/// A tournament rating: Weng and Lin's Bayesian rating for many players, from 25 ± 8.33 at the start.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Rating {
    /// The estimated strength.
    pub value: f64,
    /// The uncertainty of the strength, as a standard deviation.
    pub uncertainty: f64,
    /// How many tournaments the bot played.
    pub tournaments: u64,
    /// How many of the tournaments the bot won; a shared first place counts.
    pub won: u64,
    /// The share of the tournaments that the bot won, where a first place that several share counts in parts.
    #[serde(default)]
    pub win_share: f64,
    /// The ends of the 95 % interval of that share (Wilson's).
    #[serde(default)]
    pub win_interval: (f64, f64),
    /// The mean of the bot's places, where a shared place is the middle one of those it stands for.
    #[serde(default)]
    pub mean_place: f64,
    /// By how much the mean of the places may be off, at 95 %.
    #[serde(default)]
    pub mean_place_error: f64,
}

/// How two bots compare.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct PairLine {
    /// The name of the bot that stands higher.
    pub first: String,
    /// The name of the other bot.
    pub second: String,
    /// The probability that the first is better, as `docs/rate.md` defines it.
    pub first_is_better: f64,
    /// How many chips more the first wins for each round played, with the interval over blocks.
    pub difference: Estimate,
    /// How many rounds it would take to tell the two apart, if the difference is what it seems.
    pub separation: Option<Separation>,
}

/// How many rounds, of all bots together, it takes until the 95 % interval of a difference is as wide to either
/// side as the difference itself.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Separation {
    /// The number of rounds if they are dealt as these were.
    pub rounds: f64,
    /// The number of rounds with plain deals.
    pub plain_rounds: f64,
}

impl Estimate {
    pub(super) fn new(value: f64, spread: &Spread) -> Estimate {
        let ends = spread.interval(value);
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

impl RatingReport {
    /// Makes the report of what has been played. `sure` is the test that play was stopped by, if there was one.
    ///
    /// # Panics
    /// If fewer than two blocks were played, because then there is no variance.
    pub fn new(plan: &Plan, played: &PlayedPart, sure: Option<&Sure>) -> RatingReport {
        let tally = played.tally();
        assert!(tally.blocks() >= 2, "one block says nothing about its spread");
        let name = |bot: usize| plan.bots()[bot].name.clone();
        let estimates = Estimates::new(tally, plan.seats());
        let bootstrap = Bootstrap::new(&estimates, &mut plan.seed().stream("bootstrap"));
        let ratings = ratings(plan.bot_count(), played.finishes());
        let ranking = estimates.ranking();
        let place = |bot: usize| {
            1 + ranking.iter().filter(|other| estimates.mean(**other) > estimates.mean(bot)).count()
        };
        let standings = ranking.iter().map(|&bot| {
            let value = estimates.mean(bot);
            let spread = estimates.spread(bot);
            let (best_place, worst_place) = bootstrap.places(bot);
            BotVerdict {
                place: place(bot),
                best_place,
                worst_place,
                name: name(bot),
                chips_per_round: Estimate::new(value, &spread),
                plain_deals_need: ratio(tally.plain_variance(bot), spread.error.powi(2)),
                rating: ratings[bot].filter(|rating| rating.tournaments > 0),
                fouls: played.fouls(bot),
            }
        });
        let standings: Vec<BotVerdict> = standings.collect();
        let gains: Vec<f64> = standings.iter().filter_map(|verdict| verdict.plain_deals_need).collect();
        let plain_deals_need = (!gains.is_empty())
            .then(|| libm::exp(gains.iter().map(|gain| libm::log(*gain)).sum::<f64>() / gains.len() as f64));
        let rounds = tally.blocks() * plan.rounds_per_block();
        let pair = |first: usize, second: usize| {
            let spread = estimates.spread_of_difference(first, second);
            let value = estimates.mean(first) - estimates.mean(second);
            let difference = Estimate::new(value, &spread);
            let variance = spread.error.powi(2);
            let needed = |variance: f64| rounds as f64 * variance * (Z / difference.value).powi(2);
            let plain = tally.plain_variance_of_difference(first, second);
            PairLine {
                first: name(first),
                second: name(second),
                first_is_better: bootstrap.probability(first, second),
                difference,
                separation: (difference.value > 0.0)
                    .then(|| Separation { rounds: needed(variance), plain_rounds: needed(plain) }),
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
            plain_deals_need,
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

fn ratio(plain: f64, equal: f64) -> Option<f64> {
    (plain > 0.0 && equal > 0.0).then(|| plain / equal)
}

/// What became of a bot in tournaments: its skill, how many it played and won, and the sums of its shares of first places,
/// of its places and of their squares.
type Record = ((WengLinRating, (u64, u64)), (f64, f64, f64));

/// The rating of each bot after these tournaments.
fn ratings(bots: usize, finishes: &[Finish]) -> Vec<Option<Rating>> {
    let mut skills = vec![WengLinRating::new(); bots];
    let mut played = vec![(0, 0); bots];
    let mut places = vec![(0.0, 0.0, 0.0); bots];
    let config = WengLinConfig::new();
    for finish in finishes {
        let before: Vec<[WengLinRating; 1]> = finish.bots.iter().map(|bot| [skills[*bot]]).collect();
        let teams: Vec<(&[WengLinRating], MultiTeamOutcome)> = before
            .iter()
            .zip(&finish.places)
            .map(|(team, place)| (&team[..], MultiTeamOutcome::new(*place)))
            .collect();
        let after = weng_lin_multi_team(&teams, &config);
        for ((bot, place), team) in finish.bots.iter().zip(&finish.places).zip(after) {
            skills[*bot] = team[0];
            played[*bot].0 += 1;
            played[*bot].1 += u64::from(*place == 1);
            let shared = finish.places.iter().filter(|other| *other == place).count() as f64;
            let is_first = *place == 1;
            let place = *place as f64 + (shared - 1.0) / 2.0;
            let (wins, sum, squares) = &mut places[*bot];
            *wins += if is_first { 1.0 / shared } else { 0.0 };
            *sum += place;
            *squares += place * place;
        }
    }
    let rating = |((skill, (tournaments, won)), (wins, sum, squares)): Record| {
        let played = (tournaments as f64).max(1.0);
        let mean_place = sum / played;
        let variance = (squares / played - mean_place * mean_place).max(0.0);
        Some(Rating {
            value: skill.rating,
            uncertainty: skill.uncertainty,
            tournaments,
            won,
            win_share: wins / played,
            win_interval: wilson(wins / played, played),
            mean_place,
            mean_place_error: Z * (variance / played).sqrt(),
        })
    };
    skills.into_iter().zip(played).zip(places).map(rating).collect()
}

/// Wilson's 95 % interval of a share of so many.
fn wilson(share: f64, all: f64) -> (f64, f64) {
    let square = Z * Z / all;
    let middle = (share + square / 2.0) / (1.0 + square);
    let half = Z / (1.0 + square) * (share * (1.0 - share) / all + square / (4.0 * all)).sqrt();
    ((middle - half).max(0.0), (middle + half).min(1.0))
}

#[cfg(test)]
pub(super) mod tests {
    use super::super::plan::tests::plan;
    use super::super::{Deals, HousePlayers, PlanTerms, play};
    use super::*;
    use crate::cards::Seed;
    use crate::strategies::HouseBot;

    pub(in super::super) fn played(plan: &Plan) -> PlayedPart {
        let bots = plan.bots().iter().map(|bot| HouseBot::named(&bot.name).unwrap()).collect();
        play(plan, &mut [HousePlayers::new(bots)]).unwrap()
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
        let ratings: Vec<Rating> = report.standings.iter().map(|verdict| verdict.rating.unwrap()).collect();
        assert!(ratings.iter().all(|rating| rating.tournaments == 42 && rating.uncertainty < 8.0));
        assert!(ratings.iter().map(|rating| rating.won).sum::<u64>() >= 42);
        let json = serde_json::to_string(&report).unwrap();
        assert_eq!(serde_json::from_str::<RatingReport>(&json).unwrap(), report);
    }

    /// The spread of plain deals, foretold from equal deals, against plain deals that were really played; and
    /// plain deals foretell their own.
    #[test]
    fn what_plain_deals_would_need_is_what_they_need() {
        let names = ["bold", "cautious", "raiser", "simple"];
        let equal = plan(&names, 4, 40_000, 0);
        let really = Plan::new(
            equal.bots().to_vec(),
            PlanTerms {
                seats: 4,
                stack: 500,
                seed: Seed::chosen("plan"),
                deals: Deals::Plain,
                rounds: 40_000,
                ..PlanTerms::default()
            },
        )
        .unwrap();
        let (equal, really) = (played(&equal), played(&really));
        let (equal, really) = (equal.tally(), really.tally());
        for bot in 0..4 {
            let near = |ratio: f64| assert!((0.9..1.1).contains(&ratio), "{bot}: {ratio}");
            near(equal.plain_variance(bot) / really.variance(bot));
            near(really.plain_variance(bot) / really.variance(bot));
            near(
                equal.plain_variance_of_difference(bot, (bot + 1) % 4)
                    / really.variance_of_difference(bot, (bot + 1) % 4),
            );
            assert!(equal.variance(bot) < 0.9 * really.variance(bot), "equal deals are worth something");
        }
    }

    #[test]
    fn ratings_follow_places() {
        let finishes: Vec<Finish> = (0..30)
            .map(|turn| {
                let mut bots = vec![0, 1, 2];
                bots.rotate_left(turn % 3);
                let places = bots.iter().map(|bot| bot + 1).collect();
                Finish { bots, places }
            })
            .collect();
        let ratings = super::ratings(4, &finishes);
        let value = |bot: usize| ratings[bot].unwrap().value;
        assert!(value(0) > 30.0 && value(0) > value(1) && value(1) > value(2) && value(2) < 20.0);
        assert_eq!(ratings[3].unwrap().tournaments, 0);
        assert_eq!(ratings[0].unwrap().won, 30);
    }
}
