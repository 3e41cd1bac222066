//! The results of a judged program, with their reasons.

use std::fmt::{self, Write as _};

use serde::{Deserialize, Serialize};

use casino_stud::shown::{quoted_line, short_line};

use super::words::{Markup, Tone, markup};

/// How something that was tried ended.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Outcome {
    /// It got all its points.
    Passed,
    /// It got some of its points.
    Partial,
    /// It got no points.
    Failed,
    /// It could not be tried, which is not the same as failing it.
    #[default]
    NotRun,
}

impl Outcome {
    /// The word for it at the beginning of a line, in seven characters.
    fn word(self) -> Markup {
        let (tone, word) = match self {
            Outcome::Passed => (Tone::Good, "ok     "),
            Outcome::Partial => (Tone::Doubtful, "partial"),
            Outcome::Failed => (Tone::Bad, "FAILED "),
            Outcome::NotRun => (Tone::Doubtful, "not run"),
        };
        Markup::toned(tone, word)
    }
}

/// A line or more about a finding.
#[derive(Clone, Debug)]
pub enum Detail {
    /// A sentence.
    Said(Markup),
    /// Something short with its label.
    Labelled(&'static str, String),
    /// Label, prefix of each line of text, and lines that a program printed; one line without a prefix.
    Quoted(&'static str, &'static str, String),
    /// The lines around the error.
    Where(String),
}

/// Something that was tried.
#[derive(Clone, Debug)]
pub struct Finding {
    /// The start of a line of text: at least two spaces.
    pub lead: String,
    /// How it ended.
    pub outcome: Outcome,
    /// A short description of the test.
    pub title: String,
    /// The points it got, and the most it could get, if there are any.
    pub points: Option<(String, String)>,
    /// Why it ended as it did.
    pub details: Vec<Detail>,
    /// Other tests that ended so for the same reason.
    pub also: Vec<String>,
}

impl Finding {
    pub(super) fn text(&self, text: &mut String, colour: bool) -> fmt::Result {
        let Finding { lead, outcome, title, points, details, also } = self;
        let points = points.as_ref().map_or(String::new(), |(points, most)| format!("{points:>5}/{most}  "));
        let line = format!("{lead}{} {points}{}", outcome.word().text(colour), short_line(title));
        writeln!(text, "{}", line.trim_end())?;
        let depth = lead.len() + 8;
        for detail in details {
            match detail {
                Detail::Said(words) => writeln!(text, "{:depth$}{}", "", words.text(colour))?,
                Detail::Labelled(label, said) | Detail::Quoted(label, "", said) => {
                    writeln!(text, "{:depth$}{:<10}{}", "", format!("{label}:"), short_line(said))?;
                }
                Detail::Quoted(label, sign, quote) => {
                    writeln!(text, "{:depth$}{label}:", "")?;
                    for line in quote.lines() {
                        writeln!(text, "{:depth$}{sign}{}", "", quoted_line(line))?;
                    }
                }
                Detail::Where(lines) => {
                    for line in lines.lines() {
                        writeln!(text, "{:depth$}| {}", "", short_line(line))?;
                    }
                }
            }
        }
        if !also.is_empty() {
            writeln!(text, "{:depth$}{}", "", short_line(&self.others()))?;
        }
        Ok(())
    }

    fn got(&self) -> String {
        self.points.as_ref().map_or(String::new(), |(points, most)| format!("{points} of {most}"))
    }

    /// The other tests with the same reason, as a sentence.
    fn others(&self) -> String {
        let (named, rest) = self.also.split_at(self.also.len().min(MAX_NAMED));
        let rest = if rest.is_empty() { "" } else { "; …" };
        format!("The same in {} more: {}{rest}.", self.also.len(), named.join("; "))
    }

    fn html(&self) -> String {
        let (class, word) = match self.outcome {
            Outcome::Partial => ("partial", self.got()),
            Outcome::NotRun => ("not-run", "not tried".to_string()),
            Outcome::Passed | Outcome::Failed => ("failed", self.got()),
        };
        let title = markup(&self.title);
        let others =
            if self.also.is_empty() { String::new() } else { format!(", and {} more", self.also.len()) };
        let mut html = format!(
            "<details class=\"finding {class}\"><summary>{title}{others} <small>{}</small></summary>\n",
            markup(&word)
        );
        for detail in &self.details {
            let _ = match detail {
                Detail::Said(words) => writeln!(html, "<p>{}</p>", words.html()),
                Detail::Labelled(label, said) => {
                    writeln!(html, "<p class=\"pair\"><b>{label}</b> {}</p>", markup(said))
                }
                Detail::Quoted(label, _, said) => more(&mut html, label, said),
                Detail::Where(lines) => more(&mut html, "where", lines),
            };
        }
        if !self.also.is_empty() {
            let _ = writeln!(html, "<p>{}</p>", markup(&self.others()));
        }
        html.push_str("</details>\n");
        html
    }
}

fn more(html: &mut String, label: &str, text: &str) -> fmt::Result {
    writeln!(html, "<div class=\"more\"><b>{label}</b><pre>{}</pre></div>", markup(text))
}

/// The most items that are named after one of the same reason.
const MAX_NAMED: usize = 3;

/// The most failures with a line of their own.
const MAX_LINES: usize = 12;

/// Renders all as HTML: a line for each of the first failures, with its details folded, and the others and passed items folded
/// together.
pub(super) fn html(found: &[Finding]) -> String {
    let (passed, missed): (Vec<&Finding>, Vec<&Finding>) =
        found.iter().partition(|finding| finding.outcome == Outcome::Passed);
    let (first, others) = missed.split_at(missed.len().min(MAX_LINES));
    let mut html: String = first.iter().map(|finding| finding.html()).collect();
    if !others.is_empty() {
        let _ = writeln!(html, "<details class=\"passed missed\"><summary>{} more</summary>", others.len());
        html.extend(others.iter().map(|finding| finding.html()));
        html.push_str("</details>\n");
    }
    if !passed.is_empty() {
        let all = if missed.is_empty() { "All " } else { "" };
        let items: String =
            passed.iter().map(|finding| format!("<li>{}</li>", markup(&finding.title))).collect();
        let _ = writeln!(
            html,
            "<details class=\"passed\"><summary>{all}{} passed</summary><ul>{items}</ul></details>",
            passed.len()
        );
    }
    html
}
