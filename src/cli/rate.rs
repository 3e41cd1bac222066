//! The command `casino rate`, which rates bots over equal deals.

mod part;
mod report;
mod words;

use std::num::NonZeroUsize;
use std::ops::ControlFlow;
use std::path::{Path, PathBuf};
use std::sync::atomic::Ordering;
use std::time::{Duration, Instant};

use clap::Args;

use casino_analysis::rating::{
    BotPlayers, BotSource, PartEnd, PartTerms, PlanTerms, PlayedPart, Players, RatedBot, RatingPlan, Shard,
    StoppingRule, play_on,
};
use casino_host::{
    ConnectionLimits, LocalPlayers, ProgramPlayer, RestartRule, Spec, StartCount, on_interrupt,
};
use casino_stud::cards::Seed;
use casino_stud::parallel::cores;
use casino_stud::shown::count;
use casino_stud::stud::{Chips, MAX_SEATS};
use casino_system::files::check_output;
use casino_system::sockets::raise_file_limit;

use super::flags::MAIN;
use super::output::remark;
use super::program_outputs::RatingOutputFolder;
use super::progress::ShownProgress;
use super::specs::{SPECS, startable};
use super::values::{drawn_seed, positive, threads, whole};
use super::{Failure, print};

pub(super) use part::RatingPart;
pub(super) use report::ReportArgs;

/// The headings of `--help` that only a rating has.
const PRECISION_HEADING: &str = "Precision";
const MACHINES_HEADING: &str = "Cores and machines";

/// Chips per round below which --until-sure counts two bots as equal.
const EQUAL_WITHIN_CHIPS: f64 = 0.1;

const USUAL_FREEZE_OUTS: u64 = 100;

const TYPICAL_FREEZE_OUT_ROUNDS: u64 = 1_500;

/// Limits of a rating without `--rounds`.
const OPEN_ENDED_ERROR: f64 = 0.05;
const OPEN_ENDED_TIME: Duration = Duration::from_secs(120);
const MAX_OPEN_ENDED_ROUNDS: u64 = 100_000_000;

/// A program plays for a rating as long as it answers now and then.
const RESTART_RULE: RestartRule =
    RestartRule { late_replies: 3, starts: 5, count: StartCount::SinceAnswer, out_of_step: false };

const DONE_REASON: &str = "All rounds of the rating have been played. Thank you for playing.";

#[derive(Args)]
#[command(
    after_help = format!("All bots play the same cards from the same seats, which removes most of the luck from the \
        comparison. The output depends on the flags and the programs, never on --jobs or the division of \
        the work.\n\n\
        {SPECS}\n\n\
        Exit codes: 0 done, 1 the work failed, 2 unusable flags or file.\n\n\
        Examples:
  casino rate --bot cautious --bot bold --bot simple
  casino rate --bot cautious --bot bold --bot simple --rounds 100000 --seed monday
  casino rate --bot reader --bot odds --bot spades --rounds 10000000 --until-sure 0.05
  casino rate --bot 'mine=java -cp out Poker {{host}} {{port}}' --bot simple*3 --rounds 4000
  casino rate --bot odds --bot reader --rounds 1e8 --seed big --shard 2/8
  casino merge rate-*-of-8.json")
)]
pub(crate) struct Rate {
    /// House bot, folder, file or command line with {host} and {port}; repeatable
    #[arg(long = "bot", value_name = "SPEC", value_parser = Spec::find, required = true, help_heading = MAIN)]
    bots: Vec<Spec>,
    /// Number of rounds [default: until the ranking is decided, two minutes at most]
    #[arg(long, value_name = "N", value_parser = positive::<u64>(), help_heading = MAIN)]
    rounds: Option<u64>,
    /// Players at a table, 2 to 17 [default: all bots, 17 at most]
    #[arg(long, value_name = "K", value_parser = whole::<u64>(2..=MAX_SEATS as u64), help_heading = MAIN)]
    seats: Option<u64>,
    /// Stack at the beginning of every round in chips
    #[arg(long, default_value_t = 500, value_parser = whole::<Chips>(0..=u64::MAX), help_heading = MAIN)]
    stack: Chips,
    /// Any text: it decides every deck and the seats [default: drawn from the system]
    #[arg(long, value_name = "TEXT", help_heading = MAIN)]
    seed: Option<String>,
    /// Time limit of a program's reply in milliseconds
    #[arg(long, value_name = "MS", default_value_t = 1_000, value_parser = whole::<u64>(1..=600_000), help_heading = MAIN)]
    reply_ms: u64,
    /// Number of freeze-outs, rounded up [default: 100; 0 for programs with --rounds]
    #[arg(long, value_name = "N", value_parser = whole::<u64>(0..=u64::MAX), help_heading = MAIN)]
    tournaments: Option<u64>,
    /// Stop when the ranking is decided with at most this error probability
    #[arg(long, value_name = "ERR", value_parser = probability, help_heading = PRECISION_HEADING)]
    until_sure: Option<f64>,
    /// Number of threads [default: one per core]
    #[arg(short, long, value_name = "J", value_parser = threads, help_heading = MACHINES_HEADING)]
    jobs: Option<NonZeroUsize>,
    /// Play part I of N and write it for `casino merge`
    #[arg(long, value_name = "I/N", conflicts_with_all = ["until_sure", "json"], requires = "rounds", help_heading = MACHINES_HEADING)]
    shard: Option<Shard>,
    /// The file of the part [default: rate-I-of-N.json]
    #[arg(long, value_name = "FILE", requires = "shard", help_heading = MACHINES_HEADING)]
    part: Option<PathBuf>,
    #[command(flatten)]
    report: ReportArgs,
}

/// A probability between 0 and 1, without either.
pub(super) fn probability(text: &str) -> Result<f64, String> {
    text.parse::<f64>()
        .ok()
        .filter(|value| (1e-9..1.0).contains(value))
        .ok_or_else(|| "write a probability above 0 and below 1, say 0.05".to_string())
}

impl Rate {
    pub(crate) fn run(self) -> Result<(), Failure> {
        let local_players = LocalPlayers::new(&startable(&self.bots)?).map_err(Failure::usage)?;
        let seed = self.which_seed()?;
        let plan = self.plan(&local_players, &seed)?;
        match self.shard {
            None => self.whole(plan, &seed),
            Some(shard) => self.one_part(plan, shard),
        }
    }

    fn which_seed(&self) -> Result<Seed, Failure> {
        match &self.seed {
            Some(text) => Ok(Seed::chosen(text)),
            None if self.shard.is_some() => Err(Failure::Usage(
                "--shard needs --seed: all parts of a rating have the same one".to_string(),
            )),
            None => drawn_seed(),
        }
    }

    /// Promises a seed that was drawn.
    fn promise(&self, seed: &Seed) {
        if let (Some(promise), true) = (seed.promise(), self.report.is_chatty()) {
            remark(&format!("The seed is drawn; the SHA-256 of its text is {promise}."));
        }
    }

    /// How many threads to use.
    fn threads(&self) -> usize {
        self.jobs.unwrap_or_else(cores).get()
    }

    fn plan(&self, local_players: &LocalPlayers, seed: &Seed) -> Result<RatingPlan, Failure> {
        let house =
            local_players.house_bots().iter().map(|(entrant, bot)| RatedBot::house(&entrant.name, bot));
        let programs =
            local_players.programs().iter().map(|(name, command)| RatedBot::program(name, command));
        let bots: Vec<RatedBot> = house.chain(programs).collect();
        if let Some(seats) = self.seats.filter(|seats| *seats > bots.len() as u64) {
            let bots = bots.len();
            return Err(Failure::Usage(format!("--seats {seats} is more than the {bots} bots there are")));
        }
        let seats = self.seats.map_or(MAX_SEATS, |seats| seats as usize);
        let terms = PlanTerms {
            seats,
            stack: self.stack,
            seed: seed.clone(),
            rounds: self.rounds.unwrap_or(MAX_OPEN_ENDED_ROUNDS),
            tournaments: self.tournaments.unwrap_or(match (self.rounds, local_players.programs()) {
                // A freeze-out takes programs seconds, and a number of rounds says how long they are to play.
                (Some(_), [_, ..]) => 0,
                _ => USUAL_FREEZE_OUTS,
            }),
        };
        RatingPlan::new(bots, terms).map_err(Failure::usage)
    }

    /// Plays everything and reports.
    fn whole(self, plan: RatingPlan, seed: &Seed) -> Result<(), Failure> {
        self.promise(seed);
        let mut part = RatingPart::new(plan, Shard::WHOLE);
        let is_open_ended = self.rounds.is_none();
        let error = self.until_sure.or(is_open_ended.then_some(OPEN_ENDED_ERROR));
        let sure = error.map(|error| {
            part.played = PlayedPart::open_ended(&part.plan);
            StoppingRule::new(error, EQUAL_WITHIN_CHIPS)
        });
        let deadline = is_open_ended.then(|| Instant::now() + OPEN_ENDED_TIME);
        let end = self.play(&mut part, sure.as_ref(), deadline)?;
        if part.played.tally().blocks() < 2 {
            return Err(Failure::Runtime("stopped before anything could be said".to_string()));
        }
        self.report.print_report(&part, sure.as_ref())?;
        match end {
            PartEnd::Played => Ok(()),
            PartEnd::Stopped if deadline.is_some_and(|deadline| deadline <= Instant::now()) => Ok(()),
            PartEnd::Stopped => {
                Err(Failure::Runtime("stopped by Ctrl-C: the report covers the rounds played".to_string()))
            }
        }
    }

    /// Plays a part into its file.
    fn one_part(self, plan: RatingPlan, shard: Shard) -> Result<(), Failure> {
        let path = self
            .part
            .clone()
            .unwrap_or_else(|| PathBuf::from(format!("rate-{}-of-{}.json", shard.number(), shard.parts())));
        let shown = path.display();
        // Detected before the work.
        check_output(&path, &[])
            .map_err(|error| Failure::Usage(format!("{shown} cannot be written: {error}")))?;
        let mut part = RatingPart::new(plan, shard);
        if self.play(&mut part, None, None)? == PartEnd::Stopped {
            return Err(Failure::Runtime(format!("stopped by Ctrl-C: {shown} is not written")));
        }
        part.write(&path).map_err(|error| Failure::Runtime(format!("{shown} cannot be written: {error}")))?;
        let blocks = count(part.played.tally().blocks(), "block");
        print(format_args!("Part {shard} is complete in {shown}: {blocks}."))
    }

    /// Plays a part, until the deadline if there is one, with as many players as there are threads.
    fn play(
        &self,
        part: &mut RatingPart,
        sure: Option<&StoppingRule>,
        deadline: Option<Instant>,
    ) -> Result<PartEnd, Failure> {
        let jobs = self.threads();
        let house: Option<Vec<_>> = part.plan.bots().iter().map(RatedBot::house_bot).collect();
        if let Some(bots) = house {
            let mut fields: Vec<BotPlayers> = (0..jobs).map(|_| BotPlayers::house(bots.clone())).collect();
            return drive(part, &mut fields, sure, deadline);
        }
        raise_file_limit();
        let limits =
            ConnectionLimits { reply: Duration::from_millis(self.reply_ms), ..ConnectionLimits::default() };
        let outputs = RatingOutputFolder::new();
        // Threads mostly wait for programs, and each has programs of its own.
        let mut fields = Vec::new();
        for job in 1..=jobs {
            let folder = outputs.folder_of(job)?;
            fields.push(with_programs(&part.plan, limits, &folder)?);
        }
        let played = drive(part, &mut fields, sure, deadline);
        for field in fields {
            ProgramPlayer::dismiss_all(field.into_own(), DONE_REASON);
        }
        let fouls = (0..part.plan.bot_count()).any(|bot| part.played.fouls(bot).count() > 0);
        outputs.close(fouls || played.is_err());
        played
    }
}

/// The players of a plan with programs, each a separate process with its own connection.
fn with_programs(
    plan: &RatingPlan,
    limits: ConnectionLimits,
    folder: &Path,
) -> Result<BotPlayers<ProgramPlayer<'static>>, Failure> {
    let command = |bot: &RatedBot| match &bot.player {
        BotSource::Program(command) => Some((bot.name.clone(), command.clone())),
        BotSource::House(_) | BotSource::InProcess => None,
    };
    let programs: Vec<(String, String)> = plan.bots().iter().filter_map(command).collect();
    let started = ProgramPlayer::start_all(&programs, folder, limits, RESTART_RULE);
    let mut started = started.map_err(Failure::runtime)?.into_iter();
    Ok(BotPlayers::new(plan, |_| started.next().expect("every program was started")))
}

fn drive<F: Players + Send>(
    part: &mut RatingPart,
    fields: &mut [F],
    sure: Option<&StoppingRule>,
    deadline: Option<Instant>,
) -> Result<PartEnd, Failure>
where
    F::Error: std::fmt::Display,
{
    let RatingPart { shard, plan, played, .. } = part;
    let left = |played: &PlayedPart| {
        let blocks = played.blocks_left(plan, *shard);
        let tournaments = played.tournaments_left(plan, *shard);
        (blocks.end - blocks.start) * plan.rounds_per_block()
            + (tournaments.end - tournaments.start) * TYPICAL_FREEZE_OUT_ROUNDS
    };
    let all = left(played);
    let bar = ShownProgress::share(all);
    let first = || remark("The current blocks are played to their end; press Ctrl-C again to stop at once.");
    let interrupted = on_interrupt(first).map_err(Failure::runtime)?;
    let watch = |played: &PlayedPart| {
        bar.at(all - left(played));
        let is_over = deadline.is_some_and(|deadline| deadline <= Instant::now());
        if is_over || interrupted.load(Ordering::Relaxed) {
            ControlFlow::Break(())
        } else {
            ControlFlow::Continue(())
        }
    };
    let terms = PartTerms { shard: *shard, sure, watch: Box::new(watch) };
    play_on(plan, fields, played, terms).map_err(Failure::runtime)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn probabilities() {
        assert_eq!(probability("0.05"), Ok(0.05));
        for text in ["0", "1", "-0.1", "NaN", "inf", "x", ""] {
            assert!(probability(text).is_err(), "{text}");
        }
    }
}
