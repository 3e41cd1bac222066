//! Situations that bots are judged in: a scripted table with a seat for the bot, and what it must or must not do.
//! `scenarios/rubric/README.md` describes the files.
//!
//! A situation is played by a real [`casino_stud::table::Table`], round after round with the same cards, and judged by
//! how often the bot does a thing (`Sequential`), because bots may leave things to chance.

mod choice;
pub(crate) mod expect;
pub(crate) mod file;
mod fisher;
mod judge;
mod judged_parts;
mod play;
mod player;
mod sequential;

pub(crate) use file::RubricSituation;
pub(super) use judged_parts::SituationJudge;
pub(super) use player::without_details;
pub use player::{GaveUp, JudgedPlayer};
