//! The flags that several commands share: those of a new tournament, of its page, and of the people in it.

use std::net::SocketAddr;
use std::num::NonZero;
use std::ops::RangeInclusive;
use std::path::PathBuf;
use std::time::Duration;

use clap::Args;

use crate::session::{MAX_CHAIRS, Options, PlayerRoster, ShowMinutes};
use casino_host::Spec;
use casino_stud::journal::OccasionText;
use casino_stud::stud::{Chips, ShortStack};
use casino_stud::table::OnFoul;
use casino_stud::tournament::{EventPlan, Format, MAX_ROUNDS, is_program_name};
use casino_system::files::read;

use super::Failure;
use super::terminal::Terminal;
use super::values::{ALL_INTERFACES, HERE, address, one_of, show_minutes, threads, whole};

/// The range of the number of rounds of a tournament.
pub(super) const ROUNDS: RangeInclusive<u64> = 1..=MAX_ROUNDS;

/// The range of stacks in chips, such that the chips of a whole table still fit their type.
pub(super) const STACKS: RangeInclusive<u64> = 1..=10_000_000;

/// The range of the time limit of a reply, in milliseconds.
pub(super) const REPLY_MS: RangeInclusive<u64> = 1..=600_000;

/// The default number of rounds of a level.
const DEFAULT_LEVEL_ROUNDS: u64 = 100;

/// The headings under which `--help` lists the flags of a tournament.
pub(super) const MAIN: &str = "Main options";
pub(super) const GAME: &str = "Advanced: the game";
const MANY_TABLES: &str = "Advanced: many tables";
pub(super) const PEOPLE: &str = "Advanced: people and house bots";
pub(super) const OUTPUT: &str = "Advanced: page and output";

// The terms of a new tournament. With any of the flags from `format` to `series` it is an event of many tables, unless
// another format is named.
#[derive(Args, Default)]
pub(crate) struct TournamentArgs {
    /// A player on this machine: house bot, folder, file or command line; repeatable
    #[arg(long = "bot", value_name = "SPEC", value_parser = Spec::find, help_heading = MAIN)]
    pub(super) bots: Option<Vec<Spec>>,
    /// Ask for the login twice; both answers must be the same
    #[arg(long, num_args = 0, default_missing_value = "true", help_heading = GAME)]
    pub(super) relogin: Option<bool>,
    /// Give house bots places and points; otherwise they only fill the tables
    #[arg(long, num_args = 0, default_missing_value = "true", help_heading = PEOPLE)]
    pub(super) house_counts: Option<bool>,
    /// Maximum number of rounds [default: 1000 at a single table]
    #[arg(long, value_name = "N", value_parser = whole::<u64>(ROUNDS), help_heading = MAIN)]
    pub(super) rounds: Option<u64>,
    /// Starting stack in chips [default: 500]
    #[arg(long, value_name = "CHIPS", value_parser = whole::<Chips>(STACKS), help_heading = GAME)]
    pub(super) stack: Option<Chips>,
    /// Text that determines seats and decks [default: random]
    #[arg(long, value_name = "TEXT", help_heading = GAME)]
    pub(super) seed: Option<String>,
    /// Time limit of a reply in milliseconds [default: 1000]
    #[arg(long, value_name = "MS", value_parser = whole::<u64>(REPLY_MS), help_heading = GAME)]
    pub(super) reply_ms: Option<u64>,
    /// Cost of a foul: the game, or in a rehearsal only the hand [default: eject]
    #[arg(long, value_name = "COST", help_heading = MAIN, value_parser = one_of::<OnFoul>(&["eject", "fold"]))]
    pub(super) on_foul: Option<OnFoul>,
    /// Treatment of a player who cannot call [default: fold]
    #[arg(long, value_name = "ACTION", help_heading = GAME, value_parser = one_of::<ShortStack>(&["fold", "ask"]))]
    pub(super) short_stack: Option<ShortStack>,
    /// Tournament format, such as freezeout or swiss: docs/tournaments.md
    #[arg(long, value_name = "FORMAT", help_heading = MANY_TABLES)]
    pub(super) format: Option<Format>,
    /// Maximum number of players at a table, 2 to 17 [default: 17; swiss 4]
    #[arg(long, value_name = "K", value_parser = whole::<usize>(0..=u64::MAX), help_heading = MANY_TABLES)]
    pub(super) seats: Option<usize>,
    /// Rounds in a level; then the ante rises [default: 100]
    #[arg(long, value_name = "N", value_parser = whole::<u64>(0..=u64::MAX), help_heading = MANY_TABLES)]
    pub(super) level_rounds: Option<u64>,
    /// Ante of each level in chips, as in 1,1,2,5; the last one stays [default: 1]
    #[arg(long, value_name = "CHIPS", value_parser = whole::<Chips>(0..=u64::MAX), value_delimiter = ',',
        help_heading = MANY_TABLES)]
    pub(super) ante_schedule: Option<Vec<Chips>>,
    /// Play a series of this many tournaments for points: one for each player beaten
    #[arg(long, value_name = "N", value_parser = whole::<u32>(0..=u64::MAX), help_heading = MANY_TABLES)]
    pub(super) series: Option<u32>,
    /// Admit players until this round, with the starting stack [default: before play only]
    #[arg(long, value_name = "ROUND", value_parser = whole::<u64>(ROUNDS), help_heading = MANY_TABLES)]
    pub(super) late_entry: Option<u64>,
    /// Title of the day for page, report and certificates
    #[arg(long, value_name = "TEXT", help_heading = OUTPUT)]
    pub(super) title: Option<OccasionText>,
    /// Place and date beside the title, as in "Room 101, 24 November"
    #[arg(long, value_name = "TEXT", help_heading = OUTPUT)]
    pub(super) venue: Option<OccasionText>,
    #[command(flatten)]
    pub(super) time_bank: TimeBankArgs,
    #[command(flatten)]
    pub(super) jobs: JobsArgs,
    #[command(flatten)]
    pub(super) presentation: PresentationArgs,
    /// Write the journal to this new file
    #[arg(long, value_name = "FILE", help_heading = MAIN)]
    pub(super) journal: Option<PathBuf>,
}

// The players allowed to log in.
#[derive(Args, Clone)]
pub(crate) struct RosterArgs {
    /// Admit only the players in this CSV file with the columns github_id and, optionally, name
    #[arg(long, value_name = "FILE", help_heading = MAIN)]
    roster: Option<PathBuf>,
}

impl RosterArgs {
    /// The roster, if one is named.
    pub(super) fn read(&self) -> Result<Option<PlayerRoster>, Failure> {
        let Some(path) = &self.roster else { return Ok(None) };
        let wrong =
            |error: &dyn std::fmt::Display| Failure::Usage(format!("--roster {}: {error}", path.display()));
        let text = read(path).map_err(|error| wrong(&error))?;
        let roster = PlayerRoster::read(&text).map_err(|error| wrong(&error))?;
        Ok(Some(roster.of_file(path.clone(), text)))
    }
}

#[derive(Args, Clone, Copy, Default)]
pub(crate) struct TimeBankArgs {
    /// Maximum time bank for late replies of programs; 0: none [default: 10]
    #[arg(long, value_name = "SECONDS", value_parser = whole::<u64>(0..=600), help_heading = GAME)]
    time_bank: Option<u64>,
}

impl TimeBankArgs {
    pub(super) fn most(self) -> Option<Duration> {
        self.time_bank.map(Duration::from_secs)
    }
}

// On how many cores tables are played.
#[derive(Args, Clone, Copy, Default)]
#[command(next_help_heading = MANY_TABLES)]
pub(crate) struct JobsArgs {
    /// Number of threads; the results do not depend on it [default: all cores]
    #[arg(short = 'j', long = "jobs", value_name = "N", value_parser = threads)]
    pub(super) threads: Option<NonZero<usize>>,
}

// The displays of a tournament and its files.
#[derive(Args, Clone, Default)]
pub(crate) struct PresentationArgs {
    /// Serve the page for projector and phones at this port or address
    #[arg(long, value_name = "ADDR:PORT", value_parser = address(ALL_INTERFACES), help_heading = MAIN)]
    web: Option<SocketAddr>,
    /// Serve the teacher's console to this machine and print its link; play begins there
    #[arg(long, value_name = "ADDR:PORT", value_parser = address(HERE), num_args = 0..=1,
        default_missing_value = "127.0.0.1:0", help_heading = MAIN)]
    console: Option<SocketAddr>,
    /// Length of the show in minutes, until the podium; 0: as fast as possible [default: 40]
    #[arg(long, value_name = "N", value_parser = show_minutes(0), help_heading = MAIN)]
    minutes: Option<ShowMinutes>,
    /// Pause between rounds in milliseconds
    #[arg(long, value_name = "MS", default_value_t = 0, value_parser = whole::<u64>(0..=60_000), help_heading = OUTPUT)]
    pace: u64,
    /// Serve the page for this long after the end [default: until Ctrl-C]
    #[arg(long, value_name = "SECONDS", value_parser = whole::<u64>(0..=1_000_000), help_heading = OUTPUT)]
    stay: Option<u64>,
    /// Print only the final table
    #[arg(long, help_heading = OUTPUT)]
    quiet: bool,
    /// Print one JSON object at the end and nothing else
    #[arg(long, help_heading = OUTPUT)]
    json: bool,
    /// Print the last output of each started program at the end
    #[arg(long, help_heading = OUTPUT)]
    show_output: bool,
    /// Write result, journal and outputs of started programs to this folder
    #[arg(long, value_name = "DIR", help_heading = OUTPUT)]
    out: Option<PathBuf>,
}

impl PresentationArgs {
    /// The displays and files, without flags of the terminal; and the terminal.
    pub(super) fn options(&self, jobs: Option<NonZero<usize>>) -> (Options, Terminal) {
        let options = Options {
            out: self.out.clone(),
            page: self.web,
            console: self.console,
            stay: self.stay.map(Duration::from_secs),
            pace: Duration::from_millis(self.pace),
            minutes: self.minutes,
            jobs,
            ..Options::default()
        };
        (options, Terminal::new(self.json, self.quiet, self.show_output))
    }
}

// The seat of a person.
#[derive(Args)]
pub(crate) struct SeatArgs {
    /// Seat a person of this name, who plays in a browser [default in `casino sit`: me]
    #[arg(long, value_name = "NAME", value_parser = seat_name, help_heading = PEOPLE)]
    pub(super) seat: Option<String>,
    #[command(flatten)]
    pub(super) person: PersonArgs,
}

// How a person plays.
#[derive(Args, Clone, Copy, Default)]
pub(crate) struct PersonArgs {
    /// Time limit of a person for a decision [default: 60]
    #[arg(long, value_name = "SECONDS", value_parser = whole::<u64>(1..=3_600), help_heading = PEOPLE)]
    think: Option<u64>,
    /// Show people their odds
    #[arg(long, help_heading = PEOPLE)]
    hints: bool,
}

impl PersonArgs {
    pub(super) fn options(self, options: Options) -> Options {
        Options { think: self.think.map(Duration::from_secs), hints: self.hints, ..options }
    }
}

// The chairs of a day for people in browsers.
#[derive(Args, Clone, Copy, Default)]
pub(crate) struct ChairArgs {
    /// Number of chairs for people with phones; needs --web and --console
    #[arg(long, value_name = "N", value_parser = whole::<usize>(1..=MAX_CHAIRS as u64), requires_all = ["web", "console"],
        help_heading = PEOPLE)]
    chairs: Option<usize>,
    #[command(flatten)]
    person: PersonArgs,
}

impl ChairArgs {
    pub(super) fn options(self, options: Options) -> Options {
        Options { chairs: self.chairs.unwrap_or(0), ..self.person.options(options) }
    }
}

/// A name for a person's seat.
fn seat_name(text: &str) -> Result<String, String> {
    match is_program_name(text) {
        true => Ok(text.to_string()),
        false => Err("use up to 40 letters, digits, - and _".to_string()),
    }
}

impl TournamentArgs {
    /// Whether the length of play is the default.
    pub(super) fn has_default_length(&self) -> bool {
        let TournamentArgs { rounds, stack, level_rounds, ante_schedule, series, .. } = self;
        let is_quiet = rounds.is_none() && stack.is_none() && level_rounds.is_none();
        is_quiet && ante_schedule.is_none() && series.is_none()
    }

    /// The plan of the event: a single table if no flag asks for another.
    pub(super) fn plan(&self) -> Result<EventPlan, Failure> {
        let TournamentArgs { format, seats, level_rounds, series, .. } = *self;
        let antes = self.ante_schedule.clone().unwrap_or_default();
        let alone = format.is_none() && seats.is_none() && level_rounds.is_none() && series.is_none();
        if alone && antes.is_empty() {
            let plan = EventPlan { late_entry: self.late_entry, ..EventPlan::single_table() };
            return plan.check().map(|()| plan).map_err(|why| by_flag(&why.to_string()));
        }
        let format = format.unwrap_or_default();
        let plan = EventPlan {
            format,
            seats: seats.unwrap_or(format.rules().usual_seats),
            level_rounds: level_rounds.or(format.rules().usual_level_rounds(DEFAULT_LEVEL_ROUNDS)),
            antes,
            series: series.unwrap_or(1),
            late_entry: self.late_entry,
        };
        plan.check().map_err(|why| by_flag(&why.to_string()))?;
        Ok(plan)
    }
}

/// The error of a plan, with the name of the flag in place of the field that begins the sentence.
pub(super) fn by_flag(why: &str) -> Failure {
    let (field, rest) = why.split_once(' ').unwrap_or((why, ""));
    let field = if field == "antes" { "ante_schedule" } else { field };
    Failure::Usage(format!("--{} {rest}", field.replace('_', "-")))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_flag_for_the_amount_of_play_is_detected() {
        let quiet =
            TournamentArgs { seats: Some(8), seed: Some("x".to_string()), ..TournamentArgs::default() };
        assert!(quiet.has_default_length());
        for said in [
            TournamentArgs { rounds: Some(1_000), ..TournamentArgs::default() },
            TournamentArgs { stack: Some(500), ..TournamentArgs::default() },
            TournamentArgs { level_rounds: Some(100), ..TournamentArgs::default() },
            TournamentArgs { ante_schedule: Some(vec![1]), ..TournamentArgs::default() },
            TournamentArgs { series: Some(1), ..TournamentArgs::default() },
        ] {
            assert!(!said.has_default_length());
        }
    }
}
