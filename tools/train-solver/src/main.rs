//! Learns the table that the house bot `solver` plays by, and writes it: `make table` runs it.
//!
//!     train-solver FILE
//!
//! The trees, the hand values and the regret matching are the bot's own modules; this program has only the learning.

#![cfg_attr(test, allow(clippy::unwrap_used, reason = "a test that fails says so"))]

mod best_response;
mod spots;
#[cfg(test)]
mod tiny_deck;
mod trainer;
mod training;

#[allow(dead_code, reason = "the bot uses all of it")]
#[path = "../../../crates/stud/src/strategies/solver/cfr.rs"]
mod cfr;
#[allow(dead_code, reason = "the bot uses all of it")]
#[path = "../../../crates/stud/src/strategies/solver/kinds.rs"]
mod kinds;
#[allow(dead_code, reason = "the bot uses all of it")]
#[path = "../../../crates/stud/src/strategies/solver/showdown.rs"]
mod showdown;
#[allow(dead_code, reason = "the bot uses all of it")]
#[path = "../../../crates/stud/src/strategies/solver/table.rs"]
mod table;
#[allow(dead_code, reason = "the bot uses all of it")]
#[path = "../../../crates/stud/src/strategies/solver/tree.rs"]
mod tree;

use std::convert::Infallible;
use std::ops::ControlFlow;
use std::process::ExitCode;

use casino_stud::parallel::{cores, in_order};
// The bot's modules import these from the root of their package.
use casino_stud::{cards, stud};

use training::{LearnedSpot, SHIPPED_PLAN, exploitability, to_bytes};

fn main() -> ExitCode {
    let Some(path) = std::env::args_os().nth(1) else {
        eprintln!("usage: train-solver FILE");
        return ExitCode::from(2);
    };
    let learned = learn();
    eprintln!("\nexploitability: {:.4} chips a round", exploitability(&learned));
    match std::fs::write(&path, to_bytes(&SHIPPED_PLAN, &learned)) {
        Ok(()) => ExitCode::SUCCESS,
        Err(error) => {
            eprintln!("{}: {error}", path.display());
            ExitCode::FAILURE
        }
    }
}

/// Learns every pair of up cards, with a thread for each core.
fn learn() -> Vec<LearnedSpot> {
    let mut learned = Vec::with_capacity(table::SPOTS);
    let work = |(): &mut (), numbers: std::ops::Range<u64>| {
        Ok::<LearnedSpot, Infallible>(LearnedSpot::learn(&SHIPPED_PLAN, numbers.start as usize))
    };
    let take = |_, spot| {
        learned.push(spot);
        eprint!("\r{} of {} pairs of up cards", learned.len(), table::SPOTS);
        ControlFlow::Continue(())
    };
    let Ok(()) = in_order(&mut vec![(); cores().get()], 0..table::SPOTS as u64, 1, work, take);
    learned
}
