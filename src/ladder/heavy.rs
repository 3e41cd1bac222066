//! Expensive answers: each is computed once at a time, by two workers at most, and kept for a while. Each address, and each
//! player with its key, has one worker at a time. A request whose client hangs up before its turn is forgotten.

use std::collections::VecDeque;
use std::net::IpAddr;
use std::sync::{Arc, Mutex};

use axum::http::{HeaderMap, StatusCode, header};
use axum::response::{IntoResponse, Response};
use bytes::Bytes;
use tokio::sync::{OnceCell, Semaphore};

use casino_ladder::{LadderError, PlayerId};

use super::routes::refusal;
use super::{LadderState, Turns, lock};

const WORKERS: usize = 2;

/// The most requests from one place that wait.
const MAX_WAITING: usize = 32;

/// The most answers that are kept, and the most bytes of all of them.
const MAX_KEPT: usize = 64;
const MAX_KEPT_BYTES: usize = 32 << 20;

/// An answer with its headers.
#[derive(Clone, Debug)]
pub(super) struct HeavyAnswer {
    pub(super) head: HeaderMap,
    pub(super) body: Bytes,
}

impl HeavyAnswer {
    pub(super) fn new(kind: &'static str, body: impl Into<Bytes>) -> HeavyAnswer {
        let head = HeaderMap::from_iter([(header::CONTENT_TYPE, header::HeaderValue::from_static(kind))]);
        HeavyAnswer { head, body: body.into() }
    }
}

/// Where requests come from that wait for each other.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(super) enum Place {
    Address(IpAddr),
    /// A player with its key, at any address.
    Player(PlayerId),
}

type KeptAnswer = Arc<OnceCell<HeavyAnswer>>;

#[derive(Debug)]
pub(super) struct HeavyAnswers {
    workers: Arc<Semaphore>,
    turns: Turns<Place, 1>,
    /// The newest last, by the things that were asked for.
    kept: Mutex<VecDeque<(String, KeptAnswer)>>,
}

impl Default for HeavyAnswers {
    fn default() -> HeavyAnswers {
        HeavyAnswers {
            workers: Arc::new(Semaphore::new(WORKERS)),
            turns: Turns(Mutex::default()),
            kept: Mutex::default(),
        }
    }
}

impl HeavyAnswers {
    /// All workers, which then compute nothing else.
    #[cfg(test)]
    pub(super) async fn all_workers(&self) -> tokio::sync::OwnedSemaphorePermit {
        Arc::clone(&self.workers).acquire_many_owned(WORKERS as u32).await.unwrap()
    }

    /// The place of an answer; the oldest ones are dropped.
    fn place(&self, thing: String) -> KeptAnswer {
        let mut kept = lock(&self.kept);
        let known = kept.iter().position(|(other, _)| *other == thing).and_then(|at| kept.remove(at));
        let (thing, cell) = known.unwrap_or_else(|| (thing, KeptAnswer::default()));
        kept.push_back((thing, Arc::clone(&cell)));
        let bytes = |(_, cell): &(String, KeptAnswer)| cell.get().map_or(0, |answer| answer.body.len());
        while kept.len() > MAX_KEPT
            || kept.len() > 1 && kept.iter().map(bytes).sum::<usize>() > MAX_KEPT_BYTES
        {
            kept.pop_front();
        }
        cell
    }
}

/// The answer for this thing, computed if it is not kept.
pub(super) async fn heavy(
    state: Arc<LadderState>,
    from: Place,
    thing: String,
    work: impl FnOnce(&LadderState) -> Result<HeavyAnswer, LadderError> + Send + 'static,
) -> Response {
    let answers = &state.heavy;
    // Each request from this place holds it.
    let turn = answers.turns.of(from);
    if Arc::strong_count(&turn) > MAX_WAITING {
        let why = "Too many requests of yours wait already: try again in a moment.";
        return (StatusCode::TOO_MANY_REQUESTS, [(header::RETRY_AFTER, "5")], why).into_response();
    }
    let failed = || LadderError::Refused("it cannot be computed: tell the teacher".to_string());
    let kept = answers.place(thing);
    let computed = async {
        if let Some(answer) = kept.get() {
            return Ok(answer.clone());
        }
        // Before anybody waits for this request's answer: it may wait long for its turn.
        let _turn = turn.acquire().await.map_err(|_| failed())?;
        let worker = Arc::clone(&answers.workers).acquire_owned().await.map_err(|_| failed())?;
        let state = Arc::clone(&state);
        let compute = || async {
            let working = tokio::task::spawn_blocking(move || {
                let _worker = worker;
                work(&state)
            });
            working.await.map_err(|_| failed())?
        };
        kept.get_or_try_init(compute).await.cloned()
    };
    match computed.await {
        Ok(answer) => (answer.head, answer.body).into_response(),
        Err(error) => refusal(&error),
    }
}
