//! The players of a rating, as the dealer sees them.

use casino_stud::cards::Stream;
use casino_stud::strategies::{AwaitedPlayer, Bot, HouseBot, Memory};
use casino_stud::table::{Answer, Fault, Foul, Question, Status};

use super::{RatedBot, RatingPlan};

/// The players of a rating, numbered as in [`RatingPlan::bots`].
pub trait Players {
    /// Why a rating cannot go on.
    type Error: Send;

    /// Asks a player. House bots take random numbers from `rng`, so that a block does not depend on its thread.
    fn answer(
        &mut self,
        bot: usize,
        question: &Question<'_>,
        rng: &mut Stream,
    ) -> Result<Answer, Self::Error>;

    /// Tells a player how a round ended (see [`Status`]).
    fn hear(&mut self, bot: usize, status: &Status) -> Result<(), Fault>;

    /// Whether any of them listens when it hears how a round ended. Where none does, [`Players::hear`] may not be called.
    #[inline]
    fn listen(&self) -> bool {
        true
    }

    /// Prepares a player that committed a foul in the latest round for the next one, as a program is restarted. The foul costs
    /// the round, and the report counts it.
    fn fouled(&mut self, bot: usize, foul: &Foul) -> Result<(), Self::Error>;

    /// Makes the players forget the cards they may have stored: those are dealt again, from other seats.
    fn forget(&mut self) -> Result<(), Self::Error> {
        Ok(())
    }
}

/// House bots, and at the other places players of one kind: bots of your own in this process, or programs.
///
/// A bot of your own is asked block after block. If it has a memory or draws random numbers, the result is reproducible
/// only with one thread.
#[derive(Debug)]
pub struct BotPlayers<P = Box<dyn Bot>> {
    players: Vec<BotPlayer<P>>,
    /// Whether a bot may use the results of rounds. If none does, results need not be sent.
    listen: bool,
}

#[derive(Debug)]
enum BotPlayer<P> {
    House(&'static HouseBot, Memory),
    Own(P),
}

impl<P> BotPlayer<P> {
    fn house(bot: &'static HouseBot) -> BotPlayer<P> {
        BotPlayer::House(bot, Memory::default())
    }
}

impl BotPlayers {
    /// House bots alone, in the order of the plan.
    pub fn house(bots: Vec<&'static HouseBot>) -> BotPlayers {
        BotPlayers::of(bots.into_iter().map(BotPlayer::house).collect())
    }
}

impl<P> BotPlayers<P> {
    fn of(players: Vec<BotPlayer<P>>) -> BotPlayers<P> {
        let listens = |player: &BotPlayer<P>| match player {
            BotPlayer::House(house, _) => house.remembers(),
            BotPlayer::Own(_) => true,
        };
        BotPlayers { listen: players.iter().any(listens), players }
    }

    /// The players of a plan. `own` makes the player for the name of each bot that is no house bot.
    pub fn new(plan: &RatingPlan, mut own: impl FnMut(&str) -> P) -> BotPlayers<P> {
        let player = |bot: &RatedBot| match bot.house_bot() {
            Some(house) => BotPlayer::house(house),
            None => BotPlayer::Own(own(&bot.name)),
        };
        BotPlayers::of(plan.bots().iter().map(player).collect())
    }

    /// The players that are no house bots, in the order of the plan.
    pub fn into_own(self) -> impl Iterator<Item = P> {
        self.players.into_iter().filter_map(|player| match player {
            BotPlayer::House(..) => None,
            BotPlayer::Own(own) => Some(own),
        })
    }
}

impl<P: AwaitedPlayer<Stop: Send>> Players for BotPlayers<P> {
    type Error = P::Stop;

    #[inline]
    fn answer(&mut self, bot: usize, question: &Question<'_>, rng: &mut Stream) -> Result<Answer, P::Stop> {
        match &mut self.players[bot] {
            BotPlayer::House(house, memory) => Ok(Ok(house.decide(question, memory, rng))),
            BotPlayer::Own(own) => own.answer(question),
        }
    }

    #[inline]
    fn hear(&mut self, bot: usize, status: &Status) -> Result<(), Fault> {
        match &mut self.players[bot] {
            BotPlayer::House(_, memory) => {
                memory.hear(status);
                Ok(())
            }
            BotPlayer::Own(own) => own.hear(status),
        }
    }

    #[inline]
    fn listen(&self) -> bool {
        self.listen
    }

    fn fouled(&mut self, bot: usize, foul: &Foul) -> Result<(), P::Stop> {
        match &mut self.players[bot] {
            BotPlayer::House(house, _) => panic!("a house bot keeps to the rules, but {} {foul}", house.name),
            BotPlayer::Own(own) => own.fouled(foul),
        }
    }

    fn forget(&mut self) -> Result<(), P::Stop> {
        self.players.iter_mut().try_for_each(|player| match player {
            BotPlayer::House(..) => Ok(()),
            BotPlayer::Own(own) => own.forget(),
        })
    }
}
