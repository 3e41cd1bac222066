//! A report for people: as text for a terminal, as a page, as Markdown.

use super::super::report::Report;
use super::document::{ReportReader, document};

/// The report as text, in colour or not. Items with all their points take one line, the others say why.
pub fn text(report: &Report, colour: bool) -> String {
    document(report, ReportReader::Terminal).text(colour)
}

/// The report as a self-contained page: the points, then each part.
pub fn html(report: &Report) -> String {
    document(report, ReportReader::Page).page(&report.title, include_str!("report.css"))
}

/// The report as Markdown: a table of the parts, then everything without full points.
pub fn markdown(report: &Report) -> String {
    document(report, ReportReader::Markdown).markdown()
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
}
