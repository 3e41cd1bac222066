//! The players of a rating, as the dealer sees them.

use casino_stud::cards::Stream;
use casino_stud::strategies::{Bot, HouseBot, Memory};
use casino_stud::table::{Answer, Fault, Foul, Question, Status};

use super::{Contestant, RatingPlan};

/// The players of a rating, numbered as in [`RatingPlan::bots`].
pub trait Players {
    /// Why a rating cannot go on.
    type Error: Send;

    /// Asks a player. House bots take random numbers from `rng`, so that a block does not depend on its thread.
    fn answer(&mut self, bot: usize, question: &Question<'_>, rng: &mut Stream) -> Answer;

    /// Tells a player how a round ended (see [`Status`]).
    fn hear(&mut self, bot: usize, status: &Status) -> Result<(), Fault>;

    /// Whether any of them listens when it hears how a round ended. Where none does, [`Players::hear`] may not be called.
    #[inline]
    fn listen(&self) -> bool {
        true
    }

    /// Announces that a player committed a foul in the latest round. `left` means that it must be replaced, as a
    /// program is started again.
    fn fouled(&mut self, bot: usize, foul: &Foul, left: bool) -> Result<(), Self::Error>;
}

/// Players that are lent.
impl<P: Players> Players for &mut P {
    type Error = P::Error;

    fn answer(&mut self, bot: usize, question: &Question<'_>, rng: &mut Stream) -> Answer {
        (**self).answer(bot, question, rng)
    }

    fn hear(&mut self, bot: usize, status: &Status) -> Result<(), Fault> {
        (**self).hear(bot, status)
    }

    fn listen(&self) -> bool {
        (**self).listen()
    }

    fn fouled(&mut self, bot: usize, foul: &Foul, left: bool) -> Result<(), Self::Error> {
        (**self).fouled(bot, foul, left)
    }
}

/// The error of players who never fail.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
#[error("impossible")]
pub enum Impossible {}

/// Players in this process: house bots, and bots of your own.
///
/// A bot of your own is asked block after block. If it has a memory or draws random numbers, the result is reproducible
/// only with one thread.
pub struct BotPlayers {
    bots: Vec<RatedBot>,
    /// Whether a bot may use the results of rounds. If none does, results need not be sent.
    listen: bool,
}

enum RatedBot {
    House(&'static HouseBot, Memory),
    Own(Box<dyn Bot>),
}

impl From<&'static HouseBot> for RatedBot {
    fn from(bot: &'static HouseBot) -> RatedBot {
        RatedBot::House(bot, Memory::default())
    }
}

impl BotPlayers {
    fn of(bots: Vec<RatedBot>) -> BotPlayers {
        let listens = |bot: &RatedBot| match bot {
            RatedBot::House(house, _) => house.remembers(),
            RatedBot::Own(_) => true,
        };
        BotPlayers { listen: bots.iter().any(listens), bots }
    }

    /// The players of a plan. `own` makes the bot for the name of each contestant that is no house bot.
    pub fn new(plan: &RatingPlan, mut own: impl FnMut(&str) -> Box<dyn Bot>) -> BotPlayers {
        let player = |bot: &Contestant| match bot.house_bot() {
            Some(house) => house.into(),
            None => RatedBot::Own(own(&bot.name)),
        };
        BotPlayers::of(plan.bots().iter().map(player).collect())
    }

    /// House bots alone, in the order of the plan.
    pub fn house(bots: Vec<&'static HouseBot>) -> BotPlayers {
        BotPlayers::of(bots.into_iter().map(RatedBot::from).collect())
    }
}

impl Players for BotPlayers {
    type Error = Impossible;

    #[inline]
    fn answer(&mut self, bot: usize, question: &Question<'_>, rng: &mut Stream) -> Answer {
        Ok(match &mut self.bots[bot] {
            RatedBot::House(house, memory) => house.decide(question, memory, rng),
            RatedBot::Own(bot) => bot.decide(question),
        })
    }

    #[inline]
    fn hear(&mut self, bot: usize, status: &Status) -> Result<(), Fault> {
        match &mut self.bots[bot] {
            RatedBot::House(_, memory) => memory.hear(status),
            RatedBot::Own(bot) => bot.hear(status),
        }
        Ok(())
    }

    #[inline]
    fn listen(&self) -> bool {
        self.listen
    }

    /// A foul costs the round, and the report counts it.
    fn fouled(&mut self, bot: usize, foul: &Foul, _: bool) -> Result<(), Impossible> {
        match &self.bots[bot] {
            RatedBot::House(house, _) => panic!("a house bot keeps to the rules, but {} {foul}", house.name),
            RatedBot::Own(_) => Ok(()),
        }
    }
}
