//! `casino ladder status`: the leaderboard.

use clap::Args;
use serde::Serialize;

use casino_judge::figures::{Cell, DataTable, Document};
use casino_ladder::{Ladder, LadderError, MatchState, Ratings, Version};

use super::super::{Failure, print_result};
use super::Folder;

/// Print the leaderboard and the state of the matches
#[derive(Args)]
#[command(after_help = "Examples:
  casino ladder status spring
  casino ladder status spring --json")]
pub(super) struct StatusArgs {
    #[command(flatten)]
    at: Folder,
    /// Print one JSON object
    #[arg(long)]
    json: bool,
}

#[derive(Serialize)]
struct StatusObject {
    planned: i64,
    playing: i64,
    played: i64,
    void: i64,
    /// The house bot whose value is 0.
    zero: Option<String>,
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
    reason: Option<String>,
}

impl StatusArgs {
    pub(super) fn run(self) -> Result<(), Failure> {
        let ladder = Ladder::open(&self.at.folder)?;
        let ratings = ladder.ratings()?;
        let status = status(&ladder, &ratings)?;
        print_result(self.json, &status, || in_words(&status))
    }
}

fn status(ladder: &Ladder, ratings: &Ratings) -> Result<StatusObject, LadderError> {
    let count = |state| ladder.count_matches(state);
    let active: Vec<_> = ladder.players()?.into_iter().filter_map(|player| player.active_version).collect();
    let standing = |version: Version| {
        let rating = ratings.of(&version.label).filter(|rating| rating.matches > 0);
        StandingObject {
            state: version.state.word(),
            active: active.contains(&version.id),
            house: version.kind == casino_ladder::VersionKind::House,
            chips_per_round: rating.map(|rating| rating.value),
            half_interval: rating.and_then(|rating| rating.half),
            matches: rating.map_or(0, |rating| rating.matches),
            rounds: rating.map_or(0, |rating| rating.rounds),
            reason: version.remark().map(str::to_string),
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
        versions,
    })
}

fn in_words(status: &StatusObject) -> Document {
    let mut document = Document::default();
    let StatusObject { planned, playing, played, void, .. } = status;
    document.say(format!("{played} matches played, {playing} in play, {planned} planned, {void} void."));
    if let Some(zero) = &status.zero {
        document.say(format!(
            "Chips a round, more than {zero}. {}",
            casino_analysis::rating::HALF_INTERVAL_IN_WORDS
        ));
    }
    let mut table =
        DataTable::default().words(["version"]).figures(["chips", "±", "matches"]).words(["state"]);
    for one in &status.versions {
        let state = match (one.active, one.state) {
            (true, "ready") => "plays",
            (false, "ready") => "an older one",
            (_, "set_aside") => "set aside",
            (_, state) => state,
        };
        // As many digits as the interval allows; the zero of the scale has no interval.
        let digits = usize::from(one.half_interval.is_some_and(|half| 0.0 < half && half < 1.0));
        table.row([
            Cell::heading(one.version.clone()),
            Cell::of(one.chips_per_round.map(|chips| in_digits(chips, digits))),
            Cell::of(one.half_interval.map(|half| format!("{half:.digits$}"))),
            Cell::of(Some(one.matches.to_string())),
            Cell::of(Some(state)),
        ]);
    }
    document.table(table);
    for one in status.versions.iter().filter(|one| one.reason.is_some()) {
        document.say(format!("{}: {}", one.version, one.reason.as_deref().unwrap_or_default()));
    }
    document
}

/// The chips with so many digits after the point, and without the sign of a zero.
fn in_digits(chips: f64, digits: usize) -> String {
    let scale = 10f64.powi(digits as i32);
    format!("{:+.digits$}", (chips * scale).round() / scale + 0.0)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_zero_has_no_minus() {
        let cases =
            [(-0.3, 0, "+0"), (-0.04, 1, "+0.0"), (-0.6, 0, "-1"), (-0.0, 0, "+0"), (2.25, 1, "+2.3")];
        for (chips, digits, shown) in cases {
            assert_eq!(in_digits(chips, digits), shown);
        }
    }
}
