//! The teacher's console: an address of its own, and nothing without the token.

use std::net::IpAddr;
use std::sync::Arc;
use std::time::Duration;

use axum::extract::{DefaultBodyLimit, Path, Request, State};
use axum::http::StatusCode;
use axum::middleware::{Next, from_fn_with_state, map_response};
use axum::response::{IntoResponse, Response};
use axum::routing::{MethodRouter, get, post};
use axum::{Json, Router};
use serde::Deserialize;
use serde::de::DeserializeOwned;
use sha2::{Digest, Sha256};
use tokio::sync::mpsc::UnboundedSender;

use casino_show::state::{Page, Phase};
use casino_stud::tournament::{ConsoleAction, HoleCards};

use super::audience::{PICTURES, PageFile, asset, files, guarded, key_of, routed};
use super::sent::{Sent, apart};
use crate::session::{ConsoleError, ConsoleState, ShowMinutes};
use crate::show::{Hub, Overview, PageMessage, tables_in_play};

/// The most a request may bring: a name or a reason.
const BODY: usize = 4 * 1024;

const SCRIPTS: [PageFile; 7] = files!("text/javascript": "console.js", "console_chairs.js", "console_needs.js",
    "console_parts.js", "console_view.js", "emblem.js", "view.js");

const STYLE: [PageFile; 1] = files!("text/css": "console.css");

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
        .route("/api/start", action(ConsoleState::start))
        .route("/api/next", action(ConsoleState::next))
        .route("/api/pause", action(ConsoleState::pause))
        .route("/api/resume", action(ConsoleState::resume))
        .route("/api/step", action(ConsoleState::step))
        .route("/api/end", action(ConsoleState::end_now))
        .route("/api/reveal", post(reveal))
        .route("/api/pace", order(|state, pace: PaceOrder| state.pace(Duration::from_millis(pace.ms))))
        .route("/api/tempo", order(|state, tempo: TempoOrder| state.set_tempo(tempo.percent)))
        .route("/api/feature", post(feature))
        .route(
            "/api/minutes",
            order(|state, time: Minutes| {
                let minutes = ShowMinutes::try_from(time.minutes)?;
                set(state, ConsoleAction::Minutes(minutes.get()))
            }),
        )
        .route("/api/holes", order(|state, holes: Holes| set(state, ConsoleAction::Holes(holes.holes))))
        .route("/api/sounds", order(|state, switch: Switch| set(state, ConsoleAction::Sounds(switch.on))))
        .route(
            "/api/predictions",
            order(|state, switch: Switch| set(state, ConsoleAction::Predictions(switch.on))),
        )
        .route(
            "/api/send-away",
            order(|state, sent: SendAway| state.send_away(&sent.github_id, sent.from, &sent.reason)),
        )
        .route(
            "/api/approve",
            order(|state, approve: Approve| state.approve(&approve.github_id, approve.from)),
        )
        .route("/api/chairs", order(|state, chairs: Chairs| state.open_chairs(chairs.count)))
        .route("/api/free-chair", order(|state, chair: Chosen| state.free_chair(chair.number)))
        .route("/api/is-meant", order(|state, who: Meant| state.is_meant(&who.sent, &who.github_id)))
        .route("/api/let-in", order(|state, player: Rename| state.let_in(&player.github_id, &player.name)))
        .route("/api/go-on-without", post(go_on_without))
        .route("/api/rehearsal", order(|state, switch: Switch| state.rehearse(switch.on)))
        .route("/api/rename", order(|state, rename: Rename| state.rename(&rename.github_id, &rename.name)))
        .route("/api/set-aside", order(|state, chosen: Chosen| state.set_aside(chosen.number)))
        .route("/api/ask-again", order(|state, chosen: Chosen| state.ask_again(chosen.number)))
        .route("/api/remove", order(|state, remove: Remove| state.remove(remove.seat, &remove.reason)))
        .layer(DefaultBodyLimit::max(BODY))
        .layer(from_fn_with_state(Arc::clone(&context), with_token));
    let page = || async { asset("text/html; charset=utf-8", include_str!("assets/console.html")) };
    routed(Router::new().route("/", get(page)), SCRIPTS.into_iter().chain(STYLE).chain(PICTURES))
        .merge(api)
        .with_state(context)
        .layer(map_response(guarded))
}

/// The context as the routes take it.
type SharedContext = State<Arc<ConsoleContext>>;

/// The route of an action that takes nothing and answers nothing.
fn action(act: fn(&ConsoleState) -> Result<(), ConsoleError>) -> MethodRouter<Arc<ConsoleContext>> {
    post(move |State(context): SharedContext| async move { done(act(&context.console_state)) })
}

/// The route of an order, which says more in its body and gets no answer. Some are kept on a disk before they are answered.
fn order<T: DeserializeOwned + Send + 'static>(
    give: fn(&ConsoleState, T) -> Result<(), ConsoleError>,
) -> MethodRouter<Arc<ConsoleContext>> {
    post(move |State(context): SharedContext, Sent(order): Sent<T>| async move {
        done(apart(move || give(&context.console_state, order)).await)
    })
}

/// A setting that holds from now on, whatever else is going on.
fn set(state: &ConsoleState, action: ConsoleAction) -> Result<(), ConsoleError> {
    state.done(action);
    Ok(())
}

/// Lets a request through if it brings the token. Hashes are compared, so that the time it takes tells nothing
/// about the token.
async fn with_token(State(context): SharedContext, request: Request, next: Next) -> Response {
    let brought = key_of(request.headers());
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
    let look = |page: &Page| (page.board.clone(), page.hall.clone(), page.phase == Phase::Ceremony);
    let (board, event, is_ceremony) = context.hub.look(look);
    let viewers = context.hub.viewers();
    Json(Overview::of(&context.console_state, &board, event.as_ref(), is_ceremony, viewers)).into_response()
}

async fn output(State(context): SharedContext, Path((seat, which)): Path<(usize, String)>) -> Response {
    let errors = match which.as_str() {
        "stdout" => false,
        "stderr" => true,
        _ => return StatusCode::NOT_FOUND.into_response(),
    };
    given(context.console_state.output(seat, errors))
}

async fn reveal(State(context): SharedContext) -> Response {
    done(context.console_state.reveal().map(|seed| {
        // Sending fails only when the program ends.
        let _ = context.messages.send(PageMessage::Reveal(seed));
    }))
}

#[derive(Deserialize)]
struct PaceOrder {
    ms: u64,
}

#[derive(Deserialize)]
struct TempoOrder {
    percent: u32,
}

#[derive(Deserialize)]
struct Feature {
    table: u32,
}

async fn feature(State(context): SharedContext, Sent(feature): Sent<Feature>) -> Response {
    let in_play = context.hub.look(|page| tables_in_play(page.hall.as_ref()));
    done(context.console_state.feature(feature.table, &in_play).map(|()| {
        // Sending fails only when the program ends.
        let _ = context.messages.send(PageMessage::Featured);
    }))
}

#[derive(Deserialize)]
struct Switch {
    on: bool,
}

#[derive(Deserialize)]
struct Minutes {
    minutes: u64,
}

#[derive(Deserialize)]
struct Holes {
    holes: HoleCards,
}

#[derive(Deserialize)]
struct SendAway {
    github_id: String,
    from: Option<IpAddr>,
    reason: String,
}

#[derive(Deserialize)]
struct Approve {
    github_id: String,
    from: Option<IpAddr>,
}

#[derive(Deserialize)]
struct Chairs {
    count: usize,
}

/// One of the missing players, or all of them.
#[derive(Deserialize)]
#[serde(untagged)]
enum GoOnWithout {
    One { github_id: String },
    All { all: bool },
}

async fn go_on_without(State(context): SharedContext, Sent(whom): Sent<GoOnWithout>) -> Response {
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

/// The GitHubId that was sent, and that of the roster's line.
#[derive(Deserialize)]
struct Meant {
    sent: String,
    github_id: String,
}

#[derive(Deserialize)]
struct Chosen {
    number: usize,
}

#[derive(Deserialize)]
struct Remove {
    seat: usize,
    reason: String,
}
