//! The addresses of a ladder's page. All links are relative, so the page works below any path of a reverse proxy.

use std::sync::Arc;

use axum::body::{Body, to_bytes};
use axum::extract::{DefaultBodyLimit, Path, Request, State};
use axum::http::{HeaderMap, StatusCode, header};
use axum::middleware::map_response;
use axum::response::{IntoResponse, Response};
use axum::routing::{get, post};
use axum::{Json, Router};
use serde::{Deserialize, Serialize};

use casino_ladder::{LadderError, MatchFilter, MatchId, MatchKind, PlayerId, PlayerRecord, VersionId};

use super::own::{ChallengeForm, OwnView, challenge, check_archive_name, hand_in};
use super::pages::{MATCHES_PER_PAGE, MatchView};
use super::player_page::{self, LadderPlayerPage};
use super::{LadderState, replays, teacher};
use crate::web::{PageFile, guarded, key_of, routed};

const MAX_BODY_BYTES: usize = 8 * 1024;

pub(super) type SharedState = State<Arc<LadderState>>;

macro_rules! page_files {
    ($($path:literal $kind:literal $file:literal),* $(,)?) => {
        [$(($path, $kind, include_str!($file))),*]
    };
}

const FILES: [PageFile; 12] = page_files!(
    "/" "text/html; charset=utf-8" "../web/assets/ladder.html",
    "/console.html" "text/html; charset=utf-8" "../web/assets/ladder_console.html",
    "/ladder.css" "text/css" "../web/assets/ladder.css",
    "/ladder.js" "text/javascript" "../web/assets/ladder.js",
    "/ladder_parts.js" "text/javascript" "../web/assets/ladder_parts.js",
    "/ladder_player.js" "text/javascript" "../web/assets/ladder_player.js",
    "/ladder_own.js" "text/javascript" "../web/assets/ladder_own.js",
    "/ladder_console.js" "text/javascript" "../web/assets/ladder_console.js",
    "/view.js" "text/javascript" "../web/assets/view.js",
    "/emblem.js" "text/javascript" "../web/assets/emblem.js",
    "/page.css" "text/css" "../web/assets/page.css",
    "/icon.svg" "image/svg+xml" "../web/assets/icon.svg",
);

pub(super) fn routes(state: Arc<LadderState>) -> Router {
    let files = routed(Router::new(), FILES);
    files
        .route("/api/overview", get(overview))
        .route("/api/player/{id}", get(player))
        .route("/api/matches/{player}/{opponent}/{kind}/{before}", get(matches))
        .route("/api/match/{id}", get(one_match))
        .route("/api/match/{id}/verify", get(replays::verify))
        .route("/match/{id}/journal.jsonl", get(replays::journal))
        .route("/api/player/{id}/compare/{one}/{other}", get(compared))
        .route("/api/me", get(me))
        .route("/api/me/said/{version}", get(version_output))
        .route("/api/me/ticket", post(replays::ticket))
        .route("/api/me/activate", post(activate))
        .route("/api/me/challenge", post(challenged))
        .merge(teacher::routes(&state))
        .layer(DefaultBodyLimit::max(MAX_BODY_BYTES))
        .route("/api/me/submit/{name}", post(submit))
        .layer(map_response(guarded))
        .merge(replays::routes())
        .with_state(state)
}

/// The answer of something that reads or writes the ladder, which waits for a disk: not among those who only wait for sockets.
pub(super) async fn answered(
    state: Arc<LadderState>,
    work: impl FnOnce(&LadderState) -> Result<Response, LadderError> + Send + 'static,
) -> Response {
    match tokio::task::spawn_blocking(move || work(&state)).await {
        Ok(Ok(response)) => response,
        Ok(Err(error)) => {
            let status = match &error {
                LadderError::Unknown { .. } => StatusCode::NOT_FOUND,
                LadderError::Refused(_) => StatusCode::CONFLICT,
                LadderError::Full(_) => StatusCode::INSUFFICIENT_STORAGE,
                _ => StatusCode::INTERNAL_SERVER_ERROR,
            };
            // An error on a file names a path of this machine, which is not public.
            let why = match status {
                StatusCode::INTERNAL_SERVER_ERROR => {
                    "The ladder cannot do this now: tell the teacher.".to_string()
                }
                _ => error.to_string(),
            };
            (status, why).into_response()
        }
        Err(_) => (StatusCode::INTERNAL_SERVER_ERROR, "The ladder failed at this: tell the teacher.")
            .into_response(),
    }
}

/// The answer of something that the key's owner alone may do.
pub(super) async fn owned(
    state: Arc<LadderState>,
    headers: &HeaderMap,
    work: impl FnOnce(&LadderState, PlayerRecord) -> Result<Response, LadderError> + Send + 'static,
) -> Response {
    let key = key_of(headers).to_string();
    answered(state, move |state| {
        let player = state.reading().player_of_key(&key)?;
        match player {
            Some(player) => work(state, player),
            None => Ok(unauthorized()),
        }
    })
    .await
}

fn unauthorized() -> Response {
    let why = "This key opens nothing: use the link that you were given last, all of it, or ask the teacher for a new one.";
    (StatusCode::UNAUTHORIZED, why).into_response()
}

pub(super) fn json(answer: &impl Serialize) -> Response {
    Json(answer).into_response()
}

async fn overview(State(state): SharedState) -> Response {
    answered(state, |state| {
        Ok(([(header::CONTENT_TYPE, "application/json")], state.overview()?).into_response())
    })
    .await
}

async fn player(State(state): SharedState, Path(id): Path<i64>) -> Response {
    answered(state, move |state| Ok(json(&LadderPlayerPage::of(state, PlayerId(id))?))).await
}

#[derive(Serialize)]
struct Compared {
    words: String,
}

async fn compared(State(state): SharedState, Path((id, one, other)): Path<(i64, i64, i64)>) -> Response {
    answered(state, move |state| {
        let words = player_page::compared(state, PlayerId(id), [one, other])?;
        Ok(json(&Compared { words }))
    })
    .await
}

/// Which matches: numbers of players or 0, a kind or `all`, and the number of a match or 0 before which they are.
type MatchesPath = Path<(i64, i64, String, i64)>;

async fn matches(State(state): SharedState, Path((player, opponent, kind, before)): MatchesPath) -> Response {
    let some = |number: i64| Some(number).filter(|number| *number > 0);
    let kinds = [MatchKind::Rated, MatchKind::Challenge];
    let filter = MatchFilter {
        player: some(player).map(PlayerId),
        opponent: some(opponent).map(PlayerId),
        kind: kinds.into_iter().find(|known| known.word() == kind),
        state: None,
        before: some(before).map(MatchId),
        most: MATCHES_PER_PAGE,
    };
    answered(state, move |state| Ok(json(&MatchView::list(&state.reading(), filter)?))).await
}

async fn one_match(State(state): SharedState, Path(id): Path<i64>) -> Response {
    answered(state, move |state| Ok(json(&MatchView::numbered(&state.reading(), MatchId(id))?))).await
}

async fn me(State(state): SharedState, headers: HeaderMap) -> Response {
    owned(state, &headers, |state, player| Ok(json(&OwnView::of(&state.reading(), &player)?))).await
}

/// The output of one's own version.
#[derive(Serialize)]
struct VersionOutput {
    build: Option<String>,
    matches: Option<String>,
}

async fn version_output(State(state): SharedState, headers: HeaderMap, Path(id): Path<i64>) -> Response {
    owned(state, &headers, move |state, player| {
        let ladder = state.reading();
        let version = ladder.version(VersionId(id))?;
        if version.player != player.id {
            return Err(LadderError::Unknown { what: "version", which: id.to_string() });
        }
        let (build, matches) = (ladder.build_output(version.id)?, ladder.match_outputs(version.id)?);
        Ok(json(&VersionOutput { build, matches }))
    })
    .await
}

#[derive(Serialize)]
struct Submitted {
    label: String,
    state: &'static str,
}

/// The key is checked before any byte of a submission is read.
async fn submit(State(state): SharedState, Path(name): Path<String>, request: Request) -> Response {
    let (head, body) = request.into_parts();
    let key = key_of(&head.headers).to_string();
    let who = Arc::clone(&state);
    let found = tokio::task::spawn_blocking(move || {
        let ladder = who.reading();
        let player = ladder.player_of_key(&key)?;
        Ok::<_, LadderError>(player.zip(Some(ladder.settings()?.quotas.submission_bytes)))
    });
    let (player, most) = match found.await {
        Ok(Ok(Some(found))) => found,
        Ok(Ok(None)) => return unauthorized(),
        Ok(Err(error)) => return answered(state, move |_| Err(error)).await,
        Err(_) => return StatusCode::INTERNAL_SERVER_ERROR.into_response(),
    };
    if let Err(error) = check_archive_name(&name) {
        return (StatusCode::CONFLICT, error.to_string()).into_response();
    }
    let bytes = to_bytes(Body::new(body), usize::try_from(most).unwrap_or(usize::MAX)).await;
    let Ok(bytes) = bytes else {
        let why = format!(
            "A submission has at most {most} bytes, and has to come whole: hand in the sources alone."
        );
        return (StatusCode::PAYLOAD_TOO_LARGE, why).into_response();
    };
    answered(state, move |state| {
        let mut ladder = state.ladder();
        let id = hand_in(&mut ladder, &player, &name, &bytes)?;
        let version = ladder.version(id)?;
        Ok(json(&Submitted { label: version.label, state: version.state.word() }))
    })
    .await
}

#[derive(Deserialize)]
struct ActivateRequest {
    version: VersionId,
}

async fn activate(
    State(state): SharedState,
    headers: HeaderMap,
    Json(form): Json<ActivateRequest>,
) -> Response {
    owned(state, &headers, move |state, player| {
        let mut ladder = state.ladder();
        if ladder.version(form.version)?.player != player.id {
            return Err(LadderError::Unknown { what: "version", which: form.version.to_string() });
        }
        ladder.activate(form.version)?;
        Ok(StatusCode::NO_CONTENT.into_response())
    })
    .await
}

#[derive(Serialize)]
struct Challenged {
    #[serde(rename = "match")]
    id: MatchId,
}

async fn challenged(
    State(state): SharedState,
    headers: HeaderMap,
    Json(form): Json<ChallengeForm>,
) -> Response {
    owned(state, &headers, move |state, player| {
        let id = challenge(&mut state.ladder(), &player, &form)?;
        state.forget_overview();
        Ok(json(&Challenged { id }))
    })
    .await
}
