//! Whether the verdicts of ratings are true, measured from outside: nothing here knows how an interval is made.
//!
//!     cargo bench --bench verdicts -- coverage     how often intervals, probabilities and places hold the truth
//!     cargo bench --bench verdicts -- days         how often the intervals of freeze-outs do
//!     cargo bench --bench verdicts -- sure         how often `--until-sure` is wrong, and what it costs
//!
//! A number among the arguments sets the number of runs for each figure; each part has a default. Seeds are fixed: the
//! figures are the same each time on any number of processors. `seed=WORD` takes other seeds,
//! `only=caller–bold` limits the run to that field, and `detailed` prints each pair of the coverage too. `make
//! verdicts` runs all parts and prints the duration of each.

#![allow(clippy::print_stdout, clippy::print_stderr, reason = "a benchmark prints")]

mod coverage;
mod days;
mod field;
mod prices;

use std::convert::Infallible;
use std::io::{IsTerminal, Write};
use std::ops::ControlFlow;
use std::time::Instant;

use casino_stud::parallel::{cores, in_order};

/// A part: its name, its function, and its default number of repetitions.
type Part = (&'static str, fn(&Runs), u64);

const PARTS: [Part; 3] =
    [("coverage", coverage::coverage, 400), ("days", days::days, 400), ("sure", prices::sure, 400)];

fn main() {
    let words: Vec<String> = std::env::args().skip(1).collect();
    let is_named = |name: &str| words.iter().any(|word| word == name);
    let all = !PARTS.iter().any(|(name, ..)| is_named(name));
    let count = words.iter().find_map(|word| word.parse().ok());
    let of = |key: &str| words.iter().find_map(|word| word.strip_prefix(key)).unwrap_or_default().to_string();
    let (seed, only, detailed) = (of("seed="), of("only="), is_named("detailed"));
    for (name, part, usual) in PARTS {
        if all || is_named(name) {
            let start = Instant::now();
            let (seed, only) = (seed.clone(), only.clone());
            part(&Runs { count: count.unwrap_or(usual), seed, only, detailed });
            line(&format!("{name}: {:.0} s", start.elapsed().as_secs_f64()));
        }
    }
}

/// How often everything is repeated, and with which seeds.
pub(crate) struct Runs {
    pub(crate) count: u64,
    pub(crate) seed: String,
    /// The only field that is wanted; empty if all are.
    pub(crate) only: String,
    /// Whether the terms of sums are printed too.
    pub(crate) detailed: bool,
}

impl Runs {
    /// A seed of this name. Nothing was tuned with seeds that begin so.
    pub(crate) fn seed(&self, name: &str) -> String {
        format!("a verdict {}{name}", self.seed)
    }

    pub(crate) fn wants(&self, field: &str) -> bool {
        self.only.is_empty() || self.only == field
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
