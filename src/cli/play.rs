//! The flags and words of `casino play`.

use clap::Args;

use crate::session::NewDay;

use super::Failure;
use super::flags::TournamentArgs;
use super::output::anything_lost;
use super::requested::RequestedTournament;
use super::specs::SPECS;

#[derive(Args)]
#[command(after_help = format!("{SPECS}

Examples:
  casino play --bot cautious --bot bold --bot random*3
  casino play --bot my-bot/ --bot poker.py --bot cautious
  casino play --bot odds*2 --bot reader --seed lesson-1 --rounds 200 --json
  casino play --bot caller*4 --bot 'mine=java -cp out Poker {{host}} {{port}}' --out results
  casino play --bot random*40 --bot odds*30 --bot bold*30 --seats 10 --level-rounds 50 --journal class.jsonl
  casino play --bot odds*4 --bot reader*4 --format knockout
  casino play --bot 'mine=./mine {{host}} {{port}}' --format gauntlet --against cautious --against bold"))]
pub(crate) struct PlayCommand {
    #[command(flatten)]
    tournament: TournamentArgs,
}

impl PlayCommand {
    pub(crate) fn run(self) -> Result<(), Failure> {
        let RequestedTournament { new, options, terminal, players_in_file } = self.tournament.requested()?;
        let named = new.contestants.len();
        if let Some(wanted) = players_in_file.filter(|wanted| *wanted != named) {
            return Err(Failure::Usage(format!(
                "the event file wants {wanted} players, and its bots are {named}: host an event for players who connect"
            )));
        }
        if new.terms.plan.late_entry.is_some() {
            return Err(Failure::Usage(
                "--late-entry is for players who connect: use casino host, or leave it out".to_string(),
            ));
        }
        NewDay::new(new, options, terminal)?.play()?;
        anything_lost()
    }
}
