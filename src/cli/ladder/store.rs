//! `casino ladder verify` and `backup`.

use std::path::PathBuf;

use clap::Args;

use casino_ladder::{Ladder, MatchState};

use super::super::progress::ShownProgress;
use super::super::{Failure, Output};
use super::Folder;

/// Replay every journal and compare the results with the records
#[derive(Args)]
#[command(after_help = "Exit codes: 0 verified, 1 a journal does not verify, 2 there is no ladder.\n\n\
        Examples:
  casino ladder verify spring
  casino ladder verify spring --json")]
pub(super) struct VerifyArgs {
    #[command(flatten)]
    at: Folder,
    /// Print one JSON object
    #[arg(long)]
    json: bool,
}

impl VerifyArgs {
    pub(super) fn run(self) -> Result<(), Failure> {
        let ladder = Ladder::open(&self.at.folder)?;
        let bar = ShownProgress::share(ladder.count_matches(MatchState::Played)? as u64);
        let found = ladder.verify(|done, _| bar.at(done))?;
        drop(bar);
        let mut output = Output::stdout();
        if self.json {
            output.line(serde_json::json!({
                "verified": found.problems.is_empty(),
                "matches": found.matches,
                "rounds": found.rounds,
                "bytes": found.bytes,
                "problems": found.problems,
            }))?;
        } else {
            for problem in &found.problems {
                output.line(problem)?;
            }
            let follows =
                if found.problems.is_empty() { "Everything follows" } else { "Not everything follows" };
            output.line(format_args!(
                "{follows}: {} matches of {} rounds were played again.",
                found.matches, found.rounds
            ))?;
        }
        output.flush()?;
        if found.problems.is_empty() { Ok(()) } else { Err(Failure::Verdict(1)) }
    }
}

/// Back up the database, also while the ladder plays
#[derive(Args)]
#[command(
    after_help = "The journals in matches/ and the archives in submissions/ never change: copy these files \
        separately.\n\n\
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
        Ok(Ladder::open(&self.at.folder)?.backup(&self.file)?)
    }
}
