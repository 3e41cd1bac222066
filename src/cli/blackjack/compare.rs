//! `casino blackjack compare`: many seeded bankrolls of both players, on all cores.

use std::num::NonZeroUsize;
use std::ops::ControlFlow;
use std::path::PathBuf;

use serde::Serialize;

use super::plot;
use crate::cli::progress::ShownProgress;
use crate::cli::values::whole;
use crate::cli::{Failure, Output};
use casino_judge::figures::{Cell, DataTable, Document};
use casino_sisters::blackjack::{
    BankrollEstimate, BankrollResult, BankrollSummary, Counting, CutsRanOut, PairedDifference, SeededCuts,
    Simple, run as run_one,
};
use casino_stud::cards::Seed;
use casino_stud::parallel::{cores, in_order};

/// Compare the simple and the counting player over many seeded bankrolls
#[derive(clap::Args)]
#[command(
    after_help = "Both players get the same cuts, bankroll by bankroll, so that luck falls out of the \
        difference.\nThe figures depend on the seed and the numbers given, never on --jobs. Intervals are 95%.\n\n\
        Examples:\n  \
        casino blackjack compare --hands 1000\n  \
        casino blackjack compare --hands 500 --bankroll 50 --bankrolls 20000 --seed monday --json\n  \
        casino blackjack compare --hands 2000 --plot players.svg"
)]
pub(super) struct Args {
    /// The most hands to play with each bankroll
    #[arg(long, value_parser = whole::<u32>(1..=10_000_000))]
    hands: u32,
    /// How many bankrolls each player gets
    #[arg(long, default_value_t = 10_000, value_parser = whole::<u32>(2..=10_000_000))]
    bankrolls: u32,
    /// What each bankroll is, in chips
    #[arg(long, default_value_t = 100, value_parser = whole::<u32>(1..=1_000_000))]
    bankroll: u32,
    /// The seed of the cuts
    #[arg(long, value_name = "TEXT", default_value = "casino day")]
    seed: String,
    /// How many threads to use; all cores if not given
    #[arg(long)]
    jobs: Option<NonZeroUsize>,
    /// Print one JSON object instead of the table
    #[arg(long)]
    json: bool,
    /// Draw the share of bankrolls alive after each hand into an SVG file
    #[arg(long, value_name = "FILE.svg")]
    plot: Option<PathBuf>,
}

/// What `--json` prints.
#[derive(Serialize)]
struct ComparisonObject<'a> {
    seed: &'a str,
    bankroll: u32,
    most_hands: u32,
    simple: BankrollSummary,
    counting: BankrollSummary,
    counting_minus_simple: PairedDifference,
}

pub(super) fn run(args: &Args) -> Result<(), Failure> {
    // A plot that cannot be written should not cost the run.
    if let Some(file) = &args.plot {
        std::fs::File::create(file)
            .map_err(|error| Failure::usage(format!("--plot {}: {error}", file.display())))?;
    }
    let pairs = play_all(args);
    let (simple, counting): (Vec<BankrollResult>, Vec<BankrollResult>) = pairs.into_iter().unzip();
    let comparison = ComparisonObject {
        seed: &args.seed,
        bankroll: args.bankroll,
        most_hands: args.hands,
        simple: BankrollSummary::of(&simple),
        counting: BankrollSummary::of(&counting),
        counting_minus_simple: PairedDifference::between(&simple, &counting),
    };
    if let Some(file) = &args.plot {
        let picture = plot::survival(args.hands, &simple, &counting).map_err(Failure::broke)?;
        std::fs::write(file, picture)
            .map_err(|error| Failure::Broke(format!("--plot {}: {error}", file.display())))?;
    }
    let mut out = Output::stdout();
    if args.json {
        out.line(serde_json::to_string_pretty(&comparison).map_err(Failure::broke)?)?;
    } else {
        out.document(&document(&comparison))?;
    }
    out.flush()
}

/// Plays all bankrolls with both players and returns their runs in the order of the bankrolls.
fn play_all(args: &Args) -> Vec<(BankrollResult, BankrollResult)> {
    const AT_ONCE: u64 = 16;
    let all = u64::from(args.bankrolls);
    let seed = Seed::chosen(args.seed.as_str());
    let jobs = args.jobs.unwrap_or_else(cores).get();
    let bar = ShownProgress::of("bankrolls", all);
    let pair = |number: u64| -> Result<(BankrollResult, BankrollResult), CutsRanOut> {
        let cuts = || SeededCuts::numbered(&seed, number + 1);
        let simple = run_one(args.bankroll, args.hands, Simple, cuts())?;
        Ok((simple, run_one(args.bankroll, args.hands, Counting::default(), cuts())?))
    };
    let mut runs = Vec::new();
    in_order(
        &mut vec![(); jobs.min(all.div_ceil(AT_ONCE) as usize)],
        0..all,
        AT_ONCE,
        |(), numbers| numbers.map(pair).collect::<Result<Vec<_>, _>>(),
        |_, pairs| {
            bar.more(pairs.len() as u64);
            runs.extend(pairs);
            ControlFlow::Continue(())
        },
    )
    .expect("seeded cuts never end");
    runs
}

fn document(comparison: &ComparisonObject<'_>) -> Document {
    let mut document = Document::default();
    let ComparisonObject { simple, counting, counting_minus_simple: difference, .. } = comparison;
    let percent = |estimate: &BankrollEstimate| BankrollEstimate {
        value: estimate.value * 100.0,
        low: estimate.low * 100.0,
        high: estimate.high * 100.0,
    };
    document.say(format!(
        "{} bankrolls of {} chips, {} hands at most, seed \"{}\"; in brackets the 95% interval",
        simple.bankrolls,
        comparison.bankroll,
        comparison.most_hands,
        comparison.seed.escape_debug()
    ));
    let signed = |estimate: &BankrollEstimate| show(estimate, true, 4);
    let per_cent = |estimate: &BankrollEstimate| show(&percent(estimate), true, 2);
    let ruin = |estimate: &BankrollEstimate| show(&percent(estimate), false, 2);
    let mut table = DataTable::default().words(["", "simple", "counting", "counting − simple"]);
    let mut row = |name: &str, cells: [String; 3]| {
        table.row([Cell::from(name)].into_iter().chain(cells.map(Cell::from)));
    };
    row(
        "chips won per hand",
        [&simple.return_per_hand, &counting.return_per_hand, &difference.return_per_hand].map(signed),
    );
    row(
        "won per chip wagered, %",
        [&simple.return_per_chip, &counting.return_per_chip, &difference.return_per_chip].map(per_cent),
    );
    row("ruined, %", [ruin(&simple.ruin), ruin(&counting.ruin), String::new()]);
    row(
        "hands survived",
        [
            show(&simple.hands_survived, false, 1),
            show(&counting.hands_survived, false, 1),
            show(&difference.hands_survived, true, 1),
        ],
    );
    document.section();
    document.table(table);
    document
}

fn show(estimate: &BankrollEstimate, signed: bool, digits: usize) -> String {
    let BankrollEstimate { value, low, high } = estimate;
    if signed {
        format!("{value:+.digits$} [{low:+.digits$}, {high:+.digits$}]")
    } else {
        format!("{value:.digits$} [{low:.digits$}, {high:.digits$}]")
    }
}
