//! Situations that bots are judged in (`crates/judge/rubric/README.md`): a real table with scripted cards and players,
//! played until it is clear how often the bot does a thing, because bots may leave things to chance.

pub(crate) mod expect;
pub(crate) mod file;
mod judge;
mod judged_parts;
mod play;
mod player;
mod sequential;

pub(crate) use file::RubricSituation;
pub(super) use judged_parts::SituationJudge;
pub(super) use player::without_details;
pub use player::{JudgedPlayer, JudgedProgram, PlayerGivenUp};
