//! The append-only record of a tournament: a JSON line for each event, enough to rebuild every round.

mod digest;
mod event_line;
mod header;
#[cfg(test)]
mod header_tests;
mod line;
mod occasion;
mod reader;
mod recorded_line;
mod store;
mod time_banks;
mod writer;

pub use digest::Digest;
pub use event_line::write_event;
pub use header::{Header, HeaderError, HeaderPlayer, PlayerSource, Terms};
pub use line::{Eliminated, ForgivenFouls, JournalLine, LevelTable, Replied, StandingLine};
pub use occasion::{Occasion, OccasionText, OccasionTextError};
pub use reader::{Entry, MAX_LINE_BYTES, ReadError, Reader, Tail};
pub(crate) use recorded_line::{Content, RecordedLine};
pub use store::Store;
pub use time_banks::{INITIAL_TIME_BANK, RecordedTimeBanks, TIME_BANK_GROWTH};
pub use writer::{Durability, Journal, ResumePoint, record_table};
