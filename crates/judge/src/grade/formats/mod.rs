//! The formats of a report. Texts that a student's program printed are escaped here.

mod document;
mod gradescope;
mod junit;

pub use document::{html, text};
pub use gradescope::gradescope;
pub use junit::junit;

use super::report::{Outcome, Part, Points, Report};

/// The points of a part, and the most it could get.
fn points_of(part: &Part) -> (Points, Points) {
    (part.items.iter().map(|item| item.points).sum(), part.items.iter().map(|item| item.max_points).sum())
}

/// How the submission was read and built, if not as it was handed in.
fn how_built(report: &Report) -> Option<&str> {
    let built = report.items().find(|item| item.id == "builds" && item.outcome == Outcome::Passed)?;
    Some(built.reason.as_str()).filter(|reason| !reason.is_empty())
}

/// Whether the whole part was not run, and no item has its own reason.
fn untried(part: &Part) -> bool {
    part.items.iter().all(|item| item.outcome == Outcome::NotRun && item.reason.is_empty())
}
