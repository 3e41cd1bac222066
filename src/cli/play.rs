//! `casino play`

use clap::Args;

use crate::server::block_on_threads;
use crate::session::Setup;

use super::Failure;
use super::flags::{TournamentArgs, players_wanted};

#[derive(Args)]
#[command(after_help = "Examples:
  casino play --bot cautious --bot bold --bot random*3
  casino play --bot odds*2 --bot reader --seed lesson-1 --rounds 200 --json
  casino play --bot caller*4 --bot 'mine=java -cp out Poker {host} {port}' --out results
  casino play --bot random*40 --bot odds*30 --bot bold*30 --seats 10 --level-rounds 50 --journal class.jsonl
  casino play --bot odds*4 --bot reader*4 --format knockout
  casino play --bot 'mine=./mine {host} {port}' --format gauntlet --against cautious --against bold")]
pub(crate) struct Play {
    #[command(flatten)]
    tournament: TournamentArgs,
}

impl Play {
    pub(crate) fn run(self) -> Result<(), Failure> {
        let (new, players_in_file) = self.tournament.options()?;
        let setup = Setup::new(new)?;
        let named = setup.named();
        let wanted = players_wanted(None, players_in_file).unwrap_or(named);
        if wanted != named {
            return Err(Failure::Usage(format!(
                "the event file wants {wanted} players, and its bots are {named}: host an event for players who connect"
            )));
        }
        setup.check_players(named)?;
        if setup.needs_no_waiting() {
            return setup.play_in_process();
        }
        block_on_threads(setup.threads(), setup.play_day()).map_err(Failure::broke)?
    }
}
