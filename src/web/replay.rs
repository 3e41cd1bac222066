//! The routes of a recorded tournament.

use std::io;
use std::net::SocketAddr;
use std::sync::Arc;

use axum::extract::{Path, State};
use axum::http::StatusCode;
use axum::middleware::map_response;
use axum::response::{IntoResponse, Response};
use axum::routing::{MethodRouter, get};
use axum::{Json, Router};
use serde::Serialize;
use tokio::net::TcpListener;
use tokio::sync::Semaphore;

use casino_analysis::coach::NotedRound;
use casino_system::processes::{room_for_a_thread, thread_named};

use super::audience::{PageFile, asset, files, guarded, with_files};
use super::listen::{ServingLimits, bound, serve};
use crate::session::ShowMinutes;
use crate::show::ReplayPage;

pub(super) const REPLAY_PAGE: &str = include_str!("assets/replay.html");

/// The scripts that only the replay has.
pub(super) const REPLAY_SCRIPTS: [PageFile; 3] =
    files!("text/javascript": "coach.js", "replay.js", "source.js");

/// Serves the page at this address, which `ready` receives, until the process ends. The coach analyses the rounds of a finished
/// tournament meanwhile, on a thread of its own.
pub async fn serve_replay(
    page: ReplayPage,
    address: SocketAddr,
    rounds: Vec<NotedRound>,
    ready: impl FnOnce(SocketAddr),
) -> io::Result<()> {
    let (listener, address) = bound(address)?;
    let listener = TcpListener::from_std(listener)?;
    ready(address);
    let page = Arc::new(page);
    if page.is_finished() {
        let page = Arc::clone(&page);
        thread_named("coach", move || page.coached(rounds))?;
    }
    match serve(listener, routes(page), ServingLimits::PAGE).await {}
}

fn routes(page: Arc<ReplayPage>) -> Router {
    with_files(Router::new(), &REPLAY_SCRIPTS)
        .route("/", get(|| async { asset("text/html; charset=utf-8", REPLAY_PAGE) }))
        .route("/index", part(|page| Json(page.index()).into_response()))
        .route("/jumps", part(|page| Json(page.jumps()).into_response()))
        .route("/ceremony", part(|page| found(page.ceremony())))
        .route("/round/{round}", get(round))
        .route("/decisions/{round}", get(decisions))
        .route("/coach", part(|page| Json(page.coach()).into_response()))
        .route("/show/{minutes}", get(show))
        .with_state(page)
        .layer(map_response(guarded))
}

/// The route of a part of the page that needs no more than the page.
fn part(answer: fn(&ReplayPage) -> Response) -> MethodRouter<Arc<ReplayPage>> {
    get(move |State(page): State<Arc<ReplayPage>>| async move { answer(&page) })
}

async fn show(State(page): State<Arc<ReplayPage>>, Path(minutes): Path<u32>) -> Response {
    Json(page.programme(ShowMinutes::clamped(minutes))).into_response()
}

/// How many rounds are analysed at a time.
static COACHES: Semaphore = Semaphore::const_new(2);

/// Some milliseconds of rollouts, during which others are served. Those who hang up before their turn are forgotten.
async fn decisions(State(page): State<Arc<ReplayPage>>, Path(round): Path<u64>) -> Response {
    let coach = COACHES.acquire().await;
    if room_for_a_thread().is_err() {
        return found(page.decisions(round));
    }
    let analysed = move || {
        let _coach = coach;
        found(page.decisions(round))
    };
    match tokio::task::spawn_blocking(analysed).await {
        Ok(response) => response,
        Err(_) => (StatusCode::INTERNAL_SERVER_ERROR, "The coach failed at this round.").into_response(),
    }
}

async fn round(State(page): State<Arc<ReplayPage>>, Path(round): Path<u64>) -> Response {
    found(page.round(round))
}

/// Something of a round, if there is such a round.
fn found(of_round: Option<impl Serialize>) -> Response {
    match of_round {
        Some(shown) => Json(shown).into_response(),
        None => (StatusCode::NOT_FOUND, "There is no such round in the journal.").into_response(),
    }
}
