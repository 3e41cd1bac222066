//! The arguments of `casino sit`, shared with other ways in which a person plays.

use casino_host::Spec;
use clap::Args;
use std::sync::Arc;

use crate::session::NewDay;

use super::Failure;
use super::flags::{PEOPLE, SeatArgs, TournamentArgs};
use super::output::anything_lost;
use super::requested::RequestedTournament;

/// The usual opponents of a person: one that counts, one that bluffs, one that pays to see.
const DEFAULT_OPPONENTS: [&str; 3] = ["odds", "bluffer", "caller"];

const DEFAULT_PERSON_NAME: &str = "me";

#[derive(Args)]
#[command(
    after_help = "Prints the link to your seat in a browser. You see exactly the messages a bot in your seat would \
        receive. Without --web the page is open to this machine only, at a free port. --against takes a \
        bot of yours, which shows its cards after each round. With --journal or --out the game is \
        recorded, and `casino resume` restores your seat.\n\n\
        Examples:
  casino sit
  casino sit --hints --bot cautious*3
  casino sit --bot my-bot/ --think 120 --journal me.jsonl
  casino sit --against my-bot/
  casino sit --web 8080
  casino play --bot odds --bot bluffer --seat me"
)]
pub(crate) struct SitCommand {
    #[command(flatten)]
    tournament: TournamentArgs,
    #[command(flatten)]
    seat: SeatArgs,
    /// A bot of yours, which shows its cards after each round; repeatable
    #[arg(long, value_name = "SPEC", value_parser = Spec::find, help_heading = PEOPLE)]
    against: Vec<Spec>,
}

/// Plays a tournament in which a person has a seat, if there is one.
pub(super) fn play(request: RequestedTournament, SeatArgs { seat, person }: SeatArgs) -> Result<(), Failure> {
    let RequestedTournament { mut new, options, terminal } = request;
    if let Some(name) = &seat {
        new.local_players = new.local_players.with_person(name);
    }
    if new.terms.plan.late_entry.is_some() {
        return Err(Failure::Usage(
            "--late-entry needs players who connect: use casino host, or leave it out".to_string(),
        ));
    }
    NewDay::new(new, person.options(options), Arc::new(terminal))?.play()?;
    anything_lost()
}

impl SitCommand {
    pub(crate) fn run(mut self) -> Result<(), Failure> {
        let opened = self.own_bots();
        if self.tournament.bots.is_none() {
            let usual: Result<Vec<Spec>, _> = DEFAULT_OPPONENTS.iter().map(|name| Spec::find(name)).collect();
            self.tournament.bots = Some(usual.map_err(Failure::usage)?);
        }
        let mut request = self.tournament.requested()?;
        // House bots have no places by default: a person among them would be ranked alone.
        request.new.terms.house_counts = true;
        request.options.opened = opened;
        self.seat.seat.get_or_insert_with(|| DEFAULT_PERSON_NAME.to_string());
        play(request, self.seat)
    }

    /// The names of the bots of --against, which play too.
    fn own_bots(&mut self) -> Vec<String> {
        let names = self.against.iter().map(|spec| match spec {
            Spec::House { bot, .. } => bot.name.to_string(),
            Spec::Program { name, .. } | Spec::Place { name, .. } => name.clone(),
        });
        let names = names.collect();
        if !self.against.is_empty() {
            self.tournament.bots.get_or_insert_default().append(&mut self.against);
        }
        names
    }
}
