//! The report on a judged program: parts, items, points and reasons, in no particular format.

use std::fmt;
use std::iter::Sum;
use std::ops::{Add, Sub};

use serde::{Deserialize, Deserializer, Serialize, Serializer};

pub use crate::figures::Outcome;

use super::grading_failure::{FailureKind, GradingFailure};
use crate::Verdict;

/// Points in hundredths, so that sums are exact. Displays and serialises as a decimal number.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Points(u32);

impl Points {
    /// No points at all.
    pub const ZERO: Points = Points(0);
    /// A single point.
    pub const ONE: Points = Points(100);

    /// Whole points.
    pub const fn whole(points: u32) -> Points {
        Points(points * 100)
    }

    /// Hundredths of a point.
    pub const fn hundredths(hundredths: u32) -> Points {
        Points(hundredths)
    }

    /// `parts` of `of` equal parts of these points, rounded down to whole hundredths. Panics without parts.
    pub fn share(self, parts: usize, of: usize) -> Points {
        Points((self.0 as u64 * parts as u64 / of as u64) as u32)
    }

    /// The points as a number, for formats that want one.
    pub fn as_f64(self) -> f64 {
        f64::from(self.0) / 100.0
    }
}

impl Add for Points {
    type Output = Points;

    fn add(self, other: Points) -> Points {
        Points(self.0 + other.0)
    }
}

impl Sub for Points {
    type Output = Points;

    fn sub(self, other: Points) -> Points {
        Points(self.0 - other.0)
    }
}

impl Sum for Points {
    fn sum<I: Iterator<Item = Points>>(all: I) -> Points {
        all.fold(Points::ZERO, Add::add)
    }
}

impl fmt::Display for Points {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match (self.0 / 100, self.0 % 100) {
            (whole, 0) => f.pad(&whole.to_string()),
            (whole, rest) => f.pad(&format!("{whole}.{rest:02}")),
        }
    }
}

impl Serialize for Points {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        serializer.serialize_f64(self.as_f64())
    }
}

impl<'de> Deserialize<'de> for Points {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Points, D::Error> {
        let points = f64::deserialize(deserializer)?;
        let hundredths = (points * 100.0).round();
        if (0.0..=f64::from(u32::MAX)).contains(&hundredths) {
            Ok(Points(hundredths as u32))
        } else {
            Err(serde::de::Error::custom("points are a number from 0 up"))
        }
    }
}

/// One thing that was tried. Its texts may contain anything that a program printed; formats escape them.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct Item {
    /// A short name that is the same from run to run.
    pub id: String,
    /// A short description of the test.
    pub title: String,
    /// How it ended.
    pub outcome: Outcome,
    /// The points it got.
    pub points: Points,
    /// The points it could get.
    pub max_points: Points,
    /// Why points are missing, with a hint for the student; empty if none are.
    pub reason: String,
    /// The command that was run, fit for a shell.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub command: Option<String>,
    /// The expected result.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub expected: Option<String>,
    /// The actual result.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub got: Option<String>,
    /// The lines around the difference, or the conversation up to it.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub context: Vec<String>,
    /// The end of the program's standard error.
    #[serde(default, skip_serializing_if = "String::is_empty")]
    pub stderr: String,
}

impl Item {
    /// An item that has not been tried yet.
    pub fn new(id: impl Into<String>, title: impl Into<String>, max_points: Points) -> Item {
        Item { id: id.into(), title: title.into(), max_points, ..Item::default() }
    }

    /// The item with all its points.
    pub fn passed(self) -> Item {
        Item { outcome: Outcome::Passed, points: self.max_points, ..self }
    }

    /// The item with some of its points; none make it failed and all make it passed.
    pub fn partial(self, points: Points, reason: impl Into<String>) -> Item {
        let points = points.min(self.max_points);
        let outcome = match points {
            Points::ZERO => Outcome::Failed,
            some if some == self.max_points => Outcome::Passed,
            _ => Outcome::Partial,
        };
        Item { outcome, points, reason: reason.into(), ..self }
    }

    /// The item without points.
    pub fn failed(self, reason: impl Into<String>) -> Item {
        Item { outcome: Outcome::Failed, points: Points::ZERO, reason: reason.into(), ..self }
    }

    /// Whether it takes nothing from the points.
    fn is_no_loss(&self) -> bool {
        self.outcome == Outcome::Passed || self.max_points == Points::ZERO
    }

    /// The item untried.
    pub fn not_run(self, reason: impl Into<String>) -> Item {
        Item { outcome: Outcome::NotRun, points: Points::ZERO, reason: reason.into(), ..self }
    }
}

/// Items that belong together.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Part {
    /// The common title of the items.
    pub title: String,
    /// The items in the order they were tried.
    pub items: Vec<Item>,
}

/// A part of the rubric that people judge. It is listed and never counted.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct ManualPart {
    /// The title of the part.
    pub title: String,
    /// The most points they can give.
    pub max_points: Points,
}

/// The report on one program.
///
/// ```
/// use casino_judge::grade::{Item, Part, Points, Report, text};
///
/// let items = vec![
///     Item::new("fold", "Folds a hopeless hand", Points::whole(2)).passed(),
///     Item::new("raise", "Raises with three aces", Points::whole(3)).failed("it folded"),
/// ];
/// let parts = vec![Part { title: "Play".to_string(), items }];
/// let report = Report { title: "Stud".to_string(), subject: "ada".to_string(), parts, ..Report::default() };
/// assert_eq!(report.summary().points, Points::whole(2));
/// assert!(text(&report, false).contains("it folded"));
/// ```
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(into = "ReportFile", try_from = "ReportFile")]
pub struct Report {
    /// The name of the assignment.
    pub title: String,
    /// The judged command, file or name.
    pub subject: String,
    /// The seed of the cases that were drawn.
    pub seed: Option<String>,
    /// The parts in order.
    pub parts: Vec<Part>,
    /// Parts that are graded manually.
    pub by_hand: Vec<ManualPart>,
    /// The common reason why items were not tried, if there is one: items then have none of their own.
    pub failure: Option<GradingFailure>,
}

impl Report {
    /// All items of all parts.
    pub fn items(&self) -> impl Iterator<Item = &Item> {
        self.parts.iter().flat_map(|part| &part.items)
    }

    /// The counts and sums of all items.
    pub fn summary(&self) -> ReportSummary {
        let count = |outcome| self.items().filter(|item| item.outcome == outcome).count();
        ReportSummary {
            points: self.items().map(|item| item.points).sum(),
            max_points: self.items().map(|item| item.max_points).sum(),
            passed: count(Outcome::Passed),
            partial: count(Outcome::Partial),
            failed: count(Outcome::Failed),
            not_run: count(Outcome::NotRun),
        }
    }

    /// Whether the program never started or connected, and nothing else was judged.
    pub fn never_started(&self) -> bool {
        let ends_all =
            |failure: &GradingFailure| failure.kind != FailureKind::NotJudged && !failure.others_judged;
        self.failure.as_ref().is_some_and(ends_all)
    }

    /// Whether this is a verdict on the program: the machine could judge it.
    pub fn is_judged(&self) -> bool {
        self.failure.as_ref().is_none_or(|failure| failure.kind != FailureKind::NotJudged)
    }

    /// The report of a submission that the machine could not judge: it has no parts and no points.
    pub fn not_judged(title: &str, subject: &str, reason: impl Into<String>) -> Report {
        Report {
            title: title.to_string(),
            subject: subject.to_string(),
            failure: Some(GradingFailure::not_judged(reason)),
            ..Report::default()
        }
    }

    /// Joins reports on parts of one submission; if one part was not judged, the whole is not judged. Panics if
    /// `reports` is empty.
    pub fn joined(title: &str, reports: Vec<Report>) -> Report {
        let subject = reports.first().expect("something was judged").subject.clone();
        if let Some(part) = reports.iter().find(|report| !report.is_judged()) {
            return Report { failure: part.failure.clone(), ..Report::not_judged(title, &subject, "") };
        }
        let all_failed = reports.iter().all(|report| report.failure.is_some());
        let failure = reports.iter().find_map(|report| report.failure.clone());
        let mut whole = Report {
            title: title.to_string(),
            subject,
            failure: failure.map(|failure| GradingFailure { others_judged: !all_failed, ..failure }),
            ..Report::default()
        };
        for Report { seed, parts, by_hand, .. } in reports {
            whole.seed = whole.seed.or(seed);
            whole.parts.extend(parts);
            whole.by_hand.extend(by_hand);
        }
        whole
    }

    /// The overall verdict. A report without any tried item is that of a program that never started.
    pub fn verdict(&self) -> Verdict {
        let is_tried = |item: &Item| item.max_points > Points::ZERO && item.outcome != Outcome::NotRun;
        if !self.is_judged() {
            Verdict::NotJudged
        } else if self.never_started() || !self.items().any(is_tried) {
            Verdict::NeverStarted
        } else if self.items().all(Item::is_no_loss) {
            Verdict::Passed
        } else {
            Verdict::Failed
        }
    }
}

/// A report as JSON has it, with its summary.
#[derive(Serialize, Deserialize)]
struct ReportFile {
    title: String,
    subject: String,
    seed: Option<String>,
    #[serde(skip_deserializing)]
    summary: ReportSummary,
    parts: Vec<Part>,
    #[serde(default)]
    by_hand: Vec<ManualPart>,
    #[serde(default)]
    never_started: bool,
    #[serde(skip_serializing_if = "Option::is_none")]
    failure: Option<GradingFailure>,
}

impl From<Report> for ReportFile {
    fn from(report: Report) -> ReportFile {
        let (summary, never_started) = (report.summary(), report.never_started());
        let Report { title, subject, seed, parts, by_hand, failure } = report;
        ReportFile { title, subject, seed, summary, parts, by_hand, never_started, failure }
    }
}

impl TryFrom<ReportFile> for Report {
    type Error = &'static str;

    fn try_from(file: ReportFile) -> Result<Report, &'static str> {
        let ReportFile { title, subject, seed, parts, by_hand, never_started, mut failure, .. } = file;
        match &mut failure {
            Some(failure) => {
                failure.others_judged = !never_started && failure.kind != FailureKind::NotJudged;
            }
            None if never_started => return Err("a program that never started has a reason, in `failure`"),
            None => {}
        }
        Ok(Report { title, subject, seed, parts, by_hand, failure })
    }
}

/// Counts and sums of a [`Report`].
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize)]
pub struct ReportSummary {
    /// The points of all items.
    pub points: Points,
    /// The points all items could get.
    pub max_points: Points,
    /// Items with all points.
    pub passed: usize,
    /// Items with some points.
    pub partial: usize,
    /// Items without points.
    pub failed: usize,
    /// Items that could not be tried.
    pub not_run: usize,
}

#[cfg(test)]
mod tests {
    use super::*;

    fn report(items: Vec<Item>) -> Report {
        let parts = vec![Part { title: "all".into(), items }];
        Report { title: "t".into(), subject: "s".into(), parts, ..Report::default() }
    }

    fn item() -> Item {
        Item::new("i", "an item", Points::whole(2))
    }

    #[test]
    fn points_are_exact_and_read_well() {
        let points: Points = std::iter::repeat_n(Points::hundredths(10), 7).sum();
        assert_eq!(points.to_string(), "0.70");
        assert_eq!((points + Points::hundredths(30)).to_string(), "1");
        assert_eq!(Points::hundredths(1205).to_string(), "12.05");
        assert_eq!(serde_json::to_string(&Points::hundredths(85)).unwrap(), "0.85");
    }

    #[test]
    fn the_verdict_follows_the_outcomes() {
        let part = item().partial(Points::ONE, "half");
        assert_eq!(part.outcome, Outcome::Partial);
        assert_eq!(item().partial(Points::ZERO, "none").outcome, Outcome::Failed);
        assert_eq!(item().partial(Points::whole(9), "all").points, Points::whole(2));
        assert_eq!(report(vec![item().passed()]).verdict(), Verdict::Passed);
        assert_eq!(report(vec![item().passed(), part]).verdict(), Verdict::Failed);
        assert_eq!(report(vec![item().failed("no")]).verdict(), Verdict::Failed);
        assert_eq!(report(vec![item().passed(), item().not_run("no")]).verdict(), Verdict::Failed);
        assert_eq!(report(vec![item().not_run("never started")]).verdict(), Verdict::NeverStarted);
        assert_eq!(report(vec![]).verdict(), Verdict::NeverStarted);
        let unjudged = Report::not_judged("t", "s", "swipl is not installed");
        assert_eq!((unjudged.verdict(), unjudged.is_judged()), (Verdict::NotJudged, false));
        let json = serde_json::to_value(&unjudged).unwrap();
        assert_eq!(json["failure"]["kind"], "not_judged");
        assert_eq!(serde_json::from_value::<Report>(json).unwrap(), unjudged);
    }

    #[test]
    fn a_part_that_was_not_judged_leaves_the_whole_unjudged() {
        let judged = || report(vec![item().passed()]);
        let busy = || Report::not_judged("t", "s", "the machine is busy");
        for parts in [vec![judged(), busy()], vec![busy(), judged()]] {
            let whole = Report::joined("both", parts);
            assert!(!whole.is_judged() && whole.parts.is_empty(), "{whole:?}");
            assert_eq!(whole.failure.map(|failure| failure.reason).as_deref(), Some("the machine is busy"));
        }
        let failure = GradingFailure::new(FailureKind::NeverConnected, "no such file");
        let unstarted = || Report { failure: Some(failure.clone()), ..report(vec![item()]) };
        let half = Report::joined("both", vec![judged(), unstarted()]);
        assert_eq!((half.never_started(), half.summary().max_points), (false, Points::whole(4)));
        assert!(half.failure.is_some());
        assert!(Report::joined("both", vec![unstarted(), unstarted()]).never_started());
    }

    #[test]
    fn json_has_never_started_beside_the_reason() {
        for others_judged in [false, true] {
            let failure =
                GradingFailure { others_judged, ..GradingFailure::new(FailureKind::NotBuilt, "no") };
            let report = Report { failure: Some(failure), ..report(vec![item().passed()]) };
            assert_eq!(report.never_started(), !others_judged);
            let json = serde_json::to_value(&report).unwrap();
            assert_eq!(json["never_started"], !others_judged);
            assert_eq!(json["failure"], serde_json::json!({"kind": "not_built", "reason": "no"}));
            assert_eq!(serde_json::from_value::<Report>(json).unwrap(), report);
        }
        let mut json = serde_json::to_value(report(Vec::new())).unwrap();
        json["never_started"] = true.into();
        assert!(serde_json::from_value::<Report>(json).is_err(), "no reason");
    }
}
