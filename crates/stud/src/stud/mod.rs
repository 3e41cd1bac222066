//! The rules of three-card stud: seats, betting, the strength of hands, and the pot. Nothing here knows who plays or
//! how replies come in.

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
