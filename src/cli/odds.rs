//! The flags and exit codes of `casino odds`.

mod shown;
mod written_situation;

use std::time::{Duration, Instant};

use clap::Args;

use casino_stud::cards::{Card, Seed};
use casino_stud::odds::{ImpossibleSituation, Odds, Sampler, Situation};
use casino_stud::stud::{Chips, Street};

use super::progress::ShownProgress;
use super::values::{positive, whole};
use super::{Failure, Output};

use written_situation::{WrittenCards, WrittenPlayers, WrittenSituation};

#[derive(Args)]
#[command(
    after_help = "Write cards as in the protocol: 10S, AD, 2C. A question is the dealer's bet1:... or bet2:... \
        command; the players on its board count as in, unless --folded names a card that they show. The \
        odds assume that no player folds, and ignore the information in other players' bets.\n\n\
        The second street is exact against 1 to 16 others, the first against one or two. Against more, \
        deals are sampled until the standard error is small enough, or --exact enumerates all deals (up \
        to four others, which takes some seconds).\n\n\
        Exit codes: 0 answered, 2 impossible situation or unusable command line.\n\n\
        Examples:
  casino odds bet2:183:66:0:KS:10D:10S:up:AS:AD:8H:6D:10D:10S:QD:JC:2C:4H
  casino odds --hand 'AS KH' --others '10D, QC, 7H' --folded 9D
  casino odds --hand 'AS KH 2D' --others '10D 4S, QC JD' --pot 24 --json
  casino odds --hand 'QS KH' --others '10D, QC, 7H' --exact"
)]
pub(crate) struct OddsCommand {
    /// The question that the player was asked: a bet1 or bet2 command
    #[arg(value_name = "QUESTION")]
    question: Option<String>,
    /// Your own cards, the hole card first: two on the first street, three on the second
    #[arg(long, value_name = "CARDS", conflicts_with = "question", requires = "others")]
    hand: Option<WrittenCards>,
    /// The up cards of each other player who is in, players separated by commas
    #[arg(long, value_name = "PLAYERS", requires = "hand")]
    others: Option<WrittenPlayers>,
    /// Up cards of players who folded
    #[arg(long, value_name = "CARDS")]
    folded: Option<WrittenCards>,
    /// Print the value of a pot of this many chips
    #[arg(long, value_name = "CHIPS", conflicts_with = "question", value_parser = whole::<Chips>(1..=Chips::MAX.into()))]
    pot: Option<Chips>,
    /// Enumerate all deals of the first street against three or four others
    #[arg(long, conflicts_with_all = ["precision", "samples", "seconds"])]
    exact: bool,
    /// Sample until the standard error of the share is this small [default: 0.001]
    #[arg(long, value_name = "ERR", value_parser = error)]
    precision: Option<f64>,
    /// Maximum number of sampled deals
    #[arg(long, value_name = "N", value_parser = positive::<u64>())]
    samples: Option<u64>,
    /// Maximum sampling time in seconds; the result then depends on the machine
    #[arg(long, value_name = "S", value_parser = seconds)]
    seconds: Option<f64>,
    /// The seed of the sample: the same one gives the same answer
    #[arg(long, value_name = "TEXT", default_value = "odds")]
    seed: String,
    /// Print one JSON object
    #[arg(long)]
    json: bool,
}

fn error(text: &str) -> Result<f64, String> {
    let error = text.parse::<f64>().ok().filter(|error| (1e-6..=0.5).contains(error));
    error.ok_or_else(|| "write a number from 0.000001 to 0.5, such as 0.001".to_string())
}

fn seconds(text: &str) -> Result<f64, String> {
    let seconds = text.parse::<f64>().ok().filter(|seconds| *seconds > 0.0 && *seconds <= 1e6);
    seconds.ok_or_else(|| "write a number of seconds above 0, such as 0.5".to_string())
}

const DEALS_PER_STEP: u64 = 1_000;

/// The standard error at which a sample ends if nothing else is said.
const DEFAULT_STANDARD_ERROR: f64 = 0.001;

/// The size and the seed of a sample.
struct Sampling {
    exact: bool,
    precision: f64,
    samples: u64,
    time: Option<Duration>,
    seed: Seed,
}

impl Sampling {
    /// The odds, from a sample where they cannot be had exactly in a moment. `tell` hears how far it has come.
    fn odds(&self, situation: &Situation, mut tell: impl FnMut(&Sampler<'_>)) -> Result<Odds, String> {
        let is_quick = situation.street() == Street::Second
            || situation.others().len() <= Situation::MAX_QUICK_OPPONENTS;
        if self.exact || is_quick {
            let most = Situation::MAX_EXACT_OPPONENTS;
            let others = situation.others().len();
            return situation.exact_odds().ok_or_else(|| {
                format!(
                    "on the first street --exact works against 1 to {most} others, not {others}: leave it out, or give \
                     the folded cards"
                )
            });
        }
        let start = Instant::now();
        let mut sampler = Sampler::new(situation, &self.seed);
        while sampler.deals() < self.samples {
            sampler.deal(DEALS_PER_STEP.min(self.samples - sampler.deals()));
            tell(&sampler);
            let is_late = self.time.is_some_and(|time| start.elapsed() >= time);
            if sampler.standard_error() <= self.precision || is_late {
                break;
            }
        }
        Ok(sampler.odds())
    }
}

impl OddsCommand {
    pub(crate) fn run(self) -> Result<(), Failure> {
        let usual =
            if self.samples.is_none() && self.seconds.is_none() { DEFAULT_STANDARD_ERROR } else { 0.0 };
        let ends = Sampling {
            exact: self.exact,
            precision: self.precision.unwrap_or(usual),
            samples: self.samples.unwrap_or(u64::MAX),
            time: self.seconds.map(Duration::from_secs_f64),
            seed: Seed::chosen(self.seed.clone()),
        };
        let asked = self.asked().map_err(Failure::Usage)?;
        let bar = ShownProgress::endless();
        let tell = |sampler: &Sampler<'_>| {
            bar.say(format!("{} deals, error {:.5}", sampler.deals(), sampler.standard_error()));
        };
        let odds = ends.odds(&asked.situation, tell).map_err(Failure::Usage)?;
        drop(bar);
        let mut output = Output::stdout();
        if self.json {
            output.line(shown::json(&asked, &odds)?)?;
        } else {
            output.document(&shown::words(&asked, &odds))?;
        }
        output.flush()
    }

    fn asked(&self) -> Result<WrittenSituation, String> {
        let folded: &[Card] = self.folded.as_ref().map_or(&[], |cards| &cards.0);
        match (&self.question, &self.hand, &self.others) {
            (Some(question), ..) => written_situation::question(question, folded),
            (None, Some(hand), Some(others)) => {
                let situation = Situation::new(&hand.0, &others.0, folded);
                let situation = situation.map_err(|error: ImpossibleSituation| error.to_string())?;
                Ok(WrittenSituation { situation, pot: self.pot, to_call: None })
            }
            _ => Err("give a situation: the question that the player was asked, as in `casino odds bet1:500:3:0:10S:AD:up:AD:KC:2H`, \
                 or cards with --hand and --others"
                .to_string()),
        }
    }
}
