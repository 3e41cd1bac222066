//! The report of a rating, as text and as JSON.

use clap::Args;

use crate::cli::{Failure, print_result};
use casino_analysis::rating::{Estimate, RatingReport, StoppingRule};
use casino_judge::figures::{Cell, DataTable, Document, Markup};

use super::RatingPart;
use super::words::{SAME, TOO_FEW, headline, rounded, settled, too_few, too_few_days};

/// Stands for a range of places or a probability when too few deals decided.
const UNKNOWN_VALUE: &str = "?";

// The flags of a report.
#[derive(Args)]
pub(in crate::cli) struct ReportArgs {
    /// Print one JSON object instead of text
    #[arg(long, help_heading = "Output")]
    json: bool,
}

impl ReportArgs {
    /// Whether text for people is wanted.
    pub(super) fn is_chatty(&self) -> bool {
        !self.json
    }

    /// Makes the report of a whole rating and prints it.
    pub(in crate::cli) fn print_report(
        &self,
        whole: &RatingPart,
        sure: Option<&StoppingRule>,
    ) -> Result<(), Failure> {
        let report = RatingReport::new(&whole.plan, &whole.played, sure);
        print_result(self.json, &report, || document(&report))
    }
}

/// The number of decimals that the narrowest interval justifies.
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

fn document(report: &RatingReport) -> Document {
    let digits = digits(report);
    let mut page = Document::default();
    report.standings.iter().filter_map(|bot| bot.fouls.sentence(&bot.name)).for_each(|line| page.say(line));
    page.say(headline(report));
    page.section();
    page.table(standings(report, digits));
    page.section();
    page.heading(2, "Neighbours: the better bot, and by how many chips a round");
    page.table(neighbours(report, digits));
    page.section();
    for sentence in [too_few(report), too_few_days(report), settled(report)].into_iter().flatten() {
        page.say(sentence);
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
        .figures(["freeze-outs won", "mean place", "fouls"]);
    for verdict in &report.standings {
        let doubt = match verdict.best_place.zip(verdict.worst_place) {
            None => UNKNOWN_VALUE.to_string(),
            Some((best, worst)) if best == worst => String::new(),
            Some((best, worst)) => format!("{best}–{worst}"),
        };
        let chips = verdict.chips_per_round;
        let [won, place] = verdict.freeze_outs.map_or_else(Default::default, |record| {
            let wins = record
                .win_interval
                .map_or(String::new(), |(low, high)| format!(" [{:.1}, {:.1}]", 100.0 * low, 100.0 * high));
            let places =
                record.place_interval.map_or(String::new(), |(low, high)| format!(" [{low:.2}, {high:.2}]"));
            [
                format!("{:.1}% of {}{wins}", 100.0 * record.win_share, record.tournaments),
                format!("{:.2}{places}", record.mean_place),
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
            Cell::of(fouled.then(|| verdict.fouls.count())),
        ]);
    }
    table
}

/// The ends of an interval, if there is one.
fn ends(estimate: &Estimate, digits: usize) -> String {
    match estimate.interval() {
        Some((low, high)) => format!("[{low:+.digits$}, {high:+.digits$}]"),
        None if estimate.is_nothing() => SAME.to_string(),
        None => TOO_FEW.to_string(),
    }
}

fn neighbours(report: &RatingReport, digits: usize) -> DataTable {
    let mut table = DataTable::default()
        .words(["better", "worse", "told apart"])
        .figures(["difference"])
        .words(["95%"])
        .figures(["rounds to tell apart"]);
    for pair in report.neighbours() {
        let rounds = pair.rounds_to_tell_apart.filter(|_| pair.difference.interval().is_some());
        table.row([
            Cell::from(Markup::name(&pair.first)),
            Cell::from(Markup::name(&pair.second)),
            match pair.is_told_apart() {
                Some(true) => "yes".into(),
                Some(false) => "no".into(),
                None => UNKNOWN_VALUE.into(),
            },
            format!("{:+.digits$}", pair.difference.value).into(),
            ends(&pair.difference, digits).into(),
            Cell::of(rounds.map(rounded)),
        ]);
    }
    table
}
