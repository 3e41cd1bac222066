//! `casino grade`: judge a program that a student wrote.

mod all;
pub(super) mod formats;
mod sources;
mod stud;

use std::path::{Path, PathBuf};
use std::time::Duration;

use clap::Subcommand;

use super::Failure;
use super::judging;
use super::progress::ShownProgress;
use super::values::whole;
use all::{All, Class};
use casino_judge::grade::from_source::{BLACKJACK, HAND_VALUE, PREDICATES, SELECT_HAND};
use casino_judge::grade::program::Template;
use casino_judge::grade::{CaseSettings, Report, blackjack, cribbage};
use casino_judge::sandbox::{Policy, Sandbox};
use casino_system::{command_line, files};
use formats::Formats;
use sources::{HandedIn, SourceTask};
use stud::Stud;

#[derive(clap::Args)]
#[command(
    after_help = "The program's command line is split into words like in a shell, and runs without a shell, in a \
        sandbox if there is one: the program can read its folder and the files on its command line, and \
        cannot write there. Names in braces stand for the task.\n\n\
        Exit codes: 0 full marks, 1 points were lost, 2 unusable arguments or a folder without a \
        program, 3 the program did not start, 4 inconclusive: this machine could not judge it.\n\n\
        Examples:\n  \
        casino grade stud ./Project01 --html report.html\n  \
        casino grade blackjack --program './blackjack {bankroll} {hands} {player}'\n  \
        casino grade blackjack ./handed-in --given Card.hpp\n  \
        casino grade cribbage value --program 'java -cp build HandValue {cards}'\n  \
        casino grade cribbage select --prolog cribbage.pl --json\n  \
        casino grade cribbage prolog --file cribbage.pl --json"
)]
pub(super) struct Args {
    /// Count late results even on an overloaded machine
    #[arg(long, global = true)]
    even_if_busy: bool,
    #[command(subcommand)]
    command: Sub,
}

// A course each.
#[derive(Subcommand)]
enum Sub {
    Stud(Box<Stud>),
    /// Judge the transcripts of a Blackjack program
    #[command(
        after_help = "The program has to use the cuts of the course's generator. For a submission in C++, deck.cpp, \
        hand.cpp and player.cpp are also judged separately.\n\n\
        Examples:\n  \
            casino grade blackjack ./handed-in --given card.h\n  \
            casino grade blackjack --all submissions --roster roster.csv --out grades\n  \
            casino grade blackjack --program './blackjack {bankroll} {hands} {player}'\n  \
            casino grade blackjack --program 'python3 blackjack.py {bankroll} {hands} {player}' --cases 50 --seed monday"
    )]
    Blackjack {
        /// Program with {bankroll}, {hands} and {player} [default: build the submission]
        #[arg(long, value_name = "COMMAND", conflicts_with_all = ["folder", "all"])]
        program: Option<String>,
        #[command(flatten)]
        source: HandedIn,
        /// Every submission needs the document's deck, hand and players [default: programs in C++]
        #[arg(long, conflicts_with = "program")]
        adts: bool,
        #[command(flatten)]
        how: GradeOptions,
    },
    /// Judge a Cribbage program: the values of hands, the selection of cards, or both in Prolog
    #[command(
        subcommand,
        after_help = "Examples:\n  \
            casino grade cribbage value ./handed-in\n  \
            casino grade cribbage select --program 'java SelectHand {cards}'\n  \
            casino grade cribbage prolog --file cribbage.pl --html report.html"
    )]
    Cribbage(Cribbage),
}

#[derive(Subcommand)]
enum Cribbage {
    /// Judge the values of hands: four cards and the start card, the number is printed
    #[command(after_help = "Time limit of each case: 1 s.\n\n\
        Examples:\n  \
            casino grade cribbage value --program 'java HandValue {cards}'\n  \
            casino grade cribbage value --prolog cribbage.pl")]
    Value {
        #[command(flatten)]
        student: StudentArgs,
        #[command(flatten)]
        how: GradeOptions,
    },
    /// Judge which four of the cards dealt are kept; marks for choices close to the best
    #[command(after_help = "Time limit of each case: 5 s for a program, 4 s for a Prolog file.\n\n\
        Examples:\n  \
            casino grade cribbage select --program 'java SelectHand {cards}'\n  \
            casino grade cribbage select --prolog cribbage.pl --json")]
    Select {
        #[command(flatten)]
        student: StudentArgs,
        #[command(flatten)]
        how: GradeOptions,
    },
    /// Judge both predicates of a Prolog file: 50 points for the value, 20 for the selection
    #[command(
        after_help = "Time limit of each case: 1 s for a value, 4 s for a selection. The other 30 points are given by \
        people.\n\n\
        Examples:\n  \
            casino grade cribbage prolog ./handed-in\n  \
            casino grade cribbage prolog --file cribbage.pl --html report.html\n  \
            casino grade cribbage prolog --all submissions --out grades"
    )]
    Prolog {
        #[command(flatten)]
        source: HandedIn,
        /// Prolog file with hand_value/3 and select_hand/3 [default: the file that defines them]
        #[arg(long, value_name = "FILE", conflicts_with_all = ["folder", "all"])]
        file: Option<PathBuf>,
        #[command(flatten)]
        how: GradeOptions,
    },
}

#[derive(clap::Args)]
struct StudentArgs {
    #[command(flatten)]
    source: HandedIn,
    /// Program with {cards} for the cards, such as TH [default: build the submission]
    #[arg(long, value_name = "COMMAND", conflicts_with_all = ["prolog", "folder", "all"])]
    program: Option<String>,
    /// Prolog file with hand_value/3 or select_hand/3 [default: the file that defines it]
    #[arg(long, value_name = "FILE", conflicts_with_all = ["folder", "all"])]
    prolog: Option<PathBuf>,
}

#[derive(clap::Args)]
struct GradeOptions {
    /// How many cases are drawn besides the hard ones
    #[arg(long, default_value_t = 20, value_parser = whole::<u16>(0..=10_000))]
    cases: u16,
    /// Seed of the drawn cases [default: random, and stored in --out]
    #[arg(long, value_name = "TEXT")]
    seed: Option<String>,
    /// Real time for each case instead of the documents' limit
    #[arg(long, value_name = "SECONDS", value_parser = seconds)]
    time_limit: Option<Duration>,
    /// Sandbox: auto (bubblewrap where it works), require, plain (without bubblewrap) or off
    #[arg(long, value_name = "KIND", default_value = "auto")]
    sandbox: Policy,
    #[command(flatten)]
    formats: Formats,
    #[command(flatten)]
    all: All,
}

fn seconds(text: &str) -> Result<Duration, String> {
    let number: f64 = text.parse().map_err(|_| "write a number of seconds like 2 or 0.5".to_string())?;
    if (0.01..=3_600.0).contains(&number) {
        Ok(Duration::from_secs_f64(number))
    } else {
        Err("write between 0.01 and 3600 seconds".into())
    }
}

impl Sub {
    /// The flags for many submissions.
    fn all(&self) -> &All {
        match self {
            Sub::Stud(stud) => &stud.all,
            Sub::Blackjack { how, .. } => &how.all,
            Sub::Cribbage(
                Cribbage::Value { how, .. } | Cribbage::Select { how, .. } | Cribbage::Prolog { how, .. },
            ) => &how.all,
        }
    }
}

impl Args {
    pub(super) fn run(&self) -> Result<(), Failure> {
        let even_if_busy = self.even_if_busy;
        let class = self.command.all().class()?;
        if class.as_ref().map_or(Ok(false), Class::dry_run)? {
            return Ok(());
        }
        match &self.command {
            Sub::Stud(stud) => stud.run(even_if_busy, class.as_ref()),
            Sub::Blackjack { program, source, adts, how } => {
                const NAMES: [&str; 3] = ["bankroll", "hands", "player"];
                let terms = how.terms(even_if_busy, class)?;
                let judge: &Judge<'_, Template> =
                    &|program, sandbox, done| blackjack::grade(program, sandbox, &terms.cases, done);
                match program {
                    Some(line) => how.run(&template(line, &NAMES)?, &terms, judge),
                    None => {
                        let ready = |line: &str| template(line, &NAMES);
                        let untried = || blackjack::untried(&terms.cases);
                        let task = SourceTask { aim: &BLACKJACK, untried: &untried, adts: Some(*adts) };
                        how.run_sources(source, &terms, &task, &ready, judge)
                    }
                }
            }
            Sub::Cribbage(Cribbage::Value { student, how }) => {
                let terms = how.terms(even_if_busy, class)?;
                let untried = || cribbage::untried_value(&terms.cases);
                let task = SourceTask { aim: &HAND_VALUE, untried: &untried, adts: None };
                student.run(how, &terms, &task, &|student, sandbox, done| {
                    cribbage::grade_value(student, sandbox, &terms.cases, done)
                })
            }
            Sub::Cribbage(Cribbage::Select { student, how }) => {
                let terms = how.terms(even_if_busy, class)?;
                let untried = || cribbage::untried_select(&terms.cases, cribbage::LEAST_CARDS);
                let task = SourceTask { aim: &SELECT_HAND, untried: &untried, adts: None };
                student.run(how, &terms, &task, &|student, sandbox, done| {
                    cribbage::grade_select(student, sandbox, &terms.cases, done)
                })
            }
            Sub::Cribbage(Cribbage::Prolog { source, file, how }) => {
                let terms = how.terms(even_if_busy, class)?;
                let judge: &Judge<'_, PathBuf> =
                    &|file, sandbox, done| cribbage::grade_prolog(file, sandbox, &terms.cases, done);
                let Some(file) = file.as_deref().or(source.prolog_file()) else {
                    let ready = |line: &str| Ok(found_file(line));
                    let untried = || cribbage::untried_prolog(&terms.cases);
                    let task = SourceTask { aim: &PREDICATES, untried: &untried, adts: None };
                    return how.run_sources(source, &terms, &task, &ready, judge);
                };
                how.run(&prolog_file(file, "--file")?, &terms, judge)
            }
        }
    }
}

impl StudentArgs {
    fn run(
        &self,
        how: &GradeOptions,
        terms: &CaseTerms<'_>,
        task: &SourceTask<'_>,
        judge: &Judge<'_, cribbage::Student>,
    ) -> Result<(), Failure> {
        let student = match (&self.program, &self.prolog) {
            (_, Some(file)) => cribbage::Student::Prolog(prolog_file(file, "--prolog")?),
            (Some(program), None) => cribbage::Student::Program(template(program, &["cards"])?),
            (None, None) => {
                let ready = |line: &str| Ok(cribbage::Student::Program(template(line, &["cards"])?));
                return how.run_sources(&self.source, terms, task, &ready, judge);
            }
        };
        how.run(&student, terms, judge)
    }
}

/// The Prolog file that was found, which is the one word of this command line.
fn found_file(line: &str) -> PathBuf {
    PathBuf::from(command_line::split(line).and_then(|words| words.into_iter().next()).unwrap_or_default())
}

/// The Prolog file, if it can be read.
fn prolog_file(file: &Path, flag: &str) -> Result<PathBuf, Failure> {
    match files::open(file) {
        Ok(_) => Ok(file.to_path_buf()),
        Err(error) => Err(Failure::usage(format!("{flag} {}: {error}", file.display()))),
    }
}

/// The cases by which programs are judged, whether they are judged while the machine is busy, and the submissions if they are many.
struct CaseTerms<'a> {
    cases: CaseSettings,
    even_if_busy: bool,
    class: Option<Class<'a>>,
}

impl CaseTerms<'_> {
    /// The part that decides the points.
    fn key(&self) -> String {
        let CaseSettings { seed, cases, time } = &self.cases;
        format!("{cases} {} {time:?}", seed.text())
    }
}

impl GradeOptions {
    fn terms<'a>(&self, even_if_busy: bool, class: Option<Class<'a>>) -> Result<CaseTerms<'a>, Failure> {
        let seed = self.all.seed(self.seed.as_deref())?;
        let cases = CaseSettings { seed, cases: self.cases.into(), time: self.time_limit };
        Ok(CaseTerms { cases, even_if_busy, class })
    }
}

/// Judges a student, and calls a function after each case with how many are done and of how many.
type Judge<'a, S> = dyn Fn(&S, &Sandbox, &mut dyn FnMut(usize, usize)) -> Report + Sync + 'a;

impl GradeOptions {
    /// Judges a program that runs without being built.
    fn run<S>(&self, student: &S, terms: &CaseTerms<'_>, judge: &Judge<'_, S>) -> Result<(), Failure> {
        self.formats.try_files()?;
        let sandbox = judging::sandbox(self.sandbox, terms.even_if_busy)?;
        let bar = ShownProgress::of("cases", 0);
        let report = judge(student, &sandbox, &mut |done, all| bar.at_of(done as u64, all as u64));
        drop(bar);
        self.formats.show(&report)
    }
}

/// The command line, whose words in braces are these.
fn template(program: &str, names: &[&str]) -> Result<Template, Failure> {
    Template::parse(program, names)
        .map_err(|error| Failure::usage(format!("--program \"{program}\": {error}")))
}
