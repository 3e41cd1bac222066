//! The public page of a player.

use serde::Serialize;

use casino_ladder::{
    Ladder, LadderError, MatchFoul, MatchId, PlayerId, PlayerRecord, Ratings, Version, VersionState, compare,
};
use casino_stud::table::{Fault, Foul, FrameFault};

use super::LadderState;

const MAX_SEARCHED_FOULS: u32 = 200;

const MAX_NAMED_FOULS: usize = 5;

const MAX_SHOWN_VERSIONS: usize = 60;

/// A version without the private part for its author.
#[derive(Serialize)]
#[cfg_attr(test, derive(ts_rs::TS), ts(rename = "LadderVersion"))]
struct VersionView {
    number: i64,
    label: String,
    kind: &'static str,
    state: &'static str,
    active: bool,
    created_ms: i64,
    value: Option<f64>,
    half: Option<f64>,
    matches: u64,
    /// The comparison with the version before it.
    than_before: Option<String>,
}

/// Another player, whose matches with this one can be listed.
#[derive(Serialize)]
#[cfg_attr(test, derive(ts_rs::TS), ts(rename = "LadderOpponent"))]
struct Opponent {
    #[cfg_attr(test, ts(type = "number"))]
    id: PlayerId,
    name: String,
}

/// Fouls of one kind, without the messages of the program.
#[derive(Serialize)]
#[cfg_attr(test, derive(ts_rs::TS), ts(rename = "LadderFoulKind"))]
struct FoulKind {
    name: String,
    count: usize,
    remedy: Option<&'static str>,
    last: Vec<FoulPlace>,
}

#[derive(Serialize)]
#[cfg_attr(test, derive(ts_rs::TS), ts(rename = "LadderFoulPlace"))]
struct FoulPlace {
    #[serde(rename = "match")]
    #[cfg_attr(test, ts(type = "number"))]
    in_match: MatchId,
    round: u64,
}

#[derive(Serialize)]
#[cfg_attr(test, derive(ts_rs::TS), ts(rename = "LadderPlayer"))]
pub(super) struct LadderPlayerPage {
    #[cfg_attr(test, ts(type = "number"))]
    id: PlayerId,
    name: String,
    house: bool,
    retired: bool,
    here: bool,
    /// The number of versions, of which the newest are listed.
    versions_in_all: usize,
    versions: Vec<VersionView>,
    opponents: Vec<Opponent>,
    fouls: Vec<FoulKind>,
}

impl LadderPlayerPage {
    pub(super) fn of(state: &LadderState, id: PlayerId) -> Result<LadderPlayerPage, LadderError> {
        let ratings = state.ratings();
        let here = state.door.is_connected(id);
        let ladder = state.reading();
        let player = ladder.player(id)?;
        let versions = ladder.versions_of(id)?;
        let others = ladder.players()?.into_iter().filter(|other| other.id != id);
        Ok(LadderPlayerPage {
            id,
            house: player.is_house,
            retired: player.retired_ms.is_some(),
            here,
            versions_in_all: versions.len(),
            versions: versions_shown(&versions, &player, &ratings)?,
            opponents: others.map(|other| Opponent { id: other.id, name: other.name }).collect(),
            fouls: if player.is_house { Vec::new() } else { fouls(&ladder, id)? },
            name: player.name,
        })
    }
}

/// The comparison of two versions of a player.
pub(super) fn compared(state: &LadderState, id: PlayerId, numbers: [i64; 2]) -> Result<String, LadderError> {
    let ratings = state.ratings();
    let ladder = state.reading();
    let name = ladder.player(id)?.name;
    let mut labels = Vec::new();
    for number in numbers {
        labels.push(ladder.version_labelled(&format!("{name}/{number}"))?.label);
    }
    let has_played = |label: &String| ratings.of(label).is_some_and(|rating| rating.matches > 0);
    if let Some(silent) = labels.iter().find(|label| !has_played(label)) {
        return Ok(format!("{silent} has not played a rated match yet."));
    }
    let words = compare(&ratings, &labels[0], &labels[1]);
    let words = words.map_or_else(|| "not told apart yet".to_string(), |found| found.in_words());
    Ok(format!("{} than {}: {words}", labels[0], labels[1]))
}

fn versions_shown(
    versions: &[Version],
    player: &PlayerRecord,
    ratings: &Ratings,
) -> Result<Vec<VersionView>, LadderError> {
    let mut shown = Vec::new();
    for (at, version) in versions.iter().enumerate().rev().take(MAX_SHOWN_VERSIONS) {
        let rating = ratings.of(&version.label).filter(|rating| rating.matches > 0);
        let before = at.checked_sub(1).and_then(|at| versions.get(at));
        let than_before = before
            .filter(|before| ratings.of(&before.label).is_some_and(|rating| rating.matches > 0))
            .filter(|_| rating.is_some())
            .and_then(|before| compare(ratings, &version.label, &before.label))
            .map(|comparison| comparison.in_words());
        shown.push(VersionView {
            number: version.number,
            label: version.label.clone(),
            kind: version.kind.word(),
            state: version.state.word(),
            active: player.active_version == Some(version.id) && version.state == VersionState::Ready,
            created_ms: version.created_ms,
            value: rating.map(|rating| rating.value),
            half: rating.and_then(|rating| rating.half),
            matches: rating.map_or(0, |rating| rating.matches),
            than_before,
        });
    }
    Ok(shown)
}

fn fouls(ladder: &Ladder, id: PlayerId) -> Result<Vec<FoulKind>, LadderError> {
    let mut kinds: Vec<FoulKind> = Vec::new();
    for (in_match, MatchFoul { round, name, .. }) in ladder.fouls_of(id, MAX_SEARCHED_FOULS)? {
        let at = kinds.iter().position(|kind| kind.name == name).unwrap_or_else(|| {
            kinds.push(FoulKind { remedy: remedy(&name), name, count: 0, last: Vec::new() });
            kinds.len() - 1
        });
        kinds[at].count += 1;
        if kinds[at].last.len() < MAX_NAMED_FOULS {
            kinds[at].last.push(FoulPlace { in_match, round });
        }
    }
    kinds.sort_by_key(|kind| std::cmp::Reverse(kind.count));
    Ok(kinds)
}

/// The remedy for a foul of this name. The exact message is shown only to its author.
fn remedy(name: &str) -> Option<&'static str> {
    let faults = [
        Fault::Malformed { sent: String::new() },
        Fault::Late { limit_ms: 0, bank_ms: 0, partial: false },
        Fault::HungUp { partial: false },
        Fault::Frame(FrameFault::TooLong { length: 0, cap: 0 }),
        Fault::Stray { sent: String::new() },
        Fault::NotReading,
        Fault::Removed { reason: String::new() },
    ];
    let fault = faults.into_iter().map(|fault| Foul::Fault { fault, allowed: None });
    match fault.into_iter().find(|foul| foul.name() == name) {
        Some(foul) => Some(foul.remedy()),
        None if name == "illegal bet" => Some(
            "Bet at least the amount to call, at most 10 more, and never more than the stack: the question has both numbers.",
        ),
        None => None,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_kind_of_foul_has_a_remedy() {
        for name in [
            "illegal bet",
            "unreadable reply",
            "no reply in time",
            "connection closed",
            "unreadable frame",
            "unsolicited message",
            "does not read",
            "removed",
        ] {
            assert!(remedy(name).is_some(), "{name}");
        }
        assert_eq!(remedy("a word"), None);
    }
}
