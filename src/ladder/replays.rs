//! Finished matches: their proof, their journal, and their replay. The public replay shows the visible cards; a
//! player's own replay adds its hole cards and the coach's verdicts on its decisions.

use std::fs::File;
use std::io::BufReader;
use std::sync::Arc;

use axum::extract::State;
use axum::http::{HeaderMap, HeaderValue, StatusCode, header};
use axum::middleware::map_response;
use axum::response::{IntoResponse, Response};
use axum::routing::get;
use axum::{Extension, Router};
use serde::Deserialize;
use sha2::{Digest, Sha256};

use casino_ladder::{Ladder, LadderError, Match, MatchId, MatchState, PlayerId};
use casino_stud::hex::hex;
use casino_stud::journal::Reader;
use casino_stud::replay::{HouseBots, PublicRecord, Replay};
use casino_system::files;

use super::heavy::{HeavyAnswer, Place, heavy};
use super::routes::{Addressed, SharedState, found_by, json, owned};
use super::{LadderState, now_ms};
use crate::show::ReplayPage;
use crate::web::{RemoteMachine, Sent, guarded};

/// The permissions of a replay, which is one file with all of its scripts: it runs in an origin of its own, so that it
/// has no access to a key.
const REPLAY_RULES: &str = "default-src 'none'; script-src 'unsafe-inline' data:; style-src 'unsafe-inline'; base-uri 'none'; \
                            form-action 'none'; frame-ancestors 'none'; sandbox allow-scripts";

const TICKET_LIFETIME_MS: i64 = 3_600_000;

/// The replays, which stand alone.
pub(super) fn routes() -> Router<Arc<LadderState>> {
    Router::new()
        .route("/match/{id}/replay.html", get(replay))
        .route("/match/{id}/{ticket}/replay.html", get(own_replay))
        .layer(map_response(alone))
}

/// The rules of every page, and for a file that stands alone its own.
async fn alone(response: Response) -> Response {
    let mut response = guarded(response).await;
    response.headers_mut().insert(header::CONTENT_SECURITY_POLICY, HeaderValue::from_static(REPLAY_RULES));
    response
}

/// A finished match: before, its cards are secret.
fn played(state: &LadderState, id: MatchId) -> Result<Match, LadderError> {
    let found = state.reading().match_of(id)?;
    match found.state {
        MatchState::Played => Ok(found),
        _ => Err(LadderError::Refused("this match has not been played to its end".to_string())),
    }
}

pub(super) async fn verify(State(state): SharedState, Addressed(id): Addressed<i64>, from: From) -> Response {
    of_match(state, address(from), "verify", id, |state, found| {
        // A handle of its own, because it takes long.
        let ladder = Ladder::open_to_read(state.reading().folder())?;
        let (proved, words) = match ladder.verify_match(found)? {
            Ok(proof) => {
                let words = "rounds, and every chip is as shown here.";
                (true, format!("Replayed from its journal: {} {words}", proof.rounds))
            }
            Err(_) => (false, "The journal does not prove this match: tell the teacher.".to_string()),
        };
        let told = serde_json::json!({ "proved": proved, "words": words }).to_string();
        Ok(HeavyAnswer::new("application/json", told))
    })
    .await
}

/// Where a request came from.
type From = Extension<RemoteMachine>;

fn address(Extension(from): From) -> Place {
    Place::Address(from.0)
}

/// An expensive answer about a match that is over, kept by the hash of its journal.
async fn of_match(
    state: Arc<LadderState>,
    from: Place,
    what: &str,
    id: i64,
    work: impl FnOnce(&LadderState, &Match) -> Result<HeavyAnswer, LadderError> + Send + 'static,
) -> Response {
    match found_by(&state, move |state| played(state, MatchId(id))).await {
        Ok(found) => {
            let thing = format!("{what} {}", found.journal_sha256.as_deref().unwrap_or_default());
            heavy(state, from, thing, move |state| work(state, &found)).await
        }
        Err(response) => response,
    }
}

fn opened(ladder: &Ladder, found: &Match) -> Result<BufReader<File>, LadderError> {
    let place = ladder.journal(&found.name);
    let opened = files::open(&place).map(BufReader::new);
    opened.map_err(LadderError::file(&place))
}

/// The public record of a finished match: without GitHubIds and messages of programs.
fn record(state: &LadderState, found: &Match) -> Result<Vec<u8>, LadderError> {
    let open = || opened(&state.reading(), found);
    let broken = |_| LadderError::Refused("its journal cannot be read: tell the teacher".to_string());
    let record = PublicRecord::of(open()?).map_err(broken)?;
    let mut bytes = Vec::new();
    record.write(open()?, &mut bytes).map_err(broken)?;
    Ok(bytes)
}

/// The journal of a match that is over, played again.
fn replayed(bytes: &[u8]) -> Result<Replay<&[u8]>, LadderError> {
    let broken = |why: String| LadderError::Refused(format!("it cannot be shown: {why}"));
    let reader = Reader::new(bytes).map_err(|error| broken(error.to_string()))?;
    Replay::new(reader, HouseBots::AsRecorded).map_err(|error| broken(error.to_string()))
}

pub(super) async fn journal(
    State(state): SharedState,
    Addressed(id): Addressed<i64>,
    from: From,
) -> Response {
    of_match(state, address(from), "journal", id, |state, found| {
        let mut answer = HeavyAnswer::new("application/x-ndjson", record(state, found)?);
        let name = HeaderValue::try_from(format!("attachment; filename=\"{}.jsonl\"", found.name));
        answer.head.extend(name.ok().map(|name| (header::CONTENT_DISPOSITION, name)));
        Ok(answer)
    })
    .await
}

/// The replay of a match: public, or for the player with this label.
fn page(bytes: &[u8], label: Option<&str>) -> Result<HeavyAnswer, LadderError> {
    let broken = |why: String| LadderError::Refused(format!("it cannot be shown: {why}"));
    let journal = replayed(bytes)?;
    let seed = journal.header().seed().map_err(|why| broken(why.to_string()))?;
    let players = casino_stud::replay::names(journal.header());
    let (page, rounds) = ReplayPage::of(journal, &seed).map_err(|error| broken(error.to_string()))?;
    let file = match label {
        None => page.keeping_secrets().file(|_, _| ()),
        Some(label) => {
            let player = players.iter().position(|name| name == label);
            let player = player.ok_or_else(|| broken(format!("{label} does not sit in it")))?;
            let page = page.for_player(player);
            page.coached(rounds);
            page.file(|_, _| ())
        }
    };
    let file = file.map_err(|why| broken(why.to_string()))?;
    Ok(HeavyAnswer::new("text/html; charset=utf-8", file))
}

async fn replay(State(state): SharedState, Addressed(id): Addressed<i64>, from: From) -> Response {
    of_match(state, address(from), "replay", id, |state, found| page(&record(state, found)?, None)).await
}

async fn own_replay(
    State(state): SharedState,
    Addressed((id, ticket)): Addressed<(i64, String)>,
) -> Response {
    let Some(player) = holder(&state, &ticket, MatchId(id), now_ms()) else {
        let why = "This link opens nothing any more: go to the match from your place again.";
        return (StatusCode::UNAUTHORIZED, why).into_response();
    };
    of_match(state, Place::Player(player), &format!("replay of {player}"), id, move |state, found| {
        let label = label_in(&state.reading(), found, player)?;
        page(&record(state, found)?, Some(&label))
    })
    .await
}

/// The label of the version with which a player sat in a match.
fn label_in(ladder: &Ladder, found: &Match, player: PlayerId) -> Result<String, LadderError> {
    for seat in &found.seats {
        let version = ladder.version(seat.version)?;
        if version.player == player {
            return Ok(version.label);
        }
    }
    Err(LadderError::Unknown { what: "seat of yours in match", which: found.id.to_string() })
}

/// The seal of a ticket from this process: a SHA-256 over a secret and numbers of a fixed length.
fn seal(state: &LadderState, id: MatchId, player: PlayerId, until_ms: i64) -> String {
    let mut digest = Sha256::new();
    digest.update(&state.secret);
    for number in [id.0, player.0, until_ms] {
        digest.update(number.to_be_bytes());
    }
    hex(digest.finalize())
}

/// The owner of this ticket for a match, if it is a valid one.
fn holder(state: &LadderState, ticket: &str, id: MatchId, now_ms: i64) -> Option<PlayerId> {
    let mut parts = ticket.splitn(3, '-');
    let player = PlayerId(parts.next()?.parse().ok()?);
    let until_ms: i64 = parts.next()?.parse().ok()?;
    // Digests of both are compared, so that the time it takes tells nothing of the right one.
    let is_same = Sha256::digest(parts.next()?) == Sha256::digest(seal(state, id, player, until_ms));
    (is_same && now_ms < until_ms).then_some(player)
}

#[derive(Deserialize)]
pub(super) struct TicketForm {
    #[serde(rename = "match")]
    id: MatchId,
}

/// A link to the replay of a match of one's own, with one's own cards. A key has no place in an address: this opens one match for
/// an hour.
pub(super) async fn ticket(
    State(state): SharedState,
    headers: HeaderMap,
    Sent(form): Sent<TicketForm>,
) -> Response {
    owned(state, &headers, move |state, player| {
        let found = played(state, form.id)?;
        label_in(&state.ladder(), &found, player.id)?;
        let until_ms = now_ms() + TICKET_LIFETIME_MS;
        let seal = seal(state, found.id, player.id, until_ms);
        let path = format!("match/{}/{}-{until_ms}-{seal}/replay.html", found.id, player.id);
        // Where the replay is, from the page on.
        Ok(json(&serde_json::json!({ "path": path })))
    })
    .await
}

#[cfg(test)]
mod tests {
    use super::super::tests::Served;
    use super::*;

    #[test]
    fn a_ticket_is_for_one_player_one_match_and_one_hour() {
        let served = Served::new();
        let (state, id) = (&served.state, MatchId(7));
        let ticket = format!("{}-{}-{}", served.ada, 100, seal(state, id, served.ada, 100));
        assert_eq!(holder(state, &ticket, id, 99), Some(served.ada));
        assert_eq!(holder(state, &ticket, id, 100), None, "it is over");
        assert_eq!(holder(state, &ticket, MatchId(8), 99), None, "of another match");
        for forged in [
            ticket.replacen(&served.ada.to_string(), &served.bob.to_string(), 1),
            ticket.replacen("-100-", "-1000-", 1),
            ticket[..ticket.len() - 1].to_string(),
            String::new(),
            "--".to_string(),
        ] {
            assert_eq!(holder(state, &forged, id, 99), None, "{forged}");
        }
    }
}
