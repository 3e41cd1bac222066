//! `casino grade`: judge a program that a student wrote.

use std::path::PathBuf;
use std::time::Duration;

use clap::Subcommand;
use indicatif::{ProgressBar, ProgressStyle};

use super::output::remark;
use super::{Failure, Output};
use crate::cards::Seed;
use crate::grade::program::Template;
use crate::grade::sandbox::{Policy, Sandbox};
use crate::grade::{Report, blackjack, cribbage, text};

/// Judge a program that a student wrote
#[derive(clap::Args)]
#[command(
    after_help = "The program is split into words as a shell does, and run without a shell, in a sandbox where \
        there is one:\nit sees its folder and what the command line names, and cannot write there. A name in braces is where the program expects its task.\n\n\
        Examples:\n  \
        casino grade blackjack --program './blackjack {bankroll} {hands} {player}'\n  \
        casino grade cribbage value --program 'java -cp build HandValue {cards}'\n  \
        casino grade cribbage select --prolog cribbage.pl --json\n\n\
        Exit codes: 0 full marks, 1 the program failed in something, 2 the arguments cannot be used, 3 the \
        program\nnever started."
)]
pub(super) struct Args {
    #[command(subcommand)]
    command: Sub,
}

#[derive(Subcommand)]
enum Sub {
    /// Judge the transcripts of a Blackjack program
    #[command(after_help = "The program has to use the cuts of the course's generator.\n\nExamples:\n  \
            casino grade blackjack --program './blackjack {bankroll} {hands} {player}'\n  \
            casino grade blackjack --program 'python3 blackjack.py {bankroll} {hands} {player}' --cases 50 --seed monday")]
    Blackjack {
        /// The program, with {bankroll}, {hands} and {player}
        #[arg(long, value_name = "COMMAND")]
        program: String,
        #[command(flatten)]
        how: How,
    },
    /// Judge a Cribbage program
    #[command(subcommand)]
    Cribbage(Cribbage),
}

#[derive(Subcommand)]
enum Cribbage {
    /// Judge the values of hands: four cards and the start card, the number is printed
    #[command(after_help = "Time for each case: 1 s.\n\nExamples:\n  \
            casino grade cribbage value --program 'java HandValue {cards}'\n  \
            casino grade cribbage value --prolog cribbage.pl")]
    Value {
        #[command(flatten)]
        student: Student,
        #[command(flatten)]
        how: How,
    },
    /// Judge which four of the cards dealt are kept; marks for choices close to the best
    #[command(after_help = "Time for each case: 5 s for a program, 4 s for a Prolog file.\n\nExamples:\n  \
            casino grade cribbage select --program 'java SelectHand {cards}'\n  \
            casino grade cribbage select --prolog cribbage.pl --json")]
    Select {
        #[command(flatten)]
        student: Student,
        #[command(flatten)]
        how: How,
    },
}

#[derive(clap::Args)]
#[group(required = true, multiple = false)]
struct Student {
    /// The program, with {cards} for the cards as words like TH
    #[arg(long, value_name = "COMMAND")]
    program: Option<String>,
    /// A Prolog file with hand_value/3 or select_hand/3, asked by swipl
    #[arg(long, value_name = "FILE")]
    prolog: Option<PathBuf>,
}

#[derive(clap::Args)]
struct How {
    /// How many cases are drawn besides the hard ones
    #[arg(long, default_value_t = 20, value_parser = clap::value_parser!(u16).range(..=10_000))]
    cases: u16,
    /// The seed of the drawn cases
    #[arg(long, value_name = "TEXT", default_value = "casino day")]
    seed: String,
    /// Real time for each case instead of the documents' limit
    #[arg(long, value_name = "SECONDS", value_parser = seconds)]
    time_limit: Option<Duration>,
    /// Print the report as one JSON object
    #[arg(long)]
    json: bool,
    /// What holds the program: auto (bubblewrap where it works), require, plain (without bubblewrap) or off
    #[arg(long, value_name = "KIND", default_value = "auto")]
    sandbox: Policy,
}

fn seconds(text: &str) -> Result<Duration, String> {
    let number: f64 = text.parse().map_err(|_| "write a number of seconds like 2 or 0.5".to_string())?;
    if (0.01..=3_600.0).contains(&number) {
        Ok(Duration::from_secs_f64(number))
    } else {
        Err("write between 0.01 and 3600 seconds".into())
    }
}

pub(super) fn run(args: &Args) -> Result<(), Failure> {
    match &args.command {
        Sub::Blackjack { program, how } => {
            let program = template(program, &["bankroll", "hands", "player"])?;
            let settings = blackjack::Settings {
                seed: Seed::chosen(how.seed.as_str()),
                cases: how.cases.into(),
                time: how.time_limit,
            };
            show(how, |sandbox, done| blackjack::grade(&program, sandbox, &settings, done))
        }
        Sub::Cribbage(Cribbage::Value { student, how }) => {
            let (student, settings) = (student.read()?, how.cribbage());
            show(how, |sandbox, done| cribbage::grade_value(&student, sandbox, &settings, done))
        }
        Sub::Cribbage(Cribbage::Select { student, how }) => {
            let (student, settings) = (student.read()?, how.cribbage());
            show(how, |sandbox, done| cribbage::grade_select(&student, sandbox, &settings, done))
        }
    }
}

impl Student {
    fn read(&self) -> Result<cribbage::Student, Failure> {
        match (&self.program, &self.prolog) {
            (_, Some(file)) => match std::fs::File::open(file) {
                Ok(_) => Ok(cribbage::Student::Prolog(file.clone())),
                Err(error) => Err(Failure::usage(format!("--prolog {}: {error}", file.display()))),
            },
            (program, None) => {
                let program = program.as_deref().expect("clap requires a program or a Prolog file");
                Ok(cribbage::Student::Program(template(program, &["cards"])?))
            }
        }
    }
}

impl How {
    fn cribbage(&self) -> cribbage::Settings {
        cribbage::Settings {
            seed: Seed::chosen(self.seed.as_str()),
            cases: self.cases.into(),
            time: self.time_limit,
        }
    }
}

fn template(program: &str, names: &[&str]) -> Result<Template, Failure> {
    Template::parse(program, names)
        .map_err(|error| Failure::usage(format!("--program \"{program}\": {error}")))
}

/// Judges under a progress bar, prints the report and turns it into the exit code.
fn show(
    how: &How,
    judge: impl FnOnce(&Sandbox, &mut dyn FnMut(usize, usize)) -> Report,
) -> Result<(), Failure> {
    let sandbox = Sandbox::new(how.sandbox).map_err(Failure::usage)?;
    if let Some(warning) = sandbox.warning() {
        remark(&warning);
    }
    let bar = ProgressBar::new(0).with_style(
        ProgressStyle::with_template("{bar:30} {pos}/{len} cases, {eta} left")
            .expect("the template is well formed"),
    );
    let report = judge(&sandbox, &mut |done, all| {
        bar.set_length(all as u64);
        bar.set_position(done as u64);
    });
    bar.finish_and_clear();
    let mut out = Output::stdout();
    if how.json {
        out.line(serde_json::to_string_pretty(&report).map_err(Failure::broke)?)?;
    } else {
        let colour = out.colour();
        out.text(text(&report, colour))?;
    }
    out.flush()?;
    match report.exit_code() {
        0 => Ok(()),
        code => Err(Failure::Verdict(code)),
    }
}
