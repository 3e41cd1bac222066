//! The rounds that wait to be shown, and the order in which everything is shown.

mod replay_show;
mod show_plan;
mod show_queue;

pub use replay_show::{RecordedScene, ReplayShot, programme};
pub use show_plan::{Cue, ShowPlan, at_tables, scenes, steps_of, takes};
pub use show_queue::{FinalResult, Pending, RoundAtTables, ShowQueue};
