//! The command line: a file for each subcommand, with its flags, its help and its `run`.

mod analyse;
mod blackjack;
mod bots;
mod check;
mod completions;
mod cribbage;
mod demo;
mod event_lines;
mod failure;
mod findings;
mod flags;
mod grade;
mod hand_ins;
mod host;
mod judging;
mod ladder;
mod learn;
mod line_limit;
mod manual;
mod merge;
mod new_bot;
mod odds;
mod output;
mod play;
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
mod terminal;
mod values;
mod verify;

use std::ffi::OsString;
use std::process::{self, ExitCode};

use clap::{Parser, Subcommand};

use casino_system::files::protect_inputs;
use casino_system::interrupts::outlive_file_size_limit;
use casino_system::processes::{before_processor_time_ends, with_enough_stack};

pub(crate) use failure::Failure;
pub(crate) use output::{Output, print, print_result};

/// Defines the commands by audience: the name and the flags of each, and the line that opens its help.
macro_rules! commands {
    ($($audience:literal [$($name:literal $kind:ident($args:ty) $about:literal,)*])*) => {
        /// The name and the line of each command, by audience.
        const COMMANDS: &[(&str, &[(&str, &str)])] = &[$(($audience, &[$(($name, $about)),*])),*];

        // The flags of a command are built once the command is known: building all of them takes half of the startup time.
        #[derive(Subcommand)]
        #[command(defer = true)]
        enum CasinoCommand {
            $($(#[command(name = $name, about = $about)] $kind($args),)*)*
        }

        impl CasinoCommand {
            fn run(self) -> Result<(), Failure> {
                match self { $($(CasinoCommand::$kind(command) => command.run(),)*)* }
            }
        }
    };
}

commands! {
    "Try it" [
        "demo" Demo(demo::Demo) "Watch a two-minute tournament of programs that connect",
        "play" Play(play::PlayCommand) "Play a tournament between bots on this machine",
        "learn" Learn(learn::Learn) "Learn the game in ten dealt hands",
        "sit" Sit(Box<sit::SitCommand>) "Play against bots yourself",
        "bots" Bots(bots::Bots) "List the house bots",
    ]
    "Students" [
        "new-bot" NewBot(new_bot::NewBot) "Write a starter bot to a new folder",
        "check" Check(check::Check) "Check step by step whether a program follows the protocol",
        "analyse" Analyse(analyse::Analyse) "Find the decisions of a recorded tournament that cost chips",
        "odds" Odds(Box<odds::OddsCommand>) "Compute a player's share of the pot",
    ]
    "Teachers" [
        "host" Host(host::Host) "Host a tournament for programs that connect over the network",
        "ladder" Ladder(Box<ladder::LadderCommand>) "Run a practice ladder: matches and ratings over weeks",
        "resume" Resume(resume::ResumeCommand) "Resume a tournament whose host was stopped or crashed",
        "replay" Replay(replay::ReplayCommand) "Show or export a recorded tournament",
        "report" Report(report::ReportCommand) "Write a report of a journal, with a card for each player",
        "verify" Verify(verify::Verify) "Verify a journal against its seed and its replies",
    ]
    "Graders" [
        "grade" Grade(grade::Args) "Grade a student's program for stud, Blackjack or Cribbage",
        "scenario" Scenario(scenario::ScenarioCommand)
            "Play scenario files: situations at a table with expected results",
    ]
    "Tinkerers" [
        "rate" Rate(Box<rate::Rate>) "Rate bots over equal deals, with confidence intervals",
        "merge" Merge(merge::Merge) "Merge the parts of a rating",
    ]
    "Sister courses" [
        "blackjack" Blackjack(blackjack::Args) "Play the Blackjack document's game",
        "cribbage" Cribbage(cribbage::Args) "Value a Cribbage hand or select the cards to keep",
    ]
    "Shell" [
        "completions" Completions(completions::Completions) "Write a shell completion script",
        "manual" Manual(manual::Manual) "Write the manual pages",
    ]
}

/// The commands as `casino --help` lists them.
fn listing() -> String {
    let mut lines = vec!["Commands:".to_string()];
    for (audience, commands) in COMMANDS {
        lines.push(format!("{audience}:"));
        lines.extend(commands.iter().map(|(name, about)| format!("  {name:<12} {about}")));
    }
    lines.join("\n")
}

#[derive(Parser)]
#[command(name = "casino", version, about, max_term_width = 100, subcommand_required = true)]
#[command(help_template = format!("{{about}}\n\n{{usage-heading}} {{usage}}\n\n{}\n\nOptions:\n{{options}}", listing()))]
struct Casino {
    #[command(subcommand)]
    command: CasinoCommand,
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
    let casino = Casino::parse_from(with_negative_values(std::env::args_os()));
    protect_inputs(std::env::args_os().skip(1));
    before_processor_time_ends(|seconds| {
        output::complain(&format!(
            "the system allows this process {seconds} s of processor time, and it has had them: allow it more (ulimit -t)"
        ));
        process::exit(1)
    });
    let done = outlive_file_size_limit().map_err(Failure::runtime).and_then(|()| casino.command.run());
    match done {
        Ok(()) | Err(Failure::ReaderGone) => ExitCode::SUCCESS,
        Err(Failure::Verdict(code)) => ExitCode::from(code),
        Err(Failure::Usage(message)) => {
            output::complain(&message);
            ExitCode::from(2)
        }
        Err(Failure::Runtime(message)) => {
            output::complain(&message);
            ExitCode::from(1)
        }
    }
}

/// The arguments with each negative number that follows a flag written as its value: `--seed -5` as `--seed=-5`. clap takes the
/// number for another flag, and says nothing of the range of the first one.
fn with_negative_values(arguments: impl Iterator<Item = OsString>) -> Vec<OsString> {
    let is_flag = |word: &OsString| {
        let word = word.to_string_lossy();
        let name = word.trim_start_matches('-');
        word.starts_with('-') && name.starts_with(|c: char| c.is_ascii_alphabetic()) && !name.contains('=')
    };
    let is_negative = |word: &OsString| {
        let number = word.to_str().and_then(|word| word.strip_prefix('-'));
        number.is_some_and(|number| number.starts_with(|c: char| c.is_ascii_digit()))
    };
    let mut words: Vec<OsString> = Vec::new();
    let mut flags_end = false;
    for word in arguments {
        flags_end |= word == "--";
        match words.last_mut() {
            Some(flag) if !flags_end && is_flag(flag) && is_negative(&word) => {
                flag.push("=");
                flag.push(word);
            }
            _ => words.push(word),
        }
    }
    words
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
    fn a_negative_number_is_the_value_of_the_flag_before_it() {
        for (line, merged) in [
            ("casino play --seed -5 --rounds 3", "casino play --seed=-5 --rounds 3"),
            ("casino rate -j -1.5", "casino rate -j=-1.5"),
            ("casino play --seed -x --seed=1 -5", "casino play --seed -x --seed=1 -5"),
            ("casino blackjack -5 3", "casino blackjack -5 3"),
            ("casino check -- ./bot --level -5", "casino check -- ./bot --level -5"),
        ] {
            let words = with_negative_values(line.split(' ').map(OsString::from));
            assert_eq!(words.join(" ".as_ref()).to_str(), Some(merged));
        }
    }

    #[test]
    fn the_version_is_printed_without_building_all_commands() {
        let casino = Casino::command();
        assert!(casino.get_subcommands().count() > 20);
        let made: usize = casino.get_subcommands().map(|command| command.get_arguments().count()).sum();
        assert_eq!(made, 0, "flags of commands that nobody has named");
    }

    /// The doc comment of a flattened group once replaced the first line of six help pages.
    #[test]
    fn help_and_manual_open_with_the_line_of_the_command_list() {
        let listing = listing();
        let listed: BTreeMap<&str, &str> = listing
            .lines()
            .filter_map(|line| line.strip_prefix("  ")?.split_once("  "))
            .map(|(name, summary)| (name, summary.trim()))
            .collect();
        let pages: BTreeMap<String, String> =
            manual::pages().expect("the manual is made").into_iter().collect();
        let casino = whole();
        let mut names = Vec::new();
        for command in casino.get_subcommands() {
            let name = command.get_name();
            let summary = *listed.get(name).unwrap_or_else(|| panic!("{name} is not in `casino --help`"));
            let help = command.clone().render_long_help().to_string();
            assert_eq!(help.lines().next(), Some(summary), "`casino {name} --help`");
            let page = &pages[&format!("casino-{name}.1")];
            let line = format!("casino-{name} - {summary}");
            let page = page.replace(r"\-", "-").replace(r"\*(Aq", "'");
            assert!(page.lines().any(|other| other == line), "{line}\n{page}");
            assert!(summary.len() <= 90, "{name}: {} characters", summary.len());
            names.push(name);
        }
        assert_eq!(names.len(), listed.len(), "`casino --help` lists a command that does not exist");
    }

    #[test]
    fn help_of_each_flag_is_one_line() {
        let mut commands = vec![whole()];
        let mut flags = 0;
        while let Some(command) = commands.pop() {
            for flag in command.get_arguments().filter(|flag| flag.get_id() != "help") {
                let help = flag.get_help().map(ToString::to_string).unwrap_or_default();
                let name = format!("{} of {}", flag.get_id(), command.get_name());
                assert!(help.chars().count() <= 90, "{name}: {help}");
                assert!(flag.get_long_help().is_none(), "{name} has a second paragraph");
                flags += 1;
            }
            commands.extend(command.get_subcommands().cloned());
        }
        assert!(flags > 150, "only {flags} flags were found");
    }

    /// The shared flags of `host`, `play`, `resume` and `sit` are described alike.
    #[test]
    fn tournament_flags_are_shared_and_grouped_under_headings() {
        let casino = whole();
        let mut known: BTreeMap<String, (String, Option<String>, String)> = BTreeMap::new();
        for name in ["host", "play", "resume", "sit"] {
            for flag in casino.find_subcommand(name).expect("it is there").get_opts() {
                let long = flag.get_long().expect("flags have long names").to_string();
                let heading = flag.get_help_heading().map(str::to_string);
                assert!(heading.is_some(), "--{long} of {name} stands under no heading");
                // The rest of an interrupted day has another length than a whole one.
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
