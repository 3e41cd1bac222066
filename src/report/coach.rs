//! What the coach says, on the pages of a report.

use casino_judge::figures::{Cell, DataTable, Document, Words};

use super::data::{CoachReport, DearDecision, ReportData};

/// The marks of all players, best first. `player` gives the name with its link.
pub(super) fn marks(data: &ReportData, page: &mut Document, player: impl Fn(usize) -> Words) {
    let mut reports: Vec<(usize, &CoachReport)> =
        (0..).zip(&data.players).filter_map(|(seat, report)| Some((seat, report.coach.as_ref()?))).collect();
    if reports.is_empty() {
        return;
    }
    reports.sort_by(|(_, one), (_, other)| {
        other.accuracy.unwrap_or_default().total_cmp(&one.accuracy.unwrap_or_default())
    });
    page.section();
    page.heading(2, "The coach's marks");
    page.classed(
        "small",
        "Accuracy is 100 if nothing was given away, and 0 if all was that could be. Luck is what the cards alone brought.",
    );
    let figures = ["given away a round", "luck, in chips", "proven mistakes"];
    let mut table = DataTable::default().words(["player", "accuracy"]).figures(figures);
    for (seat, report) in reports {
        let CoachReport { given_away, luck, proven_mistakes, .. } = report;
        table.row([
            Cell::from(player(seat)),
            mark(report).into(),
            format!("{:.2} ± {:.2}", given_away.chips, 2.0 * given_away.standard_error).into(),
            format!("{luck:+.0}").into(),
            proven_mistakes.into(),
        ]);
    }
    page.table(table);
}

/// The section on a player's card. `link` gives a round, by its place among all, as a link.
pub(super) fn section(report: &CoachReport, page: &mut Document, link: impl Fn(u64) -> Words) {
    let CoachReport { rounds, decisions, given_away, luck, proven_mistakes, estimated_mistakes, .. } = report;
    page.section();
    page.heading(2, "The coach");
    page.say(Words::from("Accuracy ").and(mark(report)));
    page.say(format!(
        "In {rounds} rounds with {decisions} decisions {:.2} ± {:.2} chips a round were given away. {proven_mistakes} decisions \
         were mistakes whatever the others held and did, {estimated_mistakes} more by an estimate. The luck of the cards was \
         worth {luck:+.0} chips.",
        given_away.chips,
        2.0 * given_away.standard_error,
    ));
    if report.dearest.is_empty() {
        return;
    }
    let item = |decision: &DearDecision| {
        let DearDecision { round, chips, is_proven, question, reply, better, sentence } = decision;
        let kind = if *is_proven { "a proven mistake, " } else { "" };
        vec![
            Words::from("Round ")
                .and(link(*round))
                .and(format!(", {kind}about {chips:.1} chips: {sentence}")),
            Words::code(question),
            Words::from("reply ").and(Words::code(reply)).and(", better ").and(Words::code(better)),
        ]
    };
    page.heading(3, "The dearest decisions");
    page.list("dearest", report.dearest.iter().map(item).collect());
    page.classed(
        "small",
        "To ask the next version of the program these questions: casino analyse JOURNAL --player NAME --scenarios questions",
    );
}

/// The mark as a bar and a number.
fn mark(report: &CoachReport) -> Words {
    match report.accuracy {
        Some(mark) => Words::bar(mark, 100.0, format!("{mark:.0}")).and(format!(" {mark:.0} of 100")),
        None => "unknown: nothing was at stake".into(),
    }
}
