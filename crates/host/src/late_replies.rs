//! Late replies of a player that continues to play after a timeout (R19).
//!
//! Messages have no number, so a late reply looks like the reply to the next question. Three things distinguish them:
//! when it comes, whether another comes after it, and that a program answers in order.

use std::time::Duration;

use bytes::Bytes;
use tokio::time::Instant;

/// The replies that a player may still owe.
#[derive(Debug, Default)]
pub(super) struct LateReplies {
    /// How many messages may still come that have been reported as faults already: replies that were too late, and the
    /// rest of a message that was not asked for.
    outstanding: u32,
    /// Whether the buffered bytes begin one of them, because they came before the current question.
    has_beginning: bool,
    /// The last message that came since the question, while it may be the reply to an earlier one.
    held: Option<Bytes>,
    /// How many came since the question.
    came: u32,
    /// When the next question stops waiting for late replies.
    until: Option<Instant>,
}

impl LateReplies {
    /// Whether anything may still come.
    pub(super) fn is_pending(&self) -> bool {
        self.outstanding > 0
    }

    /// Whether nothing came of two replies or more.
    pub(super) fn is_silent(&self) -> bool {
        self.outstanding >= 2
    }

    /// The next question is sent again. Of the earlier replies one may still come.
    pub(super) fn ask_again(&mut self) {
        self.outstanding = self.outstanding.min(1);
    }

    /// The rest of a message that was not asked for may still come.
    pub(super) fn expect_the_rest(&mut self) {
        self.outstanding += 1;
    }

    /// How long the next question still waits for late replies. A late reply gets its time limit once more.
    pub(super) fn patience(&self) -> Option<Duration> {
        let left = self.until.filter(|_| self.is_pending())?.saturating_duration_since(Instant::now());
        (!left.is_zero()).then_some(left)
    }

    /// Takes a message that came while no question was open. Returns false if no late reply was expected.
    pub(super) fn accept_late(&mut self) -> bool {
        let Some(left) = self.outstanding.checked_sub(1) else { return false };
        self.outstanding = left;
        true
    }

    /// Registers a question; `partial` if the buffer has the beginning of an earlier message.
    pub(super) fn asked(&mut self, partial: bool) {
        (self.held, self.came) = (None, 0);
        self.has_beginning = partial && self.is_pending();
        self.until = None;
    }

    /// Takes a message that came after the question, and returns it if it certainly is the reply: if no late reply is
    /// outstanding, or if it follows all of them.
    pub(super) fn take(&mut self, message: Bytes) -> Option<Bytes> {
        if std::mem::take(&mut self.has_beginning) {
            self.outstanding = self.outstanding.saturating_sub(1);
            return None;
        }
        if self.came == self.outstanding {
            (self.outstanding, self.held) = (0, None);
            return Some(message);
        }
        self.came += 1;
        self.held = Some(message);
        None
    }

    /// The time for the reply is over. The last message, if there is one, counts as the reply, and no late reply is
    /// expected any more: a program that skipped a question must not be held to it forever.
    pub(super) fn at_the_deadline(&mut self) -> Option<Bytes> {
        let reply = self.held.take()?;
        (self.outstanding, self.came) = (0, 0);
        Some(reply)
    }

    /// The question was not answered within this limit: one more reply may come.
    pub(super) fn missed(&mut self, limit: Duration) {
        self.outstanding += 1;
        self.until = Some(Instant::now() + limit);
    }
}
