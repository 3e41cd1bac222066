//! A report as Markdown: for a comment, a wiki, or the summary of a workflow.

use std::fmt::Write;

use super::super::report::{Outcome, Report};
use super::{code_block, lines_of, markdown_text, points_of, untried};

/// The report as Markdown: a table of the parts, then everything that did not get all its points.
pub fn markdown(report: &Report) -> String {
    let plain = markdown_text;
    let mut out = String::new();
    let mut write = |line: String| writeln!(out, "{line}").expect("a String takes every text");
    let summary = report.summary();
    match report.is_judged() {
        true => {
            write(format!(
                "# {}: {} of {} points\n",
                plain(&report.title),
                summary.points,
                summary.max_points
            ));
        }
        false => write(format!("# {}: not judged\n", plain(&report.title))),
    }
    write(format!("{}\n", plain(&report.subject)));
    if let Some(setback) = &report.setback {
        write(format!("**{}**\n\n{}", setback.kind.headline(), code_block(&setback.reason)));
    }
    if report.parts.is_empty() {
        return out;
    }
    write("| part | points | of | passed |".to_string());
    write("|---|---:|---:|---:|".to_string());
    for part in &report.parts {
        let (points, most) = points_of(part);
        let passed = part.items.iter().filter(|item| item.outcome == Outcome::Passed).count();
        write(format!("| {} | {points} | {most} | {passed} of {} |", plain(&part.title), part.items.len()));
    }
    for part in &report.by_hand {
        write(format!("| {} | judged by people | {} | |", plain(&part.title), part.max_points));
    }
    for part in &report.parts {
        let missed: Vec<_> = part.items.iter().filter(|item| item.outcome != Outcome::Passed).collect();
        if missed.is_empty() || report.setback.is_some() && untried(part) {
            continue;
        }
        write(format!("\n## {}\n", plain(&part.title)));
        for item in missed {
            write(format!("### {} ({} of {})\n", plain(&item.title), item.points, item.max_points));
            for (label, text) in lines_of(item) {
                match label {
                    "" => write(format!("{}\n", plain(&text))),
                    "expected" | "got" if !text.contains('\n') => {
                        write(format!("- {label}: {}", plain(&text)));
                    }
                    _ => write(format!("\n{label}:\n\n{}", code_block(&text))),
                }
            }
        }
    }
    out
}

#[cfg(test)]
mod tests {
    use super::super::samples;
    use super::*;

    #[test]
    fn nothing_a_program_printed_is_markup() {
        let shown = markdown(&samples::report());
        assert!(shown.starts_with("# Project 01: 2.50 of 7 points\n"), "{shown}");
        assert!(shown.contains("| Connects | 2 | 5 | 1 of 2 |"), "{shown}");
        assert!(shown.contains("| Interview | judged by people | 40 | |"), "{shown}");
        let mut fence = None;
        for line in shown.lines() {
            match &fence {
                None if line.starts_with("```") => fence = Some(line.trim_end_matches("text").to_string()),
                None => {
                    assert!(!line.contains("<script") && !line.contains("**b"), "{line}");
                    assert!(!line.contains(|c: char| c.is_control()), "{line}");
                }
                Some(end) if line == end => fence = None,
                Some(_) => {}
            }
        }
        assert!(fence.is_none(), "every block ends");
    }
}
