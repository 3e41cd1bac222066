//! `casino rate --against-best`: how much somebody who knows a bot takes from it.

use std::ops::ControlFlow;
use std::sync::atomic::Ordering;

use indicatif::{ProgressBar, ProgressStyle};

use crate::cards::Seed;
use crate::cli::output::remark;
use crate::cli::{Failure, Output};
use crate::rating::{AgainstBest, AgainstBestReport, RoundEnd};
use crate::server::{Spec, on_interrupt};
use crate::strategies::HouseBot;
use crate::stud::Chips;

use super::words::TOO_FEW;

/// The fewest chips that make a stack.
const LEAST_STACK: Chips = 2;

/// The house bot that is meant.
///
/// # Errors
/// If it is several bots or a program.
pub(super) fn asked(spec: &Spec) -> Result<&'static HouseBot, Failure> {
    match spec {
        Spec::House { bot, count: 1 } => Ok(bot),
        Spec::House { bot, count } => Err(Failure::Usage(format!(
            "--against-best {}*{count}: one bot is looked at, in rounds between two: leave *{count} away",
            bot.name
        ))),
        Spec::Program { name, .. } | Spec::Place { name, .. } => Err(Failure::Usage(format!(
            "--against-best {name}: this is a program, which can only be asked about the card it holds, while the adversary \
             has to know what it would do with every card. It takes a house bot (see `casino bots`); what a program wins \
             and loses against these is said by `casino rate --bot {name}=... --bot solver --rounds 4000`"
        ))),
    }
}

/// Plays and tells.
pub(super) fn run(
    bot: &'static HouseBot,
    seed: &Seed,
    rounds: u64,
    stack: Chips,
    jobs: usize,
    json: bool,
) -> Result<(), Failure> {
    if stack < LEAST_STACK {
        return Err(Failure::Usage(format!(
            "--stack {stack}: nothing can be bet with less than {LEAST_STACK} chips"
        )));
    }
    let contest = AgainstBest::new(bot, seed, rounds).with_stack(stack);
    let bar = ProgressBar::new(contest.rounds()).with_style(
        ProgressStyle::with_template("{bar:30} {percent}%, {eta} left{msg}")
            .expect("the template is well formed"),
    );
    let first = || remark("Stopping after the rounds in play; press Ctrl-C again to stop at once.");
    let interrupted = on_interrupt(first, || {}).map_err(Failure::broke)?;
    let report = contest.play(jobs, |played| {
        bar.set_position(played);
        if interrupted.load(Ordering::Relaxed) { ControlFlow::Break(()) } else { ControlFlow::Continue(()) }
    });
    bar.finish_and_clear();
    let report = report.ok_or_else(|| Failure::Broke("stopped before anything could be said".to_string()))?;
    let mut output = Output::stdout();
    if json {
        output.line(serde_json::to_string(&report).map_err(Failure::broke)?)?;
    } else {
        text(&report, &mut output)?;
    }
    output.flush()?;
    match report.rounds == contest.rounds() {
        true => Ok(()),
        false => Err(Failure::Broke("stopped by Ctrl-C: the report is of what was played".to_string())),
    }
}

fn text(report: &AgainstBestReport, output: &mut Output) -> Result<(), Failure> {
    let AgainstBestReport { bot, rounds, stack, seed, chips_per_100: chips, .. } = report;
    output.line(format_args!(
        "{bot} against an adversary that knows how it plays: {rounds} rounds between two, stacks of {stack}, seed {seed:?}\n"
    ))?;
    let value = chips.value;
    let doubt = match chips.interval() {
        Some((low, high)) => format!("[{low:.1}, {high:.1}], the 95% interval"),
        None => format!("{TOO_FEW}: play more rounds for an interval"),
    };
    let sentence = match value > 0.0 {
        true => format!("In 100 rounds the adversary takes {value:.1} chips from {bot}"),
        false => format!("In 100 rounds the adversary loses {:.1} chips to {bot}", -value),
    };
    output.line(format_args!("{sentence}  {doubt}"))?;
    output.line("\nhow rounds ended                  of 100   chips won")?;
    for line in &report.ends {
        let words = match line.end {
            RoundEnd::FoldedOnFirst => format!("{bot} folded on the first street"),
            RoundEnd::FoldedOnSecond => format!("{bot} folded on the second"),
            RoundEnd::AdversaryFolded => "the adversary folded".to_string(),
            RoundEnd::Shown => "both showed their cards".to_string(),
        };
        output.line(format_args!("  {words:<32}{:>6.1}{:>+12.1}", line.of_100, line.chips))?;
    }
    output.line(format_args!(
        "\nA bot that always folds loses 100 chips in 100 rounds. The adversary knows what {bot} does with every hole card, but \
         not\nwhich one it holds. It does not find all that can be won: a perfect adversary takes at least as much."
    ))
}
