//! The teacher's console: an address of its own, and nothing without the token.

use std::net::IpAddr;
use std::sync::Arc;
use std::time::Duration;

use axum::extract::{DefaultBodyLimit, Path, Request, State};
use axum::http::{StatusCode, header};
use axum::middleware::{Next, from_fn_with_state, map_response};
use axum::response::{IntoResponse, Response};
use axum::routing::{MethodRouter, get, post};
use axum::{Json, Router};
use serde::Deserialize;
use sha2::{Digest, Sha256};
use tokio::sync::mpsc::UnboundedSender;

use super::audience::{asset, guarded};
use super::console_overview::{Overview, tables_in_play};
use super::hub::Hub;
use super::messages::PageMessage;
use crate::session::ConsoleError;
use crate::session::ConsoleState;
use crate::session::HoleCards;

/// The most a request may bring: a name or a reason.
const BODY: usize = 4 * 1024;

pub(super) struct ConsoleContext {
    pub(super) console_state: Arc<ConsoleState>,
    pub(super) hub: Arc<Hub>,
    pub(super) messages: UnboundedSender<PageMessage>,
    pub(super) token: String,
}

/// The routes of the console's address. The page itself holds no secret; every answer about the day and every
/// action needs the token in a header, which no other site's page or form can send.
pub(super) fn routes(context: Arc<ConsoleContext>) -> Router {
    let api = Router::new()
        .route("/api/overview", get(overview))
        .route("/api/output/{seat}/{which}", get(output))
        .route("/api/journal", post(journal))
        .route("/api/result", post(result))
        .route("/api/start", action(ConsoleState::start))
        .route("/api/next", action(ConsoleState::next))
        .route("/api/pause", action(ConsoleState::pause))
        .route("/api/resume", action(ConsoleState::resume))
        .route("/api/step", action(ConsoleState::step))
        .route("/api/reveal", post(reveal))
        .route("/api/pace", post(pace))
        .route("/api/tempo", post(tempo))
        .route("/api/feature", post(feature))
        .route("/api/minutes", post(minutes))
        .route("/api/holes", post(holes))
        .route("/api/predictions", post(predictions))
        .route("/api/send-away", post(send_away))
        .route("/api/approve", post(approve))
        .route("/api/go-on-without", post(go_on_without))
        .route("/api/rehearsal", post(rehearsal))
        .route("/api/rename", post(rename))
        .route("/api/remove", post(remove))
        .layer(DefaultBodyLimit::max(BODY))
        .layer(from_fn_with_state(Arc::clone(&context), with_token));
    Router::new()
        .route("/", get(|| async { asset("text/html; charset=utf-8", include_str!("assets/console.html")) }))
        .route("/console.css", get(|| async { asset("text/css", include_str!("assets/console.css")) }))
        .route("/console.js", script(include_str!("assets/console.js")))
        .route("/console_parts.js", script(include_str!("assets/console_parts.js")))
        .route("/console_view.js", script(include_str!("assets/console_view.js")))
        .route("/icon.svg", get(|| async { asset("image/svg+xml", include_str!("assets/icon.svg")) }))
        .merge(api)
        .with_state(context)
        .layer(map_response(guarded))
}

/// The context as the routes take it.
type SharedContext = State<Arc<ConsoleContext>>;

fn script(text: &'static str) -> MethodRouter<Arc<ConsoleContext>> {
    get(move || async move { asset("text/javascript", text) })
}

/// The route of an action that takes nothing and answers nothing.
fn action(act: fn(&ConsoleState) -> Result<(), ConsoleError>) -> MethodRouter<Arc<ConsoleContext>> {
    post(move |State(context): SharedContext| async move { done(act(&context.console_state)) })
}

/// Lets a request through if it brings the token. Hashes are compared, so that the time it takes tells nothing
/// about the token.
async fn with_token(State(context): SharedContext, request: Request, next: Next) -> Response {
    let brought = request
        .headers()
        .get(header::AUTHORIZATION)
        .and_then(|value| value.to_str().ok())
        .and_then(|value| value.strip_prefix("Bearer "))
        .unwrap_or_default();
    if Sha256::digest(brought) == Sha256::digest(&context.token) {
        return next.run(request).await;
    }
    let why = match brought {
        "" => "The console needs the token that was printed when the program started.",
        _ => "This is not the token that was printed when the program started: each start makes a new one.",
    };
    (StatusCode::UNAUTHORIZED, why).into_response()
}

fn done(outcome: Result<(), ConsoleError>) -> Response {
    given(outcome.map(|()| StatusCode::NO_CONTENT))
}

fn given<T: IntoResponse>(outcome: Result<T, ConsoleError>) -> Response {
    match outcome {
        Ok(what) => what.into_response(),
        Err(error) => (StatusCode::CONFLICT, error.to_string()).into_response(),
    }
}

async fn overview(State(context): SharedContext) -> Response {
    let (board, event) = context.hub.look(|page| (page.board.clone(), page.event.clone()));
    Json(Overview::of(&context.console_state, &board, event.as_ref(), context.hub.viewers())).into_response()
}

async fn output(State(context): SharedContext, Path((seat, which)): Path<(usize, String)>) -> Response {
    let errors = match which.as_str() {
        "stdout" => false,
        "stderr" => true,
        _ => return StatusCode::NOT_FOUND.into_response(),
    };
    given(context.console_state.output(seat, errors))
}

async fn journal(State(context): SharedContext) -> Response {
    let file = [
        (header::CONTENT_TYPE, "application/x-ndjson"),
        (header::CONTENT_DISPOSITION, "attachment; filename=\"journal.jsonl\""),
    ];
    given(context.console_state.journal().map(|bytes| (file, bytes)))
}

async fn result(State(context): SharedContext) -> Response {
    let file = [
        (header::CONTENT_TYPE, "application/json"),
        (header::CONTENT_DISPOSITION, "attachment; filename=\"result.json\""),
    ];
    given(context.console_state.result().map(|json| (file, json)))
}

async fn reveal(State(context): SharedContext) -> Response {
    done(context.console_state.reveal().map(|seed| {
        // The page goes with the program: nobody is left to reveal anything to.
        let _ = context.messages.send(PageMessage::Reveal(seed));
    }))
}

#[derive(Deserialize)]
struct PaceForm {
    ms: u64,
}

async fn pace(State(context): SharedContext, Json(pace): Json<PaceForm>) -> Response {
    done(context.console_state.pace(Duration::from_millis(pace.ms)))
}

#[derive(Deserialize)]
struct Tempo {
    percent: u32,
}

async fn tempo(State(context): SharedContext, Json(tempo): Json<Tempo>) -> Response {
    done(context.console_state.set_tempo(tempo.percent))
}

#[derive(Deserialize)]
struct Feature {
    table: u32,
}

async fn feature(State(context): SharedContext, Json(feature): Json<Feature>) -> Response {
    let in_play = context.hub.look(|page| tables_in_play(page.event.as_ref()));
    done(context.console_state.feature(feature.table, &in_play).map(|()| {
        // The page goes with the program: nobody is left to show anything to.
        let _ = context.messages.send(PageMessage::Featured);
    }))
}

#[derive(Deserialize)]
struct Rehearsal {
    on: bool,
}

async fn rehearsal(State(context): SharedContext, Json(rehearsal): Json<Rehearsal>) -> Response {
    done(context.console_state.rehearse(rehearsal.on))
}

#[derive(Deserialize)]
struct Minutes {
    minutes: u32,
}

async fn minutes(State(context): SharedContext, Json(minutes): Json<Minutes>) -> Response {
    done(context.console_state.set_minutes(minutes.minutes))
}

#[derive(Deserialize)]
struct Holes {
    holes: HoleCards,
}

async fn holes(State(context): SharedContext, Json(holes): Json<Holes>) -> Response {
    context.console_state.set_holes(holes.holes);
    done(Ok(()))
}

#[derive(Deserialize)]
struct PredictionsForm {
    on: bool,
}

async fn predictions(State(context): SharedContext, Json(predictions): Json<PredictionsForm>) -> Response {
    context.console_state.set_predictions(predictions.on);
    done(Ok(()))
}

#[derive(Deserialize)]
struct SendAway {
    github_id: String,
    from: Option<IpAddr>,
    reason: String,
}

async fn send_away(State(context): SharedContext, Json(sent): Json<SendAway>) -> Response {
    done(context.console_state.send_away(&sent.github_id, sent.from, &sent.reason))
}

#[derive(Deserialize)]
struct Approve {
    github_id: String,
    from: Option<IpAddr>,
}

async fn approve(State(context): SharedContext, Json(approve): Json<Approve>) -> Response {
    done(context.console_state.approve(&approve.github_id, approve.from))
}

/// One of the missing players, or all of them.
#[derive(Deserialize)]
#[serde(untagged)]
enum GoOnWithout {
    One { github_id: String },
    All { all: bool },
}

async fn go_on_without(State(context): SharedContext, Json(whom): Json<GoOnWithout>) -> Response {
    match whom {
        GoOnWithout::One { github_id } => done(context.console_state.go_on_without(Some(&github_id))),
        GoOnWithout::All { all: true } => done(context.console_state.go_on_without(None)),
        GoOnWithout::All { all: false } => StatusCode::BAD_REQUEST.into_response(),
    }
}

#[derive(Deserialize)]
struct Rename {
    github_id: String,
    name: String,
}

async fn rename(State(context): SharedContext, Json(rename): Json<Rename>) -> Response {
    done(context.console_state.rename(&rename.github_id, &rename.name))
}

#[derive(Deserialize)]
struct Remove {
    seat: usize,
    reason: String,
}

async fn remove(State(context): SharedContext, Json(remove): Json<Remove>) -> Response {
    done(context.console_state.remove(remove.seat, &remove.reason))
}
