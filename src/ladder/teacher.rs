//! The teacher's console: what is set, who is there, and what can be done.

use std::sync::Arc;

use axum::extract::{Request, State};
use axum::http::StatusCode;
use axum::middleware::{Next, from_fn_with_state};
use axum::response::{IntoResponse, Response};
use axum::routing::{get, post};
use axum::{Json, Router};
use serde::{Deserialize, Serialize};
use sha2::{Digest, Sha256};

use casino_ladder::{PlayerId, Settings};

use super::routes::answered;
use super::{Desk, lock, now_ms};
use crate::web::key_of;

/// A player as the teacher sees it. GitHubIds stay in the database here too.
#[derive(Serialize)]
struct Pupil {
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
struct TeacherView {
    settings: Settings,
    problem: Option<String>,
    players: Vec<Pupil>,
}

pub(super) fn routes(desk: &Arc<Desk>) -> Router<Arc<Desk>> {
    Router::new()
        .route("/api/teacher/overview", get(overview))
        .route("/api/teacher/settings", post(settings))
        .route("/api/teacher/retire", post(retire))
        .route("/api/teacher/key", post(new_key))
        .layer(from_fn_with_state(Arc::clone(desk), with_token))
}

/// Lets a request through if it brings the token. Hashes are compared, so that the time it takes tells nothing of it.
async fn with_token(State(desk): State<Arc<Desk>>, request: Request, next: Next) -> Response {
    let brought: [u8; 32] = Sha256::digest(key_of(request.headers())).into();
    if brought == desk.token {
        return next.run(request).await;
    }
    let why = "The console needs the token that was printed when the ladder was started: each start makes a new one.";
    (StatusCode::UNAUTHORIZED, why).into_response()
}

async fn overview(State(desk): State<Arc<Desk>>) -> Response {
    answered(desk, |desk| {
        let problem = lock(&desk.problem).clone();
        let ladder = desk.reading();
        let mut players = Vec::new();
        for player in ladder.players()?.into_iter().filter(|player| !player.is_house) {
            let (versions, newest) = ladder.newest_version(player.id)?;
            let newest = newest.as_ref();
            players.push(Pupil {
                id: player.id,
                has_key: ladder.has_key(player.id)?,
                here: desk.door.is_here(player.id),
                versions,
                state: newest.map(|version| version.state.word()),
                reason: newest.and_then(|version| version.reason.clone()),
                name: player.name,
                retired: player.retired_ms.is_some(),
            });
        }
        Ok(Json(TeacherView { settings: ladder.settings()?, problem, players }).into_response())
    })
    .await
}

async fn settings(State(desk): State<Arc<Desk>>, Json(new): Json<Settings>) -> Response {
    answered(desk, move |desk| {
        desk.ladder().set_settings(&new)?;
        desk.forget_overview();
        Ok(StatusCode::NO_CONTENT.into_response())
    })
    .await
}

#[derive(Deserialize)]
struct Retire {
    player: PlayerId,
    on: bool,
}

async fn retire(State(desk): State<Arc<Desk>>, Json(order): Json<Retire>) -> Response {
    answered(desk, move |desk| {
        desk.ladder().retire(order.player, order.on.then(now_ms))?;
        desk.forget_overview();
        Ok(StatusCode::NO_CONTENT.into_response())
    })
    .await
}

#[derive(Deserialize)]
struct NewKey {
    player: PlayerId,
}

#[derive(Serialize)]
struct Key {
    key: String,
}

async fn new_key(State(desk): State<Arc<Desk>>, Json(order): Json<NewKey>) -> Response {
    answered(desk, move |desk| {
        let key = desk.ladder().renew_key(order.player)?;
        Ok(Json(Key { key }).into_response())
    })
    .await
}
