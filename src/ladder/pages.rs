//! Public answers for the page.

use std::collections::BTreeMap;

use serde::Serialize;

use casino_ladder::{
    Ladder, LadderError, Match, MatchFilter, MatchId, MatchState, PlayerId, PlayerRecord, Ratings, Version,
    VersionId, VersionKind,
};

use super::LadderState;

pub(super) const MATCHES_PER_PAGE: u32 = 50;

/// A player in the leaderboard.
#[derive(Serialize)]
#[cfg_attr(test, derive(ts_rs::TS), ts(rename = "LadderStanding"))]
struct LeaderboardRow {
    #[cfg_attr(test, ts(type = "number"))]
    id: PlayerId,
    name: String,
    house: bool,
    version: Option<i64>,
    /// How the active version, or else the newest, comes to play, and whether it may.
    kind: Option<&'static str>,
    state: Option<&'static str>,
    /// Whether that version is an unchanged starter kit.
    starter_kit: bool,
    /// Whether a program that connects by itself is connected and waits.
    here: bool,
    value: Option<f64>,
    half: Option<f64>,
    matches: u64,
    rounds: u64,
}

/// The next submission in the queue.
#[derive(Serialize)]
#[cfg_attr(test, derive(ts_rs::TS), ts(rename = "LadderQueued"))]
struct Queued {
    label: String,
    /// How many matches ago it played.
    waited: i64,
}

/// The first page.
#[derive(Serialize)]
#[cfg_attr(test, derive(ts_rs::TS), ts(rename = "LadderOverview"))]
pub(super) struct LadderOverview {
    announcement: String,
    paused: bool,
    frozen: bool,
    /// The obstacle to playing.
    problem: Option<String>,
    /// Which house bot is the zero of the scale.
    zero: Option<String>,
    standings: Vec<LeaderboardRow>,
    playing: Vec<MatchView>,
    planned: Vec<MatchView>,
    queue: Vec<Queued>,
    last: Vec<MatchView>,
    played: i64,
}

impl LadderOverview {
    pub(super) fn of(state: &LadderState) -> Result<LadderOverview, LadderError> {
        let ratings = state.ratings();
        let ladder = state.reading();
        let settings = ladder.settings()?;
        let versions: BTreeMap<VersionId, Version> =
            ladder.active_versions()?.into_iter().map(|version| (version.id, version)).collect();
        let mut standings = Vec::new();
        for player in
            ladder.players()?.into_iter().filter(|one| one.retired_ms.is_none() && !one.is_stranger())
        {
            let version = match player.active_version {
                Some(id) => Some(versions.get(&id).cloned().map_or_else(|| ladder.version(id), Ok)?),
                None => ladder.newest_version(player.id)?.1,
            };
            let here = state.door.is_connected(player.id);
            standings.push(standing(player, version.as_ref(), &ratings, here));
        }
        standings.sort_by(|one, other| {
            let value = |row: &LeaderboardRow| row.value.unwrap_or(f64::NEG_INFINITY);
            value(other).total_cmp(&value(one)).then(one.id.cmp(&other.id))
        });
        let list = |state, most| {
            MatchView::list(&ladder, MatchFilter { state: Some(state), most, ..MatchFilter::default() })
        };
        let is_connected = |version: &Version| {
            version.kind == VersionKind::Submission || state.door.is_connected(version.player)
        };
        let mut queue: Vec<_> = ladder.candidates(is_connected)?;
        queue.retain(|candidate| !candidate.is_house);
        queue.sort_by_key(|candidate| (-candidate.waited, candidate.version));
        let named = ladder.named(queue.iter().map(|candidate| candidate.version))?;
        let queued = |candidate: casino_ladder::Candidate| {
            let version = named.get(&candidate.version)?;
            Some(Queued { label: version.label.clone(), waited: candidate.waited })
        };
        let problem = super::lock(&state.problem).clone();
        Ok(LadderOverview {
            announcement: settings.announcement,
            paused: settings.is_paused,
            frozen: settings.is_frozen,
            problem: problem.map(|_| {
                "The ladder cannot play at the moment; the teacher's console has the reason.".to_string()
            }),
            zero: ratings.zero().map(str::to_string),
            standings,
            playing: list(MatchState::Playing, 0)?,
            planned: list(MatchState::Planned, MATCHES_PER_PAGE)?,
            queue: queue.into_iter().filter_map(queued).collect(),
            last: list(MatchState::Played, 10)?,
            played: ladder.count_matches(MatchState::Played)?,
        })
    }
}

fn standing(
    player: PlayerRecord,
    version: Option<&Version>,
    ratings: &Ratings,
    here: bool,
) -> LeaderboardRow {
    let rating = version.and_then(|version| ratings.of(&version.label)).filter(|rating| rating.matches > 0);
    LeaderboardRow {
        id: player.id,
        name: player.name,
        house: player.is_house,
        version: version.map(|version| version.number),
        kind: version.map(|version| version.kind.word()),
        state: version.map(|version| version.state.word()),
        starter_kit: version.is_some_and(Version::is_starter_kit),
        here,
        value: rating.map(|rating| rating.value),
        half: rating.and_then(|rating| rating.half),
        matches: rating.map_or(0, |rating| rating.matches),
        rounds: rating.map_or(0, |rating| rating.rounds),
    }
}

#[derive(Serialize)]
#[cfg_attr(test, derive(ts_rs::TS), ts(rename = "LadderSeat"))]
struct MatchSeatView {
    #[cfg_attr(test, ts(type = "number | null"))]
    player: Option<PlayerId>,
    name: String,
    label: String,
    house: bool,
    chips: Option<i64>,
    rounds: Option<i64>,
}

/// A match in a list, or by itself.
#[derive(Serialize)]
#[cfg_attr(test, derive(ts_rs::TS), ts(rename = "LadderMatch"))]
pub(super) struct MatchView {
    #[cfg_attr(test, ts(type = "number"))]
    id: MatchId,
    name: String,
    kind: &'static str,
    state: &'static str,
    /// Why it is void.
    reason: Option<String>,
    planned_ms: i64,
    began_ms: Option<i64>,
    ended_ms: Option<i64>,
    decks: i64,
    rounds: Option<i64>,
    seats: Vec<MatchSeatView>,
}

impl MatchView {
    fn of(found: &Match, named: &BTreeMap<VersionId, Version>) -> MatchView {
        let seat = |seat: &casino_ladder::MatchSeat| {
            let version = named.get(&seat.version);
            MatchSeatView {
                player: version.map(|version| version.player),
                name: version.map(|version| version.player_name().to_string()).unwrap_or_default(),
                label: version.map(|version| version.label.clone()).unwrap_or_default(),
                house: version.is_some_and(|version| version.kind == VersionKind::House),
                chips: seat.result.map(|result| result.chips),
                rounds: seat.result.map(|result| result.rounds),
            }
        };
        MatchView {
            id: found.id,
            name: found.name.clone(),
            kind: found.kind.word(),
            state: found.state.word(),
            reason: found.reason.clone(),
            planned_ms: found.planned_ms,
            began_ms: found.began_ms,
            ended_ms: found.ended_ms,
            decks: found.decks,
            rounds: found.rounds,
            seats: found.seats.iter().map(seat).collect(),
        }
    }

    pub(super) fn numbered(ladder: &Ladder, id: MatchId) -> Result<MatchView, LadderError> {
        let found = ladder.match_of(id)?;
        let named = ladder.named(found.seats.iter().map(|seat| seat.version))?;
        Ok(MatchView::of(&found, &named))
    }

    pub(super) fn list(ladder: &Ladder, filter: MatchFilter) -> Result<Vec<MatchView>, LadderError> {
        let found = ladder.page_of_matches(filter)?;
        let named = ladder.named(found.iter().flat_map(|found| &found.seats).map(|seat| seat.version))?;
        Ok(found.iter().map(|found| MatchView::of(found, &named)).collect())
    }
}
