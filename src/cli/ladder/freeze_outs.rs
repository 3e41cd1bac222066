//! `casino ladder freeze-outs`: the tournaments of the nights.

use clap::Args;
use serde::Serialize;

use casino_ladder::{Ladder, LadderError, Match, MatchFilter, MatchKind, MatchState};
use casino_system::command_line::join;

use super::super::{Failure, Output};
use super::{Folder, failure, open};

/// Say who won the freeze-outs of the nights, and who takes part
#[derive(Args)]
#[command(
    after_help = "`casino ladder set DIR freeze_out_hour=3` has one played each night from that hour on, in UTC.

Examples:
  casino ladder freeze-outs spring
  casino ladder freeze-outs spring --json
  casino ladder freeze-outs spring --without Ada"
)]
pub(super) struct FreezeOuts {
    #[command(flatten)]
    at: Folder,
    /// This player takes part from now on
    #[arg(long, value_name = "PLAYER", conflicts_with = "without")]
    with: Option<String>,
    /// This player does not take part any more
    #[arg(long, value_name = "PLAYER")]
    without: Option<String>,
    /// Print one JSON object
    #[arg(long)]
    json: bool,
}

#[derive(Serialize)]
struct FreezeOutsObject {
    /// The names of those who do not want to take part.
    without: Vec<String>,
    /// The newest first.
    freeze_outs: Vec<FreezeOutObject>,
}

#[derive(Serialize)]
struct FreezeOutObject {
    #[serde(rename = "match")]
    name: String,
    state: &'static str,
    reason: Option<String>,
    rounds: Option<i64>,
    /// The versions with their places, the best first.
    places: Vec<(i64, String)>,
    /// The command that shows it.
    show: Option<String>,
}

impl FreezeOuts {
    pub(super) fn run(self) -> Result<(), Failure> {
        let mut ladder = open(&self.at.folder)?;
        for (name, wants) in [(&self.with, true), (&self.without, false)] {
            if let Some(name) = name {
                let player = ladder.player_named(name).map_err(failure)?;
                ladder.set_wants_freeze_outs(player.id, wants).map_err(failure)?;
            }
        }
        let found = found(&ladder).map_err(failure)?;
        let mut output = Output::stdout();
        if self.json {
            output.line(serde_json::to_string(&found).map_err(Failure::broke)?)?;
            return output.flush();
        }
        if found.freeze_outs.is_empty() {
            output.line("No freeze-out has been planned.")?;
        }
        for one in &found.freeze_outs {
            let best = one.places.first().map(|(_, label)| label.as_str());
            match (best, &one.show) {
                (Some(best), Some(show)) => {
                    let rounds = one.rounds.unwrap_or_default();
                    output.line(format_args!("{}: {best} won after {rounds} rounds. {show}", one.name))?;
                }
                _ => output.line(format_args!(
                    "{}: {}{}",
                    one.name,
                    one.state,
                    one.reason.as_ref().map(|why| format!(", {why}")).unwrap_or_default()
                ))?,
            }
        }
        if !found.without.is_empty() {
            output.line(format_args!("Without {}.", found.without.join(", ")))?;
        }
        output.flush()
    }
}

fn found(ladder: &Ladder) -> Result<FreezeOutsObject, LadderError> {
    let players = ladder.players()?.into_iter();
    let without = players.filter(|player| !player.is_house && !player.wants_freeze_outs);
    let all = MatchFilter { kind: Some(MatchKind::FreezeOut), ..MatchFilter::default() };
    let all = ladder.matches(all)?.into_iter().map(|one| freeze_out(ladder, one));
    Ok(FreezeOutsObject {
        without: without.map(|player| player.name).collect(),
        freeze_outs: all.collect::<Result<_, _>>()?,
    })
}

fn freeze_out(ladder: &Ladder, one: Match) -> Result<FreezeOutObject, LadderError> {
    let mut places = Vec::new();
    for seat in &one.seats {
        if let Some(place) = seat.result.and_then(|result| result.place) {
            places.push((place, ladder.version(seat.version)?.label));
        }
    }
    places.sort();
    let show = (one.state == MatchState::Played).then(|| {
        let journal = ladder.journal(&one.name);
        join(["casino", "replay", &journal.to_string_lossy(), "--web", "8080"])
    });
    Ok(FreezeOutObject {
        name: one.name,
        state: one.state.word(),
        reason: one.reason,
        rounds: one.rounds,
        places,
        show,
    })
}
