//! The object that `--json` prints of the commands that look for faults in files: `scenario run`, `verify` and `analyse`.

use serde::Serialize;
use serde_json::Value;

/// The result of a command, and its findings.
#[derive(Serialize)]
pub(super) struct FindingsObject {
    /// Whether everything is as it should be.
    pub(super) passed: bool,
    /// The fields of this command alone.
    #[serde(flatten)]
    pub(super) result: Value,
    pub(super) findings: Vec<FindingObject>,
}

/// A finding: its place, what is wrong there, what should be there, and what is.
#[derive(Serialize)]
pub(super) struct FindingObject {
    pub(super) place: String,
    pub(super) what: String,
    pub(super) expected: Option<String>,
    pub(super) got: Option<String>,
}
