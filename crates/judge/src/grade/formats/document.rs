//! A report as a document, for the forms that people read.

use std::collections::HashMap;

use casino_stud::shown::short_line;

use super::super::cases::CAUSES_PART_TITLE;
use super::super::report::{Item, Part, Points, Report};
use super::{how_built, points_of, untried};
use crate::figures::{Cell, DataTable, Detail, Document, Finding, Markup, Outcome, Tone};

/// The report as text, in color or not. Items with all their points take one line, the others give their reason.
pub fn text(report: &Report, colour: bool) -> String {
    document(report, true).text(colour)
}

/// The report as a self-contained page: the points, then each part.
pub fn html(report: &Report) -> String {
    document(report, false).page(&report.title, include_str!("report.css"))
}

/// The items of a part without all their points, as text.
pub(super) fn text_of_items(title: &str, items: &[Item]) -> String {
    let missed = items.iter().filter(|item| item.outcome != Outcome::Passed && !item.reason.is_empty());
    let part = Part { title: title.to_string(), items: missed.cloned().collect() };
    let mut document = Document::default();
    document.findings(findings(&part, true, &mut HashMap::new()));
    document.text(false)
}

/// The report for a terminal, which shows every item and the points last, or for a page, which begins with a table.
fn document(report: &Report, is_terminal: bool) -> Document {
    let summary = report.summary();
    let total = match report.is_judged() {
        true => format!("{} of {} points", summary.points, summary.max_points),
        false => "not judged".to_string(),
    };
    let mut document = Document::default();
    document.header();
    document.heading_of(1, &report.title, total);
    match is_terminal {
        true => document.say(short_line(&report.subject)),
        false => document.classed("subject", &report.subject),
    }
    if let Some(how) = how_built(report) {
        document.section();
        document.say(short_line(how));
    }
    if let Some(failure) = &report.failure {
        document.section();
        document.say(Markup::toned(Tone::Bad, failure.kind.headline()));
        document.quote(&failure.reason);
    }
    if !is_terminal {
        costliest(report, &mut document);
    }
    if !is_terminal && !report.parts.is_empty() {
        document.section();
        document.table(parts(report));
    }
    let mut reasons = HashMap::new();
    for part in &report.parts {
        let (points, most) = points_of(part);
        let untried = report.failure.is_some() && untried(part);
        // On a page, the causes are above the table.
        if !is_terminal && (untried || part.title == CAUSES_PART_TITLE) {
            continue;
        }
        document.section();
        document.heading_of(2, &part.title, format!("{points} of {most}"));
        document.findings(match untried {
            true => vec![Finding {
                lead: "  ".to_string(),
                outcome: Outcome::NotRun,
                title: "nothing of this part".to_string(),
                points: Some((points.to_string(), most.to_string())),
                details: Vec::new(),
                also: Vec::new(),
            }],
            false => findings(part, is_terminal, &mut reasons),
        });
    }
    if is_terminal {
        costliest(report, &mut document);
        closing(report, &mut document);
    } else if let Some(seed) = &report.seed {
        document.section();
        document.classed("seed", format!("Seed of what was drawn: {seed}"));
    }
    document
}

fn parts(report: &Report) -> DataTable {
    let mut table = DataTable::default().words(["part", ""]).figures(["points", "of", "passed"]);
    for part in report.parts.iter().filter(|part| part.title != CAUSES_PART_TITLE) {
        let (points, most) = points_of(part);
        let passed = part.items.iter().filter(|item| item.outcome == Outcome::Passed).count();
        let said = format!("{points} of {most}");
        let bar = Cell::of(Some(Markup::bar(points.as_f64(), most.as_f64(), said)));
        let passed = format!("{passed} of {}", part.items.len());
        table.row([(&part.title).into(), bar, points.into(), most.into(), passed.into()]);
    }
    for part in &report.by_hand {
        let most = part.max_points.into();
        table.row([(&part.title).into(), "".into(), "judged by people".into(), most, "".into()]);
    }
    table
}

/// Items without all their points from which on the costliest mistake is named.
const MIN_LOSSES_SUMMED_UP: usize = 3;

/// The part of all points that has to be lost for that: one of this many.
const MIN_LOSS_SHARE: f64 = 20.0;

/// The mistake that costs most points, if several items lost some: its reason, and a command to try.
fn costliest(report: &Report, document: &mut Document) {
    if report.never_started() || !report.is_judged() {
        return;
    }
    let lost_of = |item: &Item| item.max_points - item.points;
    let causes = report.parts.iter().filter(|part| part.title == CAUSES_PART_TITLE);
    let mut explanations: Vec<&Item> = causes.flat_map(|part| &part.items).collect();
    explanations.dedup_by_key(|item| &item.reason);
    let mut missed: Vec<&Item> = report.items().filter(|item| lost_of(item) > Points::ZERO).collect();
    let wrong = missed.len();
    let sum = |items: &[&Item]| items.iter().map(|item| lost_of(item)).sum::<Points>();
    let is_little = sum(&missed).as_f64() * MIN_LOSS_SHARE < report.summary().max_points.as_f64();
    if (wrong < MIN_LOSSES_SUMMED_UP || is_little) && explanations.is_empty() {
        return;
    }
    // What was not run has its cause in what was.
    if missed.iter().any(|item| item.outcome != Outcome::NotRun) {
        missed.retain(|item| item.outcome != Outcome::NotRun);
    }
    let lost = sum(&missed);
    let mut costs: Vec<(Points, &Item)> = Vec::new();
    for item in missed.into_iter().filter(|item| !item.reason.is_empty()) {
        match costs.iter_mut().find(|(_, first)| first.reason == item.reason) {
            Some((cost, _)) => *cost = *cost + lost_of(item),
            None => costs.push((lost_of(item), item)),
        }
    }
    // Of equal costs the first: `max_by_key` takes the last.
    let first = costs.first().map(|(_, item)| *item);
    let Some((cost, item)) = costs.into_iter().rev().max_by_key(|(cost, _)| *cost) else { return };
    let is_unexplained = explanations.is_empty();
    let has_many = cost.as_f64() * 10.0 < lost.as_f64();
    let item = if is_unexplained && !has_many { item } else { first.unwrap_or(item) };
    let (headline, reasons) = match explanations[..] {
        [] if cost.as_f64() * 2.0 > lost.as_f64() => {
            ("One mistake costs most of the points you lost".to_string(), vec![item])
        }
        [] if has_many => (format!("The first of {wrong} wrong answers"), vec![item]),
        [] => ("The costliest mistake".to_string(), vec![item]),
        [one] => ("Your program has this mistake".to_string(), vec![one]),
        _ => (format!("Your program has these {} mistakes", explanations.len()), explanations),
    };
    document.section();
    document.classed("costliest", Markup::strong(headline));
    for reason in reasons {
        document.classed("costliest", &reason.reason);
    }
    if let (true, Some(expected), Some(got)) = (is_unexplained, &item.expected, &item.got) {
        for (label, text) in [("Expected", expected), ("Got", got)] {
            document.classed("costliest", format!("{label}: {}", short_line(text)));
        }
    }
    if let Some(input) = &item.command {
        document.classed("costliest", Markup::from("Try it: ").and(Markup::code(short_line(input))));
    }
}

/// The findings of a part. Items with one reason are one finding; `reasons` has the titles of the items that gave theirs in
/// earlier parts.
fn findings<'a>(part: &'a Part, is_terminal: bool, reasons: &mut HashMap<&'a str, &'a str>) -> Vec<Finding> {
    let mut findings: Vec<(Finding, &Item, Points, Points)> = Vec::new();
    for item in &part.items {
        let has_reason = item.outcome != Outcome::Passed && !item.reason.is_empty();
        let earlier = findings.iter_mut().find(|(_, first, ..)| has_reason && first.reason == item.reason);
        if let Some((finding, _, points, most)) = earlier {
            finding.also.push(item.title.clone());
            (*points, *most) = (*points + item.points, *most + item.max_points);
            continue;
        }
        let mut finding = finding(item, is_terminal);
        if has_reason {
            match reasons.get(item.reason.as_str()) {
                Some(title) => {
                    finding.details = vec![Detail::Said(format!("The same as in \"{title}\".").into())];
                }
                // A part that could not be tried is no example of a mistake.
                None if item.outcome == Outcome::NotRun => {}
                None => _ = reasons.insert(&item.reason, &item.title),
            }
        }
        findings.push((finding, item, item.points, item.max_points));
    }
    let with_points = |(finding, _, points, most): (Finding, &Item, Points, Points)| Finding {
        points: Some((points.to_string(), most.to_string())),
        ..finding
    };
    findings.into_iter().map(with_points).collect()
}

fn finding(item: &Item, is_terminal: bool) -> Finding {
    let mut details = Vec::new();
    if item.outcome != Outcome::Passed {
        if !item.reason.is_empty() {
            details.push(Detail::Said(match is_terminal {
                true => short_line(&item.reason).into(),
                false => (&item.reason).into(),
            }));
        }
        for (label, text) in [("expected", &item.expected), ("got", &item.got)] {
            details.extend(text.clone().map(|text| Detail::Labelled(label, text)));
        }
        if !item.context.is_empty() {
            details.push(Detail::Where(item.context.join("\n")));
        }
        if !item.stderr.is_empty() {
            details.push(Detail::Quoted("its standard error ends with", "! ", item.stderr.clone()));
        }
        details.extend(item.command.clone().map(|command| Detail::Quoted("try it", "", command)));
    }
    Finding {
        lead: "  ".to_string(),
        outcome: item.outcome,
        title: item.title.clone(),
        points: Some((item.points.to_string(), item.max_points.to_string())),
        details,
        also: Vec::new(),
    }
}

fn closing(report: &Report, document: &mut Document) {
    if !report.by_hand.is_empty() {
        document.section();
        document.heading(2, "Judged by people");
    }
    for part in &report.by_hand {
        document.indented(10, format!("up to {:>3}  {}", part.max_points, part.title));
    }
    if !report.is_judged() {
        return;
    }
    let summary = report.summary();
    let mut counts = vec![format!("{} passed", summary.passed)];
    let others = [(summary.partial, "partial"), (summary.failed, "failed"), (summary.not_run, "not run")];
    counts
        .extend(others.iter().filter(|(count, _)| *count > 0).map(|(count, name)| format!("{count} {name}")));
    let seed = report.seed.as_ref().map(|seed| format!("; seed \"{}\"", short_line(seed)));
    document.section();
    document.say(Markup::strong(summary.points).and(format!(
        " of {} points: {}{}",
        summary.max_points,
        counts.join(", "),
        seed.unwrap_or_default()
    )));
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_report_is_readable_and_program_output_is_harmless() {
        let bad = Item {
            command: Some("./p 5H".into()),
            expected: Some("29".into()),
            got: Some("\x1b[2J\u{202e}28".into()),
            stderr: "boom\nbang".into(),
            ..Item::new("nob", "his nob", Points::ONE).partial(Points::hundredths(50), "a nob counts 1")
        };
        let report = Report {
            title: "Cribbage".into(),
            subject: "./p {cards}".into(),
            seed: Some("monday".into()),
            parts: vec![Part {
                title: "value".into(),
                items: vec![Item::new("a", "first", Points::ONE).passed(), bad],
            }],
            ..Report::default()
        };
        let shown = text(&report, false);
        let expected = "\
Cribbage
./p {cards}

value
  ok          1/1  first
  partial  0.50/1  his nob
          a nob counts 1
          expected: 29
          got:      \\u001b[2J\\u202e28
          its standard error ends with:
          ! boom
          ! bang
          try it:   ./p 5H

1.50 of 2 points: 1 passed, 1 partial; seed \"monday\"
";
        assert_eq!(shown, expected);
        let coloured = text(&report, true);
        assert!(coloured.contains("\x1b[32mok     \x1b[0m"));
        assert!(!coloured.contains("\x1b[2J"));
    }

    #[test]
    fn a_reason_is_given_once_and_little_losses_are_not_summed_up() {
        let item = |id: &str, most: u32| Item::new(id, format!("case {id}"), Points::whole(most));
        let part = |title: &str, items: Vec<Item>| Part { title: title.into(), items };
        let failed = |id: &str| item(id, 1).failed("because");
        let untried = |id: &str| item(id, 1).not_run("too late");
        let scale = Some("+2 chips a round for all points".to_string());
        let winnings = Item { expected: scale, ..item("w", 1) }.partial(Points::hundredths(50), "");
        let parts = vec![
            part("one", ["a", "b", "c", "d", "e"].map(failed).into()),
            part("two", vec![failed("f"), untried("g"), winnings.clone()]),
            part("three", vec![untried("h"), winnings]),
        ];
        let report = |more: u32| Report {
            parts: [parts.clone(), vec![part("four", vec![item("i", more).passed()])]].concat(),
            ..Report::default()
        };
        let shown = text(&report(1), false);
        assert!(shown.contains("The same in 4 more: case b; case c; case d; …."), "{shown}");
        assert!(
            shown.contains("The same as in \"case a\".") && shown.matches("too late").count() == 2,
            "{shown}"
        );
        assert_eq!(shown.matches("because").count(), 2, "its item and the summary: {shown}");
        assert!(shown.contains("One mistake costs most of the points you lost\nbecause\n"), "{shown}");
        assert!(!shown.contains("Try it") && shown.matches("for all points").count() == 2, "{shown}");
        assert!(!text(&report(1_000), false).contains("mistake"));
    }
}
