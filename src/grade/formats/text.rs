//! A report as text for a terminal.

use std::fmt::Write;

use super::super::report::{Outcome, Report};
use super::escape::harmless;

/// The report as text, in colour or not. Items with all their points take one line, the others say why.
pub fn text(report: &Report, colour: bool) -> String {
    let mut out = String::new();
    let paint = |code: &str, text: &str| match colour {
        true => format!("\x1b[{code}m{text}\x1b[0m"),
        false => text.to_string(),
    };
    let mut write = |line: String| writeln!(out, "{}", line.trim_end()).expect("a String takes every text");
    write(paint("1", &report.title));
    write(harmless(&report.subject));
    for part in &report.parts {
        write(String::new());
        write(paint("1", &part.title));
        for item in &part.items {
            let word = match item.outcome {
                Outcome::Passed => paint("32", "ok     "),
                Outcome::Partial => paint("33", "partial"),
                Outcome::Failed => paint("31", "FAILED "),
                Outcome::NotRun => paint("33", "not run"),
            };
            write(format!(
                "  {word} {:>5}/{}  {}: {}",
                item.points.to_string(),
                item.max_points,
                harmless(&item.id),
                harmless(&item.title)
            ));
            if item.outcome == Outcome::Passed {
                continue;
            }
            let labelled = [
                ("", Some(&item.reason)),
                ("expected: ", item.expected.as_ref()),
                ("got:      ", item.got.as_ref()),
            ];
            for (label, shown) in labelled {
                if let Some(shown) = shown.filter(|shown| !(shown.is_empty() && label.is_empty())) {
                    write(format!("          {label}{}", harmless(shown)));
                }
            }
            for line in &item.context {
                write(format!("          | {}", harmless(line)));
            }
            if !item.stderr.is_empty() {
                write("          its standard error ends with:".into());
                for line in item.stderr.lines() {
                    write(format!("          ! {}", harmless(line)));
                }
            }
            if let Some(command) = &item.command {
                write(format!("          try it:   {}", harmless(command)));
            }
        }
    }
    for part in &report.by_hand {
        if part == &report.by_hand[0] {
            write(String::new());
            write(paint("1", "Judged by people"));
        }
        write(format!("          up to {:>3}  {}", part.max_points, part.title));
    }
    let summary = report.summary();
    write(String::new());
    let mut counts = vec![format!("{} passed", summary.passed)];
    for (count, name) in
        [(summary.partial, "partial"), (summary.failed, "failed"), (summary.not_run, "not run")]
    {
        if count > 0 {
            counts.push(format!("{count} {name}"));
        }
    }
    let seed = report.seed.as_ref().map_or(String::new(), |seed| format!("; seed \"{}\"", harmless(seed)));
    write(format!(
        "{} of {} points: {}{seed}",
        paint("1", &summary.points.to_string()),
        summary.max_points,
        counts.join(", ")
    ));
    out
}

#[cfg(test)]
mod tests {
    use super::super::escape::LONGEST_LINE;
    use super::*;
    use crate::grade::{Item, Part, Points};

    #[test]
    fn a_report_reads_well_and_what_a_program_printed_is_harmless() {
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
            by_hand: Vec::new(),
            never_started: false,
        };
        let shown = text(&report, false);
        let expected = "\
Cribbage
./p {cards}

value
  ok          1/1  a: first
  partial  0.50/1  nob: his nob
          a nob counts 1
          expected: 29
          got:      \\u{1b}[2J\\u{202e}28
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
    fn long_texts_are_cut() {
        assert!(harmless(&"x".repeat(10_000)).len() < LONGEST_LINE + 10);
    }
}
