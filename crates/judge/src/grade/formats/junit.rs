//! A report as JUnit XML, which every system for continuous integration reads.

use std::fmt::Write;

use super::super::report::{Item, Outcome, Part, Report};
use super::super::setback::Setback;
use super::lines_of;
use crate::figures::markup;

/// The report as a JUnit XML file: a suite for each part, a case for each item. Points are properties of the
/// suites; an item with a part of its points is a failure, one that could not be tried is skipped, or an error if
/// the program never started.
pub fn junit(report: &Report) -> String {
    let mut out = String::from("<?xml version=\"1.0\" encoding=\"UTF-8\"?>\n");
    let mut write = |line: String| writeln!(out, "{line}").expect("a String takes every text");
    if let Some(setback) = report.setback.as_ref().filter(|_| report.parts.is_empty()) {
        write(unjudged(&report.title, setback));
        return out;
    }
    let counts = |parts: &[Part]| {
        let count = |outcomes: &[Outcome]| {
            let items = parts.iter().flat_map(|part| &part.items);
            items.filter(|item| outcomes.contains(&item.outcome)).count()
        };
        let not_run = count(&[Outcome::NotRun]);
        let (errors, skipped) = if report.never_started() { (not_run, 0) } else { (0, not_run) };
        format!(
            "tests=\"{}\" failures=\"{}\" errors=\"{errors}\" skipped=\"{skipped}\"",
            parts.iter().map(|part| part.items.len()).sum::<usize>(),
            count(&[Outcome::Failed, Outcome::Partial]),
        )
    };
    write(format!("<testsuites name=\"{}\" {}>", markup(&report.title), counts(&report.parts)));
    for part in &report.parts {
        let title = markup(&part.title);
        write(format!("  <testsuite name=\"{title}\" {}>", counts(std::slice::from_ref(part))));
        let (points, most) = super::points_of(part);
        write("    <properties>".to_string());
        write(format!("      <property name=\"points\" value=\"{points}\"/>"));
        write(format!("      <property name=\"max_points\" value=\"{most}\"/>"));
        write("    </properties>".to_string());
        for item in &part.items {
            let id = markup(&item.id);
            let begin = format!("    <testcase classname=\"{title}\" name=\"{id}: {}\"", markup(&item.title));
            match verdict(item, report) {
                None => write(format!("{begin}/>")),
                Some(verdict) => {
                    write(format!("{begin}>"));
                    write(verdict);
                    write("    </testcase>".to_string());
                }
            }
        }
        write("  </testsuite>".to_string());
    }
    write("</testsuites>".to_string());
    out
}

/// The whole file of a report without parts: one error.
fn unjudged(title: &str, setback: &Setback) -> String {
    let counts = "tests=\"1\" failures=\"0\" errors=\"1\" skipped=\"0\"";
    let (title, reason) = (markup(title), markup(&setback.reason));
    let kind = setback.kind.verdict();
    format!(
        "<testsuites name=\"{title}\" {counts}>\n  <testsuite name=\"{title}\" {counts}>\n    \
         <testcase classname=\"{title}\" name=\"{kind}\">\n      \
         <error message=\"{}\" type=\"{kind}\">{reason}</error>\n    \
         </testcase>\n  </testsuite>\n</testsuites>",
        setback.kind.headline()
    )
}

fn verdict(item: &Item, report: &Report) -> Option<String> {
    let never_started = report.never_started();
    // What one reason stands behind is told by its kind: the reason itself is not repeated for each.
    let behind = report.setback.as_ref().map_or("", |setback| setback.kind.headline());
    let own = item.reason.lines().next().unwrap_or_default();
    let message = markup(if own.is_empty() { behind } else { own });
    let tag = match item.outcome {
        Outcome::Passed => return None,
        Outcome::Partial | Outcome::Failed => "failure",
        Outcome::NotRun if never_started => "error",
        Outcome::NotRun => return Some(format!("      <skipped message=\"{message}\"/>")),
    };
    let mut body = format!("{} of {} points", item.points, item.max_points);
    for (label, text) in lines_of(item) {
        let label = if label.is_empty() { String::new() } else { format!("{label}: ") };
        body.push_str(&format!("\n{label}{text}"));
    }
    let kind = if item.outcome == Outcome::Partial { "partial" } else { "failed" };
    Some(format!("      <{tag} message=\"{message}\" type=\"{kind}\">{}</{tag}>", markup(&body)))
}

#[cfg(test)]
mod tests {
    use quick_xml::events::Event;
    use quick_xml::reader::Reader;

    use super::super::super::setback::SetbackKind;
    use super::super::samples;
    use super::*;

    /// Reads the whole file strictly and gives how often each tag begins.
    fn tags(xml: &str) -> std::collections::BTreeMap<String, usize> {
        let mut reader = Reader::from_str(xml);
        reader.config_mut().check_comments = true;
        let mut counts = std::collections::BTreeMap::new();
        let mut depth = 0;
        loop {
            let event = reader.read_event().unwrap();
            match &event {
                Event::Start(tag) | Event::Empty(tag) => {
                    let name = tag.name().as_ref().to_string();
                    *counts.entry(name).or_insert(0) += 1;
                    for attribute in tag.attributes().with_checks(true) {
                        attribute.unwrap();
                    }
                }
                Event::Comment(_) | Event::CData(_) | Event::PI(_) | Event::DocType(_) => panic!("{event:?}"),
                _ => {}
            }
            match event {
                Event::Start(_) => depth += 1,
                Event::End(_) => depth -= 1,
                Event::Eof => break,
                _ => {}
            }
        }
        assert_eq!(depth, 0);
        counts
    }

    #[test]
    fn it_is_xml_whatever_a_program_printed() {
        let mut report = samples::report();
        let xml = junit(&report);
        let counts = tags(&xml);
        let count = |tag: &str| counts.get(tag).copied().unwrap_or(0);
        assert_eq!((count("testsuites"), count("testsuite"), count("testcase")), (1, 2, 4));
        assert_eq!((count("failure"), count("skipped"), count("error"), count("script")), (2, 1, 0, 0));
        assert!(xml.contains("tests=\"4\" failures=\"2\" errors=\"0\" skipped=\"1\""), "{xml}");
        assert!(!xml.contains(|c: char| c.is_control() && c != '\n'));
        report.setback = Some(Setback::new(SetbackKind::NeverConnected, "it said nothing"));
        assert_eq!(tags(&junit(&report)).get("error"), Some(&1));
    }
}
