//! A player's strategy: estimated from counts, or known by asking its house bot.

use casino_stud::cards::{Card, Seed, Stream};
use casino_stud::strategies::HouseBot;
use casino_stud::stud::{Action, Seat};
use casino_stud::table::Question;

use super::habits::{Habit, Setting, kind_of, probability};
use super::keyed_random::KeyedRandom;
use super::noted_round::Spot;
use super::own_value::CardEquity;

const ACTION_SAMPLES: u64 = 8;

/// How a player plays.
#[derive(Clone, Debug)]
pub(super) enum PlayModel {
    /// As was counted in the journal.
    Counted(Habit),
    /// As this bot says when it is asked.
    Asked(Box<AskedBot>),
}

/// An action of a player.
#[derive(Clone, Copy, Debug)]
pub(super) struct SeatAction {
    pub(super) seat: Seat,
    pub(super) action: Action,
}

/// A hole card, and its equity as its holder sees it.
#[derive(Clone, Copy, Debug)]
pub(super) struct HeldCard {
    pub(super) card: Card,
    pub(super) equity: CardEquity,
}

/// A house bot that can be asked without changing the game.
#[derive(Clone, Debug)]
pub(super) struct AskedBot {
    bot: &'static HouseBot,
    dice: Stream,
}

impl PlayModel {
    /// The probability that a player who holds this card takes this action. `number` selects the random choices of a bot.
    pub(super) fn chance(&self, spot: &Spot, taken: SeatAction, held: HeldCard, number: u64) -> f32 {
        let bounds = spot.round.bounds(taken.seat);
        let kind = kind_of(taken.action, &bounds);
        match self {
            PlayModel::Counted(habit) => {
                let setting =
                    Setting::new(spot.round.street(), bounds.to_call, spot.round.pot(), spot.board.len());
                probability(&habit[setting.fine(held.equity.class)], kind)
            }
            PlayModel::Asked(bot) => {
                let is_same = |throw: &u64| {
                    let action = bot.action(spot, taken.seat, held, number.wrapping_add(*throw));
                    kind_of(action, &bounds) == kind
                };
                let same = (0..ACTION_SAMPLES).filter(is_same).count();
                same as f32 / ACTION_SAMPLES as f32
            }
        }
    }

    /// The kind of reply that a counted player gives by this fate, from 0 up to but not including 1.
    pub(super) fn kind_by(habit: &Habit, spot: &Spot, seat: Seat, equity: CardEquity, fate: f32) -> usize {
        let bounds = spot.round.bounds(seat);
        let setting = Setting::new(spot.round.street(), bounds.to_call, spot.round.pot(), spot.board.len());
        let chances = &habit[setting.fine(equity.class)];
        chances.iter().position(|upto| fate < *upto).unwrap_or(chances.len() - 1)
    }
}

impl AskedBot {
    /// This bot, if it answers by the question alone and at once.
    pub(super) fn new(bot: &'static HouseBot) -> Option<AskedBot> {
        let mut dice = Seed::chosen("the coach asks").stream(bot.name);
        // The words of a copy are there at once.
        dice.below(2);
        (!bot.remembers()).then_some(AskedBot { bot, dice })
    }

    /// Its action here with this hole card and the random choices of this number. A share of the pot that it would sample is
    /// that of the card, with an error of the same size.
    pub(super) fn action(&self, spot: &Spot, seat: Seat, held: HeldCard, number: u64) -> Action {
        let question = Question { hole: held.card, ..Question::of(&spot.round, seat, spot.board_cards()) };
        let sampled = |deals: u32, _: &mut Stream| {
            let share = f64::from(held.equity.share);
            let error = (share * (1.0 - share).max(0.0) / f64::from(deals)).sqrt();
            let mut random = KeyedRandom::new(&[number]);
            // Twelve uniform numbers less six are nearly normal.
            share + error * ((0..12).map(|_| f64::from(random.unit())).sum::<f64>() - 6.0)
        };
        let mut dice = self.dice.clone();
        let mut reply = self.bot.decide_by(&question, sampled, &mut dice);
        // To seek takes long, and most replies are not random.
        if dice.position() != self.dice.position() {
            dice.seek(number % (1 << 36));
            reply = self.bot.decide_by(&question, sampled, &mut dice);
        }
        reply.legalise(&question.bounds).unwrap_or_else(|_| question.bounds.call())
    }
}
