//! The flags and words of `casino play`.

use clap::Args;

use super::Failure;
use super::flags::{SeatArgs, TournamentArgs};
use super::sit;
use super::specs::SPECS;

#[derive(Args)]
#[command(after_help = format!("{SPECS}

Examples:
  casino play --bot cautious --bot bold --bot random*3
  casino play --bot my-bot/ --bot poker.py --bot cautious
  casino play --bot odds*2 --bot reader --seed lesson-1 --rounds 200 --json
  casino play --bot caller*4 --bot 'mine=java -cp out Poker {{host}} {{port}}' --out results
  casino play --bot random*40 --bot odds*30 --bot bold*30 --seats 10 --level-rounds 50 --journal class.jsonl
  casino play --bot odds --bot bluffer --seat me
  casino play --bot odds*4 --bot reader*4 --format swiss"))]
pub(crate) struct PlayCommand {
    #[command(flatten)]
    tournament: TournamentArgs,
    #[command(flatten)]
    seat: SeatArgs,
}

impl PlayCommand {
    pub(crate) fn run(self) -> Result<(), Failure> {
        let request = self.tournament.requested()?;
        sit::play(request, self.seat)
    }
}
