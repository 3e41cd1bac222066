//! `casino grade stud`

use std::path::{Path, PathBuf};
use std::time::Duration;

use super::super::Failure;
use super::super::judging;
use super::super::new_bot::kit_files;
use super::super::progress::ShownProgress;
use super::super::values::whole;
use super::all::{All, Class};
use super::formats::Formats;
use casino_judge::check;
use casino_judge::grade::Report;
use casino_judge::grade::grade_submission::{self, GradingTerms, judge, mark_starter_kit, unstarted};
use casino_judge::grade::rubric::Rubric;
use casino_judge::grade::similar::StarterKits;
use casino_judge::grade::stud::{Conformance, grade};
use casino_judge::grade::submission::{BuildHints, Submission};
use casino_judge::hand_ins::{archive_stem, folder_name};
use casino_judge::sandbox::{Policy, ResourceLimits, Sandbox};
use casino_stud::cards::Seed;
use casino_stud::strategies::HouseBot;

/// How many bots are judged at a time on each processor: they mostly wait, some of them for limits.
const BOTS_PER_CORE: usize = 4;

/// Judge a bot for three-card stud by the course's rubric
#[derive(clap::Args, Debug)]
#[command(
    after_help = "A folder is recognised by its files, copied, built, and run in a sandbox. The bot takes the \
        steps of `casino check`, and is put into situations at a table: all need a legal reply, many a \
        sensible one. Each is played until the bot's choice is clear. docs/grading.md describes the \
        rubric.\n\n\
        Exit codes: 0 full marks, 1 points were lost, 2 unusable arguments or a folder without a bot, 3 \
        the bot did not start or did not connect, 4 inconclusive: this machine could not judge it. With \
        --all: 0 all graded, 1 stopped, 4 some inconclusive.\n\n\
        Examples:
  casino grade stud ./Project01 --html report.html
  casino grade stud 'java -cp . Poker {host} {port}' --html stud.html
  casino grade stud /autograder/submission --gradescope /autograder/results/results.json --exit-zero
  casino grade stud reader
  casino grade stud --all submissions --roster roster.csv --dry-run
  casino grade stud --all submissions --roster roster.csv --out grades"
)]
pub(super) struct Stud {
    /// A folder, a command line with {host} and {port}, or a house bot
    #[arg(value_name = "SPEC", required_unless_present = "all", conflicts_with = "all")]
    spec: Option<String>,
    /// Another rubric than the course's; its situations are in folders beside it
    #[arg(long, value_name = "FILE")]
    rubric: Option<PathBuf>,
    /// Build command of the folder, in place of the detected one; repeatable
    #[arg(long, value_name = "COMMAND")]
    build: Vec<String>,
    /// The command that runs it, with {host} and {port}
    #[arg(long, value_name = "COMMAND")]
    run: Option<String>,
    /// The folder in the submission that holds the program, where several do
    #[arg(long, value_name = "NAME")]
    project: Option<String>,
    /// Sandbox: auto (bubblewrap where it works), require, plain (without bubblewrap) or off
    #[arg(long, value_name = "KIND", default_value = "auto")]
    sandbox: Policy,
    /// Rounds of the conformance run against house bots
    #[arg(long, value_name = "N", default_value_t = 1_000, value_parser = whole::<u64>(1..=1_000_000))]
    rounds: u64,
    /// Seed of the decks that are not in situations [default: random, and stored in --out]
    #[arg(long, value_name = "TEXT")]
    seed: Option<String>,
    /// Percent of its points for play that an unchanged starter kit keeps
    #[arg(long, value_name = "PERCENT", default_value_t = 100, value_parser = whole::<u8>(0..=100))]
    starter: u8,
    /// Time limit of a reply in milliseconds
    #[arg(long, value_name = "MS", default_value_t = 1_000, value_parser = whole::<u64>(10..=60_000))]
    reply_ms: u64,
    #[command(flatten)]
    formats: Formats,
    #[command(flatten)]
    pub(super) all: All,
}

impl Stud {
    pub(super) fn run(&self, even_if_busy: bool, class: Option<&Class<'_>>) -> Result<(), Failure> {
        self.formats.try_files()?;
        let mut rubric = match &self.rubric {
            None => Rubric::built_in(),
            Some(file) => Rubric::open(file).map_err(Failure::usage)?,
        };
        rubric.seed = self.all.seed(self.seed.as_deref())?;
        if let Some(bot) = self.spec.as_deref().and_then(HouseBot::named) {
            let mut player = bot.player(Seed::chosen("casino day").stream(bot.name));
            let subject = format!("house bot {}: {}", bot.name, bot.line);
            let bar = ShownProgress::of("steps", 0);
            let report = grade(&rubric, &subject, &Conformance::InProcess, Ok(&mut player), |done, all| {
                show(&bar, grade_submission::Progress::Situations(done, all));
            });
            drop(bar);
            return self.formats.show(&report);
        }
        let sandbox = judging::sandbox(self.sandbox, even_if_busy)?;
        let terms = GradingTerms {
            check: check::CheckSettings {
                rounds: self.rounds,
                reply: Duration::from_millis(self.reply_ms),
                ..check::CheckSettings::default()
            },
            limits: ResourceLimits::BOT,
            rubric,
        };
        let hints =
            BuildHints { build: self.build.clone(), run: self.run.clone(), project: self.project.clone() };
        let kits = StarterKits::of(kit_files());
        if let Some(class) = class {
            let Rubric { digest, seed, .. } = &terms.rubric;
            let key = format!(
                "stud {digest} {} {} {hints:?} {:?} {:?}",
                seed.text(),
                self.starter,
                terms.check,
                terms.limits
            );
            return class.run(&self.formats, &key, BOTS_PER_CORE, &|folder, project| {
                let project =
                    project.map_or_else(|| hints.project.clone(), |project| Some(project.to_string()));
                let hints = BuildHints { project, ..hints.clone() };
                self.judge_folder(folder, &hints, &sandbox, &terms, &kits, &mut |_| {})
            });
        }
        let spec = self.spec.as_deref().expect("clap requires a bot or a folder of bots");
        let bar = ShownProgress::of("steps", 0);
        let folder = Path::new(spec);
        let report = if folder.is_dir() || is_archive(folder) {
            self.judge_folder(folder, &hints, &sandbox, &terms, &kits, &mut |at| show(&bar, at))
        } else {
            let submission = self.command(spec)?;
            judge(&submission, spec, &sandbox, &terms, &mut |at| show(&bar, at))
        };
        drop(bar);
        self.formats.show(&report)
    }

    /// A command line, with or without a name before it.
    fn command(&self, spec: &str) -> Result<Submission, Failure> {
        if self.run.is_some() || !self.build.is_empty() {
            return Err(Failure::usage("--build and --run go with a folder"));
        }
        if !spec.contains("{host}") && !spec.contains("{port}") {
            return Err(Failure::usage(format!(
                "\"{}\" is no folder, no house bot and no command line with {{host}} and {{port}}",
                spec.escape_debug()
            )));
        }
        let name =
            |name: &str| !name.is_empty() && name.chars().all(|c| c.is_alphanumeric() || "-_".contains(c));
        let line = spec.split_once('=').filter(|(before, _)| name(before)).map_or(spec, |(_, line)| line);
        let here = std::env::current_dir().map_err(Failure::runtime)?;
        Submission::command(line, &here).map_err(Failure::usage)
    }

    fn judge_folder(
        &self,
        folder: &Path,
        hints: &BuildHints,
        sandbox: &Sandbox,
        terms: &GradingTerms,
        kits: &StarterKits,
        progress: &mut dyn FnMut(grade_submission::Progress),
    ) -> Report {
        let name = folder_name(folder);
        let mut report = match Submission::folder(folder, hints, sandbox) {
            Ok(submission) => judge(&submission, &name, sandbox, terms, progress),
            Err(why) => unstarted(&name, &terms.rubric, Vec::new(), why.failure()),
        };
        if report.is_judged() && kits.include(folder) {
            mark_starter_kit(&mut report, &terms.rubric, self.starter.into());
        }
        report
    }
}

/// Whether a file has the name of an archive.
fn is_archive(file: &Path) -> bool {
    file.is_file() && archive_stem(&folder_name(file)).is_some()
}

fn show(bar: &ShownProgress, at: grade_submission::Progress) {
    let (done, all, what) = match at {
        grade_submission::Progress::Checking(done, all) => (done, all, "of the protocol"),
        grade_submission::Progress::Situations(done, all) => (done, all, "of the situations"),
    };
    bar.at_of(done as u64, all as u64);
    bar.say(what);
}
