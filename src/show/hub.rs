//! Handing the page to everyone who watches.

use std::net::IpAddr;
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::time::Duration;

use bytes::Bytes;
use futures_util::Stream;
use futures_util::stream::unfold;
use tokio::sync::broadcast;
use tokio::sync::broadcast::error::RecvError;

use casino_show::state::{Page, PredictionError, PredictionForm, Predictions, PublishedPage};

/// How many changes a viewer may be behind before it gets a new snapshot instead.
const BEHIND: usize = 64;

/// How often a quiet connection is written to, so that each side notices when the other one is gone. A page reports it
/// after 12 s without an event.
const HEARTBEAT: Duration = Duration::from_secs(5);

/// An event, not a comment: the script of a page is told of it.
const HEARTBEAT_EVENT: &[u8] = b"event: heartbeat\ndata:\n\n";

/// The page and its viewers. A viewer never delays a change: each change is serialized once for all, and a viewer that
/// falls behind loses some and continues with a snapshot.
#[derive(Debug)]
pub(crate) struct Hub {
    published: Mutex<PublishedPage>,
    /// Whether changes are held back.
    is_quiet: AtomicBool,
    predictions: Mutex<Predictions>,
    changes: broadcast::Sender<Bytes>,
}

impl Default for Hub {
    fn default() -> Hub {
        Hub {
            published: Mutex::default(),
            is_quiet: AtomicBool::new(false),
            predictions: Mutex::default(),
            changes: broadcast::Sender::new(BEHIND),
        }
    }
}

impl Hub {
    fn published(&self) -> MutexGuard<'_, PublishedPage> {
        // A page is plain data: a panic elsewhere leaves nothing half-done that could not be shown.
        self.published.lock().unwrap_or_else(PoisonError::into_inner)
    }
    pub(crate) fn change<T>(&self, change: impl FnOnce(&mut Page) -> T) -> T {
        let mut published = self.published();
        let result = change(&mut published.page);
        // Without viewers no change is computed: a new viewer begins with a snapshot.
        if self.changes.receiver_count() > 0
            && !self.is_quiet.load(Ordering::Relaxed)
            && let Some((number, change)) = published.change()
        {
            // An error means that there are no viewers.
            let _ = self.changes.send(frame("delta", number, &change));
        }
        result
    }

    /// Makes many changes that viewers receive as one message.
    pub(crate) fn quietly<T>(&self, change: impl FnOnce() -> T) -> T {
        self.is_quiet.store(true, Ordering::Relaxed);
        let result = change();
        self.is_quiet.store(false, Ordering::Relaxed);
        self.change(|_| ());
        result
    }

    pub(crate) fn look<T>(&self, look: impl FnOnce(&Page) -> T) -> T {
        look(&self.published().page)
    }

    pub(crate) fn predictions<T>(&self, change: impl FnOnce(&mut Predictions) -> T) -> T {
        let mut predictions = self.predictions.lock().unwrap_or_else(PoisonError::into_inner);
        let result = change(&mut predictions);
        self.change(|page| page.predictions = predictions.view());
        result
    }

    /// Takes the prediction of a phone at this address.
    pub(crate) fn predict(&self, form: &PredictionForm, address: IpAddr) -> Result<(), PredictionError> {
        self.predictions(|predictions| predictions.take(form, address))
    }

    /// How the predictions of the phone with this id came out, as JSON, once everything is over.
    pub(crate) fn prediction_result(&self, id: &str) -> Option<String> {
        let predictions = self.predictions.lock().unwrap_or_else(PoisonError::into_inner);
        let result = predictions.result_of(id)?;
        Some(serde_json::to_string(result).expect("a result is plain data"))
    }
    pub(crate) fn snapshot(&self) -> String {
        self.published().snapshot().1
    }

    /// The page of this player, from 1, as JSON; `None` if there is no such player.
    pub(crate) fn player(&self, seat: usize) -> Option<String> {
        let player = self.published().page.player_page(seat)?;
        Some(serde_json::to_string(&player).expect("a page is plain data"))
    }

    pub(crate) fn viewers(&self) -> usize {
        self.changes.receiver_count()
    }

    /// The snapshot as a server-sent event, and every change after it.
    fn join(&self) -> (Bytes, broadcast::Receiver<Bytes>) {
        let (mut published, receiver) = (self.published(), self.changes.subscribe());
        let (number, snapshot) = published.snapshot();
        (frame("snapshot", number, &snapshot), receiver)
    }

    /// The stream of a viewer: a numbered snapshot, then numbered changes; a new snapshot whenever the viewer has
    /// fallen behind.
    pub(crate) fn watch(self: Arc<Hub>) -> impl Stream<Item = Result<Bytes, std::convert::Infallible>> {
        let nobody: Option<broadcast::Receiver<Bytes>> = None;
        unfold((self, nobody), |(hub, receiver)| async move {
            let Some(mut receiver) = receiver else {
                let (snapshot, receiver) = hub.join();
                return Some((Ok(snapshot), (hub, Some(receiver))));
            };
            match tokio::time::timeout(HEARTBEAT, receiver.recv()).await {
                Ok(Ok(change)) => Some((Ok(change), (hub, Some(receiver)))),
                Ok(Err(RecvError::Lagged(_))) => {
                    let (snapshot, receiver) = hub.join();
                    Some((Ok(snapshot), (hub, Some(receiver))))
                }
                Ok(Err(RecvError::Closed)) => None,
                Err(_) => Some((Ok(Bytes::from_static(HEARTBEAT_EVENT)), (hub, Some(receiver)))),
            }
        })
    }
}

/// A server-sent event. JSON has no line break in it.
fn frame(event: &str, number: u64, data: &str) -> Bytes {
    Bytes::from(format!("id: {number}\nevent: {event}\ndata: {data}\n\n"))
}

#[cfg(test)]
mod tests {
    use super::*;
    use futures_util::StreamExt;

    fn kind(frame: &Bytes) -> (String, u64) {
        let text = std::str::from_utf8(frame).unwrap();
        let field = |name: &str| text.lines().find_map(|line| line.strip_prefix(name)).unwrap().to_string();
        (field("event: "), field("id: ").parse().unwrap())
    }

    #[tokio::test(start_paused = true)]
    async fn a_quiet_stream_has_a_heartbeat_every_five_seconds() {
        let hub = Arc::new(Hub::default());
        let mut viewer = Box::pin(Arc::clone(&hub).watch());
        viewer.next().await.unwrap().unwrap();
        let begun = tokio::time::Instant::now();
        for beat in 1..=3 {
            let event = viewer.next().await.unwrap().unwrap();
            assert_eq!((&event[..], begun.elapsed().as_secs()), (HEARTBEAT_EVENT, 5 * beat));
        }
        hub.change(|page| page.news.add("day", "a change is a sign of life too".to_string()));
        assert_eq!(kind(&viewer.next().await.unwrap().unwrap()).0, "delta");
        assert_eq!(begun.elapsed().as_secs(), 15);
    }

    #[tokio::test]
    async fn slow_viewers_get_a_snapshot_and_the_others_every_change() {
        let hub = Arc::new(Hub::default());
        let mut quick = Box::pin(Arc::clone(&hub).watch());
        let mut slow = Box::pin(Arc::clone(&hub).watch());
        let first = quick.next().await.unwrap().unwrap();
        assert_eq!(kind(&first), ("snapshot".to_string(), 0));
        assert_eq!(kind(&slow.next().await.unwrap().unwrap()).0, "snapshot");
        for number in 1..=3 * BEHIND as u64 {
            hub.change(|page| page.news.add("day", format!("news {number}")));
            assert_eq!(kind(&quick.next().await.unwrap().unwrap()), ("delta".to_string(), number));
        }
        let again = slow.next().await.unwrap().unwrap();
        assert_eq!(kind(&again), ("snapshot".to_string(), 3 * BEHIND as u64));
        hub.change(|page| page.news.add("day", "one more".to_string()));
        assert_eq!(kind(&slow.next().await.unwrap().unwrap()), ("delta".to_string(), 3 * BEHIND as u64 + 1));
        assert_eq!(hub.viewers(), 2);
        drop(slow);
        assert_eq!(hub.viewers(), 1);
    }
}
