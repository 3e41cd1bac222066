//! The teacher's console: settings, connections and commands.

use std::sync::Arc;

use axum::Router;
use axum::extract::{Request, State};
use axum::http::StatusCode;
use axum::middleware::{Next, from_fn_with_state};
use axum::response::{IntoResponse, Response};
use axum::routing::{get, post};
use serde::{Deserialize, Serialize};
use sha2::{Digest, Sha256};

use casino_ladder::{PlayerId, Settings, Version};

use super::routes::{answered, json};
use super::{LadderState, lock, now_ms};
use crate::web::{Sent, key_of};

/// A player as the teacher sees it. GitHubIds stay in the database here too.
#[derive(Serialize)]
#[cfg_attr(test, derive(ts_rs::TS), ts(rename = "LadderPupil"))]
struct StudentView {
    #[cfg_attr(test, ts(type = "number"))]
    id: PlayerId,
    name: String,
    retired: bool,
    has_key: bool,
    here: bool,
    versions: usize,
    state: Option<&'static str>,
    reason: Option<String>,
}

#[derive(Serialize)]
#[cfg_attr(test, derive(ts_rs::TS), ts(rename = "LadderConsole"))]
pub(super) struct TeacherView {
    #[cfg_attr(test, ts(type = "LadderSettings"))]
    settings: Settings,
    problem: Option<String>,
    players: Vec<StudentView>,
}

pub(super) fn routes(state: &Arc<LadderState>) -> Router<Arc<LadderState>> {
    Router::new()
        .route("/api/teacher/overview", get(overview))
        .route("/api/teacher/settings", post(settings))
        .route("/api/teacher/retire", post(retire))
        .route("/api/teacher/key", post(new_key))
        .layer(from_fn_with_state(Arc::clone(state), with_token))
}

/// Lets a request through if it brings the token. Hashes are compared, so that the time it takes tells nothing of it.
async fn with_token(State(state): State<Arc<LadderState>>, request: Request, next: Next) -> Response {
    let brought: [u8; 32] = Sha256::digest(key_of(request.headers())).into();
    if brought == state.token {
        return next.run(request).await;
    }
    let why = "The console needs the token that was printed when the ladder was started: each start makes a new one.";
    (StatusCode::UNAUTHORIZED, why).into_response()
}

async fn overview(State(state): State<Arc<LadderState>>) -> Response {
    answered(state, |state| {
        let problem = lock(&state.problem).clone();
        let ladder = state.reading();
        let mut players = Vec::new();
        for player in ladder.players()?.into_iter().filter(|player| !player.is_house) {
            let (versions, newest) = ladder.newest_version(player.id)?;
            let newest = newest.as_ref();
            players.push(StudentView {
                id: player.id,
                has_key: ladder.has_key(player.id)?,
                here: state.door.is_connected(player.id),
                versions,
                state: newest.map(|version| version.state.word()),
                reason: newest.and_then(Version::remark).map(str::to_string),
                name: player.name,
                retired: player.retired_ms.is_some(),
            });
        }
        Ok(json(&TeacherView { settings: ladder.settings()?, problem, players }))
    })
    .await
}

async fn settings(State(state): State<Arc<LadderState>>, Sent(new): Sent<Settings>) -> Response {
    answered(state, move |state| {
        state.ladder().set_settings(&new)?;
        state.forget_overview();
        Ok(StatusCode::NO_CONTENT.into_response())
    })
    .await
}

#[derive(Deserialize)]
struct RetireRequest {
    player: PlayerId,
    on: bool,
}

async fn retire(State(state): State<Arc<LadderState>>, Sent(order): Sent<RetireRequest>) -> Response {
    answered(state, move |state| {
        state.ladder().retire(order.player, order.on.then(now_ms))?;
        state.forget_overview();
        Ok(StatusCode::NO_CONTENT.into_response())
    })
    .await
}

#[derive(Deserialize)]
struct NewKey {
    player: PlayerId,
}

async fn new_key(State(state): State<Arc<LadderState>>, Sent(order): Sent<NewKey>) -> Response {
    answered(state, move |state| {
        let key = state.ladder().renew_key(order.player)?;
        Ok(json(&serde_json::json!({ "key": key })))
    })
    .await
}
