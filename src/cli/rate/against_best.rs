//! `casino rate --against-best`: how much somebody who knows a bot takes from it.

use std::ops::ControlFlow;
use std::sync::atomic::Ordering;
use std::time::Duration;

use crate::cli::output::remark;
use crate::cli::progress::Progress;
use crate::cli::specs::one_startable;
use crate::cli::{Failure, Output};
use casino_host::{ConnectionLimits, RatedPrograms, Spec, on_interrupt, raise_file_limit};
use casino_judge::figures::{Document, Table};
use casino_stud::cards::Seed;
use casino_stud::rating::{AgainstBest, AgainstBestReport, AgainstWatched, Contestant, RoundEnd};
use casino_stud::stud::Chips;

use super::Outputs;
use super::words::TOO_FEW;

/// The fewest chips that make a stack.
const LEAST_STACK: Chips = 2;

/// How it is played.
pub(super) struct Settings {
    pub(super) seed: Seed,
    pub(super) rounds: u64,
    pub(super) stack: Chips,
    pub(super) jobs: usize,
    pub(super) reply_ms: u64,
    pub(super) json: bool,
}

/// Plays against the bot that is meant, and tells.
///
/// # Errors
/// If it is several bots, or a program that does not play.
pub(super) fn run(spec: &Spec, settings: &Settings) -> Result<(), Failure> {
    let Settings { seed, rounds, stack, .. } = settings;
    if *stack < LEAST_STACK {
        return Err(Failure::Usage(format!(
            "--stack {stack}: nothing can be bet with less than {LEAST_STACK} chips"
        )));
    }
    match one_startable(spec)? {
        Spec::House { bot, count: 1 } => {
            let contest = AgainstBest::new(bot, seed, *rounds).with_stack(*stack);
            let report = watched(contest.rounds(), |watch| Ok(contest.play(settings.jobs, watch)))?;
            tell(report, contest.rounds(), settings)
        }
        Spec::House { bot, count } => Err(Failure::Usage(format!(
            "--against-best {}*{count}: one bot is looked at, in rounds between two: leave *{count} away",
            bot.name
        ))),
        Spec::Program { name, command } => {
            let contest =
                AgainstWatched::new(&name, &command, seed, *rounds, *stack).map_err(Failure::usage)?;
            let program = [Contestant::program(&name, &command)];
            let limits = ConnectionLimits {
                reply: Duration::from_millis(settings.reply_ms),
                ..ConnectionLimits::default()
            };
            raise_file_limit();
            let outputs = Outputs::new()?;
            let mut programs = Vec::new();
            for job in 1..=settings.jobs {
                let folder = outputs.folder_of(job)?;
                programs.push(RatedPrograms::start(&program, limits, &folder).map_err(Failure::broke)?);
            }
            let report =
                watched(contest.rounds(), |watch| contest.play(&mut programs, watch).map_err(Failure::broke));
            programs.into_iter().for_each(RatedPrograms::dismiss);
            let fouls =
                report.as_ref().map_or(true, |report| report.as_ref().is_some_and(|report| report.fouls > 0));
            outputs.close(fouls);
            tell(report?, contest.rounds(), settings)
        }
        Spec::Place { .. } => unreachable!("what can be started is a command line"),
    }
}

/// Plays with a bar that shows how far it is, until it is done or Ctrl-C stops it.
fn watched(
    rounds: u64,
    play: impl FnOnce(&mut dyn FnMut(u64) -> ControlFlow<()>) -> Result<Option<AgainstBestReport>, Failure>,
) -> Result<Option<AgainstBestReport>, Failure> {
    let bar = Progress::share(rounds);
    let first = || remark("Stopping after the rounds in play; press Ctrl-C again to stop at once.");
    let interrupted = on_interrupt(first, || {}).map_err(Failure::broke)?;
    play(&mut |played| {
        bar.at(played);
        if interrupted.load(Ordering::Relaxed) { ControlFlow::Break(()) } else { ControlFlow::Continue(()) }
    })
}

fn tell(report: Option<AgainstBestReport>, wanted: u64, settings: &Settings) -> Result<(), Failure> {
    let report = report.ok_or_else(|| Failure::Broke("stopped before anything could be said".to_string()))?;
    let mut output = Output::stdout();
    if settings.json {
        output.line(serde_json::to_string(&report).map_err(Failure::broke)?)?;
    } else {
        output.document(&document(&report))?;
    }
    output.flush()?;
    match report.rounds + report.watched == wanted {
        true => Ok(()),
        false => Err(Failure::Broke("stopped by Ctrl-C: the report is of what was played".to_string())),
    }
}

fn document(report: &AgainstBestReport) -> Document {
    let AgainstBestReport { bot, rounds, stack, seed, chips_per_100: chips, .. } = report;
    let mut document = Document::default();
    let how = if report.watched > 0 { "has watched it" } else { "knows how it plays" };
    document.say(format!(
        "{bot} against an adversary that {how}: {rounds} rounds between two, stacks of {stack}, seed {seed:?}"
    ));
    let value = chips.value;
    let doubt = match chips.interval() {
        Some((low, high)) => format!("[{low:.1}, {high:.1}], the 95% interval"),
        None => format!("{TOO_FEW}: play more rounds for an interval"),
    };
    let sentence = match value > 0.0 {
        true => format!("In 100 rounds the adversary takes {value:.1} chips from {bot}"),
        false => format!("In 100 rounds the adversary loses {:.1} chips to {bot}", -value),
    };
    document.section();
    document.say(format!("{sentence}  {doubt}"));
    let knows = if report.watched > 0 {
        if report.fouls > 0 {
            let times = report.fouls;
            document.say(format!("{bot} broke the rules {times} times; each time that folded its hand."));
        }
        format!(
            "The adversary watched {bot} for {} rounds before these, and knows\nno more of it; what it does not see it does not \
             take. A",
            report.watched
        )
    } else {
        let mut table = Table::default().words(["how rounds ended"]).figures(["of 100", "chips won"]);
        for line in &report.ends {
            let words = match line.end {
                RoundEnd::FoldedOnFirst => format!("{bot} folded on the first street"),
                RoundEnd::FoldedOnSecond => format!("{bot} folded on the second"),
                RoundEnd::AdversaryFolded => "the adversary folded".to_string(),
                RoundEnd::Shown => "both showed their cards".to_string(),
            };
            table.row([
                words.into(),
                format!("{:.1}", line.of_100).into(),
                format!("{:+.1}", line.chips).into(),
            ]);
        }
        document.section();
        document.table(table);
        format!(
            "The adversary knows what {bot} does with every hole card, but not\nwhich one it holds. It does not find all that can \
             be won: a"
        )
    };
    document.section();
    document.say(format!(
        "A bot that always folds loses 100 chips in 100 rounds. {knows} perfect adversary takes at least as much."
    ));
    document
}
