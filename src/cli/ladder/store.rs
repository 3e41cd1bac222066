//! `casino ladder verify`, `backup` and `export`: what is kept.

use std::io::Write as _;
use std::path::PathBuf;

use clap::Args;

use casino_ladder::Secrets;
use casino_system::files;

use super::super::progress::ShownProgress;
use super::super::{Failure, Output};
use super::{Folder, failure, open};

/// Play every journal again, and compare results and ratings with what is recorded
#[derive(Args)]
#[command(after_help = "Exit codes: 0 everything follows, 1 something does not, 2 there is no ladder.

Examples:
  casino ladder verify spring
  casino ladder verify spring --json")]
pub(super) struct Verify {
    #[command(flatten)]
    at: Folder,
    /// Print one JSON object
    #[arg(long)]
    json: bool,
}

impl Verify {
    pub(super) fn run(self) -> Result<(), Failure> {
        let ladder = open(&self.at.folder)?;
        let bar = ShownProgress::share(
            ladder.count_matches(casino_ladder::MatchState::Played).map_err(failure)? as u64,
        );
        let found = ladder.verify(|done, _| bar.at(done)).map_err(failure)?;
        drop(bar);
        let mut output = Output::stdout();
        if self.json {
            output.line(serde_json::json!({
                "verified": found.problems.is_empty(),
                "matches": found.matches,
                "rounds": found.rounds,
                "bytes": found.bytes,
                "ratings": found.ratings,
                "problems": found.problems,
            }))?;
        } else {
            for problem in &found.problems {
                output.line(problem)?;
            }
            let follows =
                if found.problems.is_empty() { "Everything follows" } else { "Not everything follows" };
            output.line(format_args!(
                "{follows}: {} matches of {} rounds were played again, and {} ratings reckoned up again.",
                found.matches, found.rounds, found.ratings
            ))?;
        }
        output.flush()?;
        if found.problems.is_empty() { Ok(()) } else { Err(Failure::Verdict(1)) }
    }
}

/// Copy the database as it is now, also while the ladder plays
#[derive(Args)]
#[command(
    after_help = "The journals in matches/ and what was handed in, in submissions/, are files that never change: copy them as they are.

Examples:
  casino ladder backup spring monday.db"
)]
pub(super) struct Backup {
    #[command(flatten)]
    at: Folder,
    /// The file of the copy, which must not be there
    #[arg(value_name = "FILE")]
    file: PathBuf,
}

impl Backup {
    pub(super) fn run(self) -> Result<(), Failure> {
        open(&self.at.folder)?.backup(&self.file).map_err(failure)
    }
}

/// Write all of the database as lines of JSON
#[derive(Args)]
#[command(after_help = "Examples:
  casino ladder export spring > spring.jsonl
  casino ladder export spring --github-ids --out spring.jsonl")]
pub(super) struct Export {
    #[command(flatten)]
    at: Folder,
    /// With GitHubIds and the digests of keys: for a backup, and not to be given away
    #[arg(long)]
    github_ids: bool,
    /// The file, which is written for its owner alone [default: standard output]
    #[arg(long, value_name = "FILE")]
    out: Option<PathBuf>,
}

impl Export {
    pub(super) fn run(self) -> Result<(), Failure> {
        let mut ladder = open(&self.at.folder)?;
        let secrets = if self.github_ids { Secrets::Included } else { Secrets::Hidden };
        let Some(path) = &self.out else {
            let mut text = Vec::new();
            ladder.export(&mut text, secrets).map_err(failure)?;
            let mut output = Output::stdout();
            output.text(String::from_utf8_lossy(&text))?;
            return output.flush();
        };
        let unusable = |error| Failure::Usage(format!("{}: {error}", path.display()));
        let mut file = std::io::BufWriter::new(files::create_new_private(path).map_err(unusable)?);
        ladder.export(&mut file, secrets).map_err(failure)?;
        file.flush().and_then(|()| file.get_ref().sync_all()).map_err(unusable)
    }
}
