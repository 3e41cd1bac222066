//! The formats of a report for people and other programs. Texts that a student's program printed are made harmless here,
//! format by format.

mod gradescope;
mod html;
mod junit;
mod markdown;
mod text;

pub use gradescope::{Visibility, alias, gradescope};
pub use html::html;
pub use junit::junit;
pub use markdown::markdown;
pub use text::text;

use std::fmt::Write;

use html_escape::encode_double_quoted_attribute;

use super::report::{Item, Outcome, Part, Points};
use casino_stud::shown::short_text;

/// The text as text between the tags of HTML or XML, or in a quoted attribute.
fn markup(text: &str) -> String {
    encode_double_quoted_attribute(&short_text(text)).replace('\'', "&#39;")
}

/// The text as plain text of Markdown, on one line.
fn markdown_text(text: &str) -> String {
    let mut escaped = String::with_capacity(text.len());
    for letter in short_text(text).chars() {
        match letter {
            '\n' => escaped.push(' '),
            '<' => escaped.push_str("&lt;"),
            '&' => escaped.push_str("&amp;"),
            '\\' | '`' | '*' | '_' | '{' | '}' | '[' | ']' | '(' | ')' | '#' | '+' | '!' | '|' | '~'
            | '>' | '@' => {
                write!(escaped, "\\{letter}").expect("a String takes every text");
            }
            _ => escaped.push(letter),
        }
    }
    escaped
}

/// The text as a block of code of Markdown, whatever backticks are in it.
fn code_block(text: &str) -> String {
    let text = short_text(text);
    let longest = text.split(|letter| letter != '`').map(str::len).max().unwrap_or(0);
    let fence = "`".repeat(longest.max(2) + 1);
    format!("{fence}text\n{text}\n{fence}\n")
}

/// The points of a part, and the most it could get.
fn points_of(part: &Part) -> (Points, Points) {
    (part.items.iter().map(|item| item.points).sum(), part.items.iter().map(|item| item.max_points).sum())
}

/// Whether nothing of a part was tried, and no item has a reason of its own.
fn untried(part: &Part) -> bool {
    part.items.iter().all(|item| item.outcome == Outcome::NotRun && item.reason.is_empty())
}

/// The labelled texts about an item that did not get all its points.
fn lines_of(item: &Item) -> Vec<(&'static str, String)> {
    let mut lines = Vec::new();
    let mut add = |label, text: &str| {
        if !text.is_empty() {
            lines.push((label, text.to_string()));
        }
    };
    add("", &item.reason);
    add("expected", item.expected.as_deref().unwrap_or_default());
    add("got", item.got.as_deref().unwrap_or_default());
    add("where", &item.context.join("\n"));
    add("its standard error ends with", &item.stderr);
    add("try it", item.command.as_deref().unwrap_or_default());
    lines
}

#[cfg(test)]
mod samples {
    use crate::grade::{ByHand, Item, Part, Points, Report};

    /// Output of a program that tries to get into the report as more than text.
    pub(super) const HOSTILE: &str =
        "</pre><script>alert(1)</script> ]]> <!-- \u{1b}[2J\u{0}\u{202e}\u{fffe} & \"x\" '`` **b** |";

    pub(super) fn report() -> Report {
        let bad = Item {
            expected: Some("bet 5 to 15".into()),
            got: Some(HOSTILE.into()),
            context: vec![HOSTILE.into(), "asked    bet1:9".into()],
            stderr: HOSTILE.into(),
            command: Some(HOSTILE.into()),
            ..Item::new("bad", HOSTILE, Points::whole(3)).failed(HOSTILE)
        };
        Report {
            title: "Project 01".into(),
            subject: HOSTILE.into(),
            parts: vec![
                Part {
                    title: "Connects".into(),
                    items: vec![Item::new("in", "Logs in", Points::whole(2)).passed(), bad],
                },
                Part {
                    title: "Plays".into(),
                    items: vec![
                        Item::new("half", "A half", Points::whole(1)).partial(Points::hundredths(50), "half"),
                        Item::new("no", "Not tried", Points::whole(1)).not_run("the program was gone"),
                    ],
                },
            ],
            by_hand: vec![ByHand { title: "Interview".into(), max_points: Points::whole(40) }],
            ..Report::default()
        }
    }
}
