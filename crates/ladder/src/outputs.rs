//! The output of programs during the build and their last matches, for their authors alone. Outputs are an aid and no
//! record: no number follows from them, and an output that cannot be stored is dropped.

use std::collections::BTreeMap;
use std::io;
use std::path::PathBuf;
use std::sync::{Arc, Mutex, PoisonError};

use casino_host::{
    LaunchError, LaunchedProgram, ProgramExit, ProgramOutputs, ProgramProcess, ProgramStarter,
};
use casino_judge::grade::grade_submission::SandboxStarter;
use casino_system::files::{self, Readers};

use super::{Ladder, LadderError, Match, Version, VersionId};

const OUTPUT_FOLDER: &str = "said";

/// Bytes of match output stored for a version; the newest are kept.
const MAX_KEPT_OUTPUT_BYTES: usize = 64 << 10;

/// The outputs of a match's programs, of the last process of each, by version label.
#[derive(Clone, Debug, Default)]
pub(crate) struct CapturedOutputs(Arc<Mutex<BTreeMap<String, ProgramOutputs>>>);

/// The time that each version of a match took for its builds, starts and replies, in milliseconds, by its label.
pub(crate) type TimesTaken = BTreeMap<String, i64>;

impl CapturedOutputs {
    fn add(&self, label: &str, outputs: ProgramOutputs) {
        let mut captured = self.0.lock().unwrap_or_else(PoisonError::into_inner);
        captured.insert(label.to_string(), outputs);
    }

    fn take(&self) -> BTreeMap<String, ProgramOutputs> {
        std::mem::take(&mut *self.0.lock().unwrap_or_else(PoisonError::into_inner))
    }
}

/// Starts a submission, and keeps its output when it ends.
#[derive(Debug)]
pub(crate) struct CapturingStarter<'a> {
    pub(crate) starter: SandboxStarter<'a>,
    pub(crate) label: &'a str,
    pub(crate) captured: &'a CapturedOutputs,
}

impl ProgramStarter for CapturingStarter<'_> {
    fn launch(&self) -> Result<LaunchedProgram, LaunchError> {
        let (label, captured) = (self.label.to_string(), self.captured.clone());
        let listened =
            |process| Box::new(CapturedOutput { process, label, captured }) as Box<dyn ProgramProcess>;
        Ok(self.starter.launch()?.with_process(listened))
    }

    fn command_line(&self) -> String {
        self.starter.command_line()
    }
}

#[derive(Debug)]
struct CapturedOutput {
    process: Box<dyn ProgramProcess>,
    label: String,
    captured: CapturedOutputs,
}

impl ProgramProcess for CapturedOutput {
    fn exit(&mut self) -> Option<ProgramExit> {
        self.process.exit()
    }

    fn outputs(&mut self) -> ProgramOutputs {
        self.process.outputs()
    }

    fn stop(&mut self) {
        self.process.stop();
    }
}

impl Drop for CapturedOutput {
    fn drop(&mut self) {
        self.process.stop();
        self.captured.add(&self.label, self.process.outputs());
    }
}

impl Ladder {
    fn output_path(&self, what: &str, version: VersionId) -> PathBuf {
        self.folder().join(OUTPUT_FOLDER).join(format!("{what}-{version}.txt"))
    }

    /// The build output of a version.
    pub fn build_output(&self, version: VersionId) -> Result<Option<String>, LadderError> {
        read(self.output_path("build", version))
    }

    /// The output of a version in its last matches, the newest first.
    pub fn match_outputs(&self, version: VersionId) -> Result<Option<String>, LadderError> {
        read(self.output_path("matches", version))
    }

    pub(crate) fn keep_build_output(&self, version: VersionId, output: &str) {
        self.keep(&self.output_path("build", version), output);
    }

    /// Puts the output of a match's programs before that of earlier matches.
    pub(crate) fn store_outputs(&self, found: &Match, captured: &CapturedOutputs) -> Result<(), LadderError> {
        let captured = captured.take();
        for seat in &found.seats {
            let Version { id, label, .. } = self.version(seat.version)?;
            let Some(outputs) = captured.get(&label) else { continue };
            let parts = [("standard output", &outputs.stdout), ("standard error", &outputs.stderr)];
            let mut text = String::new();
            for (what, output) in parts {
                if !output.trim().is_empty() {
                    text += &format!("Match {}, {what}:\n{}\n\n", found.id, output.trim_end());
                }
            }
            if text.is_empty() {
                continue;
            }
            text += &self.match_outputs(id)?.unwrap_or_default();
            let end = (0..=MAX_KEPT_OUTPUT_BYTES.min(text.len())).rev().find(|at| text.is_char_boundary(*at));
            text.truncate(end.unwrap_or_default());
            self.keep(&self.output_path("matches", id), &text);
        }
        Ok(())
    }

    /// Writes it for the owner of the folder; nothing on a full disk.
    fn keep(&self, place: &std::path::Path, text: &str) {
        let plain = |c: char| if c.is_control() && !"\n\t".contains(c) { '\u{fffd}' } else { c };
        let text: String = text.replace("\r\n", "\n").chars().map(plain).collect();
        let folder = self.folder().join(OUTPUT_FOLDER);
        let kept = casino_system::folders::create_private(&folder)
            .and_then(|()| files::write_atomically(place, text.as_bytes(), Readers::Owner));
        // The output only helps the author: the match counts without it.
        drop(kept);
    }
}

fn read(place: PathBuf) -> Result<Option<String>, LadderError> {
    match files::read(&place) {
        Ok(bytes) => Ok(Some(String::from_utf8_lossy(&bytes).into_owned())),
        Err(error) if error.kind() == io::ErrorKind::NotFound => Ok(None),
        Err(error) => Err(LadderError::file(place)(error)),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::folder::tests::Scratch;
    use crate::{MatchKind, MatchTerms};

    #[test]
    fn the_newest_output_of_a_version_is_kept() {
        let scratch = Scratch::new("said");
        let mut ladder = scratch.ladder();
        ladder.add_house_bots(1).unwrap();
        let versions = ["bold/1", "odds/1"].map(|label| ladder.version_labelled(label).unwrap().id);
        let terms = MatchTerms { kind: MatchKind::Rated, decks: 1, stack: 200, reply_ms: 1_000 };
        let id = ladder.plan_match(terms, &versions, None, 1).unwrap();
        let found = ladder.match_of(id).unwrap();
        let captured = CapturedOutputs::default();
        let print = |stdout: &str| {
            let outputs = ProgramOutputs { stdout: stdout.to_string(), stderr: String::new() };
            captured.add("bold/1", outputs);
            captured.add("odds/1", ProgramOutputs::default());
            ladder.store_outputs(&found, &captured).unwrap();
        };
        print("first\u{1b}[2J");
        print("second");
        let output = ladder.match_outputs(versions[0]).unwrap().unwrap();
        let expected = format!(
            "Match {id}, standard output:\nsecond\n\nMatch {id}, standard output:\nfirst\u{fffd}[2J\n\n"
        );
        assert_eq!(output, expected);
        assert_eq!(ladder.match_outputs(versions[1]).unwrap(), None, "who is silent has no file");
        for _ in 0..6 {
            print(&"\u{e9}".repeat(8 << 10));
        }
        let output = ladder.match_outputs(versions[0]).unwrap().unwrap();
        assert!(output.len() <= MAX_KEPT_OUTPUT_BYTES && !output.contains("first"));
    }
}
