//! Serves the page and its changes to the room. Requests cannot change anything but predictions, and answers have no
//! secrets.

use std::sync::Arc;

use axum::Extension;
use axum::Router;
use axum::body::Body;
use axum::extract::{DefaultBodyLimit, Path, State};
use axum::http::{HeaderMap, HeaderName, HeaderValue, StatusCode, header};
use axum::middleware::map_response;
use axum::response::{IntoResponse, Response};
use axum::routing::{get, post};

use casino_show::state::PredictionForm;

use super::listen::RemoteMachine;
use super::sent::Sent;
use crate::show::Hub;

/// A file of the page by its path, with its kind and its text.
macro_rules! files {
    ($kind:literal: $($name:literal),*) => {
        [$((concat!("/", $name), $kind, include_str!(concat!("assets/", $name)))),*]
    };
}
pub(super) use files;

pub(super) const STYLES: [PageFile; 4] = files!("text/css": "page.css", "table.css", "show.css", "phone.css");

pub(super) const PICTURES: [PageFile; 1] = files!("image/svg+xml": "icon.svg");

pub(super) const SCRIPTS: [PageFile; 14] = files!("text/javascript": "view.js", "board.js", "ceremony.js",
    "emblem.js", "fit.js", "hall.js", "lobby.js", "panels.js", "phone.js", "predict.js",
    "race.js", "seating.js", "standings.js", "table.js");

/// A file of the page: its path, its kind and its text.
pub(crate) type PageFile = (&'static str, &'static str, &'static str);

/// Adds the routes of the files that the page for the room and the replay share, and of these.
pub(super) fn with_files<S: Clone + Send + Sync + 'static>(
    router: Router<S>,
    more: &[PageFile],
) -> Router<S> {
    let shared = STYLES.into_iter().chain(PICTURES).chain(SCRIPTS);
    routed(router, shared.chain(more.iter().copied()))
}

/// Adds a route for each of these files.
pub(crate) fn routed<S: Clone + Send + Sync + 'static>(
    router: Router<S>,
    files: impl IntoIterator<Item = PageFile>,
) -> Router<S> {
    files.into_iter().fold(router, |router, (path, kind, text)| {
        router.route(path, get(move || async move { asset(kind, text) }))
    })
}

/// The key or token that a request brings in a header, which no other site's page or form can send; empty if there is none.
pub(crate) fn key_of(headers: &HeaderMap) -> &str {
    let value = headers.get(header::AUTHORIZATION).and_then(|value| value.to_str().ok());
    value.and_then(|value| value.strip_prefix("Bearer ")).unwrap_or_default()
}

/// The longest prediction, in bytes.
const PREDICTION_BYTES: usize = 2_048;

/// The routes of the audience's address. They read; the one thing that can be sent is a prediction for play points.
pub(super) fn routes(hub: Arc<Hub>) -> Router {
    let console = || async {
        ([(header::CONTENT_TYPE, "image/webp")], include_bytes!("../../docs/images/console.webp").as_slice())
    };
    with_files(Router::new(), &files!("text/javascript": "page.js", "sounds.js"))
        .route("/console.webp", get(console))
        .route("/", get(|| async { asset("text/html; charset=utf-8", include_str!("assets/page.html")) }))
        .route("/state", get(state))
        .route("/events", get(events))
        .route("/player/{seat}", get(player))
        .route("/prediction/{id}", get(prediction_result))
        .route("/predict", post(predict).layer(DefaultBodyLimit::max(PREDICTION_BYTES)))
        .with_state(hub)
        .layer(map_response(guarded))
}

async fn state(State(hub): State<Arc<Hub>>) -> Response {
    ([(header::CONTENT_TYPE, "application/json")], hub.snapshot()).into_response()
}

async fn player(State(hub): State<Arc<Hub>>, Path(seat): Path<usize>) -> Response {
    match hub.player(seat) {
        Some(player) => ([(header::CONTENT_TYPE, "application/json")], player).into_response(),
        None => (StatusCode::NOT_FOUND, "There is no player of this number.").into_response(),
    }
}

async fn prediction_result(State(hub): State<Arc<Hub>>, Path(id): Path<String>) -> Response {
    match hub.prediction_result(&id) {
        Some(result) => ([(header::CONTENT_TYPE, "application/json")], result).into_response(),
        None => (StatusCode::NOT_FOUND, "Nothing is known of such a prediction.").into_response(),
    }
}

async fn predict(
    State(hub): State<Arc<Hub>>,
    Extension(RemoteMachine(address)): Extension<RemoteMachine>,
    Sent(form): Sent<PredictionForm>,
) -> Response {
    match hub.predict(&form, address) {
        Ok(()) => StatusCode::NO_CONTENT.into_response(),
        Err(error) => (StatusCode::CONFLICT, error.to_string()).into_response(),
    }
}

async fn events(State(hub): State<Arc<Hub>>) -> Response {
    ([(header::CONTENT_TYPE, "text/event-stream")], Body::from_stream(hub.watch())).into_response()
}

/// A file of the page, which is part of the program.
pub(crate) fn asset(kind: &'static str, text: &'static str) -> Response {
    ([(header::CONTENT_TYPE, kind)], text).into_response()
}

/// Nothing from elsewhere is loaded or run, nothing is kept, and no other page may frame this one.
pub(crate) async fn guarded(mut response: Response) -> Response {
    let rules: [(HeaderName, &str); 5] = [
        (
            header::CONTENT_SECURITY_POLICY,
            "default-src 'none'; script-src 'self'; style-src 'self'; img-src 'self'; connect-src 'self'; \
             base-uri 'none'; form-action 'none'; frame-ancestors 'none'",
        ),
        (header::X_CONTENT_TYPE_OPTIONS, "nosniff"),
        (header::REFERRER_POLICY, "no-referrer"),
        (header::CACHE_CONTROL, "no-store"),
        (HeaderName::from_static("cross-origin-resource-policy"), "same-origin"),
    ];
    for (name, value) in rules {
        response.headers_mut().insert(name, HeaderValue::from_static(value));
    }
    response
}
