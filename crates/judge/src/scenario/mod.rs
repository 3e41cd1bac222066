//! Scenarios: situations at a table as files, and what must come of them. `scenarios/README.md` describes the
//! files.
//!
//! `scenario::scripted_table` is the one table that is set up by hand: placed cards, stacks, seats, and the scripted
//! replies of the others. Scenarios play all seats at it, over sockets in memory or over TCP; the rubric's situations and the
//! protocol check play a `SubjectRound`, in which one seat is the player under test.

mod expect;
pub(crate) mod file;
pub(crate) mod json;
mod judge;
mod run;
mod runner;
mod script;
pub(crate) mod scripted_table;

pub use expect::Expectations;
pub use file::Scenario;
pub use json::{FileError, Location};
pub use judge::Unexpected;
pub use run::{PlayedFoul, PlayedRound, ScenarioRun, TranscriptLine};
pub use script::ScriptEntry;
