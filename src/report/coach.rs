//! The coach's analysis on the pages of a report.

use casino_analysis::coach::{Addressee, AnalysedDecision, MistakeClass, PlayerAnalysis, about_chips};
use casino_analysis::rating::HALF_INTERVAL_IN_WORDS;
use casino_judge::figures::{Cell, DataTable, Document, Markup};

use super::data::{CoachReport, ReportData};

/// The chips of all players without the luck of the cards, most first. `player` gives the name with its link.
pub(super) fn less_luck(data: &ReportData, page: &mut Document, player: impl Fn(usize) -> Markup) {
    let coached = data.players.iter().filter_map(|report| report.coach.as_ref());
    let mut players: Vec<&PlayerAnalysis> = coached.map(|coach| &coach.player).collect();
    if players.is_empty() {
        return;
    }
    players.sort_by(|one, other| other.less_luck.chips.total_cmp(&one.less_luck.chips));
    page.section();
    page.heading(2, "Without the luck of the cards");
    page.classed(
        "small",
        format!(
            "Chips a round less luck: the chips won, less those that the cards alone brought. Given away: the cost of mistakes a \
             round, by the coach's estimate. {HALF_INTERVAL_IN_WORDS}"
        ),
    );
    let figures = ["chips a round less luck", "given away a round", "luck, in chips", "proven mistakes"];
    let mut table = DataTable::default().words(["player"]).figures(figures);
    for analysis in players {
        let PlayerAnalysis { player: seat, less_luck, luck, proven_mistakes, .. } = analysis;
        table.row([
            Cell::from(player(*seat)),
            format!("{:+.2} ± {:.2}", less_luck.chips, less_luck.half_interval()).into(),
            analysis.given_away_in_words().into(),
            format!("{luck:+.0}").into(),
            proven_mistakes.into(),
        ]);
    }
    page.table(table);
}

/// A player's mistakes by kind and street.
pub(crate) fn class_table(classes: &[MistakeClass]) -> DataTable {
    let mut table = DataTable::default().words(["what"]).figures(["street", "mistakes", "chips"]);
    for class in classes {
        table.row([
            class.words().into(),
            class.street.to_string().into(),
            class.mistakes.into(),
            format!("{:+.0}", -class.cost).into(),
        ]);
    }
    table
}

/// The section on a player's card. `place` names a round by its place among all.
pub(super) fn section(report: &CoachReport, page: &mut Document, place: impl Fn(u64) -> String) {
    let PlayerAnalysis {
        rounds,
        decisions,
        valued,
        luck,
        proven_mistakes,
        estimated_mistakes,
        less_luck,
        ..
    } = &report.player;
    page.section();
    page.heading(2, "The coach");
    let drawn = if valued < decisions { ", those of rounds drawn by lot," } else { "" };
    page.say(format!(
        "In {rounds} rounds you won {:+.2} ± {:.2} chips a round without the luck of the cards, which brought {luck:+.0} chips in all. \
         In {} decisions{drawn} you gave away {} chips a round: {proven_mistakes} of them were mistakes against all hands and \
         replies of the others, {estimated_mistakes} more by an estimate. {HALF_INTERVAL_IN_WORDS}",
        less_luck.chips,
        less_luck.half_interval(),
        report.player.valued_in_words(),
        report.player.given_away_in_words(),
    ));
    if report.dearest.is_empty() {
        return;
    }
    page.table(class_table(&report.player.classes));
    let item = |(round, decision): &(u64, AnalysedDecision)| {
        let AnalysedDecision { cost, question, reply, best, judgement, .. } = decision;
        let kind = if judgement.proof().is_some() { "a proven mistake, " } else { "" };
        let sentence = decision.sentence(Addressee::Player).unwrap_or_default();
        vec![
            format!("Round {}, {kind}about {}: {sentence}", place(*round), about_chips(*cost)).into(),
            Markup::code(question),
            Markup::from("reply ").and(Markup::code(reply)).and(", better ").and(Markup::code(best)),
        ]
    };
    page.heading(3, "The dearest decisions");
    page.list("dearest", report.dearest.iter().map(item).collect());
    page.say(report.player.lesson_in_words());
}
