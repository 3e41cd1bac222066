//! A report as one HTML page that needs nothing else.

use std::fmt::Write;

use super::super::report::{Item, Outcome, Part, Points, Report};
use super::{lines_of, markup, points_of, untried};

/// The report as a page: the points first, then each part, what went wrong open and what went right folded away.
/// No script, nothing is loaded, and every text is escaped.
pub fn html(report: &Report) -> String {
    let mut out = String::new();
    let mut write = |line: String| writeln!(out, "{line}").expect("a String takes every text");
    let summary = report.summary();
    write("<!DOCTYPE html>\n<html lang=\"en\">\n<head>\n<meta charset=\"utf-8\">".into());
    write("<meta name=\"viewport\" content=\"width=device-width, initial-scale=1\">".into());
    write("<meta http-equiv=\"Content-Security-Policy\" content=\"default-src 'none'; style-src 'unsafe-inline'\">".into());
    write(format!("<title>{}</title>", markup(&report.title)));
    write(format!("<style>{}</style>\n</head>\n<body>\n<header>", include_str!("report.css")));
    write(format!(
        "<div><h1>{}</h1><p class=\"subject\">{}</p></div>",
        markup(&report.title),
        markup(&report.subject)
    ));
    if report.is_judged() {
        write(format!(
            "<p class=\"total\"><strong>{}</strong><span>of {} points</span></p>",
            summary.points, summary.max_points
        ));
    }
    write("</header>".into());
    if let Some(setback) = &report.setback {
        let (headline, reason) = (setback.kind.headline(), markup(&setback.reason));
        write(format!("<p class=\"alarm\">{headline}</p>\n<pre class=\"setback\">{reason}</pre>"));
    }
    write("<table class=\"parts\"><tbody>".into());
    for part in &report.parts {
        let (points, most) = points_of(part);
        write(format!(
            "<tr><th>{}</th><td><meter min=\"0\" max=\"{most}\" value=\"{points}\">{points} of {most}</meter></td>\
             <td class=\"number\">{points}</td><td class=\"of\">of {most}</td></tr>",
            markup(&part.title)
        ));
    }
    for part in &report.by_hand {
        write(format!(
            "<tr class=\"by-hand\"><th>{}</th><td>judged by people</td><td></td><td class=\"of\">of {}</td></tr>",
            markup(&part.title),
            part.max_points
        ));
    }
    write("</tbody></table>\n<main>".into());
    for part in &report.parts {
        if report.setback.is_none() || !untried(part) {
            write(part_html(part));
        }
    }
    write("</main>".into());
    if let Some(seed) = &report.seed {
        write(format!("<footer>Seed of the drawn cases: {}</footer>", markup(seed)));
    }
    write("</body>\n</html>".into());
    out
}

fn part_html(part: &Part) -> String {
    let (points, most) = points_of(part);
    let mut out = format!("<section><h2>{} <small>{points} of {most}</small></h2>\n", markup(&part.title));
    let (passed, missed): (Vec<&Item>, Vec<&Item>) =
        part.items.iter().partition(|item| item.outcome == Outcome::Passed);
    for item in missed {
        out.push_str(&missed_html(item));
    }
    if !passed.is_empty() {
        let all = if passed.len() == part.items.len() { "All " } else { "" };
        out.push_str(&format!(
            "<details class=\"passed\"><summary>{all}{} passed</summary><ul>",
            passed.len()
        ));
        for item in passed {
            out.push_str(&format!("<li>{}</li>", markup(&item.title)));
        }
        out.push_str("</ul></details>\n");
    }
    out.push_str("</section>");
    out
}

fn missed_html(item: &Item) -> String {
    let class = match item.outcome {
        Outcome::Partial => "partial",
        Outcome::NotRun => "not-run",
        Outcome::Passed | Outcome::Failed => "failed",
    };
    let word = match item.outcome {
        Outcome::NotRun => "not tried".to_string(),
        _ if item.points == Points::ZERO => format!("0 of {}", item.max_points),
        _ => format!("{} of {}", item.points, item.max_points),
    };
    let mut out =
        format!("<article class=\"{class}\"><h3>{} <small>{word}</small></h3>\n", markup(&item.title));
    for (label, text) in lines_of(item) {
        let text = markup(&text);
        match label {
            "" => out.push_str(&format!("<p>{text}</p>\n")),
            "expected" | "got" => out.push_str(&format!("<p class=\"pair\"><b>{label}</b> {text}</p>\n")),
            _ => out.push_str(&format!("<div class=\"more\"><b>{label}</b><pre>{text}</pre></div>\n")),
        }
    }
    out.push_str("</article>\n");
    out
}

#[cfg(test)]
mod tests {
    use super::super::samples;
    use super::*;

    #[test]
    fn nothing_a_program_printed_is_markup_and_nothing_is_loaded() {
        let page = html(&samples::report());
        assert!(page.contains("&lt;script&gt;alert(1)"), "{page}");
        for never in
            ["<script", "src=", "href=", "url(", "<!--", "@import", "onload", "\u{1b}", "\u{202e}", "\u{0}"]
        {
            assert!(!page.contains(never), "{never}");
        }
        // Every tag that is opened is one of ours, and is closed.
        for tag in
            ["section", "article", "details", "ul", "li", "pre", "p", "div", "h3", "table", "main", "meter"]
        {
            let begins =
                page.matches(&format!("<{tag}>")).count() + page.matches(&format!("<{tag} ")).count();
            assert_eq!(begins, page.matches(&format!("</{tag}>")).count(), "{tag}");
        }
        assert!(page.contains("<strong>2.50</strong><span>of 7 points</span>"));
    }
}
