//! A person's seat: receives the same text as a program, with more time to reply (R23).

use std::error::Error;
use std::fmt;
use std::pin::pin;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::time::Duration;

use tokio::sync::{Notify, watch};
use tokio::time::{Instant, timeout_at};

use casino_stud::protocol::{done_text, question_text, status_text};
use casino_stud::stud::{Bounds, IllegalBet};
use casino_stud::table::{Question, Reply, Status};

use super::deadline::DeadlineTimer;

/// A timeout marks the person as away only if at least this fraction of its thinking time was available.
const AWAY_MIN_THINKING_TIME_DIVISOR: u32 = 10;

/// The dealer's end of a chair. After a timeout the person is folded, or checks if there is nothing to call, and is
/// never ejected for it.
#[derive(Debug)]
pub struct Chair {
    shared: Arc<SharedChair>,
    think: Duration,
}

/// The person's end, for the page or terminal that draws the table. It can be cloned freely; the chair remains when all
/// clones are dropped.
#[derive(Clone, Debug)]
pub struct ChairHandle(Arc<SharedChair>);

#[derive(Debug)]
struct SharedChair {
    state: Mutex<ChairState>,
    /// Notified when the person replies.
    replied: Notify,
    /// Notified when the state changes.
    changed: watch::Sender<()>,
}

/// The state of a chair.
#[derive(Clone, Debug, Default)]
pub struct ChairState {
    /// The commands since the last look at the end of a round, in the protocol's words, the oldest first.
    pub messages: Vec<String>,
    /// Number of commands sent before those.
    pub earlier_messages: u64,
    /// The open question.
    pub asked: Option<OpenQuestion>,
    /// Deadline for the person to confirm the end of the round; `None` without a pending confirmation.
    pub confirm_by: Option<Instant>,
    /// How many questions ran out of time.
    pub timeouts: u64,
    /// Whether the person let a question time out and has been silent since. Other players do not wait for a person who
    /// is away.
    pub away: bool,
    questions: u64,
    reply: Option<Reply>,
}

/// An open question.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct OpenQuestion {
    /// Which question at this chair it is, from 1: a reply names it.
    pub number: u64,
    /// Limits of a legal reply.
    pub bounds: Bounds,
    /// The deadline; it moves if the host is suspended.
    pub until: Instant,
}

impl ChairState {
    /// Remaining time of the person in seconds, rounded up; `None` if no reply is pending.
    pub fn seconds_left(&self) -> Option<u64> {
        let until = self.asked.map(|asked| asked.until).or(self.confirm_by)?;
        Some(until.saturating_duration_since(Instant::now()).as_millis().div_ceil(1_000) as u64)
    }
}

/// Why a person's reply was rejected. The person receives the reason; it is no foul.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum ReplyRejection {
    /// Its question is answered, or its time is over.
    TooLate,
    /// It cannot be bet.
    Illegal(IllegalBet, Bounds),
}

impl fmt::Display for ReplyRejection {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            ReplyRejection::TooLate => f.write_str("that question is answered already, or its time is over"),
            ReplyRejection::Illegal(_, bounds) if bounds.stack < bounds.to_call => write!(
                f,
                "to call costs {}, and the stack is {}: only folding is legal",
                bounds.to_call, bounds.stack
            ),
            ReplyRejection::Illegal(_, bounds) => {
                write!(f, "from {} to {} chips can be added, or fold", bounds.to_call, bounds.most())
            }
        }
    }
}

impl Error for ReplyRejection {}

impl SharedChair {
    fn state(&self) -> MutexGuard<'_, ChairState> {
        // Plain data, of which each part is set at once.
        self.state.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// Changes the state and notifies the watchers.
    fn update(&self, change: impl FnOnce(&mut ChairState)) {
        change(&mut self.state());
        self.changed.send_replace(());
    }
}

impl Chair {
    /// A chair with this thinking time per question. A person who views the end of a round delays the next deal by at
    /// most the same time.
    pub fn new(think: Duration) -> Chair {
        let shared =
            SharedChair { state: Mutex::default(), replied: Notify::new(), changed: watch::Sender::new(()) };
        Chair { shared: Arc::new(shared), think }
    }

    /// The person's end of it.
    pub fn handle(&self) -> ChairHandle {
        ChairHandle(Arc::clone(&self.shared))
    }

    /// How long the person may think about a question.
    pub(super) fn think(&self) -> Duration {
        self.think
    }

    /// Whether the person let a time run out and has given no sign since.
    pub(super) fn is_away(&self) -> bool {
        self.shared.state().away
    }

    /// Asks, and waits this long for the reply, which is legal. False if the time ran out.
    pub(super) async fn ask(
        &self,
        question: &Question<'_>,
        time: Duration,
        alarm: &mut DeadlineTimer,
    ) -> (Reply, bool) {
        let now = Instant::now();
        let bounds = question.bounds;
        self.shared.update(|state| {
            state.questions += 1;
            state.reply = None;
            state.messages.push(question_text(question));
            state.asked = Some(OpenQuestion { number: state.questions, bounds, until: now + time });
        });
        let reply = if time.is_zero() { None } else { alarm.within(time, now, pin!(self.replied())).await };
        let reply = self.close(reply, time);
        let in_time = reply.is_some();
        (reply.unwrap_or(if bounds.to_call == 0 { Reply::Bet(0) } else { Reply::Fold }), in_time)
    }

    /// Closes the question, for which there was this time. A reply that was accepted counts, also at the last moment.
    fn close(&self, reply: Option<Reply>, time: Duration) -> Option<Reply> {
        let mut closed = None;
        self.shared.update(|state| {
            state.asked = None;
            closed = reply.or(state.reply.take());
            state.timeouts += u64::from(closed.is_none());
            state.away |= closed.is_none() && time >= self.think / AWAY_MIN_THINKING_TIME_DIVISOR;
        });
        closed
    }

    async fn replied(&self) -> Reply {
        loop {
            if let Some(reply) = self.shared.state().reply.take() {
                return reply;
            }
            self.shared.replied.notified().await;
        }
    }

    /// Sends the end of a round, for the person to confirm.
    pub(super) fn notify(&self, status: &Status) {
        self.shared.update(|state| {
            state.messages.push(status_text(status));
            state.confirm_by = Some(Instant::now() + self.think);
        });
    }

    /// Sends `done`.
    pub(super) fn done(&self, reason: &str) {
        self.shared.update(|state| {
            state.messages.push(done_text(reason));
            state.confirm_by = None;
        });
    }

    /// Moves the deadline for the confirmation to this time at the latest.
    pub(super) fn confirm_until(&self, until: Instant) {
        self.shared.update(|state| state.confirm_by = state.confirm_by.map(|before| before.min(until)));
    }

    /// Waits until the person has confirmed the end of the round, or its time is over.
    pub(super) async fn has_looked(&self) {
        let until = self.shared.state().confirm_by.unwrap_or_else(Instant::now);
        let looked = async {
            while self.shared.state().confirm_by.is_some() {
                self.shared.replied.notified().await;
            }
        };
        // The next round is dealt in either case.
        let _ = timeout_at(until, looked).await;
        self.shared.update(|state| {
            state.confirm_by = None;
            state.earlier_messages += state.messages.len() as u64;
            state.messages.clear();
        });
    }
}

impl ChairHandle {
    /// Returns a copy of the current state.
    pub fn snapshot(&self) -> ChairState {
        self.0.state().clone()
    }

    /// A receiver notified at each change of state.
    pub fn changes(&self) -> watch::Receiver<()> {
        self.0.changed.subscribe()
    }

    /// Answers the question of this number.
    pub fn reply(&self, number: u64, reply: Reply) -> Result<(), ReplyRejection> {
        let mut state = self.0.state();
        let asked = state.asked.filter(|asked| asked.number == number && state.reply.is_none());
        let asked = asked.ok_or(ReplyRejection::TooLate)?;
        reply.legalise(&asked.bounds).map_err(|why| ReplyRejection::Illegal(why, asked.bounds))?;
        state.reply = Some(reply);
        state.away = false;
        drop(state);
        self.0.replied.notify_one();
        Ok(())
    }

    /// Confirms the end of the round: the next one may be dealt.
    pub fn go_on(&self) {
        self.0.update(|state| {
            state.confirm_by = None;
            state.away = false;
        });
        self.0.replied.notify_one();
    }

    /// Marks the person as present: its next question has the full time again.
    pub fn is_here(&self) {
        if self.0.state().away {
            self.0.update(|state| state.away = false);
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_reply_that_was_accepted_counts_though_the_time_is_over() {
        let chair = Chair::new(Duration::from_secs(1));
        let bounds = Bounds { to_call: 2, raise_cap: 4, stack: 10 };
        let ask = || {
            chair.shared.update(|state| {
                state.questions += 1;
                state.asked = Some(OpenQuestion { number: state.questions, bounds, until: Instant::now() });
            })
        };
        ask();
        chair.handle().reply(1, Reply::Bet(2)).unwrap();
        assert_eq!(chair.close(None, chair.think), Some(Reply::Bet(2)));
        assert!(!chair.is_away() && chair.handle().snapshot().timeouts == 0);
        ask();
        assert_eq!(chair.close(None, chair.think), None);
        assert_eq!(chair.handle().reply(2, Reply::Bet(2)), Err(ReplyRejection::TooLate));
        assert!(chair.is_away() && chair.handle().snapshot().timeouts == 1);
    }
}
