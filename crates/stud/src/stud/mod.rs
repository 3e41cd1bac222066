//! The rules of three-card stud: seats, betting, hand ranks and the pot. This module does not know the players or where
//! replies come from.

mod betting;
mod chips;
mod pot;
mod round;
mod seats;
mod strength;

pub use betting::{Action, Bounds, IllegalBet};
pub use chips::{Chips, grouped};
pub use pot::{Half, Payout, Showdown, Winners};
pub use round::{Round, Rules, ShortStack, Street, Turn};
pub use seats::{MAX_SEATS, Seat, SeatSet};
pub use strength::{Category, Strength};
