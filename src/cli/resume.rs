//! The flags and words of `casino resume`.

use std::net::SocketAddr;
use std::path::PathBuf;
use std::sync::Arc;

use clap::Args;

use crate::session::{Options, newest_unfinished, resume};
use casino_stud::shown;

use super::Failure;
use super::flags::{JobsArgs, MAIN, PersonArgs, PresentationArgs, RosterArgs, TimeBankArgs};
use super::output::{anything_lost, remark};
use super::values::{ALL_INTERFACES, address};

/// The meaning of `--minutes` here.
const MINUTES: &str = "Remaining minutes of the show; 0: as fast as possible [default: those left]";

#[derive(Args)]
#[command(
    mut_arg("minutes", |minutes| minutes.help(MINUTES)),
    after_help = "Stacks, places, seats and the number of the round come from the journal. The interrupted round \
        is dealt again from the same deck. Programs are started again after you have confirmed their \
        command lines, or at once with --run-programs; connecting players are identified by their \
        GitHubId.\n\n\
        Without a file, the newest unfinished journal is resumed: from the given folder, the folder of \
        --out, or this one, and from folders of results in it. Of a finished tournament, --web or --console shows the \
        last rounds and the winners again.\n\n\
        Examples:
  casino resume casino-day.jsonl --bind 9000
  casino resume results/journal.jsonl --out results --run-programs
  casino resume
  casino resume results"
)]
pub(crate) struct ResumeCommand {
    /// Journal of the tournament, or its folder [default: --out, or this folder]
    #[arg(value_name = "FILE")]
    journal: Option<PathBuf>,
    /// Port or address where programs connect; 0 selects a free port
    #[arg(long, value_name = "ADDR:PORT", value_parser = address(ALL_INTERFACES), help_heading = MAIN)]
    bind: Option<SocketAddr>,
    /// Admit players who connect from another address than before; the console can admit each
    #[arg(long, help_heading = MAIN)]
    trust_addresses: bool,
    /// Start the programs named in the journal without asking: only for your own journals
    #[arg(long, help_heading = MAIN)]
    run_programs: bool,
    #[command(flatten)]
    roster: RosterArgs,
    #[command(flatten)]
    time_bank: TimeBankArgs,
    #[command(flatten)]
    jobs: JobsArgs,
    #[command(flatten)]
    presentation: PresentationArgs,
    #[command(flatten)]
    person: PersonArgs,
}

impl ResumeCommand {
    pub(crate) fn run(self) -> Result<(), Failure> {
        let ResumeCommand {
            journal,
            bind,
            jobs,
            time_bank,
            trust_addresses,
            run_programs,
            roster,
            presentation,
            person,
        } = self;
        let roster = roster.read()?;
        let time_bank = time_bank.most();
        let (options, terminal) = presentation.options(jobs.threads);
        let options = person.options(Options { roster, trust_addresses, run_programs, time_bank, ..options });
        let journal = match journal {
            Some(file) if !file.is_dir() => file,
            folder => {
                let folder = folder.or_else(|| options.out.clone()).unwrap_or_else(|| PathBuf::from("."));
                let journal = newest_unfinished(&folder)?;
                remark(&format!("Resuming {}.", shown::path(&journal)));
                journal
            }
        };
        resume(&journal, bind, options, Arc::new(terminal))?;
        anything_lost()
    }
}
