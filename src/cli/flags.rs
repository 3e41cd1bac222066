//! The flags that several commands share: those of a new tournament, of its page, and of the people in it.

use std::net::SocketAddr;
use std::num::NonZero;
use std::ops::RangeInclusive;
use std::path::PathBuf;
use std::time::Duration;

use clap::Args;
use serde::Deserialize;

use crate::session::{MOST_CHAIRS, MOST_MINUTES, Options, PlayerRoster};
use casino_host::{Spec, no_house_bot};
use casino_stud::journal::OccasionText;
use casino_stud::strategies::{HouseBot, LADDER_SEATS, ladder};
use casino_stud::stud::{Chips, ShortStack};
use casino_stud::table::OnFoul;
use casino_stud::tournament::{Balance, EventPlan, Format, MOST_ROUNDS, is_program_name};
use casino_system::files::read;

use super::Failure;
use super::event_file::{flag, specs};
use super::terminal::Terminal;
use super::values::{EVERYWHERE, HERE, address, one_of, threads, whole};

/// How many rounds a tournament can be given.
pub(super) const ROUNDS: RangeInclusive<u64> = 1..=MOST_ROUNDS;

/// The stacks, in chips, of which those of a whole table can still be counted.
pub(super) const STACKS: RangeInclusive<u64> = 1..=10_000_000;

/// How long a reply can be given, in milliseconds.
pub(super) const REPLY_MS: RangeInclusive<u64> = 1..=600_000;

/// The rounds of a level where the flags do not say how many.
const DEFAULT_LEVEL_ROUNDS: u64 = 100;

/// The headings under which `--help` lists the flags of a tournament, by the moment at which one thinks of them. They
/// appear in this order.
pub(super) const WHO_PLAYS: &str = "Who plays";
pub(super) const GAME: &str = "The game";
const MANY_TABLES: &str = "Many tables";
pub(super) const PAGE: &str = "The page";
pub(super) const PRINTED: &str = "What is printed";
pub(super) const KEPT: &str = "What is kept";

// What is said of a new tournament: by flags, or by the fields of an event file, which have the names of the flags. With any
// of the flags from `format` to `against` it is an event of many tables, unless another format is named.
#[derive(Args, Default, Deserialize)]
#[serde(deny_unknown_fields, default)]
pub(crate) struct TournamentArgs {
    /// A player: a house bot, a folder, a file, or a command line with {host} and {port}; `casino play --help` says more.
    /// Can be given many times
    #[arg(long = "bot", value_name = "SPEC", value_parser = Spec::find, help_heading = WHO_PLAYS)]
    #[serde(deserialize_with = "specs")]
    pub(super) bots: Option<Vec<Spec>>,
    /// How many players there are: only `host` has this flag
    #[arg(skip)]
    pub(super) players: Option<usize>,
    /// Ask for the login a second time: the answer must be the same
    #[arg(long, num_args = 0, default_missing_value = "true", help_heading = WHO_PLAYS)]
    pub(super) relogin: Option<bool>,
    /// Give house bots places, prizes and points among others; without it they fill the tables and have none
    #[arg(long, num_args = 0, default_missing_value = "true", help_heading = WHO_PLAYS)]
    pub(super) house_counts: Option<bool>,
    /// The most rounds to play in a tournament [default: 1000; no limit for a shoot-out, a knockout, a round robin, a
    /// swiss, a gauntlet, and a freeze-out of many tables, whose ante then rises after 1000 rounds]
    #[arg(long, value_parser = whole::<u64>(ROUNDS), help_heading = GAME)]
    pub(super) rounds: Option<u64>,
    /// Chips everyone starts with [default: 500]
    #[arg(long, value_parser = whole::<Chips>(STACKS), help_heading = GAME)]
    pub(super) stack: Option<Chips>,
    /// Any text: it decides the seats and every deck [default: drawn from the system]
    #[arg(long, value_name = "TEXT", help_heading = GAME)]
    pub(super) seed: Option<String>,
    /// How long a reply may take, in milliseconds [default: 1000]
    #[arg(long, value_name = "MS", value_parser = whole::<u64>(REPLY_MS), help_heading = GAME)]
    pub(super) reply_ms: Option<u64>,
    /// What a foul costs [default: eject]
    #[arg(long, help_heading = GAME, value_parser = one_of::<OnFoul>(&[
        ("eject", "The player leaves the game"),
        ("fold", "The hand: a rehearsal"),
    ]))]
    pub(super) on_foul: Option<OnFoul>,
    /// What happens to a player who cannot call [default: fold]
    #[arg(long, help_heading = GAME, value_parser = one_of::<ShortStack>(&[
        ("fold", "It is folded without being asked"),
        ("ask", "It is asked, and only folding is legal"),
    ]))]
    pub(super) short_stack: Option<ShortStack>,
    /// How the players meet: single-table, freezeout, rounds, shootout, knockout, round-robin, swiss, gauntlet or equal-deals [default:
    /// freezeout]
    #[arg(long, help_heading = MANY_TABLES)]
    pub(super) format: Option<Format>,
    /// The most players at a table, or in a pod of a round robin: 2 to 17 [default: 17; a swiss has 4, a knockout 2]
    #[arg(long, value_name = "K", value_parser = whole::<usize>(0..=u64::MAX), help_heading = MANY_TABLES)]
    pub(super) seats: Option<usize>,
    /// The rounds of a level: after it the ante rises, and winners go on [default: 100]
    #[arg(long, value_name = "N", value_parser = whole::<u64>(0..=u64::MAX), help_heading = MANY_TABLES)]
    pub(super) level_rounds: Option<u64>,
    /// When the tables of a freeze-out are balanced and broken [default: during]
    #[arg(long, help_heading = MANY_TABLES, value_parser = one_of::<Balance>(&[
        (
            "during",
            "Between levels, and during one after each round in which fewer tables have come to hold everyone, or one \
             has come to have two players more than another",
        ),
        ("levels", "Between levels only"),
    ]))]
    pub(super) balance: Option<Balance>,
    /// The ante of each level in chips, as in 1,1,2,5; the last one stays [default: 1; see --rounds]
    #[arg(long, value_name = "CHIPS", value_parser = whole::<Chips>(0..=u64::MAX), value_delimiter = ',',
        help_heading = MANY_TABLES)]
    pub(super) ante_schedule: Option<Vec<Chips>>,
    /// Play so many tournaments for points
    #[arg(long, value_name = "N", value_parser = whole::<u32>(0..=u64::MAX), help_heading = MANY_TABLES)]
    pub(super) series: Option<u32>,
    /// The points of each place in a tournament of a series, as in 10,7,5,3 [default: one for each player who came in
    /// later]
    #[arg(long, value_name = "POINTS", value_parser = whole::<u32>(0..=u64::MAX), value_delimiter = ',',
        help_heading = MANY_TABLES)]
    pub(super) points: Option<Vec<u32>>,
    /// A house bot that everyone meets in a gauntlet, in this order. Can be given many times [default: all of them, the
    /// weakest at tables of two first]
    #[arg(long, value_name = "NAME", help_heading = MANY_TABLES)]
    pub(super) against: Option<Vec<String>>,
    /// Let players in who log in after the beginning, until this round is dealt: with the starting stack, at the smallest
    /// table [default: nobody]
    #[arg(long, value_name = "ROUND", value_parser = whole::<u64>(ROUNDS), help_heading = WHO_PLAYS)]
    pub(super) late_entry: Option<u64>,
    /// A JSON file that says what the flags say. Nothing may be said in both
    #[arg(long = "event", value_name = "FILE", help_heading = GAME)]
    #[serde(skip)]
    pub(super) file: Option<PathBuf>,
    /// The title of the day, on the page, the report and the certificates
    #[arg(long, value_name = "TEXT", help_heading = PAGE)]
    pub(super) title: Option<OccasionText>,
    /// Where and when it is held, beside the title, as in "Room 101, 24 November"
    #[arg(long, value_name = "TEXT", help_heading = PAGE)]
    pub(super) held: Option<OccasionText>,
    #[command(flatten)]
    #[serde(skip)]
    pub(super) jobs: JobsArgs,
    #[command(flatten)]
    #[serde(skip)]
    pub(super) presentation: PresentationArgs,
    /// Write a journal, a JSON line for each event, to this new file
    #[arg(long, value_name = "FILE", help_heading = KEPT)]
    pub(super) journal: Option<PathBuf>,
}

// Who may log in.
#[derive(Args, Clone)]
pub(crate) struct RosterArgs {
    /// Let in only who is on this list, each once: a CSV file with a header, the column github_id, and perhaps name
    /// for the name everyone sees
    #[arg(long, value_name = "FILE", help_heading = WHO_PLAYS)]
    roster: Option<PathBuf>,
}

impl RosterArgs {
    /// The roster, if one is named.
    pub(super) fn read(&self) -> Result<Option<PlayerRoster>, Failure> {
        let Some(path) = &self.roster else { return Ok(None) };
        let wrong =
            |error: &dyn std::fmt::Display| Failure::Usage(format!("--roster {}: {error}", path.display()));
        let text = read(path).map_err(|error| wrong(&error))?;
        PlayerRoster::read(&text).map(Some).map_err(|error| wrong(&error))
    }
}

#[derive(Args, Clone, Copy)]
pub(crate) struct TimeBankArgs {
    /// Maximum of the time bank of a player on another machine; 0 turns time banks off [default: 10]
    ///
    /// A late reply is accepted as long as the player's time bank lasts. The bank starts at 2 s, grows by 0.25 s with each
    /// reply in time, and is used up by late replies. Programs on this machine have none.
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
    /// How many threads play the tables of an event: the results are the same for any number [default: all cores]
    #[arg(short = 'j', long = "jobs", value_name = "N", value_parser = threads)]
    pub(super) threads: Option<NonZero<usize>>,
}

// How a tournament is shown while it is played, and what is kept of it.
#[derive(Args, Clone, Default)]
pub(crate) struct PresentationArgs {
    /// Show the tournament on a page at this address: for the projector and phones. A port alone is open to the network,
    /// 127.0.0.1:PORT to this machine only; port 0 takes a free one
    #[arg(long, value_name = "ADDR:PORT", value_parser = address(EVERYWHERE), help_heading = PAGE)]
    web: Option<SocketAddr>,
    /// Open the teacher's console at this address; its link, with a token, is printed on standard error. Play
    /// begins when the console says so. Because it decides about the day, a port alone is open to this machine only
    #[arg(long, value_name = "ADDR:PORT", value_parser = address(HERE), num_args = 0..=1,
        default_missing_value = "127.0.0.1:0", help_heading = PAGE)]
    console: Option<SocketAddr>,
    /// How many minutes the tournament is shown on the page, from the first deal to the podium: the dealer keeps in
    /// step with the show. 0 plays as fast as can be. Without a page or a console nothing waits [default: 40]
    #[arg(long, value_name = "N", value_parser = whole::<u32>(0..=u64::from(MOST_MINUTES)), help_heading = PAGE)]
    minutes: Option<u32>,
    /// Wait this long from the end of a round to the next deal, in milliseconds
    #[arg(long, value_name = "MS", default_value_t = 0, value_parser = whole::<u64>(0..=60_000), help_heading = PAGE)]
    pace: u64,
    /// How long the page stays after the end, in seconds [default: until Ctrl-C]
    #[arg(long, value_name = "SECONDS", value_parser = whole::<u64>(0..=1_000_000), help_heading = PAGE)]
    stay: Option<u64>,
    /// Print only the final table
    #[arg(long, help_heading = PRINTED)]
    quiet: bool,
    /// Print one JSON object at the end, and nothing for people
    #[arg(long, help_heading = PRINTED)]
    json: bool,
    /// Print at the end what each program that was started has printed last
    #[arg(long, help_heading = PRINTED)]
    show_output: bool,
    /// Put the result, the journal and the output of started programs into this folder
    #[arg(long, value_name = "DIR", help_heading = KEPT)]
    out: Option<PathBuf>,
}

impl PresentationArgs {
    /// How it is shown and what is kept, without the words of the command line; and the terminal as it is wanted.
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
    #[arg(long, value_name = "NAME", value_parser = seat_name, help_heading = WHO_PLAYS)]
    pub(super) seat: Option<String>,
    #[command(flatten)]
    pub(super) person: PersonArgs,
}

// How a person plays.
#[derive(Args, Clone, Copy, Default)]
pub(crate) struct PersonArgs {
    /// How many seconds a person may think about a question, and look at the end of a round: after them the hand is folded,
    /// or stays if nothing is to call [default: 60]
    #[arg(long, value_name = "SECONDS", value_parser = whole::<u64>(1..=3_600), help_heading = WHO_PLAYS)]
    think: Option<u64>,
    /// Show a person the odds that it could work out from what it is told
    #[arg(long, help_heading = WHO_PLAYS)]
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
    /// Open so many chairs for people beside the programs: each is taken with a phone, by the link and the QR code on the
    /// console. Needs --web and --console
    #[arg(long, value_name = "N", value_parser = whole::<usize>(1..=MOST_CHAIRS as u64), requires_all = ["web", "console"],
        help_heading = WHO_PLAYS)]
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
    /// The plan of the event: a single table if no flag asks for another.
    pub(super) fn plan(&self) -> Result<EventPlan, Failure> {
        let TournamentArgs { format, seats, level_rounds, balance, series, .. } = *self;
        let antes = self.ante_schedule.clone().unwrap_or_default();
        let points = self.points.clone().unwrap_or_default();
        let against = self.against.clone().unwrap_or_default();
        let alone = format.is_none() && seats.is_none() && level_rounds.is_none() && series.is_none();
        if alone && balance.is_none() && antes.is_empty() && points.is_empty() && against.is_empty() {
            let plan = EventPlan { late_entry: self.late_entry, ..EventPlan::single_table() };
            return plan.check().map(|()| plan).map_err(|why| by_flag(&why.to_string()));
        }
        let format = format.unwrap_or_default();
        let plan = EventPlan {
            format,
            seats: seats.or(format.rules().seats).unwrap_or(format.rules().usual_seats),
            level_rounds: level_rounds.or(format.rules().usual_level_rounds(DEFAULT_LEVEL_ROUNDS)),
            balance: balance.unwrap_or_else(|| Balance::usual(format)),
            antes,
            series: series.unwrap_or(1),
            points,
            against: opponents(format, against),
            late_entry: self.late_entry,
        };
        plan.check().map_err(|why| by_flag(&why.to_string()))?;
        if let Some(name) = plan.against.iter().find(|name| HouseBot::named(name).is_none()) {
            return Err(Failure::Usage(format!("--against {}", no_house_bot(name))));
        }
        Ok(plan)
    }
}

/// Whom everybody meets in a gauntlet: if nobody is named, the house in the order of its ladder for two.
fn opponents(format: Format, named: Vec<String>) -> Vec<String> {
    if named.is_empty() && format.rules().against_house {
        return ladder(LADDER_SEATS[0]).iter().map(|rung| rung.bot.name.to_string()).collect();
    }
    named
}

/// The error of a plan, with the name of the flag in place of the field that begins the sentence.
pub(super) fn by_flag(why: &str) -> Failure {
    let (field, rest) = why.split_once(' ').unwrap_or((why, ""));
    let field = if field == "antes" { "ante_schedule" } else { field };
    Failure::Usage(format!("{} {rest}", flag(field)))
}
