//! Bots in the same process: the trait of all bots, and the house bots.

mod awaited;
mod house;
mod inference;
mod ladder;
mod ladder_figures;
mod solver;
#[cfg(test)]
mod test_round;

use crate::stud::Seat;
use crate::table::{Answer, Fault, Notice, Participants, Question, Reply, Status, Table};

pub use awaited::AwaitedPlayer;
pub use house::{HOUSE, HouseBot, HousePlayer, Memory};
pub use ladder::{LADDER_SEATS, LadderFigure, LadderRow, ladder};

/// A player in the same process. It sees exactly the messages a program on the network receives.
///
/// Every function from a question to a reply is a bot. This one cannot foul; `examples/rate_my_bot.rs` has one with a memory, and
/// the front page plays with one.
///
/// ```
/// use casino_stud::strategies::Bot;
/// use casino_stud::table::{Question, Reply};
///
/// /// Raises with a pair, calls small bets, and folds to others.
/// fn my_bot(question: &Question<'_>) -> Reply {
///     let bounds = question.bounds;
///     let has_pair = question.up.iter().any(|card| card.rank() == question.hole.rank());
///     let action = match bounds.to_call {
///         _ if has_pair && question.pot < 150 => bounds.raise(10),
///         0..=5 => bounds.call(),
///         _ => bounds.fold(),
///     };
///     action.into()
/// }
/// # let _: Box<dyn Bot> = Box::new(my_bot);
/// ```
pub trait Bot: Send {
    /// Answers a question. A reply that is not legal is a foul.
    fn decide(&mut self, question: &Question<'_>) -> Reply;

    /// Receives the result of a round. The default ignores it.
    fn hear(&mut self, status: &Status) {
        let _ = status;
    }
}

/// Every function from a question to a reply is a bot.
impl<F: FnMut(&Question<'_>) -> Reply + Send> Bot for F {
    fn decide(&mut self, question: &Question<'_>) -> Reply {
        self(question)
    }
}

impl Bot for Box<dyn Bot> {
    #[inline]
    fn decide(&mut self, question: &Question<'_>) -> Reply {
        (**self).decide(question)
    }

    #[inline]
    fn hear(&mut self, status: &Status) {
        (**self).hear(status);
    }
}

/// Bots in seat order, which receive the results of rounds.
impl<G: AsRef<Table>, B: Bot> Participants<G> for [B] {
    type Stop = std::convert::Infallible;

    #[inline]
    fn answer(&mut self, game: &G, seat: Seat) -> Result<Answer, Self::Stop> {
        Ok(Ok(self[seat.index()].decide(&game.as_ref().question(seat))))
    }

    #[inline]
    fn notify(&mut self, _: &G, seat: Seat, notice: &Notice) -> Result<Result<(), Fault>, Self::Stop> {
        if let Notice::Status(status) = notice {
            self[seat.index()].hear(status);
        }
        Ok(Ok(()))
    }
}
