//! A bot at a table whose cards and other players are as a situation wants them.

use crate::protocol::question_text;
use crate::stud::{Chips, Seat, Street};
use crate::table::{Answer, Foul, Notice, OnFoul, Question, Reply, Step};
use crate::tournament::{Decks, TableGame};

use super::choice::Choice;
use super::layout::{Decision, Layout, Move};
use super::player::JudgedPlayer;

/// One question to the bot, and what came.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Exchange {
    /// On which street.
    pub street: Street,
    /// What it took to call, in chips.
    pub to_call: Chips,
    /// The command as it went over the wire.
    pub text: String,
    /// What came.
    pub answer: Answer,
}

/// A round of a situation.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct SituationRound {
    /// Everything the bot was asked.
    pub asked: Vec<Exchange>,
    /// Which of the questions is the one to judge; `None` if it did not come to it.
    pub decision: Option<usize>,
    /// How the bot broke a rule, if it did.
    pub foul: Option<Foul>,
}

impl SituationRound {
    /// What the bot decided.
    pub fn choice(&self) -> Choice {
        match self.decision.and_then(|at| self.asked.get(at)) {
            Some(Exchange { answer: Ok(reply), to_call, .. }) => Choice::new(*reply, *to_call),
            Some(Exchange { answer: Err(_), .. }) => Choice::NotAsked,
            None if self.asked.iter().any(|asked| asked.answer == Ok(Reply::Fold)) => Choice::Fold,
            None => Choice::NotAsked,
        }
    }

    /// The question to judge, or the last one there was.
    pub fn question(&self) -> Option<&Exchange> {
        self.decision.and_then(|at| self.asked.get(at)).or(self.asked.last())
    }
}

impl Layout {
    /// Plays the round once. A foul folds the bot and is kept (R19).
    pub(super) fn play(&self, decision: &Decision, bot: &mut JudgedPlayer<'_>) -> SituationRound {
        let mut conduct = self.conduct;
        conduct.on_foul = OnFoul::Fold;
        let mut decks = Decks::shuffled(&self.seed, 1);
        for card in &self.cards {
            decks
                .place(card.round, Seat::new(card.player), card.slot, card.card)
                .expect("a situation has no card and no place twice");
        }
        let stacks: Vec<Chips> = self.seats.iter().map(|seat| seat.stack).collect();
        let mut game = TableGame::with_decks(conduct, decks, &stacks, 1);
        let me = Seat::new(self.bot);
        let mut hand = SituationRound { asked: Vec::new(), decision: None, foul: None };
        let mut moved = vec![[0; 2]; self.seats.len()];
        game.deal();
        loop {
            match game.table_mut().step() {
                Step::Ask(seat) if seat == me => {
                    let question = game.table().question(seat);
                    let (street, to_call) = (question.street, question.bounds.to_call);
                    let text = question_text(&question);
                    let answer = bot.answer(&question);
                    let before = hand.asked.iter().filter(|asked| asked.street == street).count();
                    if (street, before + 1) == (decision.street, decision.asked) {
                        hand.decision = Some(hand.asked.len());
                    }
                    hand.asked.push(Exchange { street, to_call, text, answer: answer.clone() });
                    game.table_mut().answer(answer);
                }
                Step::Ask(seat) => {
                    let question = game.table().question(seat);
                    let street = usize::from(question.street == Street::Second);
                    let count = &mut moved[seat.index()][street];
                    let reply = self.seats[seat.index()].moves[street]
                        .get(*count)
                        .copied()
                        .unwrap_or(Move::Raise(0))
                        .reply(&question);
                    *count += 1;
                    game.table_mut().answer(Ok(reply));
                }
                Step::Tell(seat, Notice::Status(status)) if seat == me => {
                    if let Err(fault) = bot.hear(&status) {
                        game.table_mut().report(seat, fault);
                    }
                }
                Step::Tell(..) => {}
                Step::Over => break,
            }
        }
        hand.foul = game.table().foul_of(me).cloned();
        hand
    }
}

impl Move {
    fn reply(self, question: &Question<'_>) -> Reply {
        let bounds = &question.bounds;
        match self {
            Move::Raise(more) if bounds.most() >= bounds.to_call => {
                Reply::Bet(bounds.to_call.saturating_add(more).min(bounds.most()))
            }
            Move::Raise(_) | Move::Fold => Reply::Fold,
        }
    }
}
