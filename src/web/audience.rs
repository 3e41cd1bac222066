//! What is served to the room: the page, its changes, and nothing that could be changed or is secret.

use std::sync::Arc;

use axum::Router;
use axum::body::Body;
use axum::extract::{Path, State};
use axum::http::{HeaderName, HeaderValue, StatusCode, header};
use axum::middleware::map_response;
use axum::response::{IntoResponse, Response};
use axum::routing::get;

use super::hub::Hub;

/// The routes of the audience's address. They read; there is nothing to write to.
pub(super) fn routes(hub: Arc<Hub>) -> Router {
    Router::new()
        .route("/", get(|| async { asset("text/html; charset=utf-8", include_str!("assets/page.html")) }))
        .route("/page.css", get(|| async { asset("text/css", include_str!("assets/page.css")) }))
        .route("/page.js", get(|| async { asset("text/javascript", include_str!("assets/page.js")) }))
        .route("/view.js", get(|| async { asset("text/javascript", include_str!("assets/view.js")) }))
        .route("/icon.svg", get(|| async { asset("image/svg+xml", include_str!("assets/icon.svg")) }))
        .route("/state", get(state))
        .route("/events", get(events))
        .route("/player/{seat}", get(player))
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

async fn events(State(hub): State<Arc<Hub>>) -> Response {
    ([(header::CONTENT_TYPE, "text/event-stream")], Body::from_stream(hub.watch())).into_response()
}

/// A file of the page, which is part of the program.
pub(super) fn asset(kind: &'static str, text: &'static str) -> Response {
    ([(header::CONTENT_TYPE, kind)], text).into_response()
}

/// Nothing from elsewhere is loaded or run, nothing is kept, and no other page may frame this one.
pub(super) async fn guarded(mut response: Response) -> Response {
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
