//! `casino host`

use std::net::SocketAddr;

use clap::Args;

use crate::server::{block_on_threads, raise_file_limit};
use crate::session::{Setup, host};

use super::Failure;
use super::flags::{TournamentArgs, players_wanted};

#[derive(Args)]
#[command(
    after_help = "The first line on standard output is `listening on ADDR:PORT`; with port 0 a free port is chosen.

Examples:
  casino host --bind 0.0.0.0:9000 --players 12 --journal casino-day.jsonl
  casino host --bind 127.0.0.1:0 --players 4 --bot cautious --bot random*2 --seed rehearsal --on-foul fold
  casino host --bind 0.0.0.0:9000 --players 100 --seats 12 --level-rounds 50 --journal class.jsonl
  casino host --bind 0.0.0.0:9000 --event class.json --journal class.jsonl"
)]
pub(crate) struct Host {
    /// Where to listen: an address of this machine and a port
    #[arg(long, value_name = "ADDR:PORT")]
    bind: SocketAddr,
    /// How many players there are in all, those of --bot among them
    #[arg(long, value_name = "N")]
    players: Option<usize>,
    #[command(flatten)]
    tournament: TournamentArgs,
}

impl Host {
    pub(crate) fn run(self) -> Result<(), Failure> {
        let (new, players_in_file) = self.tournament.options()?;
        let setup = Setup::new(new)?;
        let players = players_wanted(self.players, players_in_file)?;
        setup.check_players(players)?;
        let Some(remote) = players.checked_sub(setup.named()) else {
            return Err(Failure::Usage(format!(
                "--players {players} is fewer than the {} named by --bot",
                setup.named()
            )));
        };
        let files = raise_file_limit();
        Setup::check_files(files, remote)?;
        let limits = setup.limits().within_files(files, players);
        let threads = setup.threads();
        block_on_threads(threads, host(self.bind, limits, remote, setup)).map_err(Failure::broke)?
    }
}
