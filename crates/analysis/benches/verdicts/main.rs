//! Whether the verdicts of ratings are true, measured from outside: nothing here knows how an interval is made.
//!
//!     cargo bench --bench verdicts -- coverage     how often intervals, probabilities and places hold the truth
//!     cargo bench --bench verdicts -- days         how often the intervals of freeze-outs do
//!     cargo bench --bench verdicts -- sure         how often `--until-sure` is wrong, and what it costs
//!
//! Seeds are fixed: the figures are the same each time on any number of processors. `-- --help` has the flags. `make verdicts`
//! runs all parts and prints the duration of each.

#![allow(clippy::print_stdout, clippy::print_stderr, reason = "a benchmark prints")]

mod coverage;
mod days;
mod field;
mod prices;

use std::convert::Infallible;
use std::io::{IsTerminal, Write};
use std::ops::ControlFlow;
use std::time::Instant;

use clap::{Parser, ValueEnum};

use casino_stud::parallel::{cores, in_order};

#[derive(Clone, Copy, PartialEq, Eq, ValueEnum)]
enum Part {
    Coverage,
    Days,
    Sure,
}

#[derive(Parser)]
struct Flags {
    /// The parts to run [default: all]
    #[arg(value_enum)]
    parts: Vec<Part>,
    /// Number of runs for each figure
    #[arg(long, default_value_t = 400)]
    runs: u64,
    /// Take other seeds
    #[arg(long, value_name = "WORD", default_value = "")]
    seed: String,
    /// Run only the field of this name, as in caller–bold
    #[arg(long, value_name = "FIELD")]
    only: Option<String>,
    /// Print each pair of the coverage, too
    #[arg(long)]
    detailed: bool,
    /// Cargo passes it to every benchmark.
    #[arg(long, hide = true)]
    bench: bool,
}

fn main() {
    let Flags { parts, runs: count, seed, only, detailed, bench: _ } = Flags::parse();
    let runs = Runs { count, seed, only, detailed };
    for part in Part::value_variants().iter().filter(|part| parts.is_empty() || parts.contains(part)) {
        let start = Instant::now();
        let (name, run): (_, fn(&Runs)) = match part {
            Part::Coverage => ("coverage", coverage::coverage),
            Part::Days => ("days", days::days),
            Part::Sure => ("sure", prices::sure),
        };
        run(&runs);
        line(&format!("{name}: {:.0} s", start.elapsed().as_secs_f64()));
    }
}

/// How often everything is repeated, and with which seeds.
pub(crate) struct Runs {
    pub(crate) count: u64,
    pub(crate) seed: String,
    /// The only field that is wanted, if not all are.
    pub(crate) only: Option<String>,
    /// Whether the terms of sums are printed too.
    pub(crate) detailed: bool,
}

impl Runs {
    /// A seed of this name. Nothing was tuned with seeds that begin so.
    pub(crate) fn seed(&self, name: &str) -> String {
        format!("a verdict {}{name}", self.seed)
    }

    pub(crate) fn wants(&self, field: &str) -> bool {
        self.only.as_ref().is_none_or(|only| only == field)
    }

    /// The outcomes of all runs, in their order, from as many threads as there are processors. On a terminal it is said how far
    /// they are.
    pub(crate) fn each<T: Send>(&self, of: &str, run: impl Fn(u64) -> T + Sync) -> Vec<T> {
        self.each_of(self.count, of, run)
    }

    /// The same for so many.
    pub(crate) fn each_of<T: Send>(&self, count: u64, of: &str, run: impl Fn(u64) -> T + Sync) -> Vec<T> {
        let is_seen = std::io::stderr().is_terminal();
        let mut outcomes = Vec::new();
        let work = |(): &mut (), runs: std::ops::Range<u64>| Ok::<T, Infallible>(run(runs.start));
        let take = |_, outcome| {
            outcomes.push(outcome);
            if is_seen {
                eprint!("\r\x1b[K{of}: {} of {count}", outcomes.len());
            }
            ControlFlow::Continue(())
        };
        in_order(&mut vec![(); cores().get()], 0..count, 1, work, take).unwrap_or_else(|no| match no {});
        if is_seen {
            eprint!("\r\x1b[K");
        }
        outcomes
    }
}

pub(crate) fn line(text: &str) {
    println!("{text}");
    std::io::stdout().flush().expect("standard output takes a line");
}
