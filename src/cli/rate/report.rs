//! The report of a rating, in every form in which it is wanted.

use std::path::{Path, PathBuf};

use clap::Args;

use crate::cli::{Failure, Output};
use casino_analysis::rating::{
    Estimate, HALF_INTERVAL, HALF_INTERVAL_IN_WORDS, RatingPlan, RatingReport, Regression, StoppingRule,
};
use casino_judge::figures::{Cell, DataTable, Document, Markup, PAGE_MARK, STYLE};

use casino_system::files::{check_output, write_output};

use super::words::{
    TOO_FEW, better, day, deals_gain, headline, likelihood, rounded, settled, share, too_few, too_few_days,
};
use super::{RatingPart, kept, probability};

/// The exit code where nothing can be said of a bot that --baseline watches.
const EXIT_INCONCLUSIVE: u8 = 3;

/// Stands for a range of places or a probability when too few deals decided.
const UNKNOWN_VALUE: &str = "?";

const REGRESSION_HEADING: &str = "Regression test";

// The flags of a report.
#[derive(Args)]
pub(in crate::cli) struct ReportArgs {
    /// Compare with a former --json result, and fail if a bot got worse
    #[arg(long, value_name = "FILE", help_heading = REGRESSION_HEADING)]
    baseline: Option<PathBuf>,
    /// Maximum probability of a false alarm of --baseline
    #[arg(long, value_name = "P", default_value_t = 0.05, value_parser = probability, requires = "baseline", help_heading = REGRESSION_HEADING)]
    baseline_level: f64,
    /// Bots compared with --baseline, repeatable [default: the programs, otherwise all]
    #[arg(long, value_name = "NAME", requires = "baseline", help_heading = REGRESSION_HEADING)]
    watch: Vec<String>,
    /// Print one JSON object instead of text
    #[arg(long, help_heading = "Output")]
    json: bool,
    /// Write a page to this file
    #[arg(long, value_name = "FILE", help_heading = "Output")]
    html: Option<PathBuf>,
}

impl ReportArgs {
    /// Whether text for people is wanted.
    pub(super) fn is_chatty(&self) -> bool {
        !self.json
    }

    /// Detects, before the work, errors that would occur after it.
    pub(in crate::cli) fn check(&self, plan: &RatingPlan) -> Result<(), Failure> {
        if let Some(file) = &self.html {
            check_output(file, &[PAGE_MARK])
                .map_err(|error| Failure::Usage(format!("{} cannot be written: {error}", file.display())))?;
        }
        let known = |name: &String| plan.bots().iter().any(|bot| bot.name == *name);
        if let Some(name) = self.watch.iter().find(|name| !known(name)) {
            return Err(Failure::Usage(format!("--watch {}: there is no such bot", name.escape_debug())));
        }
        self.former().map(|_| ())
    }

    fn former(&self) -> Result<Option<RatingReport>, Failure> {
        self.baseline.as_deref().map(kept::read).transpose()
    }

    /// Makes the report of a whole rating and prints it.
    pub(in crate::cli) fn print_report(
        &self,
        whole: &RatingPart,
        sure: Option<&StoppingRule>,
    ) -> Result<(), Failure> {
        let report = RatingReport::new(&whole.plan, &whole.played, sure);
        let regression = match self.former()? {
            None => None,
            Some(former) => {
                let watch = self.watched(&whole.plan);
                let regression = Regression::new(&former, &report, &watch, self.baseline_level);
                Some(regression.map_err(|error| Failure::Usage(format!("--baseline: {error}")))?)
            }
        };
        if let Some(path) = &self.html {
            let page = document(&report, Some("Rating"));
            write(path, page.page("Rating", STYLE).as_bytes())?;
        }
        let mut output = Output::stdout();
        if self.json {
            output.line(kept::printed(&report).map_err(Failure::broke)?)?;
        } else {
            output.document(&document(&report, None))?;
        }
        output.flush()?;
        regression.map_or(Ok(()), |regression| self.judge(&regression))
    }

    fn watched(&self, plan: &RatingPlan) -> Vec<String> {
        if !self.watch.is_empty() {
            let mut watch = self.watch.clone();
            watch.sort();
            watch.dedup();
            return watch;
        }
        let name = |bot: &casino_analysis::rating::Contestant| bot.name.clone();
        let programs: Vec<String> =
            plan.bots().iter().filter(|bot| bot.house_bot().is_none()).map(name).collect();
        if programs.is_empty() { plan.bots().iter().map(name).collect() } else { programs }
    }

    /// Prints the changes of the bots since the last rating, on standard error, so that `--json` stays JSON.
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
                "{}: {:+.3} chips a round then, {:+.3} now, a change of {:+.3} ± {:.3} (half of a 95 % interval); so low by chance in {} of all \
                 cases: {verdict}",
                change.name,
                change.before,
                change.now,
                change.now - change.before,
                HALF_INTERVAL * change.error,
                share(change.chance),
            ));
        }
        match (regression.is_worse(), regression.is_open()) {
            (true, _) => Err(Failure::Verdict(1)),
            (false, true) => Err(Failure::Verdict(EXIT_INCONCLUSIVE)),
            (false, false) => Ok(()),
        }
    }
}

fn write(path: &Path, text: &[u8]) -> Result<(), Failure> {
    write_output(path, text, &[PAGE_MARK])
        .map_err(|error| Failure::Busted(format!("{} cannot be written: {error}", path.display())))
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

/// The whole report, with a title where it stands alone.
fn document(report: &RatingReport, title: Option<&str>) -> Document {
    let digits = digits(report);
    let mut page = Document::default();
    title.into_iter().for_each(|title| page.heading(1, title));
    page.say(headline(report));
    page.section();
    page.table(standings(report, digits));
    page.section();
    page.heading(2, "Neighbours: the better bot, and by how many chips a round");
    page.table(neighbours(report, digits));
    if report.standings.len() > 2 {
        page.section();
        page.heading(2, "Probability that the bot on the left is better than the one above");
        match pairs(report) {
            Some(table) => page.table(table),
            None => page.say("There are too many pairs to show them all; they are in --json."),
        }
    }
    page.section();
    let has_rating = report.standings.iter().any(|verdict| verdict.rating.is_some());
    let half_interval = has_rating.then(|| HALF_INTERVAL_IN_WORDS.to_string());
    for sentence in [
        half_interval,
        day(report),
        deals_gain(report),
        too_few(report),
        too_few_days(report),
        settled(report),
    ]
    .into_iter()
    .flatten()
    {
        page.say(sentence);
    }
    for verdict in report.standings.iter().filter(|verdict| verdict.fouls.count() > 0) {
        let kinds: Vec<String> =
            verdict.fouls.kinds.iter().map(|(kind, count)| format!("{kind} {count} times")).collect();
        let first = verdict.fouls.first.as_ref().map(|first| format!(" The first: it {first}"));
        let (name, kinds) = (&verdict.name, kinds.join(", "));
        page.say(format!("Fouls of {name}: {kinds}.{}", first.unwrap_or_default()));
    }
    page
}

/// A row for each bot, the best first.
fn standings(report: &RatingReport, digits: usize) -> DataTable {
    let fouled = report.standings.iter().any(|verdict| verdict.fouls.count() > 0);
    let mut table = DataTable::default()
        .figures(["place", "in doubt"])
        .words(["bot"])
        .figures(["chips per round"])
        .words(["95%"])
        .figures(["freeze-outs won", "mean place", "rating", "fouls"]);
    for verdict in &report.standings {
        let doubt = match verdict.best_place.zip(verdict.worst_place) {
            None => UNKNOWN_VALUE.to_string(),
            Some((best, worst)) if best == worst => String::new(),
            Some((best, worst)) => format!("{best}–{worst}"),
        };
        let chips = verdict.chips_per_round;
        let [won, place, rating] = verdict.rating.map_or_else(Default::default, |rating| {
            let wins = rating
                .win_interval
                .map_or(String::new(), |(low, high)| format!(" [{:.1}, {:.1}]", 100.0 * low, 100.0 * high));
            let places =
                rating.place_interval.map_or(String::new(), |(low, high)| format!(" [{low:.2}, {high:.2}]"));
            [
                format!("{:.1}% of {}{wins}", 100.0 * rating.win_share, rating.tournaments),
                format!("{:.2}{places}", rating.mean_place),
                format!("{:.1} ± {:.1}", rating.value, HALF_INTERVAL * rating.uncertainty),
            ]
        });
        table.row([
            verdict.place.into(),
            doubt.into(),
            Cell::from(Markup::name(&verdict.name)),
            format!("{:+.digits$}", chips.value).into(),
            ends(&chips, digits).into(),
            won.into(),
            place.into(),
            rating.into(),
            Cell::of(fouled.then(|| verdict.fouls.count())),
        ]);
    }
    table
}

/// The ends of an interval, if there is one.
fn ends(estimate: &Estimate, digits: usize) -> String {
    let ends = estimate.interval();
    ends.map_or(TOO_FEW.to_string(), |(low, high)| format!("[{low:+.digits$}, {high:+.digits$}]"))
}

fn neighbours(report: &RatingReport, digits: usize) -> DataTable {
    let mut table = DataTable::default()
        .words(["better", "worse"])
        .figures(["probability", "difference"])
        .words(["95%"])
        .figures(["rounds to tell apart", "with plain deals"]);
    for pair in report.neighbours() {
        let told = pair.separation.filter(|_| pair.difference.interval().is_some());
        table.row([
            Cell::from(Markup::name(&pair.first)),
            Cell::from(Markup::name(&pair.second)),
            Cell::of(pair.first_is_better.map(likelihood)),
            format!("{:+.digits$}", pair.difference.value).into(),
            ends(&pair.difference, digits).into(),
            Cell::of(told.map(|separation| rounded(separation.rounds))),
            Cell::of(told.map(|separation| rounded(separation.plain_rounds))),
        ]);
    }
    table
}

/// All pairs, if they are not too many.
fn pairs(report: &RatingReport) -> Option<DataTable> {
    const MAX_TABLE_SEATS: usize = 17;
    if report.standings.len() > MAX_TABLE_SEATS {
        return None;
    }
    let ranks = (1..=report.standings.len()).map(|rank| rank.to_string());
    let mut table = DataTable::default().words([""]).figures(ranks);
    for (rank, one) in report.standings.iter().enumerate() {
        let cells = report.standings.iter().map(|other| match better(report, &one.name, &other.name) {
            None => Cell::from(if one.name == other.name { "–" } else { UNKNOWN_VALUE }),
            Some(chance) => Cell::from(likelihood(chance)),
        });
        let name = Markup::from(format!("{:>2}. ", rank + 1)).and(Markup::name(&one.name));
        table.row([Cell::heading(name)].into_iter().chain(cells));
    }
    Some(table)
}
