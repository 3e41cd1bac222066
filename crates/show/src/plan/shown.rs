//! The part of a tournament shown so far.

use serde::{Deserialize, Serialize};

/// Rounds that have been shown to their end. Rounds are numbered from 1, tables too.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum ShownRounds {
    /// A level.
    Level {
        /// How many rounds came before it.
        after: u64,
    },
    /// A round begins to be shown step by step. As [`ShownRounds::Detail`].
    Began {
        /// The round.
        round: u64,
        /// Its tables, in this order.
        tables: Vec<u32>,
        /// Whether the dealer kept in step with the show.
        in_step: bool,
        /// Whether rounds before it may not have been shown.
        gap: bool,
    },
    /// Step by step at these tables, in this order.
    Detail {
        /// The round.
        round: u64,
        /// Its tables, in this order.
        tables: Vec<u32>,
        /// Whether the dealer kept in step with the show.
        in_step: bool,
        /// Whether rounds before it may not have been shown.
        gap: bool,
    },
    /// In one picture of a montage.
    Montage {
        /// The round.
        round: u64,
        /// The table that is seen; 0 leaves it to the page.
        table: u32,
        /// Whether the dealer kept in step with the show.
        in_step: bool,
        /// Whether rounds before it may not have been shown.
        gap: bool,
    },
    /// All exits of this round have been announced.
    Exits {
        /// The round.
        round: u64,
    },
    /// The ceremony, to its end.
    Podium,
    /// The remaining minutes when the next of these lines was written.
    Clock {
        /// The remaining seconds.
        left: u64,
    },
}

impl ShownRounds {
    /// `None` if it is not a round.
    pub fn last_round(&self) -> Option<u64> {
        match self {
            ShownRounds::Detail { round, .. } | ShownRounds::Montage { round, .. } => Some(*round),
            ShownRounds::Level { .. }
            | ShownRounds::Began { .. }
            | ShownRounds::Exits { .. }
            | ShownRounds::Podium
            | ShownRounds::Clock { .. } => None,
        }
    }

    /// Whether the page had asked for it. Where the dealer does not keep in step, the last round of a table comes unasked, and
    /// that of no other table with it.
    pub fn was_asked_for(&self) -> bool {
        !matches!(self, ShownRounds::Montage { in_step: false, .. })
    }
}
