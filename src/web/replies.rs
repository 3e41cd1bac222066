//! How fast the players answer.

use std::sync::atomic::{AtomicU64, Ordering};
use std::time::Duration;

use serde::Serialize;

use crate::stud::{MAX_SEATS, Seat};

/// Reply times of every seat: written by the dealer, read by the console whenever it likes.
#[derive(Debug, Default)]
pub(super) struct Replies([Seated; MAX_SEATS]);

#[derive(Debug, Default)]
struct Seated {
    count: AtomicU64,
    total: AtomicU64,
    last: AtomicU64,
    longest: AtomicU64,
}

/// The reply times of a player, in microseconds.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize)]
pub(super) struct ReplyTimes {
    /// How many replies there were.
    pub(super) count: u64,
    /// How long they took on average.
    pub(super) mean: u64,
    /// How long the last one took.
    pub(super) last: u64,
    /// How long the slowest took.
    pub(super) longest: u64,
}

impl Replies {
    /// Notes a reply. There is one dealer, so that no two notes meet.
    pub(super) fn note(&self, seat: Seat, took: Duration) {
        let Seated { count, total, last, longest } = &self.0[seat.index()];
        let took = took.as_micros() as u64;
        count.store(count.load(Ordering::Relaxed) + 1, Ordering::Relaxed);
        total.store(total.load(Ordering::Relaxed) + took, Ordering::Relaxed);
        last.store(took, Ordering::Relaxed);
        longest.store(longest.load(Ordering::Relaxed).max(took), Ordering::Relaxed);
    }

    /// The times of a player.
    pub(super) fn of(&self, seat: Seat) -> ReplyTimes {
        let Seated { count, total, last, longest } = &self.0[seat.index()];
        let count = count.load(Ordering::Relaxed);
        ReplyTimes {
            count,
            mean: total.load(Ordering::Relaxed).checked_div(count).unwrap_or(0),
            last: last.load(Ordering::Relaxed),
            longest: longest.load(Ordering::Relaxed),
        }
    }
}
