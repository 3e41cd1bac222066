//! The formats of a report. Texts that a student's program printed are escaped here.

mod document;
mod gradescope;

pub use document::{html, text};
pub use gradescope::{Visibility, gradescope};

use super::report::{Item, Outcome, Part, Points};

/// The points of a part, and the most it could get.
fn points_of(part: &Part) -> (Points, Points) {
    (part.items.iter().map(|item| item.points).sum(), part.items.iter().map(|item| item.max_points).sum())
}

/// Whether the whole part was not run, and no item has its own reason.
fn untried(part: &Part) -> bool {
    part.items.iter().all(|item| item.outcome == Outcome::NotRun && item.reason.is_empty())
}

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
    use crate::grade::{Item, ManualPart, Part, Points, Report};

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
            by_hand: vec![ManualPart { title: "Interview".into(), max_points: Points::whole(40) }],
            ..Report::default()
        }
    }
}
