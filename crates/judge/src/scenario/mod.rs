//! Scenarios: situations at a table as files, and their expected outcome (`scenarios/README.md`). They play all
//! seats of a `scripted_table`; situations of a rubric and the protocol check play a `SubjectRound`, with one
//! player under test.

mod expect;
pub(crate) mod file;
pub(crate) mod house_games;
pub(crate) mod json;
mod judge;
mod run;
mod runner;
mod script;
pub(crate) mod scripted_table;

pub use file::Scenario;
pub use json::FileError;
pub use judge::Unexpected;
pub use run::{PlayedFoul, PlayedRound, ScenarioRun, TranscriptLine};
