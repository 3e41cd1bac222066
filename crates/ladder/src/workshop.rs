//! Where submissions are built and checked, and started for a match.

use std::collections::BTreeMap;
use std::fs;
use std::path::{Path, PathBuf};
use std::sync::{Arc, Mutex, PoisonError};
use std::time::Duration;

use sha2::{Digest, Sha256};

use casino_judge::check::{CheckSettings, Checked, StepOutcome, check};
use casino_judge::grade::grade_submission::{STARTER_KIT, SandboxStarter, WatchedStarter};
use casino_judge::grade::similar::StarterKits;
use casino_judge::grade::submission::{BuildHints, NoSubmission, Submission};
use casino_judge::sandbox::{ResourceLimits, Sandbox};
use casino_stud::hex::hex;
use casino_stud::shown::short_line;

use super::{Ladder, LadderError, Version, VersionState};

const MAX_KEPT_BUILDS: usize = 64;

/// Resource limits of a program during a match; a match of slow players may take hours. The game sets the time of each
/// reply.
const MATCH_LIMITS: ResourceLimits = ResourceLimits {
    cpu: Duration::from_secs(12 * 3_600),
    wall: Duration::from_secs(24 * 3_600),
    ..ResourceLimits::BOT
};

/// Builds submissions in the sandbox, keeps the most recently used ones, and starts them.
#[derive(Debug)]
pub struct Workshop {
    sandbox: Sandbox,
    check: CheckSettings,
    /// Their sources are named when they are handed in unchanged.
    kits: StarterKits,
    /// The built submissions by SHA-256, the most recently used at the end.
    built: Mutex<Vec<(String, Arc<Submission>)>>,
}

const MAX_REPORTED_LINES: usize = 20;

/// The result of checking a version.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct VersionCheck {
    /// Whether it may play.
    pub state: VersionState,
    /// Why not, in a few sentences for its author.
    pub reason: Option<String>,
    /// The result of every step.
    pub diagnosis: String,
    /// The build output, or its end.
    pub build_output: Option<String>,
}

impl Workshop {
    /// A workshop with this sandbox and these check settings.
    pub fn new(sandbox: Sandbox, check: CheckSettings) -> Workshop {
        Workshop { sandbox, check, kits: StarterKits::default(), built: Mutex::default() }
    }

    /// The workshop, which names these kits in the diagnosis of a version.
    pub fn naming(self, kits: StarterKits) -> Workshop {
        Workshop { kits, ..self }
    }

    /// The sandbox.
    pub fn sandbox(&self) -> &Sandbox {
        &self.sandbox
    }

    /// The built submission at this path; it is built once as long as it is in use.
    pub fn submission(&self, handed_in: &Path, sha256: &str) -> Result<Arc<Submission>, NoSubmission> {
        if let Some(built) = self.kept(sha256) {
            return Ok(built);
        }
        let hints = BuildHints::default();
        let built = Arc::new(Submission::folder(handed_in, &hints, &self.sandbox)?);
        // One that was not built may be tried again: the machine may have been busy.
        if built.why_not_built().is_some() {
            return Ok(built);
        }
        let mut kept = self.built.lock().unwrap_or_else(PoisonError::into_inner);
        kept.push((sha256.to_string(), Arc::clone(&built)));
        if kept.len() > MAX_KEPT_BUILDS {
            kept.remove(0);
        }
        Ok(built)
    }

    fn kept(&self, sha256: &str) -> Option<Arc<Submission>> {
        let mut kept = self.built.lock().unwrap_or_else(PoisonError::into_inner);
        let at = kept.iter().position(|(built, _)| built == sha256)?;
        let found = kept.remove(at);
        kept.push(found.clone());
        Some(found.1)
    }

    /// A starter for a submission in the sandbox, with the limits of a match.
    pub fn starter<'a>(&'a self, submission: &'a Submission) -> SandboxStarter<'a> {
        SandboxStarter { sandbox: &self.sandbox, submission, limits: MATCH_LIMITS }
    }

    /// The submission at this path, if this machine could build it.
    pub fn build(&self, handed_in: &Path, sha256: &str) -> Result<Arc<Submission>, LadderError> {
        match self.submission(handed_in, sha256) {
            Ok(submission) => match submission.why_not_built() {
                None => Ok(submission),
                Some(why) => Err(LadderError::Refused(why)),
            },
            Err(NoSubmission::Copy(path, source)) => Err(LadderError::File { path, source }),
            Err(why) => Err(LadderError::Refused(why.to_string())),
        }
    }

    /// Builds and checks a submission. The error says why this machine could not do so.
    pub fn judge(&self, handed_in: &Path, sha256: &str, label: &str) -> Result<VersionCheck, LadderError> {
        let refused = |reason: String| VersionCheck {
            state: VersionState::Refused,
            diagnosis: reason.clone(),
            reason: Some(reason),
            build_output: None,
        };
        let submission = match self.submission(handed_in, sha256) {
            Ok(submission) => submission,
            Err(NoSubmission::Copy(path, source)) => return Err(LadderError::File { path, source }),
            Err(why @ NoSubmission::Machine(_)) => return Err(LadderError::Refused(why.to_string())),
            Err(why) => {
                // Its author should not see its path on this machine.
                let folder = handed_in.parent().unwrap_or(handed_in).join("");
                let why = why.to_string().replace(&*folder.to_string_lossy(), "");
                return Ok(refused(format!("{}.", why.trim_end_matches('.'))));
            }
        };
        let build_output = submission.built.as_ref().map(|built| built.output.clone());
        if let Some(why) = submission.why_not_built() {
            return Ok(VersionCheck { build_output, ..refused(format!("It could not be built: {why}")) });
        }
        let machine_fault = Mutex::new(None);
        let (sandbox, limits) = (&self.sandbox, ResourceLimits::BOT);
        let starter = SandboxStarter { sandbox, submission: &submission, limits };
        let starter = WatchedStarter { starter, refused: &machine_fault };
        let checked = check(&starter, &self.check, &mut |_| {});
        if let Some(why) = machine_fault.into_inner().unwrap_or_else(PoisonError::into_inner) {
            return Err(LadderError::Refused(why));
        }
        let kit = if self.kits.include(handed_in) { format!("{STARTER_KIT}\n") } else { String::new() };
        let diagnosis = kit + &in_words(&checked, label);
        let first = checked.steps.iter().find_map(|step| {
            let found = step.diagnosis.as_ref().filter(|_| step.outcome == StepOutcome::Failed)?;
            // A hint rather than a fault: every reply in time keeps the rule (R17).
            (found.cause != casino_judge::check::Cause::SlowReplies)
                .then(|| format!("{}: {found}", step.title))
        });
        let state = if first.is_none() { VersionState::Ready } else { VersionState::Refused };
        Ok(VersionCheck { state, reason: first, diagnosis, build_output })
    }
}

/// The result of every step, a line each.
fn in_words(checked: &Checked, label: &str) -> String {
    let mut lines = vec![format!("The check of {label}:")];
    for step in checked.steps.iter().filter(|step| step.outcome != StepOutcome::NotRun) {
        let outcome = match step.outcome {
            StepOutcome::Passed => "passed",
            StepOutcome::Failed => "failed",
            StepOutcome::NotRun => continue,
        };
        lines.push(format!("{outcome}: {}", step.title));
        if let Some(found) = &step.diagnosis {
            lines.push(format!("    {found}"));
        }
        if let Some(expected) = step.expected {
            lines.push(format!("    Expected was: {expected}"));
        }
        for (what, said) in [("output", &step.stdout), ("error output", &step.stderr)] {
            if !said.trim().is_empty() {
                lines.push(format!("    Its {what} ends with:"));
                let last: Vec<&str> = said.lines().rev().take(MAX_REPORTED_LINES).collect();
                lines.extend(last.into_iter().rev().map(|line| format!("        {}", short_line(line))));
            }
        }
    }
    match checked.steps.iter().filter(|step| step.outcome == StepOutcome::NotRun).count() {
        0 => {}
        count => lines.push(format!("not tried: {count} more")),
    }
    lines.join("\n")
}

/// The SHA-256 of a submission: of a file its own, of a folder that of the paths and digests of its files in the order
/// of the paths. A link counts with its target and is not followed. Also returns the total bytes.
pub(crate) fn content_digest(path: &Path) -> std::io::Result<(String, u64)> {
    if !path.is_dir() {
        return super::proof::digest(path);
    }
    let mut files = BTreeMap::new();
    collect(path, Path::new(""), &mut files)?;
    let (mut digest, mut bytes) = (Sha256::new(), 0);
    for (name, (sha256, length)) in files {
        digest.update(format!("{sha256} {}\n", name.to_string_lossy().replace('\\', "/")));
        bytes += length;
    }
    Ok((hex(digest.finalize()), bytes))
}

fn collect(
    folder: &Path,
    inside: &Path,
    files: &mut BTreeMap<PathBuf, (String, u64)>,
) -> std::io::Result<()> {
    for entry in fs::read_dir(folder)? {
        let entry = entry?;
        let (kind, name) = (entry.file_type()?, inside.join(entry.file_name()));
        if kind.is_dir() {
            collect(&entry.path(), &name, files)?;
        } else if kind.is_file() {
            files.insert(name, super::proof::digest(&entry.path())?);
        } else if kind.is_symlink() {
            let leads = format!("link {}", fs::read_link(entry.path())?.display());
            files.insert(name, (super::keys::sha256(leads), 0));
        }
    }
    Ok(())
}

impl Ladder {
    /// The path of this version's submission.
    pub fn handed_in(&self, version: &Version) -> PathBuf {
        self.submissions().join(version.id.to_string())
    }

    /// Builds and checks a waiting version and records the result. An error on the machine, after which it still waits,
    /// is the inner one.
    pub fn check_version(
        &mut self,
        version: &Version,
        workshop: &Workshop,
    ) -> Result<Result<(), LadderError>, LadderError> {
        let sha256 = version.content_sha256.clone().unwrap_or_default();
        let judged = match workshop.judge(&self.submission_file(version), &sha256, &version.label) {
            Ok(judged) => judged,
            Err(why) => return Ok(Err(why)),
        };
        let VersionCheck { state, reason, diagnosis, build_output } = judged;
        if let Some(said) = build_output.filter(|said| !said.trim().is_empty()) {
            self.keep_build_output(version.id, &said);
        }
        self.set_checked(version.id, state, reason.as_deref(), Some(&diagnosis))?;
        Ok(Ok(()))
    }

    /// The folder or archive of a submission, under its original name.
    pub fn submission_file(&self, version: &Version) -> PathBuf {
        self.handed_in(version).join(&version.source)
    }
}
