//! What everybody may see, as the page gets it.

use std::collections::BTreeMap;

use serde::Serialize;

use casino_ladder::{
    Ladder, LadderError, Match, MatchFilter, MatchId, MatchKind, MatchState, Player, PlayerId, Ratings,
    Version, VersionId, VersionState, compare,
};

use super::Desk;

/// How many points of a trend are shown.
const TREND: usize = 40;

/// How many matches are on one page.
pub(super) const MATCHES: u32 = 50;

/// How many of a player's matches its matchups are made of.
const MATCHUPS: u32 = 400;

/// How many fouls of a player are told.
const FOULS: usize = 50;

/// Names of versions and players, looked up once for all of an answer.
pub(super) struct Names {
    players: BTreeMap<PlayerId, Player>,
    versions: BTreeMap<VersionId, Version>,
}

impl Names {
    pub(super) fn of(ladder: &Ladder) -> Result<Names, LadderError> {
        let players = ladder.players()?.into_iter().map(|player| (player.id, player)).collect();
        let versions = ladder.versions()?.into_iter().map(|version| (version.id, version)).collect();
        Ok(Names { players, versions })
    }

    fn player(&self, version: VersionId) -> Option<&Player> {
        self.players.get(&self.versions.get(&version)?.player)
    }
}

/// A player in the leaderboard.
#[derive(Serialize)]
struct Standing {
    id: PlayerId,
    name: String,
    house: bool,
    version: Option<i64>,
    /// How the active version comes to play, and whether it may.
    kind: Option<&'static str>,
    state: Option<&'static str>,
    /// Whether a program that connects by itself is connected and waits.
    here: bool,
    value: Option<f64>,
    half: Option<f64>,
    matches: u64,
    rounds: u64,
    trend: Vec<f64>,
}

/// Somebody whose turn comes.
#[derive(Serialize)]
struct Queued {
    name: String,
    label: String,
    waited_ms: i64,
}

/// The first page.
#[derive(Serialize)]
pub(super) struct Overview {
    now_ms: i64,
    announcement: String,
    paused: bool,
    frozen: bool,
    /// What is in the way of playing.
    problem: Option<String>,
    /// Which house bot is the zero of the scale.
    zero: Option<String>,
    longest_wait_s: u64,
    standings: Vec<Standing>,
    playing: Vec<MatchView>,
    planned: Vec<MatchView>,
    queue: Vec<Queued>,
    last: Vec<MatchView>,
    played: i64,
}

impl Overview {
    pub(super) fn of(desk: &Desk, now_ms: i64) -> Result<Overview, LadderError> {
        let ratings = desk.ratings()?;
        let ladder = desk.ladder();
        let settings = ladder.settings()?;
        let names = Names::of(&ladder)?;
        let mut standings = names
            .players
            .values()
            .filter(|player| player.retired_ms.is_none())
            .map(|player| standing(player, &names, &ladder, &ratings, desk.door.is_here(player.id)))
            .collect::<Result<Vec<_>, _>>()?;
        standings.sort_by(|one, other| {
            let value = |row: &Standing| row.value.unwrap_or(f64::NEG_INFINITY);
            value(other).total_cmp(&value(one)).then(one.id.cmp(&other.id))
        });
        let list = |state, most| {
            let found = ladder.matches(MatchFilter { state: Some(state), most, ..MatchFilter::default() })?;
            Ok::<_, LadderError>(found.iter().map(|found| MatchView::of(found, &names)).collect())
        };
        let is_here = |version: &Version| desk.door.is_here(version.player);
        let mut queue: Vec<_> = ladder.candidates(&ratings, is_here, now_ms)?;
        queue.retain(|candidate| !candidate.is_house);
        queue.sort_by_key(|candidate| (-candidate.waited_ms, candidate.label.clone()));
        let queued = |candidate: casino_ladder::Candidate| Queued {
            name: candidate.label.rsplit_once('/').map_or(String::new(), |(name, _)| name.to_string()),
            waited_ms: candidate.waited_ms,
            label: candidate.label,
        };
        let problem = super::lock(&desk.problem).clone();
        Ok(Overview {
            now_ms,
            announcement: settings.announcement,
            paused: settings.is_paused,
            frozen: settings.is_frozen,
            problem: problem
                .map(|_| "Something is in the way of playing; the teacher's console says what.".to_string()),
            zero: ratings.zero().map(str::to_string),
            longest_wait_s: settings.longest_wait_s,
            standings,
            playing: list(MatchState::Playing, 0)?,
            planned: list(MatchState::Planned, MATCHES)?,
            queue: queue.into_iter().map(queued).collect(),
            last: list(MatchState::Played, 10)?,
            played: ladder.count_matches(MatchState::Played)?,
        })
    }
}

fn standing(
    player: &Player,
    names: &Names,
    ladder: &Ladder,
    ratings: &Ratings,
    here: bool,
) -> Result<Standing, LadderError> {
    let version = player.active_version.and_then(|id| names.versions.get(&id));
    let rating = version.and_then(|version| ratings.of(&version.label)).filter(|rating| rating.matches > 0);
    let trend = version.map(|version| ladder.trend(version.id)).transpose()?.unwrap_or_default();
    Ok(Standing {
        id: player.id,
        name: player.name.clone(),
        house: player.is_house,
        version: version.map(|version| version.number),
        kind: version.map(|version| version.kind.word()),
        state: version.map(|version| version.state.word()),
        here,
        value: rating.map(|rating| rating.value),
        half: rating.and_then(|rating| rating.half),
        matches: rating.map_or(0, |rating| rating.matches),
        rounds: rating.map_or(0, |rating| rating.rounds),
        trend: thinned(&trend.iter().map(|past| past.value).collect::<Vec<_>>()),
    })
}

/// At most so many of these points as are shown, the last among them.
fn thinned(points: &[f64]) -> Vec<f64> {
    let step = points.len().div_ceil(TREND).max(1);
    let mut kept: Vec<f64> = points.iter().rev().step_by(step).copied().collect();
    kept.reverse();
    kept
}

/// A seat of a match.
#[derive(Serialize)]
struct SeatView {
    player: Option<PlayerId>,
    name: String,
    label: String,
    house: bool,
    chips: Option<i64>,
    rounds: Option<i64>,
    place: Option<i64>,
}

/// A match in a list, or by itself.
#[derive(Serialize)]
pub(super) struct MatchView {
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
    journal_sha256: Option<String>,
    journal_bytes: Option<i64>,
    seats: Vec<SeatView>,
}

impl MatchView {
    pub(super) fn of(found: &Match, names: &Names) -> MatchView {
        let seat = |seat: &casino_ladder::MatchSeat| {
            let player = names.player(seat.version);
            SeatView {
                player: player.map(|player| player.id),
                name: player.map(|player| player.name.clone()).unwrap_or_default(),
                label: names
                    .versions
                    .get(&seat.version)
                    .map(|version| version.label.clone())
                    .unwrap_or_default(),
                house: player.is_some_and(|player| player.is_house),
                chips: seat.result.map(|result| result.chips),
                rounds: seat.result.map(|result| result.rounds),
                place: seat.result.and_then(|result| result.place),
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
            journal_sha256: found.journal_sha256.clone(),
            journal_bytes: found.journal_bytes,
            seats: found.seats.iter().map(seat).collect(),
        }
    }

    pub(super) fn numbered(ladder: &Ladder, id: MatchId) -> Result<MatchView, LadderError> {
        Ok(MatchView::of(&ladder.match_of(id)?, &Names::of(ladder)?))
    }

    pub(super) fn list(ladder: &Ladder, filter: MatchFilter) -> Result<Vec<MatchView>, LadderError> {
        let names = Names::of(ladder)?;
        Ok(ladder.matches(filter)?.iter().map(|found| MatchView::of(found, &names)).collect())
    }
}

/// A version, without what only its author is told.
#[derive(Serialize)]
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
    /// What can be said of it beside the version before it.
    than_before: Option<String>,
}

/// How a player did in the matches in which it sat with another one.
#[derive(Serialize)]
struct Matchup {
    id: PlayerId,
    name: String,
    matches: u64,
    chips: i64,
    rounds: i64,
}

/// A foul, without what the program sent.
#[derive(Serialize)]
struct FoulView {
    #[serde(rename = "match")]
    in_match: MatchId,
    round: u64,
    name: String,
}

/// The page of a player.
#[derive(Serialize)]
pub(super) struct PlayerView {
    id: PlayerId,
    name: String,
    house: bool,
    retired: bool,
    here: bool,
    versions: Vec<VersionView>,
    trend: Vec<f64>,
    /// Chips a round in the last matches, the oldest first.
    form: Vec<f64>,
    matchups: Vec<Matchup>,
    fouls: Vec<FoulView>,
}

impl PlayerView {
    pub(super) fn of(desk: &Desk, id: PlayerId) -> Result<PlayerView, LadderError> {
        let ratings = desk.ratings()?;
        let here = desk.door.is_here(id);
        let ladder = desk.ladder();
        let player = ladder.player(id)?;
        let names = Names::of(&ladder)?;
        let versions = ladder.versions_of(id)?;
        let trend =
            player.active_version.map(|version| ladder.trend(version)).transpose()?.unwrap_or_default();
        let state = Some(MatchState::Played);
        let filter = MatchFilter { player: Some(id), state, most: MATCHUPS, ..MatchFilter::default() };
        let played = ladder.matches(filter)?;
        Ok(PlayerView {
            id,
            house: player.is_house,
            retired: player.retired_ms.is_some(),
            here,
            versions: versions_shown(&versions, &player, &ratings),
            trend: thinned(&trend.iter().map(|past| past.value).collect::<Vec<_>>()),
            form: form(&played, id, &names),
            matchups: matchups(&played, id, &names),
            fouls: if player.is_house { Vec::new() } else { fouls(&ladder, &played, id, &names)? },
            name: player.name,
        })
    }
}

fn versions_shown(versions: &[Version], player: &Player, ratings: &Ratings) -> Vec<VersionView> {
    let shown = |(at, version): (usize, &Version)| {
        let rating = ratings.of(&version.label).filter(|rating| rating.matches > 0);
        let before = at.checked_sub(1).and_then(|at| versions.get(at));
        let than_before = before
            .filter(|before| ratings.of(&before.label).is_some_and(|rating| rating.matches > 0))
            .filter(|_| rating.is_some())
            .and_then(|before| compare(ratings, &version.label, &before.label, None))
            .map(|comparison| comparison.in_words());
        VersionView {
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
        }
    };
    versions.iter().enumerate().map(shown).rev().collect()
}

fn own_seats<'a>(
    found: &'a Match,
    id: PlayerId,
    names: &'a Names,
) -> impl Iterator<Item = (usize, casino_ladder::SeatResult)> + 'a {
    let own = move |version| names.player(version).is_some_and(|player| player.id == id);
    let seats = found.seats.iter().enumerate().filter(move |(_, seat)| own(seat.version));
    seats.filter_map(|(number, seat)| Some((number, seat.result?)))
}

fn form(played: &[Match], id: PlayerId, names: &Names) -> Vec<f64> {
    let rated = played.iter().filter(|found| found.kind == MatchKind::Rated).take(TREND);
    let one = |found: &Match| {
        let (_, result) = own_seats(found, id, names).next()?;
        Some(result.chips as f64 / result.rounds.max(1) as f64)
    };
    let mut form: Vec<f64> = rated.filter_map(one).collect();
    form.reverse();
    form
}

fn matchups(played: &[Match], id: PlayerId, names: &Names) -> Vec<Matchup> {
    let mut all: BTreeMap<PlayerId, Matchup> = BTreeMap::new();
    for found in played.iter().filter(|found| found.kind != MatchKind::FreezeOut) {
        let Some((_, own)) = own_seats(found, id, names).next() else { continue };
        let others = found.seats.iter().filter_map(|seat| names.player(seat.version));
        for other in others.filter(|other| other.id != id) {
            let new = || Matchup { id: other.id, name: other.name.clone(), matches: 0, chips: 0, rounds: 0 };
            let matchup = all.entry(other.id).or_insert_with(new);
            matchup.matches += 1;
            matchup.chips += own.chips;
            matchup.rounds += own.rounds;
        }
    }
    all.into_values().collect()
}

fn fouls(
    ladder: &Ladder,
    played: &[Match],
    id: PlayerId,
    names: &Names,
) -> Result<Vec<FoulView>, LadderError> {
    let mut told = Vec::new();
    for found in played {
        let seats: Vec<usize> = own_seats(found, id, names).map(|(seat, _)| seat).collect();
        let own = ladder.fouls(found.id)?.into_iter().filter(|foul| seats.contains(&foul.seat));
        told.extend(own.map(|foul| FoulView { in_match: found.id, round: foul.round, name: foul.name }));
        if told.len() >= FOULS {
            break;
        }
    }
    told.truncate(FOULS);
    Ok(told)
}
