//! A player whose replies the caller waits for.

use std::convert::Infallible;

use super::Bot;
use crate::table::{Answer, Fault, Foul, Question, Status};

/// A player that is asked alone, whose caller waits for each reply: a bot, or one program that may have to be restarted.
pub trait AwaitedPlayer {
    /// Why the player cannot go on.
    type Stop;

    /// Answers a question, or returns the fault.
    fn answer(&mut self, question: &Question<'_>) -> Result<Answer, Self::Stop>;

    /// Receives the end of a round.
    fn hear(&mut self, status: &Status) -> Result<(), Fault>;

    /// Prepares the player for the next round after a foul. The default does nothing.
    fn fouled(&mut self, foul: &Foul) -> Result<(), Self::Stop> {
        let _ = foul;
        Ok(())
    }

    /// Forgets the cards it may have stored, before they are dealt again: a program is started again. The default does nothing.
    fn forget(&mut self) -> Result<(), Self::Stop> {
        Ok(())
    }
}

/// A bot always answers.
impl<B: Bot> AwaitedPlayer for B {
    type Stop = Infallible;

    #[inline]
    fn answer(&mut self, question: &Question<'_>) -> Result<Answer, Infallible> {
        Ok(Ok(self.decide(question)))
    }

    #[inline]
    fn hear(&mut self, status: &Status) -> Result<(), Fault> {
        Bot::hear(self, status);
        Ok(())
    }
}
