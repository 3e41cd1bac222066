//! The teacher's control over a running tournament: pause, pace and removals.

use std::io;
use std::sync::atomic::{AtomicBool, AtomicU64, Ordering};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::time::Duration;

use tokio::sync::{Notify, watch};
use tokio::time::Instant;

use casino_stud::tournament::{ConsoleAction, DaySettings, Recorder};

/// The teacher's end: the dealer carries out every order between two rounds, and a removal at the player's next question.
#[derive(Clone, Debug, Default)]
pub struct ControlHandle(Arc<ControlState>);

/// The dealer's end.
#[derive(Clone, Debug, Default)]
pub struct Control {
    shared: Arc<ControlState>,
    ended: Option<Instant>,
}

#[derive(Debug, Default)]
struct ControlState {
    requests: Mutex<TeacherRequests>,
    changed: Notify,
    /// Whether there are orders. The dealer reads this before each question, which costs nothing.
    has_orders: AtomicBool,
    /// Whether somebody is set aside, read as often.
    has_set_aside: AtomicBool,
    /// Whether the end of the event is recorded.
    is_over: AtomicBool,
    gate: Gate,
}

/// The gate between the dealer and the show: when closed, the dealer deals only the permitted number of rounds. Rounds
/// are counted from the beginning of the tournament in this process, all tables together.
#[derive(Debug)]
struct Gate {
    /// Rounds the dealer has played.
    dealt: AtomicU64,
    /// Rounds the dealer may play; [`NO_ROUND_LIMIT`] without a limit.
    allowed: AtomicU64,
    /// Rounds after which the dealer ends the event; [`NO_ROUND_LIMIT`] if it plays on.
    ends_after: AtomicU64,
    /// How far the show has come; [`ShownUntil::END`] if nobody waits for it.
    shown: watch::Sender<ShownUntil>,
}

const NO_ROUND_LIMIT: u64 = u64::MAX;

/// How far a show has come, or has to come before a player may know more.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, PartialOrd, Ord)]
pub(super) struct ShownUntil {
    /// The end of this round,
    round: u64,
    /// or the level that was seated after it.
    has_level: bool,
}

impl ShownUntil {
    /// The winners have been announced.
    pub(super) const END: ShownUntil = ShownUntil { round: u64::MAX, has_level: true };

    pub(super) fn round(round: u64) -> ShownUntil {
        ShownUntil { round, has_level: false }
    }

    pub(super) fn level_after(round: u64) -> ShownUntil {
        ShownUntil { round, has_level: true }
    }
}

impl Default for Gate {
    fn default() -> Gate {
        Gate {
            dealt: AtomicU64::new(0),
            allowed: AtomicU64::new(NO_ROUND_LIMIT),
            ends_after: AtomicU64::new(NO_ROUND_LIMIT),
            shown: watch::Sender::new(ShownUntil::END),
        }
    }
}

#[derive(Debug, Default)]
struct TeacherRequests {
    settings: DaySettings,
    /// Single rounds still to be played during the pause.
    steps: u64,
    /// Total number of single rounds ordered.
    steps_ordered: u64,
    orders: Vec<ConsoleAction>,
}

impl ControlState {
    fn requests(&self) -> MutexGuard<'_, TeacherRequests> {
        // Plain data: a panic elsewhere leaves it consistent.
        self.requests.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// Changes requests and settings, and what the dealer reads of them without the lock.
    fn change(&self, change: impl FnOnce(&mut TeacherRequests)) {
        let mut requests = self.requests();
        change(&mut requests);
        self.has_set_aside.store(!requests.settings.set_aside.is_empty(), Ordering::Release);
    }
}

impl ControlHandle {
    /// The dealer's end of this handle.
    pub fn control(&self) -> Control {
        Control { shared: Arc::clone(&self.0), ended: None }
    }

    fn order(&self, order: ConsoleAction, change: impl FnOnce(&mut TeacherRequests)) {
        self.0.change(|requests| {
            requests.settings.apply(&order);
            change(requests);
            requests.orders.push(order);
            self.0.has_orders.store(true, Ordering::Release);
        });
        self.wake();
    }

    /// Applies a command of the teacher to the settings, and has it recorded.
    pub fn note(&self, what: impl Into<ConsoleAction>) {
        self.order(what.into(), |_| {});
    }

    /// Deals no further round until [`ControlHandle::resume`] or [`ControlHandle::step`].
    pub fn pause(&self) {
        self.note(ConsoleAction::PAUSE);
    }

    /// Resumes play.
    pub fn resume(&self) {
        self.order(ConsoleAction::RESUME.into(), |requests| requests.steps = 0);
    }

    /// Plays one round, then pauses.
    pub fn step(&self) {
        self.order(ConsoleAction::STEP.into(), |requests| {
            requests.steps += 1;
            requests.steps_ordered += 1;
        });
    }

    /// Sets the minimum time from the end of a round to the next deal.
    pub fn pace(&self, pace: Duration) {
        self.note(ConsoleAction::pace(pace));
    }

    /// Removes a player, from 0 in the order of the event, when it is asked next or the next round is dealt.
    pub fn remove(&self, player: usize, reason: &str) {
        self.note(ConsoleAction::remove(player, reason));
    }

    /// Reads the settings of the day.
    pub fn read<T>(&self, read: impl FnOnce(&DaySettings) -> T) -> T {
        read(&self.0.requests().settings)
    }

    /// Changes settings and has nothing recorded: for those that a day begins with, or that a journal has.
    pub fn set(&self, change: impl FnOnce(&mut DaySettings)) {
        self.0.change(|requests| change(&mut requests.settings));
        self.wake();
    }

    /// Another tournament of the day is next: nothing that was ordered for the last one counts for it.
    pub fn begin_next(&self) {
        self.0.change(|requests| {
            requests.settings = requests.settings.of_next_tournament();
            requests.steps = 0;
        });
        self.0.is_over.store(false, Ordering::Release);
    }

    /// Wakes a waiting dealer, because something other than an order has changed.
    pub fn wake(&self) {
        self.0.changed.notify_one();
    }

    /// Begins another tournament without dealt rounds: with the gate closed, or open.
    pub fn reset_gate(&self, is_closed: bool) {
        self.0.gate.dealt.store(0, Ordering::Release);
        self.0.gate.ends_after.store(NO_ROUND_LIMIT, Ordering::Release);
        self.0.gate.shown.send_replace(ShownUntil::default());
        if is_closed { self.give_leave(0) } else { self.open_gate() }
    }

    /// Closes the gate after `leave` more rounds; if it is closed, permits that many rounds from now on. The dealer
    /// never has permission for more than that.
    pub fn give_leave(&self, leave: u64) {
        let dealt = self.0.gate.dealt.load(Ordering::Acquire);
        self.0.gate.allowed.store(dealt.saturating_add(leave).min(NO_ROUND_LIMIT - 1), Ordering::Release);
        self.wake();
    }

    /// Ends the event after so many more rounds, as a teacher would; `None` takes that back.
    pub fn end_after(&self, rounds: Option<u64>) {
        let dealt = self.0.gate.dealt.load(Ordering::Acquire);
        let last = rounds.map_or(NO_ROUND_LIMIT, |rounds| dealt.saturating_add(rounds));
        self.0.gate.ends_after.store(last, Ordering::Release);
    }

    /// The show has come to the end of this round: its players may know how it ended.
    pub fn show_has_come_to(&self, round: u64) {
        self.shown(ShownUntil::round(round));
    }

    /// The show has come to the level that was seated after this round: who has no seat in it may know.
    pub fn show_has_come_to_level_after(&self, round: u64) {
        self.shown(ShownUntil::level_after(round));
    }

    fn shown(&self, until: ShownUntil) {
        self.0.gate.shown.send_replace(until);
        self.wake();
    }

    /// Opens the gate: the dealer plays without a limit, and no player waits for the show.
    pub fn open_gate(&self) {
        self.shown(ShownUntil::END);
        self.0.gate.allowed.store(NO_ROUND_LIMIT, Ordering::Release);
        self.wake();
    }

    /// Whether the dealer has played all permitted rounds and waits for more.
    pub fn is_at_gate(&self) -> bool {
        self.0.gate.is_closed()
    }

    /// Whether the end of the event is recorded. Its players may still wait for the show.
    pub fn is_over(&self) -> bool {
        self.0.is_over.load(Ordering::Acquire)
    }

    /// Whether the dealer is to pause.
    pub fn is_paused(&self) -> bool {
        self.read(|settings| settings.is_paused)
    }

    /// Total number of single rounds ordered.
    pub fn steps_ordered(&self) -> u64 {
        self.0.requests().steps_ordered
    }
}

impl Gate {
    /// Whether the dealer may not deal.
    fn is_closed(&self) -> bool {
        self.dealt.load(Ordering::Acquire) >= self.allowed.load(Ordering::Acquire)
    }
}

impl Control {
    /// Records all pending orders, outside of play.
    pub fn record_orders<R: Recorder>(&self, record: &mut R) -> io::Result<()> {
        self.orders().iter().try_for_each(|order| record.console(order))
    }

    /// Waits until the show has come so far.
    pub(super) fn shown(&self, until: ShownUntil) -> impl Future<Output = ()> + Send + use<> {
        let mut shown = self.shared.gate.shown.subscribe();
        async move {
            // An error means that there is no show any more.
            let _ = shown.wait_for(|shown| *shown >= until).await;
        }
    }

    /// Whether play is in step with a show.
    pub(super) fn has_show(&self) -> bool {
        self.shared.gate.allowed.load(Ordering::Relaxed) != NO_ROUND_LIMIT
    }

    /// Whether the show has come so far.
    pub(super) fn has_shown(&self, until: ShownUntil) -> bool {
        *self.shared.gate.shown.borrow() >= until
    }

    /// The end of the event is recorded.
    pub(super) fn note_over(&self) {
        self.shared.is_over.store(true, Ordering::Release);
    }

    /// No player waits for the show any more.
    pub(super) fn release(&self) {
        self.shared.gate.shown.send_replace(ShownUntil::END);
    }

    /// Waits for the next order.
    pub async fn ordered(&self) {
        while self.shared.requests().orders.is_empty() {
            self.shared.changed.notified().await;
        }
    }

    /// The reason for which a player, from 0, is to be removed, if that was ordered since [`Control::orders`].
    pub(super) fn removes(&self, player: usize) -> Option<String> {
        let has_orders = self.shared.has_orders.load(Ordering::Relaxed);
        has_orders.then(|| self.shared.requests().settings.removals.get(&player).cloned()).flatten()
    }

    /// Whether a player, from 0, is set aside.
    pub(super) fn sets_aside(&self, player: usize) -> bool {
        self.shared.has_set_aside.load(Ordering::Relaxed)
            && self.shared.requests().settings.set_aside.contains(&player)
    }

    /// The orders since the last call, the oldest first.
    pub(super) fn orders(&self) -> Vec<ConsoleAction> {
        if !self.shared.has_orders.load(Ordering::Relaxed) {
            return Vec::new();
        }
        let mut requests = self.shared.requests();
        self.shared.has_orders.store(false, Ordering::Relaxed);
        std::mem::take(&mut requests.orders)
    }

    /// Ends a round: the time until the next deal begins, and one permitted round is used up.
    pub(super) fn round_is_over(&mut self) {
        let dealt = self.shared.gate.dealt.fetch_add(1, Ordering::AcqRel) + 1;
        if dealt == self.shared.gate.ends_after.load(Ordering::Acquire) {
            ControlHandle(Arc::clone(&self.shared)).note(ConsoleAction::EndNow);
        }
        self.ended = Some(Instant::now());
    }

    /// Whether the next deal has to wait. If not, one ordered step is used up.
    pub(super) fn must_wait(&mut self) -> bool {
        let mut requests = self.shared.requests();
        if !requests.orders.is_empty() || self.shared.gate.is_closed() {
            return true;
        }
        if requests.settings.is_paused {
            return match requests.steps.checked_sub(1) {
                Some(left) => {
                    requests.steps = left;
                    false
                }
                None => true,
            };
        }
        self.ended.is_some_and(|ended| ended.elapsed() < requests.settings.pace)
    }

    /// Waits until the next deal has to be reconsidered.
    pub(super) async fn wait(&self) {
        let (paused, pace, ordered) = {
            let requests = self.shared.requests();
            let DaySettings { is_paused, pace, .. } = requests.settings;
            (is_paused, pace, !requests.orders.is_empty())
        };
        if ordered {
            return;
        }
        match self.ended {
            Some(ended) if !paused && !self.shared.gate.is_closed() => {
                // Either the time has passed or something has changed; both are checked again.
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
    fn orders_read_as_at_the_console() {
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
    async fn a_closed_gate_allows_only_permitted_rounds() {
        let controls = ControlHandle::default();
        let mut control = controls.control();
        for _ in 0..100 {
            assert!(!control.must_wait() && !controls.is_at_gate(), "without a show nobody asks");
            control.round_is_over();
        }
        controls.reset_gate(true);
        controls.give_leave(1);
        assert!(!control.must_wait());
        control.round_is_over();
        assert!(control.must_wait() && controls.is_at_gate());
        let start = Instant::now();
        let leave = async {
            tokio::time::sleep(Duration::from_secs(5)).await;
            controls.give_leave(2);
        };
        tokio::join!(leave, control.wait());
        assert_eq!(start.elapsed(), Duration::from_secs(5));
        for _ in 0..2 {
            assert!(!control.must_wait());
            control.round_is_over();
        }
        assert!(control.must_wait());
        controls.pause();
        controls.step();
        control.orders();
        assert!(control.must_wait(), "a step is not used up at the gate");
        controls.give_leave(5);
        assert!(!control.must_wait());
        control.round_is_over();
        assert!(control.must_wait(), "one round was allowed");
        controls.resume();
        control.orders();
        controls.open_gate();
        assert!(!control.must_wait());
    }

    #[tokio::test(start_paused = true)]
    async fn a_step_lets_one_round_through_and_a_pace_waits_its_time() {
        let controls = ControlHandle::default();
        let mut control = controls.control();
        assert!(!control.must_wait());
        controls.step();
        assert!(control.must_wait(), "an order is looked at first");
        control.orders();
        assert!(!control.must_wait());
        assert!(control.must_wait());
        controls.resume();
        controls.pace(Duration::from_millis(100));
        control.orders();
        control.round_is_over();
        let start = Instant::now();
        while control.must_wait() {
            control.wait().await;
        }
        assert_eq!(start.elapsed(), Duration::from_millis(100));
    }
}
