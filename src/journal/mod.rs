//! The append-only record of a tournament: a JSON line for each event, enough to rebuild every round.

mod digest;
mod header;
mod line;
mod phh;
mod reader;
mod redo;
mod store;
mod story;
mod verify;
mod writer;

pub use header::{Header, HeaderPlayer, Plays, Terms};
pub use line::{LevelTable, Line, Replied, SentOut, StandingLine};
pub use phh::phh;
pub use reader::{Entry, ReadError, Reader, Torn};
pub use redo::{Difference, Floor, HouseBots, HouseSide, Part, Rebuilt, Redo, RedoError, Watch, opponent};
pub use store::Store;
pub use story::{Dealt, Eyes, Happening, Message, Story, Teller, names};
pub use verify::{End, Verified, verify};
pub use writer::{Durability, Journal, Sheet, open_to_resume};
