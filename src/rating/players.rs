//! The players of a rating, as whoever deals to them needs them.

use std::fmt;

use crate::cards::Stream;
use crate::strategies::HouseBot;
use crate::table::{Answer, Fault, Foul, Question, Status};

/// The players of a rating, numbered as in the [`super::Plan`].
pub trait Players {
    /// Why a rating cannot go on.
    type Error: Send;

    /// Asks a player. The dice are for house bots.
    fn answer(&mut self, bot: usize, question: &Question<'_>, dice: &mut Stream) -> Answer;

    /// Tells a player how a round ended.
    ///
    /// # Errors
    /// The fault of a player who cannot be told.
    fn hear(&mut self, bot: usize, status: &Status) -> Result<(), Fault>;

    /// A player has committed a foul in the round that is just over; `left` if it cannot go on as it is.
    ///
    /// # Errors
    /// If it cannot be brought to play on.
    fn fouled(&mut self, bot: usize, foul: &Foul, left: bool) -> Result<(), Self::Error>;
}

/// A field of house bots only.
#[derive(Clone, Debug)]
pub struct HousePlayers(Vec<&'static HouseBot>);

impl HousePlayers {
    /// These bots, in the plan's order.
    pub fn new(bots: Vec<&'static HouseBot>) -> HousePlayers {
        HousePlayers(bots)
    }
}

/// What never happens.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Impossible {}

impl fmt::Display for Impossible {
    fn fmt(&self, _: &mut fmt::Formatter<'_>) -> fmt::Result {
        match *self {}
    }
}

impl Players for HousePlayers {
    type Error = Impossible;

    #[inline]
    fn answer(&mut self, bot: usize, question: &Question<'_>, dice: &mut Stream) -> Answer {
        Ok(self.0[bot].decide(question, dice))
    }

    #[inline]
    fn hear(&mut self, _: usize, _: &Status) -> Result<(), Fault> {
        Ok(())
    }

    fn fouled(&mut self, bot: usize, foul: &Foul, _: bool) -> Result<(), Impossible> {
        panic!("a house bot keeps to the rules, but {} {foul}", self.0[bot].name)
    }
}
