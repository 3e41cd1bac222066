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
    /// 0 while it is not known.
    round_trip: AtomicU64,
    network: AtomicU64,
}

/// The reply times of a player, in microseconds.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize)]
pub(crate) struct PlayerReplyTimes {
    pub(crate) count: u64,
    /// How long they took on average.
    pub(crate) mean: u64,
    pub(crate) last: u64,
    pub(crate) longest: u64,
    /// How long a byte takes to its machine and the acknowledgement back, if the system tells.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(crate) round_trip: Option<u64>,
    /// How often it was waited for longer than its limit because of the network.
    #[serde(skip_serializing_if = "is_zero")]
    pub(crate) network: u64,
}

#[expect(clippy::trivially_copy_pass_by_ref, reason = "serde calls it so")]
fn is_zero(count: &u64) -> bool {
    *count == 0
}

impl Replies {
    /// The reply times of this many players, none of whom has answered.
    pub(crate) fn new(players: usize) -> Replies {
        Replies((0..players).map(|_| PlayerReplies::default()).collect())
    }

    /// Notes a reply of a player, from 0; of the house bots beyond the players nothing is noted. Nobody sits at two
    /// tables, so that no two notes meet.
    pub(crate) fn note(&self, player: usize, took: Duration) {
        let Some(PlayerReplies { count, total, last, longest, .. }) = self.0.get(player) else { return };
        let took = took.as_micros() as u64;
        count.store(count.load(Ordering::Relaxed) + 1, Ordering::Relaxed);
        total.store(total.load(Ordering::Relaxed) + took, Ordering::Relaxed);
        last.store(took, Ordering::Relaxed);
        longest.store(longest.load(Ordering::Relaxed).max(took), Ordering::Relaxed);
    }

    /// Notes that a player, from 0, was waited for longer than its limit because of the network.
    pub(crate) fn note_network(&self, player: usize) {
        if let Some(seated) = self.0.get(player) {
            seated.network.fetch_add(1, Ordering::Relaxed);
        }
    }

    /// Notes how far away a player's machine is.
    pub(crate) fn note_round_trip(&self, player: usize, round_trip: Duration) {
        if let Some(seated) = self.0.get(player) {
            seated.round_trip.store(round_trip.as_micros() as u64, Ordering::Relaxed);
        }
    }

    /// The times of a player, from 0.
    pub(crate) fn of(&self, player: usize) -> PlayerReplyTimes {
        let Some(PlayerReplies { count, total, last, longest, round_trip, network }) = self.0.get(player)
        else {
            return PlayerReplyTimes::default();
        };
        let count = count.load(Ordering::Relaxed);
        PlayerReplyTimes {
            count,
            mean: total.load(Ordering::Relaxed).checked_div(count).unwrap_or(0),
            last: last.load(Ordering::Relaxed),
            longest: longest.load(Ordering::Relaxed),
            round_trip: Some(round_trip.load(Ordering::Relaxed)).filter(|known| *known > 0),
            network: network.load(Ordering::Relaxed),
        }
    }
}
