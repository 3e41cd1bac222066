//! The command line: a file for each subcommand, with its flags, its help and its `run`.

mod analyse;
mod blackjack;
mod bots;
mod canvas;
mod check;
mod completions;
mod cribbage;
mod demo;
pub(crate) mod driven;
mod event_file;
mod event_lines;
mod exploit;
mod failure;
mod flags;
mod grade;
mod host;
mod judging;
mod ladder;
mod learn;
mod manual;
mod merge;
mod new_bot;
mod odds;
mod output;
mod play;
mod presentation;
mod program_outputs;
mod progress;
mod rate;
mod replay;
mod report;
mod requested;
mod resume;
mod scenario;
mod sit;
mod specs;
mod stage;
mod terminal;
mod train;
mod values;
mod verify;

use std::process::{self, ExitCode};

use clap::{Parser, Subcommand};

use casino_system::interrupts::outlive_file_size_limit;
use casino_system::processes::{before_processor_time_ends, with_enough_stack};

pub(crate) use failure::Failure;
pub(crate) use output::Output;

/// The subcommands, by who looks for them.
const DOORS: &str = "Commands:
Try it:
  demo         Watch a short tournament between the house bots, in two minutes
  play         Play a tournament between bots on this machine
  learn        Learn the game in ten dealt hands
  sit          Sit down yourself, and play against them by hand
  bots         List the house bots
Students:
  new-bot      Write out a starter bot to begin with
  check        Check a program step by step: does it keep to the protocol, and if not, why
  analyse      Say which decisions cost the chips, after a tournament
  exploit      Say how much somebody who knows a bot takes from it, and where it loses that
  odds         Work out the chances of a player: its share of the pot, exactly
Teachers:
  host         Host a tournament for programs that connect over the network
  ladder       Let programs play against each other for weeks, and rate them
  resume       Go on with a tournament whose host was stopped or died
  replay       Show a recorded tournament, write it out to be given away, or put it to another bot
  report       Write the report of a journal: a page for everybody and a card for each player
  verify       Check a journal: deal and play everything again from its seed and its replies
Graders:
  grade        Judge a program that a student wrote, of stud, Blackjack or Cribbage
  scenario     Play scenario files: situations at a table and what must come of them
Tinkerers:
  rate         Rate bots: the same cards for everyone, with intervals
Sister courses:
  blackjack    Play the Blackjack document's game
  cribbage     Value a Cribbage hand, or select the cards to keep
  grade        Judge a program of either, as of stud: grade blackjack, grade cribbage
And for machines and long runs:
  completions, manual, merge, train; `casino help COMMAND` says more of each";

#[derive(Parser)]
#[command(name = "casino", version, about, max_term_width = 100, subcommand_required = true)]
#[command(help_template = format!("{{about}}\n\n{{usage-heading}} {{usage}}\n\n{DOORS}\n\nOptions:\n{{options}}"))]
struct Casino {
    #[command(subcommand)]
    command: CasinoCommand,
}

// A command's flags are put together once it is known which command it is: those of all take half of what a start takes.
#[derive(Subcommand)]
#[command(defer = true)]
enum CasinoCommand {
    /// Watch a short tournament between the house bots: what this program shows, in two minutes
    Demo(demo::Demo),
    /// Play a tournament between bots on this machine
    Play(play::PlayCommand),
    /// Learn the game in ten dealt hands, each of which you play
    Learn(learn::Learn),
    /// Sit down at the table yourself, and play against bots and programs by hand
    Sit(Box<sit::SitCommand>),
    /// Host a tournament for programs that connect over the network
    Host(host::Host),
    /// Let programs play against each other for weeks, and rate them: a ladder in a folder
    Ladder(Box<ladder::LadderCommand>),
    /// Go on with a tournament whose host was stopped or died
    Resume(resume::ResumeCommand),
    /// Show a recorded tournament round by round, write it out to be given away, or put it to another bot
    Replay(replay::ReplayCommand),
    /// Say which decisions of a finished tournament cost the chips: proven mistakes and estimated ones
    Analyse(analyse::Analyse),
    /// Write the report of a journal: a page for everybody and a card for each player
    Report(report::ReportCommand),
    /// Check a journal: deal and play everything again from its seed and its replies
    Verify(verify::Verify),
    /// Check a program step by step: does it keep to the protocol, and if not, what is the matter
    Check(check::Check),
    /// Play scenario files: situations at a table and what must come of them
    Scenario(scenario::ScenarioCommand),
    /// Rate bots: the same cards for everyone, with intervals
    Rate(Box<rate::Rate>),
    /// Say how much somebody who knows a bot takes from it, and where it loses that
    Exploit(Box<exploit::Exploit>),
    /// Put the parts of a rating together
    Merge(merge::Merge),
    /// Learn the game for two by playing it against itself: the table of the house bot `solver`
    Train(train::Train),
    /// Write out a starter bot to begin with
    NewBot(new_bot::NewBot),
    /// Work out the chances of a player: its share of the pot, exactly
    Odds(Box<odds::OddsCommand>),
    /// List the house bots
    Bots(bots::Bots),
    Blackjack(blackjack::Args),
    Cribbage(cribbage::Args),
    Grade(grade::Args),
    /// Write the script with which a shell completes the command line
    Completions(completions::Completions),
    /// Write the manual pages
    Manual(manual::Manual),
}

/// Runs the program with the arguments of the process.
///
/// Exit codes: 0 done, 1 the work failed, 2 the command line or an input file cannot be used; a subcommand
/// that gives a verdict names its own codes in its help.
pub fn run() -> ExitCode {
    with_enough_stack(work)
}

fn work() -> ExitCode {
    if let Some(code) = casino_judge::sandbox::helper() {
        return code;
    }
    let casino = Casino::parse();
    before_processor_time_ends(|seconds| {
        canvas::leave();
        output::complain(&format!(
            "the system allows this process {seconds} s of processor time, and it has had them: allow it more (ulimit -t)"
        ));
        process::exit(1)
    });
    let done = outlive_file_size_limit().map_err(Failure::broke).and_then(|()| casino.command.run());
    // Whatever the end was, what is said of it is not said on the other screen.
    canvas::leave();
    match done {
        Ok(()) | Err(Failure::NobodyReads) => ExitCode::SUCCESS,
        Err(Failure::Verdict(code)) => ExitCode::from(code),
        Err(Failure::Usage(message)) => {
            output::complain(&message);
            ExitCode::from(2)
        }
        Err(Failure::Broke(message)) => {
            output::complain(&message);
            ExitCode::from(1)
        }
    }
}

impl CasinoCommand {
    fn run(self) -> Result<(), Failure> {
        match self {
            CasinoCommand::Demo(demo) => demo.run(),
            CasinoCommand::Play(play) => play.run(),
            CasinoCommand::Learn(learn) => learn.run(),
            CasinoCommand::Sit(sit) => sit.run(),
            CasinoCommand::Host(host) => host.run(),
            CasinoCommand::Ladder(ladder) => ladder.run(),
            CasinoCommand::Resume(resume) => resume.run(),
            CasinoCommand::Replay(replay) => replay.run(),
            CasinoCommand::Analyse(analyse) => analyse.run(),
            CasinoCommand::Report(report) => report.run(),
            CasinoCommand::Verify(verify) => verify.run(),
            CasinoCommand::Check(check) => check.run(),
            CasinoCommand::Scenario(scenario) => scenario.run(),
            CasinoCommand::Rate(rate) => rate.run(),
            CasinoCommand::Exploit(exploit) => exploit.run(),
            CasinoCommand::Merge(merge) => merge.run(),
            CasinoCommand::Train(train) => train.run(),
            CasinoCommand::NewBot(new_bot) => new_bot.run(),
            CasinoCommand::Odds(odds) => odds.run(),
            CasinoCommand::Bots(bots) => bots.run(),
            CasinoCommand::Blackjack(args) => blackjack::run(args),
            CasinoCommand::Cribbage(args) => cribbage::run(&args),
            CasinoCommand::Grade(args) => grade::run(&args),
            CasinoCommand::Completions(completions) => completions.run(),
            CasinoCommand::Manual(manual) => manual.run(),
        }
    }
}

#[cfg(test)]
mod tests {
    use std::collections::BTreeMap;

    use clap::CommandFactory;
    use shlex::split;

    use super::*;

    /// All commands with all their flags, without the `help` that clap adds.
    fn whole() -> clap::Command {
        let mut casino = Casino::command().disable_help_subcommand(true);
        casino.build();
        casino
    }

    #[test]
    fn who_asks_for_the_version_does_not_wait_for_the_flags_of_all_commands() {
        let casino = Casino::command();
        assert!(casino.get_subcommands().count() > 20);
        let made: usize = casino.get_subcommands().map(|command| command.get_arguments().count()).sum();
        assert_eq!(made, 0, "flags of commands that nobody has named");
    }

    #[test]
    fn every_command_has_a_door() {
        let words: Vec<&str> = DOORS.split(|c: char| !(c.is_alphanumeric() || c == '-')).collect();
        for command in Casino::command().get_subcommands() {
            let name = command.get_name();
            assert!(words.contains(&name), "nobody finds {name} in `casino --help`");
        }
        let listed = DOORS.lines().filter_map(|line| line.strip_prefix("  ")?.split_once("  "));
        for (name, _) in listed {
            assert!(Casino::command().find_subcommand(name).is_some(), "there is no {name}");
        }
    }

    /// Whoever knows a flag of one way to begin a tournament knows it in the others.
    #[test]
    fn flags_of_tournaments_are_the_same_in_each_and_stand_under_headings() {
        let casino = whole();
        let mut known: BTreeMap<String, (String, Option<String>, String)> = BTreeMap::new();
        for name in ["host", "play", "resume", "sit"] {
            for flag in casino.find_subcommand(name).expect("it is there").get_opts() {
                let long = flag.get_long().expect("flags have long names").to_string();
                let heading = flag.get_help_heading().map(str::to_string);
                assert!(heading.is_some(), "--{long} of {name} stands under no heading");
                // What is left of a day that began is another time than that of a whole one.
                if (name, long.as_str()) == ("resume", "minutes") {
                    continue;
                }
                let help =
                    flag.get_long_help().or(flag.get_help()).map(ToString::to_string).unwrap_or_default();
                let (first, its_heading, its_help) =
                    known.entry(long.clone()).or_insert((name.to_string(), heading.clone(), help.clone()));
                assert_eq!(
                    (heading, help),
                    (its_heading.clone(), its_help.clone()),
                    "--{long} of {name} and {first}"
                );
            }
        }
        for flag in casino.find_subcommand("rate").expect("it is there").get_opts() {
            assert!(flag.get_help_heading().is_some(), "{flag} of rate stands under no heading");
        }
    }

    /// The help of a command and of those below it ends with examples, and this program understands each of them. They are
    /// quoted for a shell.
    #[test]
    fn every_help_ends_with_examples_that_are_understood() {
        let mut understood = 0;
        let mut commands: Vec<clap::Command> = whole().get_subcommands().cloned().collect();
        while let Some(command) = commands.pop() {
            let name = command.get_name();
            if name == "help" {
                continue;
            }
            let end = command.get_after_help().map(ToString::to_string).unwrap_or_default();
            let (_, examples) = end.rsplit_once("Examples:\n").unwrap_or_else(|| panic!("{name}: {end}"));
            for line in examples.lines() {
                assert!(line.starts_with("  "), "{name} says something after its examples: {line}");
                understood += usize::from(is_understood(line));
            }
            commands.extend(command.get_subcommands().cloned());
        }
        assert!(understood > 80, "only {understood} examples were found");
    }

    /// Whether a line of examples is one of this program, which it understands then. The places that it names are those of
    /// a reader; here there are others.
    fn is_understood(line: &str) -> bool {
        let line = line.replace("my-bot/", "bots/python/").replace("=first-try", "=bots/python");
        let line = line.replace(" poker.py ", " bots/python/poker.py ");
        let words = line.split("      ").next().map(split).expect("a line").expect("its quotes are closed");
        let ours = words.split(|word| ["|", "&&", ">", ">>"].contains(&word.as_str()));
        let ours: Vec<&[String]> =
            ours.filter(|words| words.first().is_some_and(|word| word == "casino")).collect();
        for words in &ours {
            if let Err(error) = Casino::command().try_get_matches_from(*words) {
                panic!("{line}: {error}");
            }
        }
        !ours.is_empty()
    }
}
