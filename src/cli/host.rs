//! The flags and words of `casino host`.

use std::net::SocketAddr;
use std::path::PathBuf;
use std::sync::Arc;

use clap::Args;

use crate::session::{LadderPlayer, NewDay, PlayerRoster};

use super::Failure;
use super::flags::{ChairArgs, MAIN, PEOPLE, RosterArgs, TimeBankArgs, TournamentArgs};
use super::output::anything_lost;
use super::requested::RequestedTournament;
use super::values::{ALL_INTERFACES, address, positive};

#[derive(Args)]
#[command(
    after_help = "A port alone is open to the network, 127.0.0.1:PORT to this machine only. The first line on \
        standard output is `listening on ADDR:PORT`. The console changes minutes, pace, chairs and \
        rehearsal during the day.\n\n\
        Examples:
  casino host --bind 9000 --roster class.csv --web 8080 --console --journal class.jsonl
  casino host --bind 127.0.0.1:0 --players 4 --bot cautious --bot random*2 --on-foul fold
  casino host --bind 9000 --players 100 --seats 12 --level-rounds 50 --journal class.jsonl"
)]
pub(crate) struct Host {
    /// Port or address where programs connect; 0 selects a free port
    #[arg(long, value_name = "ADDR:PORT", value_parser = address(ALL_INTERFACES), help_heading = MAIN)]
    bind: SocketAddr,
    /// Number of players, those of --bot included
    #[arg(long, value_name = "N", value_parser = positive::<usize>(), help_heading = MAIN)]
    players: Option<usize>,
    /// Practice ladder whose active versions play for those who do not connect; needs --console
    #[arg(long, value_name = "DIR", conflicts_with = "players", help_heading = PEOPLE)]
    ladder: Option<PathBuf>,
    #[command(flatten)]
    roster: RosterArgs,
    #[command(flatten)]
    tournament: TournamentArgs,
    #[command(flatten)]
    time_bank: TimeBankArgs,
    #[command(flatten)]
    chairs: ChairArgs,
}

impl Host {
    pub(crate) fn run(self) -> Result<(), Failure> {
        let RequestedTournament { mut new, mut options, terminal } = self.tournament.requested()?;
        options.roster = self.roster.read()?;
        if let Some(folder) = &self.ladder {
            if options.console.is_none() {
                return Err(Failure::Usage(
                    "--ladder needs --console, where the teacher starts play".to_string(),
                ));
            }
            new.ladder = super::ladder::players(folder)?;
            let named = new.ladder.iter().map(|player| (player.github_id.clone(), player.name.clone()));
            options.roster = options.roster.or_else(|| Some(PlayerRoster::of(named)));
        }
        options.time_bank = self.time_bank.most();
        options = self.chairs.options(options);
        let named = new.contestants.len();
        let listed = options.roster.as_ref().map(|roster| {
            // A substitute plays for one of the players on the roster.
            let is_listed = |player: &&LadderPlayer| roster.refusal(&player.github_id).is_none();
            let substitutes = new.ladder.iter().filter(|player| player.substitute.is_some());
            (roster.len() + named).saturating_sub(substitutes.filter(is_listed).count())
        });
        let Some(players) = self.players.or(listed) else {
            return Err(Failure::Usage(
                "give the number of players with --players N, or a roster with --roster FILE".to_string(),
            ));
        };
        let Some(guests) = players.checked_sub(named) else {
            return Err(Failure::Usage(format!(
                "--players {players} is fewer than the {named} named by --bot"
            )));
        };
        NewDay::new(new, options, Arc::new(terminal))?.host(self.bind, guests)?;
        anything_lost()
    }
}
