//! `casino ladder plan`, `run` and `take`: matches that are played elsewhere.

use std::collections::BTreeMap;
use std::fs;
use std::path::{Path, PathBuf};

use clap::Args;

use casino_host::{block_on, raise_file_limit};
use casino_judge::check::CheckSettings;
use casino_judge::sandbox::Policy;
use casino_ladder::{
    Connections, MatchFile, PlayError, Recorded, SeatSource, Workshop, content_digest, play,
};

use super::super::values::positive;
use super::super::{Failure, Output, judging};
use super::{Folder, failure, now_ms, open};

/// An hour in milliseconds.
const HOUR_MS: i64 = 3_600_000;

/// Plan matches and write a file for each, to be played anywhere
#[derive(Args)]
#[command(
    after_help = "Each file holds all that is needed to play its match, beside what was handed in, which is in submissions/ of the folder. Neither
has a GitHubId in it. These matches are not played here. One that has not come back when its time is over is void, so that nothing
is planned for ever; if it comes later it is taken all the same.

Examples:
  casino ladder plan spring --matches 200 --out batch
  casino ladder plan spring --matches 200 --out batch --hours 6 --json
  parallel casino ladder run ::: batch/*.json
  casino ladder take spring batch/*.jsonl"
)]
pub(super) struct Plan {
    #[command(flatten)]
    at: Folder,
    /// How many matches
    #[arg(long, value_name = "N", value_parser = positive::<usize>())]
    matches: usize,
    /// The folder for the files
    #[arg(long, value_name = "FOLDER")]
    out: PathBuf,
    /// For how many hours the results are waited for
    #[arg(long, value_name = "HOURS", default_value = "48", value_parser = positive::<u32>())]
    hours: u32,
    /// Print one JSON object
    #[arg(long)]
    json: bool,
}

impl Plan {
    pub(super) fn run(self) -> Result<(), Failure> {
        let mut ladder = open(&self.at.folder)?;
        let now = now_ms();
        ladder.give_up_overdue(now).map_err(failure)?;
        let due_back_ms = now.saturating_add(i64::from(self.hours) * HOUR_MS);
        let files = ladder.plan_batch(self.matches, &self.out, due_back_ms, now).map_err(failure)?;
        if self.json {
            return told(&serde_json::json!({ "files": files, "due_back_ms": due_back_ms }).to_string());
        }
        let (count, out, hours) = (files.len(), self.out.display(), self.hours);
        told(&format!("{count} matches are planned in {out}, and waited for until {hours} hours from now."))
    }
}

/// Play the match of a file, here or anywhere
#[derive(Args)]
#[command(
    after_help = "The result is the match's journal, NAME.jsonl beside the file. No database is needed. What was played before is not played again.

Exit codes: 0 played, 1 not played (a program that does not come, or this machine), 2 the file cannot be used.

Examples:
  casino ladder run batch/0123456789abcdef.json
  parallel casino ladder run ::: batch/*.json"
)]
pub(super) struct Run {
    /// A file of `casino ladder plan`
    #[arg(value_name = "FILE")]
    file: PathBuf,
    /// What was handed in [default: submissions/ beside the file]
    #[arg(long, value_name = "FOLDER")]
    submissions: Option<PathBuf>,
    /// Where the journal goes [default: the folder of the file]
    #[arg(long, value_name = "FOLDER")]
    out: Option<PathBuf>,
    /// The sandbox of the programs: auto (bubblewrap where it works), require, plain (without bubblewrap) or off
    #[arg(long, default_value = "auto")]
    sandbox: Policy,
    /// Print one JSON object
    #[arg(long)]
    json: bool,
}

impl Run {
    pub(super) fn run(self) -> Result<(), Failure> {
        let plan = MatchFile::read(&self.file).map_err(failure)?.plan;
        let beside = casino_system::files::folder_of(&self.file);
        let given = self.submissions.clone().unwrap_or_else(|| beside.join("submissions"));
        let out = self.out.as_deref().unwrap_or(beside);
        let journal = out.join(format!("{}.jsonl", plan.name));
        let done = |words: String, rounds: u64, is_new: bool| {
            let object = serde_json::json!({ "match": plan.name, "journal": journal, "rounds": rounds, "new": is_new });
            told(&if self.json { object.to_string() } else { words })
        };
        if let Ok(played) = casino_ladder::prove(&plan, &journal) {
            let words = format!("{} is there already, and is the match.", journal.display());
            return done(words, played.rounds, false);
        }
        raise_file_limit();
        let sandbox = judging::sandbox(self.sandbox, false)?;
        let workshop = Workshop::new(sandbox, CheckSettings::default());
        let mut built = BTreeMap::new();
        for seat in &plan.seats {
            let SeatSource::Submission(sha256) = &seat.plays else { continue };
            let handed_in = handed_in(&given, sha256)?;
            let submission = workshop.submission(&handed_in, sha256).map_err(Failure::broke)?;
            if let Some(why) = submission.why_not_built() {
                return Err(Failure::Broke(format!("{} could not be built: {why}", seat.label)));
            }
            built.insert(sha256.clone(), submission);
        }
        // Of a run that was killed: whatever is not whole has another name.
        let part = journal.with_extension("part");
        let unusable = |error| Failure::Usage(format!("{}: {error}", part.display()));
        match fs::remove_file(&part) {
            Err(error) if error.kind() != std::io::ErrorKind::NotFound => return Err(unusable(error)),
            _ => {}
        }
        let playing = play(&plan, Some(&workshop), &built, Connections::new(), &part, || false);
        let played = block_on(playing).unwrap_or_else(|error| Err(PlayError::Machine(error.to_string())));
        let played = played.map_err(Failure::broke)?;
        fs::rename(&part, &journal).map_err(unusable)?;
        done(format!("{}: {} rounds.", journal.display(), played.rounds), played.rounds, true)
    }
}

fn told(line: &str) -> Result<(), Failure> {
    let mut output = Output::stdout();
    output.line(line)?;
    output.flush()
}

/// What was handed in with this SHA-256. Nothing else is built and started in its place.
fn handed_in(given: &Path, sha256: &str) -> Result<PathBuf, Failure> {
    let folder = given.join(sha256);
    let unusable = |why: &dyn std::fmt::Display| {
        Failure::Usage(format!("{}: {why}. Copy all of the batch's folder", folder.display()))
    };
    let entry = fs::read_dir(&folder).map_err(|error| unusable(&error))?.next();
    let path = entry.ok_or_else(|| unusable(&"nothing is in it"))?.map_err(|error| unusable(&error))?.path();
    let (found, _) = content_digest(&path).map_err(|error| unusable(&error))?;
    if found != sha256 {
        return Err(unusable(&"it is not what was handed in"));
    }
    Ok(path)
}

/// Take in the journals of matches that were played elsewhere
#[derive(Args)]
#[command(
    after_help = "Each journal is played again here, and only what it proves is recorded, once. The order does not count.

Exit codes: 0 all are taken, 1 some are not, 2 there is no ladder.

Examples:
  casino ladder take spring batch/*.jsonl
  casino ladder take spring batch/*.jsonl --json"
)]
pub(super) struct Take {
    #[command(flatten)]
    at: Folder,
    /// Journals that `casino ladder run` has written
    #[arg(value_name = "FILE", required = true)]
    journals: Vec<PathBuf>,
    /// Print one JSON object
    #[arg(long)]
    json: bool,
}

/// What came of the journals that were delivered.
#[derive(Default, serde::Serialize)]
struct Came {
    /// The matches that are recorded now, and those that were before.
    taken: Vec<String>,
    before: Vec<String>,
    /// Why the others are not.
    refused: Vec<String>,
}

impl Take {
    pub(super) fn run(self) -> Result<(), Failure> {
        let mut ladder = open(&self.at.folder)?;
        let mut output = Output::stdout();
        let mut came = Came::default();
        for journal in &self.journals {
            let (list, what, words) = match ladder.take(journal, now_ms()) {
                Ok((name, Recorded::Now)) => (&mut came.taken, name.clone(), format!("{name} is taken.")),
                Ok((name, Recorded::Before)) => {
                    let words = format!("{name} was taken before: nothing has changed.");
                    (&mut came.before, name, words)
                }
                Err(error @ casino_ladder::LadderError::Refused(_)) => {
                    (&mut came.refused, error.to_string(), error.to_string())
                }
                Err(error) => return Err(failure(error)),
            };
            list.push(what);
            if !self.json {
                output.line(words)?;
            }
        }
        ladder.give_up_overdue(now_ms()).map_err(failure)?;
        ladder.reckon(now_ms()).map_err(failure)?;
        if self.json {
            output.line(serde_json::to_string(&came).map_err(Failure::broke)?)?;
        }
        output.flush()?;
        if came.refused.is_empty() { Ok(()) } else { Err(Failure::Verdict(1)) }
    }
}
