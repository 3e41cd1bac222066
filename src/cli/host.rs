//! The flags and words of `casino host`.

use std::net::SocketAddr;
use std::path::PathBuf;
use std::sync::Arc;

use clap::Args;

use casino_stud::stud::MAX_SEATS;

use crate::session::{
    LOCALHOST_FREE_PORT, LadderPlayer, NewDay, NewTournament, Options, PlayerRoster, numbered, open_places,
};

use super::Failure;
use super::flags::{ChairArgs, MAIN, PEOPLE, RosterArgs, TournamentArgs};
use super::output::anything_lost;
use super::requested::RequestedTournament;
use super::values::{ALL_INTERFACES, address, positive};

/// The port of the page of a day.
const PAGE_PORT: u16 = 8080;

#[derive(Args)]
#[command(
    after_help = "Without --players it hosts a day: the page at port 8080, the console on this machine, whose link is \
        printed, and the journal casino-day.jsonl. Play begins on the console, with those who are in.\n\n\
        A port alone is open to the network, 127.0.0.1:PORT to this machine only. The first line on \
        standard output is `listening on ADDR:PORT`. The console changes minutes, pace, chairs and \
        rehearsal during the day.\n\n\
        Examples:
  casino host
  casino host --roster class.csv
  casino host --bind 127.0.0.1:0 --players 4 --bot cautious --bot random*2 --on-foul fold
  casino host --bind 9000 --players 100 --seats 12 --level-rounds 50 --journal class.jsonl"
)]
pub(crate) struct Host {
    /// Port or address where programs connect; 0 selects a free port
    #[arg(long, value_name = "ADDR:PORT", value_parser = address(ALL_INTERFACES), default_value = "9000", help_heading = MAIN)]
    bind: SocketAddr,
    /// Number of players, those of --bot included [default: those who are in at the start]
    #[arg(long, value_name = "N", value_parser = positive::<usize>(), help_heading = MAIN)]
    players: Option<usize>,
    /// Practice ladder whose active versions play for those who do not connect
    #[arg(long, value_name = "DIR", conflicts_with = "players", help_heading = PEOPLE)]
    ladder: Option<PathBuf>,
    #[command(flatten)]
    roster: RosterArgs,
    #[command(flatten)]
    tournament: TournamentArgs,
    #[command(flatten)]
    chairs: ChairArgs,
}

impl Host {
    pub(crate) fn run(mut self) -> Result<(), Failure> {
        let roster = self.roster.read()?;
        let expected = self.players.or(roster.as_ref().map(PlayerRoster::len));
        if expected.is_none_or(|expected| expected > MAX_SEATS) {
            // More players than one table can seat.
            self.tournament.format.get_or_insert_default();
        }
        let RequestedTournament { mut new, mut options, terminal } = self.tournament.requested()?;
        options.roster = roster;
        if self.players.is_none() {
            make_day(&mut new, &mut options);
        }
        if let Some(folder) = &self.ladder {
            new.ladder = super::ladder::players(folder)?;
            let named = new.ladder.iter().map(|player| (player.github_id.clone(), player.name.clone()));
            options.roster = options.roster.or_else(|| Some(PlayerRoster::of(named)));
        }
        options = self.chairs.options(options);
        let named = new.local_players.len();
        let listed = options.roster.as_ref().map(|roster| {
            // A substitute plays for one of the players on the roster.
            let is_listed = |player: &&LadderPlayer| roster.refusal(&player.github_id).is_none();
            let substitutes = new.ladder.iter().filter(|player| player.substitute.is_some());
            (roster.len() + named).saturating_sub(substitutes.filter(is_listed).count())
        });
        options.is_open = self.players.or(listed).is_none();
        let open = || named + open_places(&new.terms.plan, named, options.chairs);
        let players = self.players.or(listed).unwrap_or_else(open);
        let Some(guests) = players.checked_sub(named) else {
            return Err(Failure::Usage(format!(
                "--players {players} is fewer than the {named} named by --bot"
            )));
        };
        NewDay::new(new, options, Arc::new(terminal))?.host(self.bind, guests)?;
        anything_lost()
    }
}

/// The page, the console, and the journal of a day that begins on the console.
fn make_day(new: &mut NewTournament, options: &mut Options) {
    options.page.get_or_insert((ALL_INTERFACES, PAGE_PORT).into());
    options.console.get_or_insert(LOCALHOST_FREE_PORT);
    if options.out.is_none() {
        new.journal.get_or_insert_with(free_journal);
    }
}

/// The first name of a journal that no file has: `casino-day.jsonl`, `casino-day-2.jsonl` …
fn free_journal() -> PathBuf {
    let mut names = (1..).map(|number| numbered(PathBuf::from("casino-day.jsonl"), number));
    names.find(|path| !path.exists()).expect("there are more numbers than files")
}
