//! The events of a table.

use crate::stud::{Action, Chips, Half, Seat, SeatSet, Street};

/// A change of a table. Applying the events of a round again rebuilds the table exactly. An event takes eight bytes,
/// because one is kept for everything that happens.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum TableEvent {
    /// A round begins: these seats pay the ante and get their cards. [`super::Table::round_number`] is its number.
    Dealt {
        /// The players who are dealt in.
        seats: SeatSet,
    },
    /// A street is opened.
    Opened {
        /// The street that is opened.
        street: Street,
        /// The player who acts first (R6).
        opener: Seat,
    },
    /// A player folds or bets.
    Acted {
        /// The player who acts.
        seat: Seat,
        /// The player's action.
        action: Action,
    },
    /// A player without chips and with nothing to call stays in unasked (R8).
    Passed {
        /// The player who passes.
        seat: Seat,
    },
    /// A player who cannot call is folded unasked (R8).
    ForcedFold {
        /// The player who is folded.
        seat: Seat,
    },
    /// A player commits a foul, and is folded if it was still in (R18, R19). See [`super::Table::foul_of`].
    Fouled {
        /// The player who commits the foul.
        seat: Seat,
    },
    /// Chips move from the pot to a player.
    Won {
        /// The player who gets the chips.
        seat: Seat,
        /// The part of the pot that they come from.
        half: Half,
        /// The number of chips.
        chips: Chips,
    },
    /// A player leaves the table, and its remaining stack leaves play.
    Left {
        /// The player who leaves.
        seat: Seat,
        /// The chips of its stack, which leave play.
        forfeited: Chips,
    },
    /// The round is over and the pot has been paid out.
    Ended,
}

const _: () = assert!(size_of::<TableEvent>() == 8);

/// Panics in every build, because a table that makes or loses chips must not go on (R12). It is a function of its own, so
/// that the event need not be kept in memory for a message that is never written.
#[cold]
#[inline(never)]
pub(super) fn not_conserved(before: Chips, after: Chips, event: TableEvent) -> ! {
    panic!("R12: {before} chips became {after} by {event:?}")
}
