//! Bots in the same process: the trait of all bots, and the house bots.

mod house;
mod inference;
mod ladder;
mod ladder_figures;
mod solver;
#[cfg(test)]
mod test_round;

use crate::stud::Seat;
use crate::table::{Answer, Fault, Notice, Participants, Question, Reply, Status, Table};

pub use house::{HOUSE, HouseBot, HousePlayer, Memory};
pub use ladder::{LADDER_SEATS, LadderFigure, LadderRow, ladder};

/// A player in the same process. It sees exactly the messages a program on the network receives.
///
/// Every function from a question to a reply is a bot. A bot that remembers something is a type of its own:
///
/// ```
/// use casino_stud::strategies::Bot;
/// use casino_stud::table::{Question, Reply, Status};
///
/// /// Calls until it has won a round, and folds from then on.
/// #[derive(Default)]
/// struct OneWin(bool);
///
/// impl Bot for OneWin {
///     fn decide(&mut self, question: &Question<'_>) -> Reply {
///         if self.0 { Reply::Fold } else { question.bounds.call().into() }
///     }
///
///     fn hear(&mut self, status: &Status) {
///         self.0 |= status.won;
///     }
/// }
///
/// let folder = |_: &Question<'_>| Reply::Fold;
/// let bots: [Box<dyn Bot>; 2] = [Box::new(OneWin::default()), Box::new(folder)];
/// # assert_eq!(bots.len(), 2);
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
