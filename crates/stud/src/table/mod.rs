//! One table of stud as a pure state machine: questions, replies, fouls, what a seat may see, and events.
//!
//! Every driver of a table runs the same loop: asking [`Table::step`] what to do, and giving [`Table::answer`]. Where
//! nobody has to be waited for, [`play_round`] is that loop.

mod driver;
mod escape;
mod event;
mod exit_reason;
mod foul;
mod foul_tally;
mod repeating;
mod reply;
mod settings;
mod state;
mod view;

pub use driver::{Participants, play_round};
pub use escape::{escape, escape_if_needed};
pub use event::TableEvent;
pub use exit_reason::ExitReason;
pub(crate) use foul::HIDDEN;
pub use foul::{Fault, Foul, FrameFault};
pub use foul_tally::FoulTally;
pub use repeating::Ejected;
pub use reply::Reply;
pub use settings::{OnFoul, TableSettings};
pub use state::{Step, Table};
pub use view::{Notice, Question, Status};

/// What came of asking a player: its reply, or why there is none that could be read.
pub type Answer = Result<Reply, Fault>;
