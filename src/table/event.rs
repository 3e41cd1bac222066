//! What happens at a table.

use crate::stud::{Action, Chips, Half, Seat, SeatSet, Street};

/// Every change of a table is one of these, and applying them again rebuilds the table exactly. Eight bytes,
/// because one is kept for everything that happens.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum TableEvent {
    /// A round begins: these seats ante and get their cards. [`super::Table::round_number`] says which round.
    Dealt {
        /// Who is dealt in.
        seats: SeatSet,
    },
    /// A street is opened.
    Opened {
        /// Which one.
        street: Street,
        /// Who acts first (R6).
        opener: Seat,
    },
    /// A player folds or bets.
    Acted {
        /// Who.
        seat: Seat,
        /// What.
        action: Action,
    },
    /// A player without chips and with nothing to call stays in unasked (R8).
    Passed {
        /// Who.
        seat: Seat,
    },
    /// A player who cannot call is folded unasked (R8).
    ForcedFold {
        /// Who.
        seat: Seat,
    },
    /// A player broke a rule and is folded if it was in (R18, R19). [`super::Table::foul_of`] says which rule.
    Fouled {
        /// Who.
        seat: Seat,
    },
    /// Chips move from the pot to a player.
    Won {
        /// Who.
        seat: Seat,
        /// What for.
        half: Half,
        /// How many chips.
        chips: Chips,
    },
    /// A player leaves the table, and what is left of its stack leaves play.
    Left {
        /// Who.
        seat: Seat,
        /// How many chips leave play.
        forfeited: Chips,
    },
    /// The round is over and the pot paid out.
    Ended,
}

const _: () = assert!(size_of::<TableEvent>() == 8);
