//! One table of stud as a pure state machine: questions, replies, fouls, the view of each seat, and events.
//!
//! Every driver of a table runs the same loop: it calls [`Table::step`] for the next step, and passes replies to
//! [`Table::answer`]. [`play_round`] is that loop for players that reply at once.

mod driver;
mod escape;
mod event;
mod exit_reason;
mod foul;
mod foul_tally;
mod reply;
mod settings;
mod state;
mod view;

pub use driver::{Participants, play_round};
pub use escape::{escape, escape_if_needed};
pub use event::TableEvent;
pub use exit_reason::ExitReason;
pub(crate) use foul::HIDDEN_TEXT;
pub use foul::{Fault, Foul, FrameFault};
pub use foul_tally::FoulTally;
pub use reply::Reply;
pub use settings::{OnFoul, TableSettings};
pub use state::{Step, Table};
pub use view::{Notice, Question, Status};

/// The outcome of asking a player: its reply, or the fault in place of a readable one.
pub type Answer = Result<Reply, Fault>;
