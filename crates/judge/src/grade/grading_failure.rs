//! Why a submission was not judged item by item: one reason for the whole report.

use serde::{Deserialize, Serialize};

/// The kind of reason.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum FailureKind {
    /// No file in it is known to be a program.
    NothingRecognised,
    /// Several things in it could be the program.
    Several,
    /// The program cannot be built.
    NotBuilt,
    /// The program was started and never logged in.
    NeverConnected,
    /// The grading machine could not judge it. That means nothing about the submission, and gives no points.
    NotJudged,
}

impl FailureKind {
    /// The verdict in a few words, as the gradebook has it.
    pub fn verdict(self) -> &'static str {
        match self {
            FailureKind::NothingRecognised => "nothing recognised",
            FailureKind::Several => "several programs",
            FailureKind::NotBuilt => "cannot be built",
            FailureKind::NeverConnected => "never connected",
            FailureKind::NotJudged => "not judged",
        }
    }

    /// Whether no program was found at the named place, so that another place must be named, or more precisely.
    pub fn is_no_program(self) -> bool {
        matches!(self, FailureKind::NothingRecognised | FailureKind::Several)
    }

    /// The sentence before the reason.
    pub fn headline(self) -> &'static str {
        match self {
            FailureKind::NothingRecognised => "Nothing recognised: there is no program in the submission.",
            FailureKind::Several => "Several programs: it is not clear which one is to be judged.",
            FailureKind::NotBuilt => "Cannot be built.",
            FailureKind::NeverConnected => "The program never started or never connected.",
            FailureKind::NotJudged => {
                "Not judged: this is about the machine that grades, not about the program. There are no points yet."
            }
        }
    }
}

/// The one reason why the items of a report were not tried.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct GradingFailure {
    /// The kind of reason.
    pub kind: FailureKind,
    /// The reason and its remedy. It may contain a student's text.
    pub reason: String,
    /// What the grader can do, for the terminal alone: reports are for students.
    #[serde(skip)]
    pub hint: String,
    /// Whether parts that need no program were judged all the same. In JSON, the report's `never_started` has this.
    #[serde(skip)]
    pub others_judged: bool,
}

impl GradingFailure {
    /// A reason of this kind.
    pub fn new(kind: FailureKind, reason: impl Into<String>) -> GradingFailure {
        GradingFailure { kind, reason: reason.into(), hint: String::new(), others_judged: false }
    }

    /// The machine could not judge, for this reason.
    pub fn not_judged(reason: impl Into<String>) -> GradingFailure {
        GradingFailure::new(FailureKind::NotJudged, reason)
    }
}
