//! A report as text for a terminal.

use std::fmt::Write;

use casino_stud::shown;

use super::super::report::{Item, Outcome, Part, Report};
use super::super::setback::Setback;
use super::{points_of, untried};

/// The report as text, in colour or not. Items with all their points take one line, the others say why.
pub fn text(report: &Report, colour: bool) -> String {
    let mut text = TextReport { out: String::new(), colour };
    text.heading(&report.title);
    text.line(shown::short_line(&report.subject));
    if let Some(setback) = &report.setback {
        text.setback(setback);
    }
    for part in &report.parts {
        if report.setback.is_some() && untried(part) {
            text.untried(part);
        } else {
            text.part(part);
        }
    }
    text.by_hand(report);
    if report.is_judged() {
        text.summary(report);
    }
    text.out
}

struct TextReport {
    out: String,
    colour: bool,
}

impl TextReport {
    fn line(&mut self, line: impl AsRef<str>) {
        writeln!(self.out, "{}", line.as_ref().trim_end()).expect("a String takes every text");
    }

    /// The text in the colour of this SGR code, if the report is coloured.
    fn paint(&self, code: &str, text: &str) -> String {
        if self.colour { format!("\x1b[{code}m{text}\x1b[0m") } else { text.to_string() }
    }

    fn heading(&mut self, title: &str) {
        let title = self.paint("1", title);
        self.line(title);
    }

    fn part(&mut self, part: &Part) {
        self.line("");
        self.heading(&part.title);
        for item in &part.items {
            let word = match item.outcome {
                Outcome::Passed => self.paint("32", "ok     "),
                Outcome::Partial => self.paint("33", "partial"),
                Outcome::Failed => self.paint("31", "FAILED "),
                Outcome::NotRun => self.paint("33", "not run"),
            };
            let (points, most) = (item.points.to_string(), item.max_points);
            let (id, title) = (shown::short_line(&item.id), shown::short_line(&item.title));
            self.line(format!("  {word} {points:>5}/{most}  {id}: {title}"));
            if item.outcome != Outcome::Passed {
                self.explain(item);
            }
        }
    }

    /// The one reason for everything that was not tried.
    fn setback(&mut self, setback: &Setback) {
        let headline = self.paint("31", setback.kind.headline());
        self.line("");
        self.line(headline);
        for line in setback.reason.lines() {
            self.line(format!("  {}", shown::short_line(line)));
        }
    }

    /// A part of which nothing was tried, in one line.
    fn untried(&mut self, part: &Part) {
        let word = self.paint("33", "not run");
        let (points, most) = points_of(part);
        self.line("");
        self.heading(&part.title);
        self.line(format!("  {word} {:>5}/{most}  nothing of this part", points.to_string()));
    }

    /// Why an item did not get all its points.
    fn explain(&mut self, item: &Item) {
        if !item.reason.is_empty() {
            self.line(format!("          {}", shown::short_line(&item.reason)));
        }
        for (label, text) in [("expected: ", &item.expected), ("got:      ", &item.got)] {
            if let Some(text) = text {
                self.line(format!("          {label}{}", shown::short_line(text)));
            }
        }
        for line in &item.context {
            self.line(format!("          | {}", shown::short_line(line)));
        }
        if !item.stderr.is_empty() {
            self.line("          its standard error ends with:");
            for line in item.stderr.lines() {
                self.line(format!("          ! {}", shown::short_line(line)));
            }
        }
        if let Some(command) = &item.command {
            self.line(format!("          try it:   {}", shown::short_line(command)));
        }
    }

    fn by_hand(&mut self, report: &Report) {
        if !report.by_hand.is_empty() {
            self.line("");
            self.heading("Judged by people");
        }
        for part in &report.by_hand {
            self.line(format!("          up to {:>3}  {}", part.max_points, part.title));
        }
    }

    fn summary(&mut self, report: &Report) {
        let summary = report.summary();
        let mut counts = vec![format!("{} passed", summary.passed)];
        for (count, name) in
            [(summary.partial, "partial"), (summary.failed, "failed"), (summary.not_run, "not run")]
        {
            if count > 0 {
                counts.push(format!("{count} {name}"));
            }
        }
        let seed = report
            .seed
            .as_ref()
            .map_or(String::new(), |seed| format!("; seed \"{}\"", shown::short_line(seed)));
        let points = self.paint("1", &summary.points.to_string());
        self.line("");
        self.line(format!("{points} of {} points: {}{seed}", summary.max_points, counts.join(", ")));
    }
}

#[cfg(test)]
mod tests {
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
            ..Report::default()
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
}
