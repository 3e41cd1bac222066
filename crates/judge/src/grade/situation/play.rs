//! Plays a round of a situation with the player that is judged.

use std::convert::Infallible;

use crate::scenario::scripted_table::{Subject, SubjectRound};
use casino_stud::protocol::question_text;
use casino_stud::stud::{Chips, Seat, Street};
use casino_stud::table::{Answer, Fault, Foul, Status};
use casino_stud::tournament::TableGame;

use super::choice::Choice;
use super::player::JudgedPlayer;

#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Exchange {
    pub(crate) street: Street,
    pub(crate) to_call: Chips,
    pub(crate) text: String,
    pub(crate) answer: Answer,
}

#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct SituationRound {
    pub(crate) asked: Vec<Exchange>,
    /// Which of the questions is the one to judge; `None` if it did not come to it.
    pub(crate) decision: Option<usize>,
    pub(crate) foul: Option<Foul>,
}

impl SituationRound {
    pub(crate) fn choice(&self) -> Choice {
        match self.decision.and_then(|at| self.asked.get(at)) {
            Some(Exchange { answer: Ok(reply), to_call, .. }) => Choice::new(*reply, *to_call),
            Some(Exchange { answer: Err(_), .. }) | None => Choice::NotAsked,
        }
    }

    /// The question to judge, or the last one there was.
    pub(crate) fn question(&self) -> Option<&Exchange> {
        self.decision.and_then(|at| self.asked.get(at)).or(self.asked.last())
    }
}

#[derive(Clone, Copy, Debug)]
pub(super) struct Decision {
    pub(super) street: Street,
    /// Which question of the street it is, from 1.
    pub(super) asked: usize,
}

struct JudgedSubject<'a, 'b> {
    player: &'a mut JudgedPlayer<'b>,
    decision: &'a Decision,
    round: SituationRound,
}

impl Subject for JudgedSubject<'_, '_> {
    type Stop = Infallible;

    fn answer(&mut self, game: &TableGame, seat: Seat) -> Result<Answer, Infallible> {
        let question = game.table().question(seat);
        let (street, to_call) = (question.street, question.bounds.to_call);
        let answer = self.player.answer(&question);
        let asked = &mut self.round.asked;
        let before = asked.iter().filter(|exchange| exchange.street == street).count();
        if (street, before + 1) == (self.decision.street, self.decision.asked) {
            self.round.decision = Some(asked.len());
        }
        asked.push(Exchange { street, to_call, text: question_text(&question), answer: answer.clone() });
        Ok(answer)
    }

    fn status(&mut self, status: &Status) -> Result<(), Fault> {
        self.player.hear(status)
    }
}

pub(super) fn play(
    scripted: &SubjectRound,
    decision: &Decision,
    player: &mut JudgedPlayer<'_>,
) -> SituationRound {
    let round = SituationRound { asked: Vec::new(), decision: None, foul: None };
    let mut subject = JudgedSubject { player, decision, round };
    let Ok((_, foul)) = scripted.play(&mut subject);
    SituationRound { foul, ..subject.round }
}
