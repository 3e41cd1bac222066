//! The public page of a player.

use serde::Serialize;

use casino_ladder::{Ladder, LadderError, PlayerId, PlayerRecord, Ratings, Version, VersionState};

use super::LadderState;

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
            versions: versions_shown(&ladder, &versions, &player, &ratings)?,
            opponents: others.map(|other| Opponent { id: other.id, name: other.name }).collect(),
            name: player.name,
        })
    }
}

/// The comparison of two versions of a player.
pub(super) fn compared(state: &LadderState, id: PlayerId, numbers: [i64; 2]) -> Result<String, LadderError> {
    let ladder = state.reading();
    let name = ladder.player(id)?.name;
    let [one, other] = numbers.map(|number| ladder.version_labelled(&format!("{name}/{number}")));
    let (one, other) = (one?, other?);
    Ok(match ladder.compare_own(one.id, other.id)? {
        Some(found) => format!("{} than {}: {}", one.label, other.label, found.in_words()),
        None => format!("{} and {} have not played against each other.", one.label, other.label),
    })
}

fn versions_shown(
    ladder: &Ladder,
    versions: &[Version],
    player: &PlayerRecord,
    ratings: &Ratings,
) -> Result<Vec<VersionView>, LadderError> {
    let mut shown = Vec::new();
    for (at, version) in versions.iter().enumerate().rev().take(MAX_SHOWN_VERSIONS) {
        let rating = ratings.of(&version.label).filter(|rating| rating.matches > 0);
        let before = at.checked_sub(1).and_then(|at| versions.get(at));
        let than_before = before.map(|before| ladder.compare_own(version.id, before.id)).transpose()?;
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
            than_before: than_before.flatten().map(|comparison| comparison.in_words()),
        });
    }
    Ok(shown)
}
