//! `casino play`

use clap::Args;

use crate::server::{Spec, block_on};

use super::Failure;
use super::tournament::{Setup, TournamentArgs};

#[derive(Args)]
#[command(after_help = "Examples:
  casino play --bot cautious --bot bold --bot random*3
  casino play --bot odds*2 --bot reader --seed lesson-1 --rounds 200 --json
  casino play --bot caller*4 --bot 'mine=java -cp out Poker {host} {port}' --out results")]
pub(crate) struct Play {
    #[command(flatten)]
    tournament: TournamentArgs,
}

impl Play {
    pub(crate) fn run(self) -> Result<(), Failure> {
        let house_only = !self.tournament.bots.iter().any(|spec| matches!(spec, Spec::Program { .. }));
        let setup = Setup::new(self.tournament)?;
        setup.check_players(setup.named())?;
        if house_only {
            return setup.play_in_process();
        }
        block_on(setup.play_networked(Vec::new(), None)).map_err(Failure::broke)?
    }
}
