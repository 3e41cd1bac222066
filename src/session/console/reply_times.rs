//! How fast the players answer.

use std::sync::atomic::{AtomicU64, Ordering};
use std::time::Duration;

use serde::Serialize;

/// Reply times of every player: written by the dealer, read by the console whenever it likes.
#[derive(Debug, Default)]
pub(crate) struct Replies(Vec<PlayerReplies>);

#[derive(Debug, Default)]
struct PlayerReplies {
    count: AtomicU64,
    total: AtomicU64,
    last: AtomicU64,
    longest: AtomicU64,
    /// In milliseconds; 0 for a player without a time bank.
    time_bank: AtomicU64,
    time_bank_used: AtomicU64,
    /// Questions missed in a row, and the count of replies at the last of them.
    missed: AtomicU64,
    missed_at: AtomicU64,
}

/// The reply times of a player, in microseconds.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize)]
#[cfg_attr(test, derive(ts_rs::TS))]
pub(crate) struct PlayerReplyTimes {
    pub(crate) count: u64,
    /// How long they took on average.
    pub(crate) mean: u64,
    pub(crate) last: u64,
    pub(crate) longest: u64,
    /// The time left in its time bank, in milliseconds.
    #[serde(default, skip_serializing_if = "is_zero")]
    pub(crate) time_bank: u64,
    /// The time used from its time bank, in milliseconds.
    #[serde(default, skip_serializing_if = "is_zero")]
    pub(crate) time_bank_used: u64,
    /// It missed two questions or more in a row, and is not asked until it sends a message (R19).
    #[serde(default, skip_serializing_if = "std::ops::Not::not")]
    pub(crate) silent: bool,
}

/// A player for whose replies the show waits.
#[derive(Clone, Copy, Debug, PartialEq, Serialize)]
#[cfg_attr(test, derive(ts_rs::TS))]
pub(crate) struct LatePlayer {
    /// Its number, from 1.
    pub(crate) seat: usize,
    /// How long its replies of a round take.
    pub(crate) seconds: f64,
}

#[expect(clippy::trivially_copy_pass_by_ref, reason = "serde calls it so")]
fn is_zero(count: &u64) -> bool {
    *count == 0
}

impl Replies {
    /// The reply times of this many players, all empty.
    pub(crate) fn new(players: usize) -> Replies {
        Replies((0..players).map(|_| PlayerReplies::default()).collect())
    }

    /// Records a player's reply, 0-based; house bots beyond the players are ignored. No player sits at two tables, so
    /// records never collide.
    pub(crate) fn note(&self, player: usize, took: Duration, time_bank: Duration) {
        let Some(PlayerReplies { count, total, last, longest, time_bank: bank, .. }) = self.0.get(player)
        else {
            return;
        };
        bank.store(time_bank.as_millis() as u64, Ordering::Relaxed);
        let took = took.as_micros() as u64;
        count.store(count.load(Ordering::Relaxed) + 1, Ordering::Relaxed);
        total.store(total.load(Ordering::Relaxed) + took, Ordering::Relaxed);
        last.store(took, Ordering::Relaxed);
        longest.store(longest.load(Ordering::Relaxed).max(took), Ordering::Relaxed);
    }

    /// Notes that a player, from 0, used its time bank.
    pub(crate) fn note_time_bank(&self, player: usize, used: Duration) {
        if let Some(seated) = self.0.get(player) {
            seated.time_bank_used.fetch_add(used.as_millis() as u64, Ordering::Relaxed);
        }
    }

    /// Notes that a player, from 0, missed a question. Its time was noted before if it was asked.
    pub(crate) fn note_missed(&self, player: usize) {
        let Some(PlayerReplies { count, missed, missed_at, .. }) = self.0.get(player) else { return };
        let count = count.load(Ordering::Relaxed);
        let before = missed_at.swap(count, Ordering::Relaxed);
        let in_a_row = if count > before + 1 { 0 } else { missed.load(Ordering::Relaxed) };
        missed.store(in_a_row + 1, Ordering::Relaxed);
    }

    /// The player, of these, from 0, whose replies take longest in a round, after so many rounds.
    pub(crate) fn slowest(
        &self,
        players: impl IntoIterator<Item = usize>,
        rounds: u64,
    ) -> Option<LatePlayer> {
        let total =
            |player: &usize| self.0.get(*player).map_or(0, |replies| replies.total.load(Ordering::Relaxed));
        let player = players.into_iter().max_by_key(total)?;
        let seconds = total(&player) as f64 / 1e6 / rounds.max(1) as f64;
        Some(LatePlayer { seat: player + 1, seconds })
    }

    /// The times of a player, from 0.
    pub(crate) fn of(&self, player: usize) -> PlayerReplyTimes {
        let Some(player) = self.0.get(player) else { return PlayerReplyTimes::default() };
        let count = player.count.load(Ordering::Relaxed);
        PlayerReplyTimes {
            count,
            mean: player.total.load(Ordering::Relaxed).checked_div(count).unwrap_or(0),
            last: player.last.load(Ordering::Relaxed),
            longest: player.longest.load(Ordering::Relaxed),
            time_bank: player.time_bank.load(Ordering::Relaxed),
            time_bank_used: player.time_bank_used.load(Ordering::Relaxed),
            silent: player.missed.load(Ordering::Relaxed) >= 2
                && player.missed_at.load(Ordering::Relaxed) == count,
        }
    }
}
