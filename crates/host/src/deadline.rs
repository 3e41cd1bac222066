//! One timer for all deadlines of a table. It ticks during a wait, which shows for how long the host was suspended.

use std::future::poll_fn;
use std::pin::Pin;
use std::task::{Context, Poll, Waker};
use std::time::Duration;

use tokio::time::{Instant, Sleep, sleep_until};

const TIMER_TICK: Duration = Duration::from_millis(50);

/// A tick that is late by more than this shows a suspended host, which is not attributed to the players. A busy host is
/// late by less.
const MAX_TICK_DELAY: Duration = Duration::from_millis(25);

/// A timer that is reset only when it fires or when a deadline comes before it. Nearly every reply comes long before
/// the next beat, and a new timer for each would cost more than everything else the dealer does for a reply.
#[derive(Debug)]
pub(super) struct DeadlineTimer {
    /// Fires at most one beat after the last wait began.
    sleep: Pin<Box<Sleep>>,
    /// The task woken when the timer fires. The timer need not be registered again while the same task waits.
    wakes: Option<Waker>,
}

impl DeadlineTimer {
    /// Creates a timer that has fired already.
    pub(super) fn new() -> DeadlineTimer {
        DeadlineTimer { sleep: Box::pin(sleep_until(Instant::now())), wakes: None }
    }

    /// Forgets the task that waited last. The timer keeps it in memory otherwise, also when it is over.
    pub(super) fn forget_task(&mut self) {
        self.wakes = None;
        let _ = self.sleep.as_mut().poll(&mut Context::from_waker(Waker::noop()));
    }

    /// Returns the future's output, or `None` if it is not ready by the deadline, which is at most a beat away.
    pub(super) async fn by<F: Future>(
        &mut self,
        deadline: Instant,
        future: Pin<&mut F>,
    ) -> Option<F::Output> {
        // A timer that was set for an earlier deadline fires too early for this one.
        let fired = |mut sleep: Pin<&mut Sleep>| {
            let is_over = Instant::now() >= deadline;
            if !is_over {
                sleep.as_mut().reset(deadline);
            }
            is_over
        };
        self.unless(deadline, future, fired).await
    }

    /// Returns the future's output, or `None` if it is not ready within the limit, which began at `from`. Time in which
    /// the host was suspended (a sleeping machine, a hung disk) does not count (R17).
    pub(super) async fn within<F: Future>(
        &mut self,
        limit: Duration,
        from: Instant,
        mut future: Pin<&mut F>,
    ) -> Option<F::Output> {
        let mut remaining = RemainingLimit::new(limit, from);
        loop {
            let deadline = remaining.deadline;
            let output = self.until_next_tick(&mut remaining, deadline, future.as_mut()).await;
            if output.is_some() || remaining.alive >= remaining.deadline {
                return output;
            }
        }
    }

    /// Returns the future's output, or `None` at the next tick or at this deadline if that is earlier. Afterwards
    /// `remaining` has the remaining part of the limit.
    pub(super) async fn until_next_tick<F: Future>(
        &mut self,
        remaining: &mut RemainingLimit,
        deadline: Instant,
        future: Pin<&mut F>,
    ) -> Option<F::Output> {
        let fired = |mut sleep: Pin<&mut Sleep>| {
            let now = Instant::now();
            remaining.beat(sleep.deadline(), now);
            if now < deadline.max(remaining.deadline) {
                sleep.as_mut().reset(deadline.max(remaining.deadline).min(now + TIMER_TICK));
            }
            true
        };
        self.unless(deadline, future, fired).await
    }

    /// Returns the future's output, or `None` if the timer fires before it is ready and `fired` returns true. Otherwise
    /// `fired` resets the timer. It fires at the deadline or before.
    async fn unless<F: Future>(
        &mut self,
        deadline: Instant,
        mut future: Pin<&mut F>,
        mut fired: impl FnMut(Pin<&mut Sleep>) -> bool,
    ) -> Option<F::Output> {
        poll_fn(|context| {
            if let Poll::Ready(output) = future.as_mut().poll(context) {
                return Poll::Ready(Some(output));
            }
            if deadline < self.sleep.deadline() {
                self.sleep.as_mut().reset(deadline);
            } else if !self.sleep.is_elapsed()
                && self.wakes.as_ref().is_some_and(|waker| waker.will_wake(context.waker()))
            {
                return Poll::Pending;
            }
            self.wakes = None;
            while self.sleep.as_mut().poll(context).is_ready() {
                if fired(self.sleep.as_mut()) {
                    return Poll::Ready(None);
                }
            }
            self.wakes = Some(context.waker().clone());
            Poll::Pending
        })
        .await
    }
}

/// Advances tokio's paused clock by this time, for tests, in small steps: one large step would look like a suspended
/// host, whose time counts towards no deadline.
pub async fn pass_time(time: Duration) {
    let mut left = time;
    while !left.is_zero() {
        let step = left.min(MAX_TICK_DELAY / 2);
        tokio::time::advance(step).await;
        // Every task waiting for the clock runs before the next step.
        for _ in 0..4 {
            tokio::task::yield_now().await;
        }
        left -= step;
    }
}

/// How much of a limit is left, counted in beats that came in time.
#[derive(Debug)]
pub(super) struct RemainingLimit {
    /// When the limit is over, as far as is known.
    pub(super) deadline: Instant,
    /// When the host was last seen to live.
    pub(super) alive: Instant,
    /// Remaining part of the time before late ticks that may still be credited, because the host may have been
    /// suspended. It begins with the limit: otherwise a host that is late repeatedly would wait for a silent player
    /// forever.
    doubt: Duration,
}

impl RemainingLimit {
    /// A limit that began at `from`.
    pub(super) fn new(limit: Duration, from: Instant) -> RemainingLimit {
        RemainingLimit { deadline: from + limit, alive: from, doubt: limit }
    }

    /// A tick that was due at `due` comes now. If it is too late, all time since the last one is credited: the host may
    /// have been suspended from there.
    fn beat(&mut self, due: Instant, now: Instant) {
        let due = due.max(self.alive);
        let late = now.saturating_duration_since(due);
        if late > MAX_TICK_DELAY {
            let doubtful = (due - self.alive).min(self.doubt);
            self.doubt -= doubtful;
            self.deadline += late + doubtful;
        }
        self.alive = now;
    }
}

#[cfg(test)]
mod tests {
    use std::pin::pin;
    use std::task::Context;
    use std::task::Waker;

    use tokio::time::advance;

    use super::*;

    const LIMIT: Duration = Duration::from_millis(1_000);

    fn ms(ms: u64) -> Duration {
        Duration::from_millis(ms)
    }

    /// Waits for a reply that comes after the host has run for this long, or never. The host runs in steps of a
    /// millisecond, and is suspended for each of these times at these moments of its running time. Returns the running
    /// time at the end of the wait, and whether there was a reply.
    async fn wait(reply: Option<u64>, stalls: &[(u64, u64)], hold: bool) -> (u64, bool) {
        let mut timer = DeadlineTimer::new();
        let from = Instant::now();
        let remaining = std::cell::Cell::new(0);
        let future = poll_fn(|_| match reply.is_some_and(|reply| remaining.get() >= reply) {
            true => Poll::Ready(()),
            false => Poll::Pending,
        });
        let wait = async {
            let mut future = std::pin::pin!(future);
            if hold && timer.by(from + ms(20), future.as_mut()).await.is_some() {
                return Some(());
            }
            timer.within(LIMIT, from, future).await
        };
        let mut wait = std::pin::pin!(wait);
        let mut context = Context::from_waker(Waker::noop());
        loop {
            if let Poll::Ready(answer) = wait.as_mut().poll(&mut context) {
                return (remaining.get(), answer.is_some());
            }
            for (_, still) in stalls.iter().filter(|(at, _)| *at == remaining.get()) {
                advance(ms(*still)).await;
            }
            advance(ms(1)).await;
            remaining.set(remaining.get() + 1);
            assert!(remaining.get() < 20_000, "the wait never ends");
        }
    }

    #[tokio::test(start_paused = true)]
    async fn a_reply_in_time_survives_any_host_suspension() {
        for still in [200, 900, 1_000, 1_100, 1_250, 3_000] {
            for at in [0, 1, 10, 19, 20, 21, 49, 50, 51, 300, 899, 949, 979] {
                for (reply, hold) in [(50, true), (50, false), (980, true), (980, false)] {
                    let stalls = [(at, still)];
                    assert_eq!(
                        wait(Some(reply), &stalls, hold).await,
                        (reply, true),
                        "{still} ms at {at}, hold: {hold}"
                    );
                }
            }
        }
        let often: Vec<(u64, u64)> = (1..20).map(|beat| (beat * 47, 1_000)).collect();
        assert_eq!(wait(Some(980), &often, true).await, (980, true));
    }

    #[tokio::test(start_paused = true)]
    async fn silence_times_out_after_a_second() {
        assert_eq!(wait(None, &[], true).await, (1_000, false));
        assert_eq!(wait(Some(1_010), &[], false).await, (1_000, false));
        // A tick late by less than the tolerance does not count as a suspension.
        assert_eq!(wait(None, &[(400, 20)], false).await, (980, false));
        for still in [200, 900, 1_000, 1_100, 1_250, 3_000] {
            for at in [0, 10, 21, 50, 300, 949, 999] {
                let (remaining, answered) = wait(None, &[(at, still)], true).await;
                // At most one beat more than its second.
                assert!(!answered && (1_000..=1_050).contains(&remaining), "{still} ms at {at}: {remaining}");
            }
        }
    }

    #[tokio::test(start_paused = true)]
    async fn a_host_that_never_keeps_time_does_not_wait_for_ever() {
        let always: Vec<(u64, u64)> = (0..20_000).map(|at| (at, 100)).collect();
        let (remaining, answered) = wait(None, &always, false).await;
        assert!(!answered && remaining < 3_000, "{remaining}");
    }

    #[tokio::test(start_paused = true)]
    async fn the_timer_wakes_the_waiting_task() {
        let mut timer = DeadlineTimer::new();
        for _ in 0..3 {
            // A separate task each time, which nothing else wakes.
            let waits = async move {
                let from = Instant::now();
                let never = || std::future::pending::<()>();
                assert_eq!(timer.by(from + ms(20), pin!(never())).await, None);
                assert_eq!(timer.within(LIMIT, from, pin!(never())).await, None);
                timer
            };
            let waited = tokio::time::timeout(2 * LIMIT, tokio::spawn(waits)).await;
            timer = waited.expect("the task is woken").expect("it does not panic");
        }
    }

    #[tokio::test(start_paused = true)]
    async fn a_reply_ready_at_the_wake_up_is_in_time() {
        let mut timer = DeadlineTimer::new();
        let from = Instant::now();
        advance(ms(1_001)).await;
        assert_eq!(timer.within(LIMIT, from, std::pin::pin!(async { 7 })).await, Some(7));
    }
}
