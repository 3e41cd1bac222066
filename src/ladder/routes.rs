//! The addresses of a ladder's page. All links are relative, so the page works below any path of a reverse proxy.

use std::future::poll_fn;
use std::pin::Pin;
use std::sync::Arc;

use axum::body::HttpBody;
use axum::extract::{DefaultBodyLimit, FromRequestParts, Path, Request, State};
use axum::http::request::Parts;
use axum::http::{HeaderMap, StatusCode, header};
use axum::middleware::map_response;
use axum::response::{IntoResponse, Response};
use axum::routing::{get, post};
use axum::{Json, Router};
use serde::de::DeserializeOwned;
use serde::{Deserialize, Serialize};
use serde_json::json;

use casino_ladder::{LadderError, MatchFilter, MatchId, MatchKind, PlayerId, PlayerRecord, VersionId};

use super::own::{ChallengeForm, OwnView, Upload, challenge};
use super::pages::{MATCHES_PER_PAGE, MatchView};
use super::player_page::{self, LadderPlayerPage};
use super::{LadderState, replays, teacher};
use crate::web::{PageFile, Sent, guarded, key_of, routed};

const MAX_BODY_BYTES: usize = 8 * 1024;

pub(super) type SharedState = State<Arc<LadderState>>;

/// The parts of an address. Those that cannot be used are refused in a sentence.
pub(super) struct Addressed<T>(pub(super) T);

impl<S: Send + Sync, T: DeserializeOwned + Send> FromRequestParts<S> for Addressed<T> {
    type Rejection = (StatusCode, &'static str);

    async fn from_request_parts(parts: &mut Parts, state: &S) -> Result<Addressed<T>, Self::Rejection> {
        let why = "This address leads nowhere: players, matches and versions have whole numbers.";
        let path = Path::from_request_parts(parts, state).await;
        path.map(|Path(named)| Addressed(named)).map_err(|_| (StatusCode::BAD_REQUEST, why))
    }
}

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
    found_by(&state, work).await.unwrap_or_else(|response| response)
}

/// The result of something that reads or writes the ladder, or the answer that it failed.
pub(super) async fn found_by<T: Send + 'static>(
    state: &Arc<LadderState>,
    work: impl FnOnce(&LadderState) -> Result<T, LadderError> + Send + 'static,
) -> Result<T, Response> {
    let state = Arc::clone(state);
    match tokio::task::spawn_blocking(move || work(&state)).await {
        Ok(found) => found.map_err(|error| refusal(&error)),
        Err(_) => {
            let why = "The ladder failed at this: tell the teacher.";
            Err((StatusCode::INTERNAL_SERVER_ERROR, why).into_response())
        }
    }
}

/// The answer of something that cannot be done.
pub(super) fn refusal(error: &LadderError) -> Response {
    let status = match error {
        LadderError::Unknown { .. } => StatusCode::NOT_FOUND,
        LadderError::Refused(_) => StatusCode::CONFLICT,
        LadderError::Full(_) => StatusCode::INSUFFICIENT_STORAGE,
        _ => StatusCode::INTERNAL_SERVER_ERROR,
    };
    // An error on a file names a path of this machine, which is not public.
    let why = match status {
        StatusCode::INTERNAL_SERVER_ERROR => "The ladder cannot do this now: tell the teacher.".to_string(),
        _ => error.to_string(),
    };
    (status, why).into_response()
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

async fn player(State(state): SharedState, Addressed(id): Addressed<i64>) -> Response {
    answered(state, move |state| Ok(json(&LadderPlayerPage::of(state, PlayerId(id))?))).await
}

async fn compared(
    State(state): SharedState,
    Addressed((id, one, other)): Addressed<(i64, i64, i64)>,
) -> Response {
    answered(state, move |state| {
        let words = player_page::compared(state, PlayerId(id), [one, other])?;
        Ok(json(&json!({ "words": words })))
    })
    .await
}

/// Which matches: numbers of players or 0, a kind or `all`, and the number of a match or 0 before which they are.
type MatchesPath = Addressed<(i64, i64, String, i64)>;

async fn matches(
    State(state): SharedState,
    Addressed((player, opponent, kind, before)): MatchesPath,
) -> Response {
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

async fn one_match(State(state): SharedState, Addressed(id): Addressed<i64>) -> Response {
    answered(state, move |state| Ok(json(&MatchView::numbered(&state.reading(), MatchId(id))?))).await
}

async fn me(State(state): SharedState, headers: HeaderMap) -> Response {
    owned(state, &headers, |state, player| Ok(json(&OwnView::of(&state.reading(), &player)?))).await
}

/// The output of one's own version.
async fn version_output(
    State(state): SharedState,
    headers: HeaderMap,
    Addressed(id): Addressed<i64>,
) -> Response {
    owned(state, &headers, move |state, player| {
        let ladder = state.reading();
        let version = ladder.version(VersionId(id))?;
        if version.player != player.id {
            return Err(LadderError::Unknown { what: "version", which: id.to_string() });
        }
        let (build, matches) = (ladder.build_output(version.id)?, ladder.match_outputs(version.id)?);
        Ok(json(&json!({ "build": build, "matches": matches })))
    })
    .await
}

/// The key and the quotas are checked before any byte of a submission is read, which then goes to a file as it comes.
async fn submit(State(state): SharedState, Addressed(name): Addressed<String>, request: Request) -> Response {
    let (head, mut body) = request.into_parts();
    let key = key_of(&head.headers).to_string();
    let shared = Arc::clone(&state);
    let begun = found_by(&state, move |state| {
        let player = state.reading().player_of_key(&key)?;
        player.map(|player| Upload::begin(shared, player.id, &name)).transpose()
    });
    let mut upload = match begun.await {
        Ok(Some(upload)) => upload,
        Ok(None) => return unauthorized(),
        Err(response) => return response,
    };
    let is_too_long = || {
        let why = "A submission has to come whole, and within the quota: hand in the sources alone.";
        (StatusCode::PAYLOAD_TOO_LARGE, why).into_response()
    };
    let length =
        head.headers.get(header::CONTENT_LENGTH).and_then(|length| length.to_str().ok()?.parse().ok());
    if length.is_some_and(|length: u64| length > upload.left()) {
        return is_too_long();
    }
    while let Some(frame) = poll_fn(|context| Pin::new(&mut body).poll_frame(context)).await {
        let Ok(frame) = frame else { return is_too_long() };
        let Some(bytes) = frame.data_ref() else { continue };
        match upload.add(bytes) {
            Ok(true) => {}
            Ok(false) => return is_too_long(),
            Err(error) => return refusal(&error),
        }
    }
    answered(state, move |state| {
        let version = upload.hand_in()?;
        let version = state.reading().version(version)?;
        Ok(json(&json!({ "label": version.label, "state": version.state.word() })))
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
    Sent(form): Sent<ActivateRequest>,
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

async fn challenged(
    State(state): SharedState,
    headers: HeaderMap,
    Sent(form): Sent<ChallengeForm>,
) -> Response {
    owned(state, &headers, move |state, player| {
        let id = challenge(&mut state.ladder(), &player, &form)?;
        state.forget_overview();
        Ok(json(&json!({ "match": id })))
    })
    .await
}
