//! A player's strategy: estimated from counts, or known by asking its house bot.

use casino_stud::cards::{Card, Seed, Stream};
use casino_stud::strategies::HouseBot;
use casino_stud::stud::{Action, Seat};
use casino_stud::table::{Question, Reply};

use super::habits::{Habit, Setting, kind_of, probability};
use super::noted_round::Spot;
use super::own_value::CardEquity;

const ACTION_SAMPLES: u64 = 8;

const STRETCHES_PER_STREAM: u64 = 1 << 36;

/// How a player plays.
#[derive(Clone, Debug)]
pub(super) enum PlayModel {
    /// As was counted in the journal.
    Counted(Habit),
    /// As this bot says when it is asked.
    Asked(Box<AskedBot>),
}

/// A house bot that can be asked without changing the game.
#[derive(Clone, Debug)]
pub(super) struct AskedBot {
    bot: &'static HouseBot,
    dice: Stream,
}

impl PlayModel {
    /// How probable a player makes this action if it holds this card, which looks so to it. `number` says which dice are thrown.
    pub(super) fn chance(
        &self,
        spot: &Spot,
        (seat, action): (Seat, Action),
        (card, equity): (Card, CardEquity),
        number: u64,
    ) -> f32 {
        let bounds = spot.round.bounds(seat);
        let kind = kind_of(action, &bounds);
        match self {
            PlayModel::Counted(habit) => {
                let setting =
                    Setting::new(spot.round.street(), bounds.to_call, spot.round.pot(), spot.board.len());
                probability(&habit[setting.fine(equity.class)], kind)
            }
            PlayModel::Asked(bot) => {
                let mut same = 0;
                for throw in 0..ACTION_SAMPLES {
                    let mut dice = bot.dice(number.wrapping_add(throw));
                    let before = dice.position();
                    let is_same = kind_of(bot.action(spot, seat, (card, equity), &mut dice), &bounds) == kind;
                    if dice.position() == before {
                        return f32::from(u8::from(is_same));
                    }
                    same += u8::from(is_same);
                }
                f32::from(same) / ACTION_SAMPLES as f32
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
        (!bot.remembers()).then(|| AskedBot { bot, dice: Seed::chosen("the coach asks").stream(bot.name) })
    }

    /// Dice that depend on this number alone.
    pub(super) fn dice(&self, number: u64) -> Stream {
        let mut dice = self.dice.clone();
        dice.seek(number % STRETCHES_PER_STREAM);
        dice
    }

    /// Its action here with this hole card, which looks so to it. A share of the pot that it would sample is this one with an
    /// error of the same size.
    pub(super) fn action(
        &self,
        spot: &Spot,
        seat: Seat,
        (hole, equity): (Card, CardEquity),
        dice: &mut Stream,
    ) -> Action {
        let board = spot.board_cards();
        let question = Question { hole, ..Question::of(&spot.round, seat, &board) };
        let sampled = |deals: u32, dice: &mut Stream| {
            let share = f64::from(equity.share);
            let error = (share * (1.0 - share).max(0.0) / f64::from(deals)).sqrt();
            // Twelve uniform numbers less six are nearly normal.
            let sum: u32 = (0..12).map(|_| dice.below(1_024)).sum();
            share + error * (f64::from(sum) / 1_023.0 - 6.0)
        };
        let reply: Reply = self.bot.decide_by(&question, sampled, dice);
        reply.legalise(&question.bounds).unwrap_or_else(|_| question.bounds.call())
    }
}
