//! How fast the players answer.

use std::sync::atomic::{AtomicU64, Ordering};
use std::time::Duration;

use serde::Serialize;

/// Reply times of every player: written by the dealer, read by the console whenever it likes.
#[derive(Debug, Default)]
pub(super) struct Replies(Vec<Seated>);

#[derive(Debug, Default)]
struct Seated {
    count: AtomicU64,
    total: AtomicU64,
    last: AtomicU64,
    longest: AtomicU64,
}

/// The reply times of a player, in microseconds.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize)]
pub(super) struct PlayerReplyTimes {
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
    /// The reply times of this many players, none of whom has answered.
    pub(super) fn new(players: usize) -> Replies {
        Replies((0..players).map(|_| Seated::default()).collect())
    }

    /// Notes a reply of a player, from 0; of the house bots beyond the players nothing is noted. Nobody sits at two
    /// tables, so that no two notes meet.
    pub(super) fn note(&self, player: usize, took: Duration) {
        let Some(Seated { count, total, last, longest }) = self.0.get(player) else { return };
        let took = took.as_micros() as u64;
        count.store(count.load(Ordering::Relaxed) + 1, Ordering::Relaxed);
        total.store(total.load(Ordering::Relaxed) + took, Ordering::Relaxed);
        last.store(took, Ordering::Relaxed);
        longest.store(longest.load(Ordering::Relaxed).max(took), Ordering::Relaxed);
    }

    /// The times of a player, from 0.
    pub(super) fn of(&self, player: usize) -> PlayerReplyTimes {
        let Some(Seated { count, total, last, longest }) = self.0.get(player) else {
            return PlayerReplyTimes::default();
        };
        let count = count.load(Ordering::Relaxed);
        PlayerReplyTimes {
            count,
            mean: total.load(Ordering::Relaxed).checked_div(count).unwrap_or(0),
            last: last.load(Ordering::Relaxed),
            longest: longest.load(Ordering::Relaxed),
        }
    }
}
