//! Players inside the program: the trait of all bots, and the house bots.

mod chances;
mod house;

use crate::table::{Question, Reply, Status};

pub use chances::{chance_of_high_spade, equity};
pub use house::{HOUSE, HouseBot, HousePlayer};

/// A player in the same process. It sees what a program on the wire sees, and nothing else.
pub trait Bot: Send {
    /// Answers a question.
    fn decide(&mut self, question: &Question<'_>) -> Reply;

    /// Hears how a round ended.
    fn hear(&mut self, status: &Status) {
        let _ = status;
    }
}

/// Any function can play.
impl<F: FnMut(&Question<'_>) -> Reply + Send> Bot for F {
    fn decide(&mut self, question: &Question<'_>) -> Reply {
        self(question)
    }
}
