//! What the coach says, on the pages of a report.

use std::fmt::Write as _;

use html_escape::encode_double_quoted_attribute as escape;

use crate::figures::{Cell, Table};

use super::data::{CoachReport, ReportData};

/// The marks of all players, best first. `player` gives the name with its link.
pub(super) fn marks(data: &ReportData, page: &mut String, player: impl Fn(usize) -> String) {
    let mut reports: Vec<(usize, &CoachReport)> =
        (0..).zip(&data.players).filter_map(|(seat, report)| Some((seat, report.coach.as_ref()?))).collect();
    if reports.is_empty() {
        return;
    }
    reports.sort_by(|(_, one), (_, other)| {
        other.accuracy.unwrap_or_default().total_cmp(&one.accuracy.unwrap_or_default())
    });
    page.push_str(
        "<h2>The coach's marks</h2>\n<p class=small>Accuracy is 100 if nothing was given away, and 0 if all was that could be. Luck is \
         what the cards alone brought.</p>\n",
    );
    let mut table = Table::default().words(["player", "accuracy"]).figures([
        "given away a round",
        "luck, in chips",
        "proven mistakes",
    ]);
    for (seat, report) in reports {
        let CoachReport { given_away, luck, proven_mistakes, .. } = report;
        table.row([
            Cell::markup(player(seat)),
            Cell::markup(mark(report)),
            format!("{:.2} ± {:.2}", given_away.chips, 2.0 * given_away.standard_error).into(),
            format!("{luck:+.0}").into(),
            proven_mistakes.into(),
        ]);
    }
    page.push_str(&table.html());
}

/// The section on a player's card. `link` gives a round, by its place among all, as a link.
pub(super) fn section(report: &CoachReport, page: &mut String, link: impl Fn(u64) -> String) {
    let CoachReport { rounds, decisions, given_away, luck, proven_mistakes, estimated_mistakes, .. } = report;
    let _ = writeln!(
        page,
        "<h2>The coach</h2>\n<p>Accuracy {}</p>\n<p>In {rounds} rounds with {decisions} decisions {:.2} ± {:.2} chips a round were \
         given away. {proven_mistakes} decisions were mistakes whatever the others held and did, {estimated_mistakes} more by an \
         estimate. The luck of the cards was worth {luck:+.0} chips.</p>",
        mark(report),
        given_away.chips,
        2.0 * given_away.standard_error,
    );
    if report.dearest.is_empty() {
        return;
    }
    page.push_str("<h3>The dearest decisions</h3>\n<ol class=dearest>\n");
    for decision in &report.dearest {
        let kind = if decision.is_proven { "a proven mistake, " } else { "" };
        let _ = writeln!(
            page,
            "<li>Round {}, {kind}about {:.1} chips: {}<br><code>{}</code><br>reply <code>{}</code>, better <code>{}</code></li>",
            link(decision.round),
            decision.chips,
            escape(&decision.sentence),
            escape(&decision.question),
            escape(&decision.reply),
            escape(&decision.better),
        );
    }
    page.push_str(
        "</ol>\n<p class=small>To ask the next version of the program these questions: casino analyse JOURNAL --player NAME \
         --scenarios questions</p>\n",
    );
}

/// The mark as a bar and a number.
fn mark(report: &CoachReport) -> String {
    match report.accuracy {
        Some(mark) => {
            format!("<meter min=0 max=100 value={mark:.1}>{mark:.0}</meter> {mark:.0} of 100")
        }
        None => "unknown: nothing was at stake".to_string(),
    }
}
