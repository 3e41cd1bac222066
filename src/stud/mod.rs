//! The rules of three-card stud: seats, betting, strength, the pot. Pure; knows nothing of tables and wires.

mod betting;
mod pot;
mod round;
mod seats;
mod strength;

pub use betting::{Action, Bounds, IllegalBet};
pub use pot::{Half, Payout, Showdown};
pub use round::{Round, Rules, ShortStack, Street, Turn};
pub use seats::{MAX_SEATS, Seat, SeatSet};
pub use strength::{Category, Strength};

/// An amount of chips, or a stack of them. Whole and never negative; sums are checked in every build.
pub type Chips = u32;
