//! The command `casino ladder`: the weeks before, in one folder.

mod bot;
mod import;
mod serve;
mod status;
mod store;
mod teacher;

use std::path::PathBuf;

use clap::{Args, Subcommand};

use casino_ladder::{LadderError, on_long_wait};

use super::Failure;
use super::output::remark;
use crate::ladder::now_ms;
pub(super) use bot::players;

#[derive(Args)]
#[command(
    args_conflicts_with_subcommands = true,
    subcommand_negates_reqs = true,
    after_help = "A ladder is a folder. Students submit programs, which play matches of equal deals against each \
        other and the house bots whenever the machine is free; the ratings follow from the journals of \
        these matches. docs/ladder.md describes it.\n\n\
        Exit codes: 0 done, 1 the work failed or a journal does not verify, 2 unusable flags or file.\n\n\
        Examples:
  casino ladder import spring submissions/ --roster class.csv
  casino ladder spring --jobs 2 --web 8080 --bind 7777
  casino ladder status spring"
)]
pub(crate) struct LadderCommand {
    #[command(subcommand)]
    command: Option<Sub>,
    #[command(flatten)]
    serve: serve::Serve,
}

#[derive(Subcommand)]
enum Sub {
    Import(import::Import),
    Status(status::StatusArgs),
    Verify(store::VerifyArgs),
    Backup(store::Backup),
    Bot(bot::BotArgs),
    Keys(teacher::Keys),
    Set(teacher::Set),
    Activate(teacher::Activate),
}

impl LadderCommand {
    pub(crate) fn run(self) -> Result<(), Failure> {
        on_long_wait(|| remark("Another process holds the database of the ladder: waiting for it."));
        match self.command {
            None => self.serve.run(),
            Some(Sub::Import(import)) => import.run(),
            Some(Sub::Status(status)) => status.run(),
            Some(Sub::Verify(verify)) => verify.run(),
            Some(Sub::Backup(backup)) => backup.run(),
            Some(Sub::Bot(bot)) => bot.run(),
            Some(Sub::Keys(keys)) => keys.run(),
            Some(Sub::Set(set)) => set.run(),
            Some(Sub::Activate(activate)) => activate.run(),
        }
    }
}

/// Errors of the user are reported as such; failures of the machine, as failures.
impl From<LadderError> for Failure {
    fn from(error: LadderError) -> Failure {
        match error {
            LadderError::Unknown { .. } | LadderError::Refused(_) => Failure::usage(error),
            LadderError::Damaged { .. }
            | LadderError::Full(_)
            | LadderError::File { .. }
            | LadderError::Database(_) => Failure::runtime(error),
        }
    }
}

// The folder of a ladder, of all commands.
#[derive(Args)]
struct Folder {
    /// The folder of the ladder
    #[arg(value_name = "DIR")]
    folder: PathBuf,
}
