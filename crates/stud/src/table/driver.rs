//! Playing a round with players who answer at once.

use crate::stud::Seat;

use super::{Answer, Fault, Notice, Question, Reply, Step, Table};

/// The players of a table, as seen by [`play_round`]. `G` is the table or its owner.
///
/// A function from a seat and a question to a reply is such players, too: they hear nothing and never stop a round.
pub trait Participants<G = Table> {
    /// Why a round is broken off.
    type Stop;

    /// Called before each step: the place to report players who have left.
    #[inline]
    fn before_step(&mut self, _: &mut G) {}

    /// Called after each step: the place to read the events that were added.
    #[inline]
    fn after_step(&mut self, _: &G) -> Result<(), Self::Stop> {
        Ok(())
    }

    /// Answers the question to a seat, which [`Table::question`] makes.
    fn answer(&mut self, game: &G, seat: Seat) -> Result<Answer, Self::Stop>;

    /// Sends a notice to a player. A fault means that the player cannot be reached.
    fn notify(&mut self, game: &G, seat: Seat, notice: &Notice) -> Result<Result<(), Fault>, Self::Stop>;

    /// Whether players receive the results of rounds. If not, only the first may receive them.
    #[inline]
    fn listen(&self) -> bool {
        true
    }
}

impl<G, F> Participants<G> for F
where
    G: AsRef<Table>,
    F: FnMut(Seat, &Question<'_>) -> Reply,
{
    type Stop = std::convert::Infallible;

    #[inline]
    fn answer(&mut self, game: &G, seat: Seat) -> Result<Answer, Self::Stop> {
        Ok(Ok(self(seat, &game.as_ref().question(seat))))
    }

    #[inline]
    fn notify(&mut self, _: &G, _: Seat, _: &Notice) -> Result<Result<(), Fault>, Self::Stop> {
        Ok(Ok(()))
    }

    #[inline]
    fn listen(&self) -> bool {
        false
    }
}

impl AsRef<Table> for Table {
    #[inline]
    fn as_ref(&self) -> &Table {
        self
    }
}

impl AsMut<Table> for Table {
    #[inline]
    fn as_mut(&mut self) -> &mut Table {
        self
    }
}

/// Plays the round that has been dealt to its end. It is the one loop that drives a table without waiting.
#[inline]
pub fn play_round<G, P>(game: &mut G, players: &mut P) -> Result<(), P::Stop>
where
    G: AsRef<Table> + AsMut<Table>,
    P: Participants<G> + ?Sized,
{
    loop {
        players.before_step(game);
        let step = game.as_mut().step();
        players.after_step(game)?;
        match step {
            Step::Ask(seat) => {
                let answer = players.answer(game, seat)?;
                game.as_mut().answer(answer);
            }
            Step::Tell(seat, notice) => {
                if let Err(fault) = players.notify(game, seat, &notice)? {
                    game.as_mut().report(seat, fault);
                }
                if !players.listen() {
                    game.as_mut().spare_statuses();
                }
            }
            Step::Over => return Ok(()),
        }
    }
}
