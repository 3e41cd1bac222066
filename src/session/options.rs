//! The settings and files of a day of tournaments.

use std::net::{IpAddr, Ipv4Addr, SocketAddr};
use std::num::NonZero;
use std::path::PathBuf;
use std::time::Duration;

use casino_host::{ConnectionLimits, LocalPlayers};
use casino_stud::journal::{Occasion, Terms};
use casino_stud::parallel::cores;
use casino_stud::stud::Chips;
use casino_stud::table::TableSettings;
use casino_stud::tournament::EventPlan;

use super::{LadderPlayer, PlayerRoster, ShowMinutes};

/// Default maximum of rounds of a tournament, which ends one without a winner.
const DEFAULT_ROUNDS: u64 = 1_000;

/// Chips every player starts with where nothing else is said.
pub const DEFAULT_STACK: Chips = 500;

/// How long a reply may take where nothing else is said, in milliseconds (R17).
const DEFAULT_REPLY_MS: u64 = 1_000;

/// How long a person may think where nothing else is said (R23).
const DEFAULT_THINKING_TIME: Duration = Duration::from_secs(60);

/// A page that only this machine can open.
pub(crate) const LOCALHOST_FREE_PORT: SocketAddr = SocketAddr::new(IpAddr::V4(Ipv4Addr::LOCALHOST), 0);

/// The displays and files of a day of tournaments.
#[derive(Clone, Debug, Default)]
pub struct Options {
    /// The folder for results, journals, reports and the output of started programs.
    pub out: Option<PathBuf>,
    /// The address of the page for the room; port 0 takes a free one.
    pub page: Option<SocketAddr>,
    /// The address of the teacher's console; port 0 takes a free one. With a console, play begins on its command.
    pub console: Option<SocketAddr>,
    /// How long the page stays after a tournament; until the process is interrupted if nothing is said.
    pub stay: Option<Duration>,
    /// The time from the end of a round to the next deal.
    pub pace: Duration,
    /// How many minutes a tournament is shown where there is a page, a console or a show: the dealer keeps in step
    /// with it. 0 lets the dealer run on; 40 if nothing is said.
    pub minutes: Option<ShowMinutes>,
    /// The maximum of a program's time bank (R17) [default: that of [`ConnectionLimits`]].
    pub time_bank: Option<Duration>,
    /// How long a person may think about a question, and look at the end of a round; 60 s if nothing is said.
    pub think: Option<Duration>,
    /// How many chairs there are for people in browsers, besides those who are named. They need a page.
    pub chairs: usize,
    /// Whether people in browsers are shown the odds that they could work out.
    pub hints: bool,
    /// The names of players whose hole cards people are shown after each round: a person's own bots.
    pub opened: Vec<String>,
    /// How many threads play the tables of an event; all cores if nothing is said.
    pub jobs: Option<NonZero<usize>>,
    /// Whether the number of players is open: those who are in when the teacher starts play.
    pub is_open: bool,
    /// The players allowed to log in; all if there is no roster.
    pub roster: Option<PlayerRoster>,
    /// Whether players of a resumed tournament may connect from new addresses without a console to approve them.
    pub trust_addresses: bool,
    /// Whether the programs of a resumed tournament are started without confirmation: a journal names their command
    /// lines, and may come from another person.
    pub run_programs: bool,
}

impl Options {
    /// Whether there is a page or a console.
    pub(super) fn is_served(&self) -> bool {
        self.page.is_some() || self.console.is_some()
    }

    /// The same with a page for people who play in browsers, and no wait for the show there, unless either is given.
    pub(super) fn seating_people(self) -> Options {
        Options {
            page: self.page.or(Some(LOCALHOST_FREE_PORT)),
            minutes: self.minutes.or(Some(ShowMinutes::NONE)),
            ..self
        }
    }

    /// How long a person may think about a question.
    pub(super) fn think(&self) -> Duration {
        self.think.unwrap_or(DEFAULT_THINKING_TIME)
    }

    /// These limits with the time bank of the options.
    pub(super) fn limits(&self, limits: ConnectionLimits) -> ConnectionLimits {
        ConnectionLimits { time_bank: self.time_bank.unwrap_or(limits.time_bank), ..limits }
    }

    /// Whether nothing can ask the dealer to wait: then bots in this process need no network.
    pub(super) fn need_no_waiting(&self) -> bool {
        !self.is_served() && self.pace.is_zero()
    }

    /// How many threads serve the tables of an event by this plan: one table needs one.
    pub(super) fn threads_for(&self, plan: &EventPlan) -> NonZero<usize> {
        if plan.numbers_tables() { self.threads() } else { NonZero::<usize>::MIN }
    }

    /// How many threads play the tables of an event.
    pub(super) fn threads(&self) -> NonZero<usize> {
        self.jobs.unwrap_or_else(cores)
    }
}

/// A new tournament.
#[derive(Clone, Debug)]
pub struct NewTournament {
    /// The house bots and programs that play.
    pub local_players: LocalPlayers,
    /// The players of a practice ladder, whose programs play unless they connect themselves.
    pub ladder: Vec<LadderPlayer>,
    /// Title, place and date.
    pub occasion: Occasion,
    /// The terms of play. With a console the teacher sets the cost of a foul.
    pub terms: Terms,
    /// Whether the maximum number of rounds is the default.
    pub rounds_are_usual: bool,
    /// Whether the length of play is the default: rounds, stack, antes, levels, series. Then a long show brings a
    /// series of tournaments ([`MorePlay`](super::MorePlay)).
    pub play_is_usual: bool,
    /// The seed that decides the seats and every deck; drawn from the system by default.
    pub seed: Option<String>,
    /// Where the journal goes; `journal.jsonl` in the folder of the results, if there is one, if nothing is said.
    pub journal: Option<PathBuf>,
    /// What to do after the day, in lines for the end of the page.
    pub next_steps: Vec<String>,
}

impl NewTournament {
    /// A tournament of these players by this plan, on the usual terms.
    pub fn new(local_players: LocalPlayers, plan: EventPlan) -> NewTournament {
        let rounds = (!plan.format.rules().ends_by_itself).then_some(DEFAULT_ROUNDS);
        let conduct = TableSettings::default();
        let terms = Terms {
            plan,
            conduct,
            stack: DEFAULT_STACK,
            rounds,
            reply_ms: DEFAULT_REPLY_MS,
            relogin: false,
            house_counts: false,
        };
        NewTournament {
            local_players,
            ladder: Vec::new(),
            occasion: Occasion::default(),
            terms,
            rounds_are_usual: true,
            play_is_usual: true,
            seed: None,
            journal: None,
            next_steps: Vec::new(),
        }
    }
}
