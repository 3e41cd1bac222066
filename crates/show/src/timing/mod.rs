//! Durations of scenes, and their selection.

mod director;
mod pace;
mod remaining;
mod show_clock;
mod time_budget;

pub use director::{Director, Scene, Shot};
pub use pace::{for_action, usual_round};
pub use remaining::Remaining;
pub use show_clock::ShowClock;
pub use time_budget::{LAST_ROUND_SLOWEST_FACTOR, TimeBudget};
