//! The command `casino train`, which makes the table that the house bot `solver` plays by.

use std::num::NonZeroUsize;
use std::ops::ControlFlow;
use std::path::{Path, PathBuf};
use std::sync::atomic::Ordering;

use clap::Args;
use sha2::{Digest, Sha256};

use casino_host::on_interrupt;
use casino_stud::hex::hex;
use casino_stud::parallel::{cores, in_order};
use casino_stud::strategies::{TrainedTable, TrainingPlan};
use casino_system::files::{self, Readers, write_anew};

use super::output::remark;
use super::progress::ShownProgress;
use super::values::{positive, threads, whole};
use super::{Failure, Output};

/// The most second streets that an iteration can look at: all pairs of second up cards.
const ALL_BOARDS: u64 = 2_450;

#[derive(Args)]
#[command(
    after_help = "The game between two is learned by playing it against itself, one pair of up cards after the other, 338 in \
        all. The file is written after each, so the work can be stopped at any time and gone on with. The same seed, \
        iterations and boards make the same bytes, on every machine and with any --jobs. docs/solver.md tells how it is done.

Exit codes: 0 done, 1 stopped or a file cannot be written, 2 the flags or a file cannot be used.

Examples:
  casino train --out solver.table
  casino train --resume solver.table
  casino train --iterations 50 --pairs 4 --seed quick --out quick.table --json"
)]
pub(crate) struct Train {
    /// The file to write [default: that of --resume]
    #[arg(long, value_name = "FILE", required_unless_present = "resume")]
    out: Option<PathBuf>,
    /// Go on with this file, by its own seed, iterations and boards
    #[arg(long, value_name = "FILE", conflicts_with_all = ["seed", "iterations", "boards"])]
    resume: Option<PathBuf>,
    /// Any text: it decides which second streets are looked at
    #[arg(long, value_name = "TEXT", default_value_t = TrainingPlan::default().seed)]
    seed: String,
    /// How often each pair of up cards is gone through
    #[arg(long, value_name = "N", default_value_t = TrainingPlan::default().iterations, value_parser = positive::<u32>())]
    iterations: u32,
    /// How many second streets are looked at each time, of 2,450
    #[arg(long, value_name = "N", default_value_t = TrainingPlan::default().boards, value_parser = whole::<u32>(1..=ALL_BOARDS))]
    boards: u32,
    /// Learn so many pairs of up cards at most, and stop
    #[arg(long, value_name = "N", value_parser = positive::<usize>())]
    pairs: Option<usize>,
    /// How many threads to use [default: one for each core]
    #[arg(short, long, value_name = "J", value_parser = threads)]
    jobs: Option<NonZeroUsize>,
    /// Print one JSON object instead of words
    #[arg(long)]
    json: bool,
}

impl Train {
    pub(crate) fn run(self) -> Result<(), Failure> {
        let mut table = match &self.resume {
            Some(path) => read(path)?,
            None => TrainedTable::new(TrainingPlan {
                seed: self.seed.clone(),
                iterations: self.iterations,
                boards: self.boards,
            }),
        };
        let out = self.out.as_ref().or(self.resume.as_ref()).expect("clap asks for one of them");
        // A folder that takes nothing should be found out now, not after the work.
        write(&table, out).map_err(Failure::Usage)?;
        let stopped = self.learn(&mut table, out)?;
        self.tell(&table, out)?;
        if stopped {
            let out = out.display();
            return Err(Failure::Broke(format!(
                "stopped by Ctrl-C: casino train --resume {out} goes on from there"
            )));
        }
        Ok(())
    }

    /// Learns what is left, as many pairs of up cards at a time as there are threads. Returns whether Ctrl-C
    /// stopped it.
    fn learn(&self, table: &mut TrainedTable, out: &Path) -> Result<bool, Failure> {
        struct Stopped;
        let spots = TrainedTable::spots();
        let until = self.pairs.map_or(spots, |pairs| spots.min(table.learned() + pairs));
        let jobs = self.jobs.unwrap_or_else(cores).get();
        let plan = table.plan().clone();
        let left = table.learned()..until.max(table.learned());
        let bar = ShownProgress::share(left.len() as u64 * u64::from(plan.iterations));
        let first = || remark("Stopping; press Ctrl-C again to stop at once.");
        let interrupted = on_interrupt(first, || {}).map_err(Failure::broke)?;
        let step = || {
            bar.more(1);
            if interrupted.load(Ordering::Relaxed) {
                ControlFlow::Break(())
            } else {
                ControlFlow::Continue(())
            }
        };
        let mut unwritable = None;
        let learned = in_order(
            &mut vec![(); jobs],
            left.start as u64..left.end as u64,
            1,
            |(), spot| TrainedTable::learn(&plan, spot.start as usize, step).ok_or(Stopped),
            |_, spot| {
                table.push(spot);
                unwritable = write(table, out).err();
                if let Some(chips) = table.exploitability() {
                    bar.say(format!("exploitability {chips:.4} chips a round so far"));
                }
                if unwritable.is_some() { ControlFlow::Break(()) } else { ControlFlow::Continue(()) }
            },
        );
        match unwritable {
            Some(error) => Err(Failure::Broke(error)),
            None => Ok(learned.is_err()),
        }
    }

    fn tell(&self, table: &TrainedTable, out: &Path) -> Result<(), Failure> {
        let bytes = table.to_bytes();
        let digest = hex(Sha256::digest(&bytes));
        let (learned, spots, plan) = (table.learned(), TrainedTable::spots(), table.plan());
        let mut output = Output::stdout();
        if self.json {
            output.line(serde_json::json!({
                "file": out.display().to_string(), "bytes": bytes.len(), "sha256": digest,
                "seed": plan.seed, "iterations": plan.iterations, "boards": plan.boards,
                "learned": learned, "of": spots, "exploitability": table.exploitability(),
            }))?;
            return output.flush();
        }
        let (shown, size) = (out.display(), bytes.len());
        output.line(format_args!(
            "{learned} of {spots} pairs of up cards are learned in {shown}: {size} bytes."
        ))?;
        if let Some(chips) = table.exploitability() {
            output.line(format_args!(
                "Who knows the strategy and bets as it was learned wins {chips:.4} chips a round from it at most."
            ))?;
        }
        output.line(format_args!("SHA-256 {digest}"))?;
        output.flush()
    }
}

fn read(path: &Path) -> Result<TrainedTable, Failure> {
    let refuse = |why: &dyn std::fmt::Display| Failure::Usage(format!("{}: {why}", path.display()));
    let bytes = files::read(path).map_err(|error| refuse(&error))?;
    TrainedTable::read(&bytes).map_err(|error| refuse(&error))
}

/// Writes the file beside its place first, so that what is there is always whole.
fn write(table: &TrainedTable, path: &Path) -> Result<(), String> {
    write_anew(path, &table.to_bytes(), Readers::Everyone)
        .map_err(|error| format!("{} cannot be written: {error}", path.display()))
}
