//! The time that people look at something, and the choice of what they look at.

mod director;
mod pace;
mod time_budget;

pub use director::{Director, FRAME, Scene, Shot};
pub use pace::{for_action, usual_round};
pub use time_budget::{LAST_ROUND, Remaining, TimeBudget};
