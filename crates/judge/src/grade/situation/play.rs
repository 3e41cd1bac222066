//! Plays a round of a situation with the player that is judged, and reads its decision.

use std::collections::BTreeMap;
use std::fmt;

use crate::scenario::scripted_table::SubjectRound;
use casino_stud::protocol::question_text;
use casino_stud::strategies::AwaitedPlayer;
use casino_stud::stud::{Chips, Street};
use casino_stud::table::{Answer, Fault, Foul, Question, Reply, Status};

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
    /// The index of the judged question; `None` if the round did not reach it.
    pub(crate) decision: Option<usize>,
    pub(crate) foul: Option<Foul>,
}

impl SituationRound {
    pub(crate) fn choice(&self) -> BotMove {
        match self.decision.and_then(|at| self.asked.get(at)) {
            Some(Exchange { answer: Ok(reply), to_call, .. }) => BotMove::new(*reply, *to_call),
            Some(Exchange { answer: Err(_), .. }) | None => BotMove::NotAsked,
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

struct JudgedSubject<'a, P> {
    player: &'a mut P,
    decision: &'a Decision,
    round: SituationRound,
}

impl<P: AwaitedPlayer> AwaitedPlayer for JudgedSubject<'_, P> {
    type Stop = P::Stop;

    fn answer(&mut self, question: &Question<'_>) -> Result<Answer, P::Stop> {
        let (street, to_call) = (question.street, question.bounds.to_call);
        let answer = self.player.answer(question)?;
        let asked = &mut self.round.asked;
        let before = asked.iter().filter(|exchange| exchange.street == street).count();
        if (street, before + 1) == (self.decision.street, self.decision.asked) {
            self.round.decision = Some(asked.len());
        }
        asked.push(Exchange { street, to_call, text: question_text(question), answer: answer.clone() });
        Ok(answer)
    }

    fn hear(&mut self, status: &Status) -> Result<(), Fault> {
        self.player.hear(status)
    }
}

pub(super) fn play<P: AwaitedPlayer>(
    scripted: &SubjectRound,
    decision: &Decision,
    player: &mut P,
) -> Result<SituationRound, P::Stop> {
    let round = SituationRound { asked: Vec::new(), decision: None, foul: None };
    let mut subject = JudgedSubject { player, decision, round };
    let (_, foul) = scripted.play(&mut subject)?;
    Ok(SituationRound { foul, ..subject.round })
}

/// A bot's decision, or why there is none. Ordered by the chips put in: a fold is less than a bet of nothing.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub(crate) enum BotMove {
    /// The round never reached the question: the bot folded before, or it made the bet the question was about earlier.
    NotAsked,
    Fold,
    Bet {
        chips: Chips,
        to_call: Chips,
    },
}

impl BotMove {
    pub(super) fn new(reply: Reply, to_call: Chips) -> BotMove {
        match reply {
            Reply::Fold => BotMove::Fold,
            Reply::Bet(chips) => BotMove::Bet { chips, to_call },
        }
    }

    pub(crate) fn folds(self) -> bool {
        self == BotMove::Fold
    }

    pub(crate) fn chips(self) -> Option<Chips> {
        match self {
            BotMove::Bet { chips, .. } => Some(chips),
            BotMove::NotAsked | BotMove::Fold => None,
        }
    }

    pub(crate) fn raises(self) -> bool {
        matches!(self, BotMove::Bet { chips, to_call } if chips > to_call)
    }

    /// The kind of choice that reactions are counted by: folds, calls, and raises in steps of three chips.
    pub(super) fn kind(self) -> usize {
        match self {
            BotMove::NotAsked | BotMove::Fold => 0,
            BotMove::Bet { chips, to_call } => match chips.saturating_sub(to_call) {
                0 => 1,
                raise => 2 + ((raise - 1) / 3).min(3) as usize,
            },
        }
    }
}

impl fmt::Display for BotMove {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            BotMove::NotAsked => f.write_str("was not asked"),
            BotMove::Fold => f.write_str("fold"),
            BotMove::Bet { chips, .. } => write!(f, "bet:{chips}"),
        }
    }
}

/// Describes choices and how often they were made: "bet:10 in 12 runs, fold in 3 runs".
pub(super) fn tally(choices: &[BotMove]) -> String {
    let mut counts: BTreeMap<BotMove, u32> = BTreeMap::new();
    for choice in choices {
        *counts.entry(*choice).or_default() += 1;
    }
    if let (1, Some((choice, count))) = (counts.len(), counts.first_key_value()) {
        return format!("{choice} in all of {count} runs");
    }
    let mut counts: Vec<(BotMove, u32)> = counts.into_iter().collect();
    counts.sort_by_key(|(choice, count)| (std::cmp::Reverse(*count), *choice));
    let all = choices.len();
    let parts: Vec<String> = counts.iter().map(|(choice, count)| format!("{choice} in {count}")).collect();
    format!("{} of {all} runs", parts.join(", "))
}
