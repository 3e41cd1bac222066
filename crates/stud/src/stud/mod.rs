//! The rules of three-card stud: seats, betting, the strength of hands, and the pot. Nothing here knows who plays or
//! how replies come in.

mod betting;
mod pot;
mod round;
mod seats;
mod strength;

pub use betting::{Action, Bounds, IllegalBet};
pub(crate) use pot::Winners;
pub use pot::{Half, Payout, Showdown};
pub use round::{Round, Rules, ShortStack, Street, Turn};
pub use seats::{MAX_SEATS, Seat, SeatSet};
pub use strength::{Category, Strength};

/// An amount of chips, or a stack of them. Whole and never negative; sums are checked in every build.
pub type Chips = u32;
