//! What the people in charge may do to a tournament that is being played.

use std::fmt;
use std::io;
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::time::Duration;

use tokio::sync::Notify;
use tokio::time::Instant;

use crate::tournament::Recorder;

/// The end of the people in charge: every order is carried out by the dealer, between two steps of play.
#[derive(Clone, Debug, Default)]
pub struct ControlHandle(Arc<Shared>);

/// The dealer's end.
#[derive(Clone, Debug, Default)]
pub struct Control {
    shared: Arc<Shared>,
    /// When the last round was over.
    ended: Option<Instant>,
}

#[derive(Debug, Default)]
struct Shared {
    wishes: Mutex<Requests>,
    changed: Notify,
    /// Whether the dealer has anything to look at: one glance tells, so that it costs nothing when not.
    stirred: AtomicBool,
}

#[derive(Debug, Default)]
struct Requests {
    paused: bool,
    /// How many rounds may still be played although the dealer is paused.
    steps: u64,
    pace: Duration,
    orders: Vec<Order>,
}

/// Something the people in charge did.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) enum Order {
    /// No further round until told.
    Pause,
    /// Play on.
    Resume,
    /// One round, and then pause.
    Step,
    /// This long from the end of a round to the next deal.
    Pace(Duration),
    /// Somebody is sent out.
    Remove {
        /// Which player of the tournament, from 0.
        player: usize,
        /// Why, as the player and the room are told.
        reason: String,
    },
    /// Anything else that only has to be written down.
    Note(String),
}

/// As in the journal. Seats are numbered from 1.
impl fmt::Display for Order {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Order::Pause => f.write_str("pause"),
            Order::Resume => f.write_str("resume"),
            Order::Step => f.write_str("step"),
            Order::Pace(pace) => write!(f, "pace {}", pace.as_millis()),
            Order::Remove { player, reason } => write!(f, "remove {}: {reason}", player + 1),
            Order::Note(what) => f.write_str(what),
        }
    }
}

impl Shared {
    fn wishes(&self) -> MutexGuard<'_, Requests> {
        // Plain data: nothing is left half-done by a panic elsewhere.
        self.wishes.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

impl ControlHandle {
    /// The dealer's end of this helm.
    pub fn control(&self) -> Control {
        Control { shared: Arc::clone(&self.0), ended: None }
    }

    fn order(&self, order: Order, change: impl FnOnce(&mut Requests)) {
        let mut wishes = self.0.wishes();
        change(&mut wishes);
        wishes.orders.push(order);
        self.0.stirred.store(true, Ordering::Release);
        drop(wishes);
        self.0.changed.notify_one();
    }

    /// No further round is dealt until [`ControlHandle::resume`] or [`ControlHandle::step`].
    pub fn pause(&self) {
        self.order(Order::Pause, |wishes| wishes.paused = true);
    }

    /// Play goes on.
    pub fn resume(&self) {
        self.order(Order::Resume, |wishes| {
            wishes.paused = false;
            wishes.steps = 0;
        });
    }

    /// One round is played; then the dealer pauses.
    pub fn step(&self) {
        self.order(Order::Step, |wishes| {
            wishes.paused = true;
            wishes.steps += 1;
        });
    }

    /// The pace the day begins with.
    pub fn set_pace(&self, pace: Duration) {
        self.0.wishes().pace = pace;
    }

    /// At least this long passes from the end of a round to the next deal.
    pub fn pace(&self, pace: Duration) {
        self.order(Order::Pace(pace), |wishes| wishes.pace = pace);
    }

    /// Sends a player out, from 0 in the order of the tournament, in a round that is being played as well as between
    /// two.
    pub fn remove(&self, player: usize, reason: &str) {
        self.order(Order::Remove { player, reason: reason.to_string() }, |_| {});
    }

    /// Has something written down that the people in charge did elsewhere.
    pub fn note(&self, what: &str) {
        self.order(Order::Note(what.to_string()), |_| {});
    }

    /// Wakes a dealer that rests, because something else than an order has changed.
    pub fn wake(&self) {
        self.0.changed.notify_one();
    }

    /// Whether the dealer is to pause.
    pub fn is_paused(&self) -> bool {
        self.0.wishes().paused
    }

    /// The pace that is set.
    pub fn current_pace(&self) -> Duration {
        self.0.wishes().pace
    }
}

impl Control {
    /// Has everything written down that was ordered while nothing is played.
    ///
    /// # Errors
    /// The record's.
    pub fn write_down<R: Recorder>(&self, record: &mut R) -> io::Result<()> {
        self.orders().iter().try_for_each(|order| record.console(&order.to_string()))
    }

    /// Waits until the people in charge do something.
    pub async fn stirred(&self) {
        while self.shared.wishes().orders.is_empty() {
            self.shared.changed.notified().await;
        }
    }

    /// What has been ordered since the last call, in order.
    pub(super) fn orders(&self) -> Vec<Order> {
        if !self.shared.stirred.load(Ordering::Relaxed) {
            return Vec::new();
        }
        let mut wishes = self.shared.wishes();
        self.shared.stirred.store(false, Ordering::Relaxed);
        std::mem::take(&mut wishes.orders)
    }

    /// The time until the next deal begins to run.
    pub(super) fn round_is_over(&mut self) {
        self.ended = Some(Instant::now());
    }

    /// Whether the next deal has to wait. If not, a step that was allowed is used up.
    pub(super) fn wants_rest(&mut self) -> bool {
        let mut wishes = self.shared.wishes();
        if !wishes.orders.is_empty() {
            return true;
        }
        if wishes.paused {
            return match wishes.steps.checked_sub(1) {
                Some(left) => {
                    wishes.steps = left;
                    false
                }
                None => true,
            };
        }
        self.ended.is_some_and(|ended| ended.elapsed() < wishes.pace)
    }

    /// Waits until there is reason to look again.
    pub(super) async fn rested(&self) {
        let (paused, pace, ordered) = {
            let wishes = self.shared.wishes();
            (wishes.paused, wishes.pace, !wishes.orders.is_empty())
        };
        if ordered {
            return;
        }
        match self.ended {
            Some(ended) if !paused => {
                // Either the time has passed or there is something new; both are looked at again.
                let _ = tokio::time::timeout_at(ended + pace, self.shared.changed.notified()).await;
            }
            _ => self.shared.changed.notified().await,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn orders_read_as_in_the_journal() {
        let controls = ControlHandle::default();
        let control = controls.control();
        controls.pause();
        controls.step();
        controls.pace(Duration::from_millis(250));
        controls.remove(2, "it plays music");
        controls.note("rehearsal on");
        controls.resume();
        let said: Vec<String> = control.orders().iter().map(ToString::to_string).collect();
        assert_eq!(said, ["pause", "step", "pace 250", "remove 3: it plays music", "rehearsal on", "resume"]);
        assert!(control.orders().is_empty());
    }

    #[tokio::test(start_paused = true)]
    async fn a_step_lets_one_round_through_and_a_pace_waits_its_time() {
        let controls = ControlHandle::default();
        let mut control = controls.control();
        assert!(!control.wants_rest());
        controls.step();
        assert!(control.wants_rest(), "an order is looked at first");
        control.orders();
        assert!(!control.wants_rest());
        assert!(control.wants_rest());
        controls.resume();
        controls.pace(Duration::from_millis(100));
        control.orders();
        control.round_is_over();
        let start = Instant::now();
        while control.wants_rest() {
            control.rested().await;
        }
        assert_eq!(start.elapsed(), Duration::from_millis(100));
    }
}
