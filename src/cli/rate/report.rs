//! The report of a rating, in every form in which it is wanted.

use std::fmt::Write as _;
use std::fs;
use std::path::{Path, PathBuf};

use clap::Args;

use crate::cli::{Failure, Output};
use crate::figures::{Cell, Table};
use casino_stud::json_error::in_words;
use casino_stud::rating::{Estimate, Plan, Rating, RatingReport, Regression, Sure};
use casino_system::files::read_text;

use super::words::{TOO_FEW, better, headline, places, rounded, settled, share, too_few, worth};
use super::{Part, charts, probability};

/// The exit code where nothing can be said of a bot that --baseline watches.
const OPEN: u8 = 3;

/// The flags of a report.
#[derive(Args)]
pub(in crate::cli) struct ReportArgs {
    /// Print one JSON object and nothing for people
    #[arg(long)]
    json: bool,
    /// Write the standings to this file, a line for each bot
    #[arg(long, value_name = "FILE")]
    csv: Option<PathBuf>,
    /// Write a page with charts to this file
    #[arg(long, value_name = "FILE")]
    html: Option<PathBuf>,
    /// Compare with a former --json result, and fail if a bot got worse
    #[arg(long, value_name = "FILE")]
    baseline: Option<PathBuf>,
    /// How probable a false alarm of --baseline may be
    #[arg(long, value_name = "P", default_value_t = 0.05, value_parser = probability, requires = "baseline")]
    baseline_level: f64,
    /// Whom --baseline watches; can be given many times [default: the programs, or everyone if there are none]
    #[arg(long, value_name = "NAME", requires = "baseline")]
    watch: Vec<String>,
}

impl ReportArgs {
    /// Whether text for people is wanted.
    pub(super) fn is_chatty(&self) -> bool {
        !self.json
    }

    /// Finds out before the work what would go wrong after it.
    pub(in crate::cli) fn check(&self, plan: &Plan) -> Result<(), Failure> {
        for file in [&self.csv, &self.html].into_iter().flatten() {
            fs::OpenOptions::new()
                .append(true)
                .create(true)
                .open(file)
                .map_err(|error| Failure::Usage(format!("{} cannot be written: {error}", file.display())))?;
        }
        let known = |name: &String| plan.bots().iter().any(|bot| bot.name == *name);
        if let Some(name) = self.watch.iter().find(|name| !known(name)) {
            return Err(Failure::Usage(format!("--watch {}: there is no such bot", name.escape_debug())));
        }
        self.former().map(|_| ())
    }

    fn former(&self) -> Result<Option<RatingReport>, Failure> {
        let Some(path) = &self.baseline else { return Ok(None) };
        let refuse = |why: String| Failure::Usage(format!("--baseline {}: {why}", path.display()));
        let text = read_text(path).map_err(|error| refuse(error.to_string()))?;
        serde_json::from_str(&text).map(Some).map_err(|error| {
            refuse(format!("this is not what `casino rate --json` prints: {}", in_words(&error)))
        })
    }

    /// Makes the report of a whole rating and tells it.
    pub(in crate::cli) fn tell(&self, whole: &Part, sure: Option<&Sure>) -> Result<(), Failure> {
        let report = RatingReport::new(&whole.plan, &whole.played, sure);
        let regression = match self.former()? {
            None => None,
            Some(former) => {
                let watch = self.watched(&whole.plan);
                let regression = Regression::new(&former, &report, &watch, self.baseline_level);
                Some(regression.map_err(|error| Failure::Usage(format!("--baseline: {error}")))?)
            }
        };
        if let Some(path) = &self.csv {
            write(path, &csv(&report))?;
        }
        if let Some(path) = &self.html {
            write(path, &charts::page(&report, whole.played.tally()).map_err(Failure::Broke)?)?;
        }
        let mut output = Output::stdout();
        if self.json {
            output.line(serde_json::to_string(&report).map_err(Failure::broke)?)?;
        } else {
            text(&report, &mut output)?;
        }
        output.flush()?;
        regression.map_or(Ok(()), |regression| self.judge(&regression))
    }

    fn watched(&self, plan: &Plan) -> Vec<String> {
        if !self.watch.is_empty() {
            let mut watch = self.watch.clone();
            watch.sort();
            watch.dedup();
            return watch;
        }
        let name = |bot: &casino_stud::rating::Contestant| bot.name.clone();
        let programs: Vec<String> =
            plan.bots().iter().filter(|bot| bot.house_bot().is_none()).map(name).collect();
        if programs.is_empty() { plan.bots().iter().map(name).collect() } else { programs }
    }

    /// Says what became of the bots since last time: on standard error, so that `--json` stays JSON.
    fn judge(&self, regression: &Regression) -> Result<(), Failure> {
        for change in &regression.changes {
            if !change.trusted {
                super::remark(&format!(
                    "{}: {:+.3} chips a round then, {:+.3} now: too few deciding deals to say whether it got worse; play \
                     more rounds, then and now",
                    change.name, change.before, change.now,
                ));
                continue;
            }
            let verdict = if change.worse { "worse" } else { "not worse" };
            super::remark(&format!(
                "{}: {:+.3} chips a round then, {:+.3} now, a change of {:+.3} ± {:.3}; so low by chance in {} of all \
                 cases: {verdict}",
                change.name,
                change.before,
                change.now,
                change.now - change.before,
                change.error,
                share(change.chance),
            ));
        }
        match (regression.is_worse(), regression.is_open()) {
            (true, _) => Err(Failure::Verdict(1)),
            (false, true) => Err(Failure::Verdict(OPEN)),
            (false, false) => Ok(()),
        }
    }
}

fn write(path: &Path, text: &str) -> Result<(), Failure> {
    fs::write(path, text)
        .map_err(|error| Failure::Broke(format!("{} cannot be written: {error}", path.display())))
}

fn interval(estimate: &Estimate, digits: usize) -> String {
    let value = estimate.value;
    match estimate.interval() {
        Some((low, high)) => format!("{value:+.digits$} [{low:+.digits$}, {high:+.digits$}]"),
        None => format!("{value:+.digits$} {TOO_FEW}"),
    }
}

/// As many digits as the interval is worth.
fn digits(report: &RatingReport) -> usize {
    let narrowest = report
        .standings
        .iter()
        .filter_map(|verdict| verdict.chips_per_round.interval())
        .map(|(low, high)| high - low)
        .filter(|width| *width > 0.0)
        .fold(f64::INFINITY, f64::min);
    if narrowest.is_finite() { (2.0 - narrowest.log10()).ceil().clamp(1.0, 6.0) as usize } else { 3 }
}

fn text(report: &RatingReport, output: &mut Output) -> Result<(), Failure> {
    let digits = digits(report);
    output.line(headline(report))?;
    output.line("")?;
    let width = report.standings.iter().map(|verdict| verdict.name.chars().count()).max().unwrap_or(0).max(3);
    standings(report, digits, output)?;
    output.line("\nneighbours: who is better, and by how many chips a round")?;
    for pair in report.neighbours() {
        let told = pair.separation.filter(|_| pair.difference.interval().is_some());
        let needs = told.map_or(String::new(), |separation| {
            format!(
                "; told apart by {} rounds, {} of plain deals",
                rounded(separation.rounds),
                rounded(separation.plain_rounds)
            )
        });
        output.line(format_args!(
            "  {:<width$} over {:<width$}  {:>6}  {}{needs}",
            pair.first,
            pair.second,
            share(pair.first_is_better),
            interval(&pair.difference, digits),
        ))?;
    }
    if report.standings.len() > 2 {
        matrix(report, width, output)?;
    }
    output.line("")?;
    if let Some(worth) = worth(report) {
        output.line(worth)?;
    }
    for sentence in [too_few(report), settled(report)].into_iter().flatten() {
        output.line(sentence)?;
    }
    for verdict in report.standings.iter().filter(|verdict| verdict.fouls.count() > 0) {
        let kinds: Vec<String> =
            verdict.fouls.kinds.iter().map(|(kind, count)| format!("{kind} {count} times")).collect();
        output.line(format_args!("Fouls of {}: {}.", verdict.name, kinds.join(", ")))?;
        if let Some(first) = &verdict.fouls.first {
            output.line(format_args!("  The first: it {first}"))?;
        }
    }
    Ok(())
}

/// A line for each bot, the best first.
fn standings(report: &RatingReport, digits: usize, output: &mut Output) -> Result<(), Failure> {
    let rated = report.standings.iter().any(|verdict| verdict.rating.is_some());
    let mut table = Table::default()
        .words(["place"])
        .at_least(13)
        .words(["bot"])
        .at_least(3)
        .words(["chips per round"])
        .at_least(32)
        .words([if rated { "freeze-outs won, mean place, rating" } else { "" }]);
    for verdict in &report.standings {
        let doubt = match places(verdict.best_place, verdict.worst_place) {
            range if range == verdict.place.to_string() => String::new(),
            range => format!("({range})"),
        };
        let rating = verdict.rating.map(|rating| {
            let (low, high) = rating.win_interval;
            let share = 100.0 * rating.win_share;
            let won = format!("{share:.1}% [{:.1}, {:.1}]", 100.0 * low, 100.0 * high);
            let place = format!("{:.2} ± {:.2}", rating.mean_place, rating.mean_place_error);
            format!("{won:<21} {place:<12}{:>5.1} ± {:.1}", rating.value, rating.uncertainty)
        });
        let fouls = match verdict.fouls.count() {
            0 => None,
            count => Some(format!("{count} fouls")),
        };
        let rest: Vec<String> = rating.into_iter().chain(fouls).collect();
        table.row([
            Cell::from(format!("{:>5} {doubt}", verdict.place)),
            Cell::from(&verdict.name),
            Cell::from(interval(&verdict.chips_per_round, digits)),
            Cell::from(rest.join("  ")),
        ]);
    }
    output.lines(table.text(2))
}

/// Everybody against everybody: the probability that the one on the left is better.
fn matrix(report: &RatingReport, width: usize, output: &mut Output) -> Result<(), Failure> {
    const MOST: usize = 17;
    if report.standings.len() > MOST {
        return output.line("\nAll pairs are in --json and --html.");
    }
    output.line("\nprobability that the bot on the left is better than the one above")?;
    let ranks = (1..=report.standings.len()).map(|rank| format!("{rank:>6}"));
    let mut table = Table::default().words([""]).figures(ranks);
    for (rank, verdict) in report.standings.iter().enumerate() {
        let cells = report.standings.iter().enumerate().map(|(column, other)| {
            let cell = better(report, &verdict.name, &other.name);
            Cell::from(if rank == column { "–".to_string() } else { cell.map_or(String::new(), share) })
        });
        let name = format!("{:>3}. {:<width$}", rank + 1, verdict.name);
        table.row([Cell::from(name)].into_iter().chain(cells));
    }
    output.lines(table.text(1))
}

/// The standings as comma-separated values. Names have no commas or quotes in them.
fn csv(report: &RatingReport) -> String {
    let mut text =
        "place,best_place,worst_place,name,chips_per_round,low,high,error,plain_deals_need,rating,\
                    uncertainty,tournaments,won,fouls,win_share,mean_place,deciding,kurtosis\n"
            .to_string();
    for verdict in &report.standings {
        let Estimate { value, low, high, error, deciding, kurtosis } = verdict.chips_per_round;
        let [low, high] = [low, high].map(|end| end.map_or(String::new(), |end| end.to_string()));
        let gain = verdict.plain_deals_need.map_or(String::new(), |gain| gain.to_string());
        let none = || (",,,".to_string(), ",".to_string());
        let (rating, wins) = verdict.rating.map_or_else(none, |rating| {
            let Rating { value, uncertainty, tournaments, won, win_share, mean_place, .. } = rating;
            (format!("{value},{uncertainty},{tournaments},{won}"), format!("{win_share},{mean_place}"))
        });
        let _ = writeln!(
            text,
            "{},{},{},{},{value},{low},{high},{error},{gain},{rating},{},{wins},{deciding},{kurtosis}",
            verdict.place,
            verdict.best_place,
            verdict.worst_place,
            verdict.name,
            verdict.fouls.count(),
        );
    }
    text
}
