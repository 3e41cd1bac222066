//! The routes of people who play in a browser. The page is the same for all; private data needs the key of a chair in a
//! header, which no other site's page or form can send.

use std::convert::Infallible;
use std::net::IpAddr;
use std::sync::{Arc, Mutex};
use std::time::Duration;

use axum::body::{Body, Bytes};
use axum::extract::{DefaultBodyLimit, Path, State};
use axum::http::{HeaderMap, StatusCode, header};
use axum::middleware::map_response;
use axum::response::{IntoResponse, Response};
use axum::routing::{get, post};
use axum::{Extension, Json, Router};
use futures_util::Stream;
use futures_util::stream::unfold;
use serde::{Deserialize, Serialize};
use tokio::sync::watch;
use tokio::task::JoinHandle;
use tokio::time::timeout;

use casino_host::Chair;
use casino_host::driven::oldest_of_crowd;
use casino_stud::table::Reply;

use super::audience::{asset, guarded, key_of};
use super::listen::RemoteMachine;
use super::sent::{Sent, apart};
use crate::session::{ChairGrant, ConsoleState, drawn_key};
use crate::show::seat::{
    LESSONS, Lesson, NO_HURRY, PersonTable, Place, PlaceView, Places, SeenRecorder, YOU,
};

/// The most a request may bring: a name.
const BODY: usize = 2 * 1024;

/// The time between two heartbeats without a change, by which either side notices a lost connection.
const HEARTBEAT: Duration = Duration::from_secs(5);

/// The most people who learn at the same time.
const LEARNERS: usize = 200;

/// The state of these routes.
pub(super) struct SeatContext {
    pub(super) console_state: Arc<ConsoleState>,
    pub(super) places: Arc<Places>,
    /// Those who learn.
    pub(super) learners: Mutex<Vec<Learner>>,
}

/// Somebody who learns, the oldest first in a list.
pub(super) struct Learner {
    key: String,
    machine: IpAddr,
    place: Place,
}

/// Whether one more of this machine may learn. Where the places are taken, the machine with the most gives up its oldest to
/// one with fewer.
fn has_room(learners: &mut Vec<Learner>, machine: IpAddr) -> bool {
    if learners.len() < LEARNERS {
        return true;
    }
    let machines: Vec<IpAddr> = learners.iter().map(|learner| learner.machine).collect();
    let oldest = oldest_of_crowd(&machines, machine);
    oldest.map(|at| learners.remove(at)).is_some()
}

type Shared = State<Arc<SeatContext>>;

/// A line of the stream of a person with a chair.
#[derive(Serialize)]
#[serde(rename_all = "snake_case")]
enum StreamedLine {
    /// The key is invalid: the chair was freed, or the day is over.
    Gone {},
    /// The person has a chair and no seat at a table.
    Waits {
        name: String,
    },
    Plays(Box<PlaceView>),
}

pub(super) fn routes(context: Arc<SeatContext>) -> Router {
    let page = || async { asset("text/html; charset=utf-8", include_str!("assets/chair.html")) };
    Router::new()
        .route("/chair", get(page))
        .route("/learn", get(page))
        .route("/chair.js", get(|| async { asset("text/javascript", include_str!("assets/chair.js")) }))
        .route("/chair.css", get(|| async { asset("text/css", include_str!("assets/chair.css")) }))
        .route("/chair/take", post(take))
        .route("/chair/offer", post(offer))
        .route("/chair/leave", post(leave))
        .route("/chair/reply", post(reply))
        .route("/chair/go-on", post(go_on))
        .route("/chair/here", post(here))
        .route("/chair/stream", get(stream))
        .route("/learn/{lesson}/stream", get(learn))
        .layer(DefaultBodyLimit::max(BODY))
        .with_state(context)
        .layer(map_response(guarded))
}

#[derive(Deserialize)]
struct TakeForm {
    invitation: String,
    name: String,
}

#[derive(Serialize)]
struct TakenChair {
    key: String,
    name: String,
}

async fn take(State(context): Shared, Sent(form): Sent<TakeForm>) -> Response {
    match apart(move || context.console_state.take_chair(&form.invitation, &form.name)).await {
        Ok(ChairGrant { key, name }) => Json(TakenChair { key, name }).into_response(),
        Err(why) => (StatusCode::CONFLICT, why.to_string()).into_response(),
    }
}

#[derive(Deserialize)]
struct OfferForm {
    invitation: String,
}

/// The chair that can be taken by an invitation.
#[derive(Serialize)]
struct Offer {
    /// The name of the chair; `None` if the person chooses it.
    name: Option<String>,
}

async fn offer(State(context): Shared, Sent(form): Sent<OfferForm>) -> Json<Offer> {
    Json(Offer { name: context.console_state.chairs().offered_name(&form.invitation) })
}

async fn leave(State(context): Shared, headers: HeaderMap) -> Response {
    let key = key_of(&headers).to_string();
    match apart(move || context.console_state.leave_chair(&key)).await {
        true => StatusCode::NO_CONTENT.into_response(),
        false => nobody(),
    }
}

#[derive(Deserialize)]
struct ReplyForm {
    question: u64,
    /// The chips that are added; nothing to fold.
    chips: Option<u32>,
}

async fn reply(State(context): Shared, headers: HeaderMap, Sent(form): Sent<ReplyForm>) -> Response {
    let Some(place) = context.place(key_of(&headers)) else { return nobody() };
    let reply = form.chips.map_or(Reply::Fold, Reply::Bet);
    match place.chair.reply(form.question, reply) {
        Ok(()) => StatusCode::NO_CONTENT.into_response(),
        Err(why) => (StatusCode::CONFLICT, format!("Not taken: {why}.")).into_response(),
    }
}

async fn go_on(State(context): Shared, headers: HeaderMap) -> Response {
    let Some(place) = context.place(key_of(&headers)) else { return nobody() };
    place.chair.go_on();
    StatusCode::NO_CONTENT.into_response()
}

async fn here(State(context): Shared, headers: HeaderMap) -> Response {
    let Some(place) = context.place(key_of(&headers)) else { return nobody() };
    place.chair.is_here();
    StatusCode::NO_CONTENT.into_response()
}

fn nobody() -> Response {
    let why = "You have no seat here: open the teacher's link once more.";
    (StatusCode::UNAUTHORIZED, why).into_response()
}

impl SeatContext {
    /// The place at a table that belongs to this key.
    fn place(&self, key: &str) -> Option<Place> {
        if key.is_empty() {
            return None;
        }
        let learners = self.learners.lock().unwrap_or_else(std::sync::PoisonError::into_inner);
        let learner = learners.iter().find(|learner| learner.key == key).map(|learner| learner.place.clone());
        drop(learners);
        learner.or_else(|| {
            let (github_id, _) = self.console_state.chairs().sitter(key)?;
            self.places.of(&github_id)
        })
    }

    fn told(&self, key: &str, place: Option<&Place>) -> StreamedLine {
        let Some((_, name)) = self.console_state.chairs().sitter(key).filter(|_| !key.is_empty()) else {
            return StreamedLine::Gone {};
        };
        let Some(mut view) = place.map(Place::view) else { return StreamedLine::Waits { name } };
        view.paused = self.console_state.is_paused();
        StreamedLine::Plays(Box::new(view))
    }
}

fn lines_of(stream: impl Stream<Item = Result<Bytes, Infallible>> + Send + 'static) -> Response {
    ([(header::CONTENT_TYPE, "application/x-ndjson")], Body::from_stream(stream)).into_response()
}

/// The line for `told`; an empty line, as a heartbeat, if it repeats the last one.
fn line(told: &impl Serialize, before: &mut String) -> Bytes {
    let text = serde_json::to_string(told).expect("what is told is plain data");
    if text == *before {
        return Bytes::from_static(b"\n");
    }
    before.clone_from(&text);
    Bytes::from(text + "\n")
}

/// A watched place. The watch begins before the first view, so that no change during a write is lost.
struct WatchedPlace {
    place: Place,
    chair: watch::Receiver<()>,
    seen: watch::Receiver<()>,
}

impl WatchedPlace {
    fn new(place: Place) -> WatchedPlace {
        let (chair, seen) = (place.chair.changes(), place.seen().changes());
        WatchedPlace { place, chair, seen }
    }

    async fn changed(&mut self) {
        tokio::select! {
            _ = self.chair.changed() => {}
            _ = self.seen.changed() => {}
        }
    }
}

/// Waits until something has changed since the last time, but not for ever.
async fn changed(place: Option<&mut WatchedPlace>, changes: &mut watch::Receiver<()>) {
    let change = async {
        match place {
            Some(place) => tokio::select! {
                () = place.changed() => {}
                _ = changes.changed() => {}
            },
            // Whether it has changed or not: it is looked at.
            None => drop(changes.changed().await),
        }
    };
    let _ = timeout(HEARTBEAT, change).await;
}

/// The view of a person with a key.
struct SeatStream {
    context: Arc<SeatContext>,
    key: String,
    changes: watch::Receiver<()>,
    watched: Option<WatchedPlace>,
    before: String,
    has_begun: bool,
}

impl SeatStream {
    async fn next_line(&mut self) -> Bytes {
        if self.has_begun {
            changed(self.watched.as_mut(), &mut self.changes).await;
        }
        self.has_begun = true;
        let place = self.context.place(&self.key);
        let is_same = match (&self.watched, &place) {
            (Some(watched), Some(place)) => watched.place.is(place),
            (None, None) => true,
            _ => false,
        };
        if !is_same {
            self.watched = place.map(WatchedPlace::new);
        }
        let told = self.context.told(&self.key, self.watched.as_ref().map(|watched| &watched.place));
        line(&told, &mut self.before)
    }
}

async fn stream(State(context): Shared, headers: HeaderMap) -> Response {
    let (key, changes) = (key_of(&headers).to_string(), context.console_state.chairs().changes());
    let stream = SeatStream { context, key, changes, watched: None, before: String::new(), has_begun: false };
    lines_of(unfold(stream, |mut stream| async move {
        let line = stream.next_line().await;
        Some((Ok(line), stream))
    }))
}

/// A lesson, played as long as its stream is open.
struct LessonStream {
    context: Arc<SeatContext>,
    key: String,
    watched: WatchedPlace,
    game: JoinHandle<()>,
    changes: watch::Receiver<()>,
    before: String,
    has_begun: bool,
}

impl Drop for LessonStream {
    fn drop(&mut self) {
        self.game.abort();
        let learners = &self.context.learners;
        let mut learners = learners.lock().unwrap_or_else(std::sync::PoisonError::into_inner);
        learners.retain(|learner| learner.key != self.key);
    }
}

#[derive(Serialize)]
struct LessonBegins<'a> {
    key: &'a str,
    lessons: usize,
}

async fn learn(
    State(context): Shared,
    Path(number): Path<usize>,
    Extension(RemoteMachine(machine)): Extension<RemoteMachine>,
) -> Response {
    let Some(Lesson { words, scenario }) = Lesson::numbered(number) else {
        return (StatusCode::NOT_FOUND, "There is no such lesson.").into_response();
    };
    let Ok(key) = drawn_key() else {
        return (StatusCode::SERVICE_UNAVAILABLE, "The system gives no random numbers.").into_response();
    };
    let names = scenario.names();
    let me = names.iter().position(|name| name == YOU).unwrap_or(0);
    let chair = Chair::new(NO_HURRY);
    let seen = Arc::new(Mutex::new(PersonTable::lesson(names, me)));
    let place = Place::new(chair.handle(), Arc::clone(&seen), false).teaching(words);
    {
        let mut learners = context.learners.lock().unwrap_or_else(std::sync::PoisonError::into_inner);
        if !has_room(&mut learners, machine) {
            let why = "Too many people learn just now: try again in some minutes.";
            return (StatusCode::SERVICE_UNAVAILABLE, why).into_response();
        }
        learners.push(Learner { key: key.clone(), machine, place: place.clone() });
    }
    let (watched, changes) = (WatchedPlace::new(place), context.console_state.chairs().changes());
    let game = tokio::spawn(async move {
        // A lesson that breaks off leaves a table at which nothing happens any more.
        let _ = scenario.play_by_hand(YOU, chair, &mut SeenRecorder(seen)).await;
    });
    let lesson =
        LessonStream { context, key, watched, game, changes, before: String::new(), has_begun: false };
    let stream = unfold((lesson, true), |(mut lesson, first)| async move {
        if first {
            let begins = LessonBegins { key: &lesson.key, lessons: LESSONS };
            let line = line(&begins, &mut String::new());
            return Some((Ok(line), (lesson, false)));
        }
        if lesson.has_begun {
            changed(Some(&mut lesson.watched), &mut lesson.changes).await;
        }
        lesson.has_begun = true;
        let told = StreamedLine::Plays(Box::new(lesson.watched.place.view()));
        let line = line(&told, &mut lesson.before);
        Some((Ok(line), (lesson, false)))
    });
    lines_of(stream)
}

#[cfg(test)]
mod tests {
    use tokio::time::Instant;

    use super::*;

    #[test]
    fn a_crowded_machine_gives_up_places_to_others() {
        let machine = |last| IpAddr::from([10, 0, 0, last]);
        let learner = |number: usize, last| Learner {
            key: number.to_string(),
            machine: machine(last),
            place: Place::new(
                Chair::new(NO_HURRY).handle(),
                Arc::new(Mutex::new(PersonTable::lesson(Vec::new(), 0))),
                false,
            ),
        };
        let mut learners: Vec<Learner> = (0..LEARNERS).map(|number| learner(number, 1)).collect();
        assert!(!has_room(&mut learners, machine(1)), "it has all places itself");
        for number in LEARNERS..LEARNERS + 100 {
            assert!(has_room(&mut learners, machine(2)));
            learners.push(learner(number, 2));
        }
        assert_eq!((learners.len(), learners[0].key.as_str()), (LEARNERS, "100"), "the oldest go");
        assert!(!has_room(&mut learners, machine(2)), "both have as many");
        assert!(has_room(&mut learners, machine(3)));
    }

    /// Changes between two views cause one further view at once.
    #[tokio::test(start_paused = true)]
    async fn changes_during_a_write_are_not_missed() {
        let chair = Chair::new(NO_HURRY);
        let seen = Arc::new(Mutex::new(PersonTable::new(vec![YOU.to_string()], 0)));
        let mut watched = WatchedPlace::new(Place::new(chair.handle(), Arc::clone(&seen), false));
        let (_teller, mut changes) = watch::channel(());
        let began = Instant::now();
        let _line = watched.place.view();
        casino_stud::tournament::Recorder::commit(&mut SeenRecorder(seen)).unwrap();
        changed(Some(&mut watched), &mut changes).await;
        assert_eq!(began.elapsed(), Duration::ZERO);
        changed(Some(&mut watched), &mut changes).await;
        assert_eq!(began.elapsed(), HEARTBEAT);
    }
}
