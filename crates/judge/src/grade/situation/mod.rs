//! Situations that bots are judged in: a scripted table with a seat for the bot, and what it must or must not do.
//! `scenarios/rubric/README.md` describes the files.
//!
//! A situation is played by a real [`casino_stud::table::Table`], round after round with the same cards, and judged by
//! how often the bot does a thing ([`Sequential`]), because bots may leave things to chance.

mod choice;
mod expect;
mod file;
mod fisher;
mod judge;
mod judged_parts;
mod play;
mod player;
mod sequential;

pub use choice::Choice;
pub use expect::Expectation;
pub use file::{RubricSituation, Side};
pub use fisher::{REACTION_ERROR, independence};
pub use judge::{Judged, LEGAL_RUNS, Ruling, judge};
pub(super) use judged_parts::SituationJudge;
pub use play::{Exchange, SituationRound};
pub(super) use player::without_details;
pub use player::{GaveUp, JudgedPlayer};
pub use sequential::{ERROR, NEARLY_ALWAYS, NO_MORE_THAN_CHANCE, Sequential};
