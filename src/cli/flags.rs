//! The flags of a new tournament.

use std::num::NonZero;
use std::ops::RangeInclusive;
use std::path::PathBuf;
use std::time::Duration;

use clap::Args;
use serde::Deserialize;

use crate::session::PlayerRoster;
use casino_host::{Spec, no_house_bot};
use casino_stud::journal::OccasionText;
use casino_stud::strategies::{HouseBot, LADDER_SEATS, ladder};
use casino_stud::stud::{Chips, ShortStack};
use casino_stud::table::OnFoul;
use casino_stud::tournament::{Balance, EventPlan, Format, MOST_ROUNDS};
use casino_system::files::read;

use super::Failure;
use super::event_file::{flag, specs};
use super::presentation::PresentationArgs;
use super::values::{one_of, threads, whole};

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

impl TournamentArgs {
    /// Whether nobody has said how much is played.
    pub(super) fn says_nothing_of_play(&self) -> bool {
        let TournamentArgs { rounds, stack, level_rounds, ante_schedule, series, points, .. } = self;
        let is_quiet = rounds.is_none() && stack.is_none() && level_rounds.is_none();
        is_quiet && ante_schedule.is_none() && series.is_none() && points.is_none()
    }

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

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn whatever_says_how_much_is_played_is_noticed() {
        let quiet =
            TournamentArgs { seats: Some(8), seed: Some("x".to_string()), ..TournamentArgs::default() };
        assert!(quiet.says_nothing_of_play());
        for said in [
            TournamentArgs { rounds: Some(1_000), ..TournamentArgs::default() },
            TournamentArgs { stack: Some(500), ..TournamentArgs::default() },
            TournamentArgs { level_rounds: Some(100), ..TournamentArgs::default() },
            TournamentArgs { ante_schedule: Some(vec![1]), ..TournamentArgs::default() },
            TournamentArgs { series: Some(1), ..TournamentArgs::default() },
            TournamentArgs { points: Some(vec![3, 1]), ..TournamentArgs::default() },
        ] {
            assert!(!said.says_nothing_of_play());
        }
    }
}
