//! `casino ladder status`: who stands where.

use clap::Args;
use serde::Serialize;

use casino_judge::figures::{Cell, DataTable, Document};
use casino_ladder::{Ladder, LadderError, MatchState, Ratings, Rewards, Version, compare};

use super::super::{Failure, Output};
use super::{Folder, failure, open};

/// Say who stands where, what is being played, and what of two versions is known
#[derive(Args)]
#[command(after_help = "Examples:
  casino ladder status spring
  casino ladder status spring --json
  casino ladder status spring --player Ada
  casino ladder status spring --compare Ada/3 Ada/2")]
pub(super) struct Status {
    #[command(flatten)]
    at: Folder,
    /// Print one JSON object
    #[arg(long)]
    json: bool,
    /// Only the versions of this player, with what each was rated at over time
    #[arg(long, value_name = "PLAYER", conflicts_with = "compare")]
    player: Option<String>,
    /// Only say which of two versions is better
    #[arg(long, num_args = 2, value_names = ["VERSION", "VERSION"])]
    compare: Vec<String>,
}

#[derive(Serialize)]
struct StatusObject {
    planned: i64,
    playing: i64,
    played: i64,
    void: i64,
    /// The house bot whose value is 0.
    zero: Option<String>,
    /// What Casino Day will reward.
    rewards: Rewards,
    versions: Vec<StandingObject>,
}

#[derive(Serialize)]
struct StandingObject {
    version: String,
    state: &'static str,
    active: bool,
    house: bool,
    chips_per_round: Option<f64>,
    half_interval: Option<f64>,
    matches: u64,
    rounds: u64,
    freeze_outs: i64,
    freeze_outs_won: i64,
    reason: Option<String>,
}

impl StandingObject {
    /// The share of its freeze-outs that it won.
    fn won_percent(&self) -> f64 {
        100.0 * self.freeze_outs_won as f64 / self.freeze_outs.max(1) as f64
    }
}

impl Status {
    pub(super) fn run(self) -> Result<(), Failure> {
        let ladder = open(&self.at.folder)?;
        let ratings = ladder.ratings().map_err(failure)?;
        let mut output = Output::stdout();
        if let [one, other] = &self.compare[..] {
            for label in [one, other] {
                ladder.version_labelled(label).map_err(failure)?;
            }
            let player = ladder.version_labelled(one).map_err(failure)?.player;
            let speed = ladder.rounds_an_hour(player).map_err(failure)?;
            let words = compare(&ratings, one, other, speed).map(|found| found.in_words());
            let words = words.unwrap_or_else(|| "not told apart yet".to_string());
            output.line(format_args!("{one} against {other}: {words}"))?;
            return output.flush();
        }
        if let Some(name) = &self.player {
            for line in trends(&ladder, name).map_err(failure)? {
                output.line(line)?;
            }
            return output.flush();
        }
        let status = status(&ladder, &ratings).map_err(failure)?;
        if self.json {
            output.line(serde_json::to_string(&status).map_err(Failure::broke)?)?;
        } else {
            output.document(&in_words(&status))?;
        }
        output.flush()
    }
}

fn status(ladder: &Ladder, ratings: &Ratings) -> Result<StatusObject, LadderError> {
    let count = |state| ladder.count_matches(state);
    let active: Vec<_> = ladder.players()?.into_iter().filter_map(|player| player.active_version).collect();
    let freeze_outs = ladder.freeze_outs()?;
    let standing = |version: Version| {
        let played = freeze_outs.get(&version.id).copied().unwrap_or_default();
        let rating = ratings.of(&version.label).filter(|rating| rating.matches > 0);
        StandingObject {
            state: version.state.word(),
            active: active.contains(&version.id),
            house: version.kind == casino_ladder::VersionKind::House,
            chips_per_round: rating.map(|rating| rating.value),
            half_interval: rating.and_then(|rating| rating.half),
            matches: rating.map_or(0, |rating| rating.matches),
            rounds: rating.map_or(0, |rating| rating.rounds),
            freeze_outs: played.played,
            freeze_outs_won: played.won,
            reason: version.reason,
            version: version.label,
        }
    };
    let mut versions: Vec<StandingObject> = ladder.versions()?.into_iter().map(standing).collect();
    let value = |one: &StandingObject| one.chips_per_round.unwrap_or(f64::NEG_INFINITY);
    versions.sort_by(|one, other| value(other).total_cmp(&value(one)).then(one.version.cmp(&other.version)));
    Ok(StatusObject {
        planned: count(MatchState::Planned)?,
        playing: count(MatchState::Playing)?,
        played: count(MatchState::Played)?,
        void: count(MatchState::Void)?,
        zero: ratings.zero().map(str::to_string),
        rewards: ladder.settings()?.rewards,
        versions,
    })
}

/// What each version of a player was rated at, a line for each time.
fn trends(ladder: &Ladder, name: &str) -> Result<Vec<String>, LadderError> {
    let player = ladder.player_named(name)?;
    let mut lines = Vec::new();
    for version in ladder.versions_of(player.id)? {
        lines.push(format!("{}: {}", version.label, version.state.word().replace('_', " ")));
        for past in ladder.trend(version.id)? {
            lines.push(format!(
                "  after {} matches {:+.2} ± {:.2}",
                past.after_matches, past.value, past.half
            ));
        }
    }
    Ok(lines)
}

fn in_words(status: &StatusObject) -> Document {
    let mut document = Document::default();
    let StatusObject { planned, playing, played, void, .. } = status;
    document.say(format!("{played} matches played, {playing} in play, {planned} planned, {void} void."));
    if let Some(zero) = &status.zero {
        document
            .say(format!("Chips a round, more than {zero}. {}", casino_stud::rating::HALF_INTERVAL_IN_WORDS));
    }
    document.say(status.rewards.in_words());
    let mut table = DataTable::default()
        .words(["version"])
        .figures(["chips", "±", "matches", "freeze-outs", "won"])
        .words(["state"]);
    for one in &status.versions {
        let state = match (one.active, one.state) {
            (true, "ready") => "plays",
            (false, "ready") => "an older one",
            (_, "set_aside") => "set aside",
            (_, state) => state,
        };
        table.row([
            Cell::heading(one.version.clone()),
            Cell::of(one.chips_per_round.map(|chips| format!("{chips:+.2}"))),
            Cell::of(one.half_interval.map(|half| format!("{half:.2}"))),
            Cell::of(Some(one.matches.to_string())),
            Cell::of((one.freeze_outs > 0).then(|| one.freeze_outs.to_string())),
            Cell::of((one.freeze_outs > 0).then(|| format!("{:.0} %", one.won_percent()))),
            Cell::of(Some(state)),
        ]);
    }
    document.table(table);
    for one in status.versions.iter().filter(|one| one.reason.is_some()) {
        document.say(format!("{}: {}", one.version, one.reason.as_deref().unwrap_or_default()));
    }
    document
}
