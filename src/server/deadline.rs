//! One timer for all the deadlines of a table.

use std::future::poll_fn;
use std::pin::Pin;
use std::task::Poll;
use std::time::Duration;

use tokio::time::{Instant, Sleep, sleep_until};

/// How much later than asked a timer may fire before the host itself must have stalled, which is not the players'
/// fault.
const STALL: Duration = Duration::from_millis(250);

/// A timer that is reset only when it fires or when a deadline comes before it. Nearly every reply comes long before
/// its deadline, and a new timer for each would cost more than everything else the dealer does for a reply.
#[derive(Debug)]
pub(super) struct DeadlineTimer {
    sleep: Pin<Box<Sleep>>,
}

impl DeadlineTimer {
    /// Creates a timer that has fired already.
    pub(super) fn new() -> DeadlineTimer {
        DeadlineTimer { sleep: Box::pin(sleep_until(Instant::now())) }
    }

    /// Returns the future's output, or `None` if it is not ready by the deadline.
    pub(super) async fn by<F: Future>(
        &mut self,
        deadline: Instant,
        mut future: Pin<&mut F>,
    ) -> Option<F::Output> {
        poll_fn(|context| {
            if let Poll::Ready(output) = future.as_mut().poll(context) {
                return Poll::Ready(Some(output));
            }
            if deadline < self.sleep.deadline() {
                self.sleep.as_mut().reset(deadline);
            }
            // A timer that was set for an earlier deadline fires too early for this one.
            while self.sleep.as_mut().poll(context).is_ready() {
                if Instant::now() >= deadline {
                    return Poll::Ready(None);
                }
                self.sleep.as_mut().reset(deadline);
            }
            Poll::Pending
        })
        .await
    }

    /// Returns the future's output, or `None` if it is not ready within the limit. If the timer fires much too late, the
    /// whole process stalled (the machine slept, the disk hung): then the time starts again.
    pub(super) async fn within<F: Future>(
        &mut self,
        limit: Duration,
        from: Instant,
        mut future: Pin<&mut F>,
    ) -> Option<F::Output> {
        let mut deadline = from + limit;
        loop {
            let output = self.by(deadline, future.as_mut()).await;
            if output.is_some() || Instant::now() <= deadline + STALL {
                return output;
            }
            deadline = Instant::now() + limit;
        }
    }
}
