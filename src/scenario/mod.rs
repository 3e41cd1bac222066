//! Scenarios: situations at a table as files, and what must come of them. `scenarios/README.md` describes the
//! files.

mod cut;
mod expect;
pub(crate) mod file;
mod in_process;
pub(crate) mod json;
mod judge;
mod over_tcp;
mod played;
mod script;

pub use cut::{CutError, cut};
pub use expect::Expectations;
pub use file::Scenario;
pub use json::{Mistake, Place};
pub use judge::Finding;
pub use played::{Played, PlayedFoul, PlayedRound, Spoken};
pub use script::Act;
