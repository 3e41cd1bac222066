//! The coach: which decisions of a finished tournament cost the chips. `docs/coach.md` explains and proves it.
//!
//! A [`Notebook`] records the rounds of a journal, a [`Coach`] judges the decisions in them, and an [`Analysis`] sums
//! them up for each player.
//!
//! - `noted_round`: a round, and the table before each of its decisions.
//! - `proof`: mistakes that are proven for any cards and actions of the opponents.
//! - `own_value`: the value of a player's cards to itself; `habits`: the usual actions of players with such cards.
//! - `manner`: a player's strategy, from counts or by asking it.
//! - `rollout`: the winnings of each reply, given the player's knowledge and the opponents' habits.
//! - `luck`: the luck of each player's cards.
//! - `decision` and `analysis`: the texts on a decision and on a player.

mod analysis;
mod decision;
mod habits;
mod keyed_random;
mod luck;
mod manner;
mod noted_round;
mod own_value;
mod proof;
#[cfg(test)]
mod proof_tests;
mod rollout;
#[cfg(test)]
mod tests;

pub use analysis::{Analysis, ChipMean, MistakeClass, PlayerAnalysis};
pub use decision::{Addressee, AnalysedDecision, CardsKind, Judgement, ReplyKind, about_chips};
pub use noted_round::{Notebook, NotedReply, NotedRound};
pub use proof::{Proof, ProofKind};
pub use rollout::Caution;

use std::collections::{BTreeMap, BTreeSet};
use std::convert::Infallible;
use std::num::NonZero;
use std::ops::{ControlFlow, Range};

use serde::Serializer;

use casino_stud::parallel::in_order;
use casino_stud::protocol::question_text;
use casino_stud::strategies::HouseBot;
use casino_stud::stud::Street;
use casino_stud::table::{Question, Reply};

use habits::Habits;
use keyed_random::KeyedRandom;
use manner::{AskedBot, PlayModel, SeatAction};
use noted_round::MadeTurn;
use own_value::{Board, CardEquities};
use proof::prove;
use rollout::{CoachRollout, Ranges, ReplyValue};

/// Judges the decisions in the rounds of a tournament.
///
/// All hole cards are in its rounds, so it is only for tournaments that are over.
#[derive(Clone, Debug)]
pub struct Coach {
    names: Vec<String>,
    habits: Habits,
    learned: BTreeSet<(u32, u64)>,
    /// The house bots that are asked, by the number of the player.
    asked: BTreeMap<usize, AskedBot>,
    /// How certain its mistakes are.
    pub caution: Caution,
}

impl Coach {
    /// A coach for players of these names, as returned by [`names`](casino_stud::replay::names), with the habits of all
    /// players learned from these rounds.
    pub fn new(names: Vec<String>, rounds: &[NotedRound]) -> Coach {
        let learned = rounds.iter().map(|round| (round.table, round.round)).collect();
        Coach {
            names,
            habits: Habits::learn(rounds),
            learned,
            asked: BTreeMap::new(),
            caution: Caution::default(),
        }
    }

    /// The same coach, which asks house bots for their decisions instead of using counts: `bots` has one for each
    /// player that is a house bot, as returned by [`house_bots`](casino_stud::replay::house_bots). Bots with a memory
    /// or a long search are counted nevertheless.
    pub fn asking(mut self, bots: &[Option<&'static HouseBot>]) -> Coach {
        let asked = |bot: &Option<&'static HouseBot>| bot.and_then(AskedBot::new);
        self.asked =
            bots.iter().enumerate().filter_map(|(player, bot)| Some((player, asked(bot)?))).collect();
        self
    }

    /// How everyone at the table of a round plays, by seat.
    fn manners(&self, round: &NotedRound) -> Vec<PlayModel> {
        let is_learned = self.learned.contains(&(round.table, round.round));
        let mut manners: Vec<PlayModel> =
            self.habits.at_table(round, is_learned).into_iter().map(PlayModel::Counted).collect();
        for seat in round.seats() {
            if let Some(bot) = self.asked.get(&round.player_at(seat)) {
                manners[seat.index()] = PlayModel::Asked(Box::new(bot.clone()));
            }
        }
        manners
    }

    /// All decisions of a round, in order, judged by the players' knowledge. Fouls are no decisions. The result does
    /// not depend on which other rounds are analysed.
    ///
    /// # Panics
    /// If the round contains a player without a name.
    pub fn analyse(&self, round: &NotedRound) -> Vec<AnalysedDecision> {
        let manners = self.manners(round);
        let mut ranges = Ranges::any();
        let mut street: Option<(Street, Box<CardEquities>)> = None;
        let mut decisions = Vec::new();
        for made in round.turns() {
            let now = made.spot.round.street();
            if street.as_ref().is_none_or(|(of, _)| *of != now) {
                street = Some((now, Board::of(&made.spot).equities()));
            }
            let Some((_, equities)) = &street else { continue };
            let rollout = CoachRollout {
                spot: &made.spot,
                seat: made.seat,
                manners: &manners,
                equities,
                ranges: &ranges,
                key: [u64::from(round.table), round.round, made.turn as u64],
                caution: self.caution,
            };
            decisions.push(self.decision(round, &made, rollout.judge(made.action)));
            let number = KeyedRandom::new(&rollout.key).next();
            let manner = &manners[made.seat.index()];
            let taken = SeatAction { seat: made.seat, action: made.action };
            ranges.saw(&made.spot, taken, manner, equities, number);
        }
        merge_repeated_mistakes(&mut decisions);
        decisions
    }

    /// Analyses these rounds on that many threads. If there are more than `most`, an evenly spread selection of `most`
    /// is analysed, to bound the time of a tournament's report. Calls `progress` with the numbers of finished and of
    /// all rounds. The number of threads does not affect the result.
    ///
    /// # Panics
    /// If a round contains a player without a name, or `most` is 0.
    pub fn analyse_all(
        &self,
        rounds: &[NotedRound],
        most: usize,
        threads: NonZero<usize>,
        mut progress: impl FnMut(u64, u64),
    ) -> Analysis {
        let spread: Vec<NotedRound>;
        let rounds = if rounds.len() > most {
            spread = (0..most).map(|at| rounds[at * rounds.len() / most].clone()).collect();
            &spread
        } else {
            rounds
        };
        let work = |_: &mut (), piece: Range<u64>| -> Result<Vec<AnalysedDecision>, Infallible> {
            let rounds = &rounds[piece.start as usize..piece.end as usize];
            Ok(rounds.iter().flat_map(|round| self.analyse(round)).collect())
        };
        let all = rounds.len() as u64;
        let mut decisions = Vec::new();
        let take = |piece: Range<u64>, found: Vec<AnalysedDecision>| {
            decisions.extend(found);
            progress(piece.end, all);
            ControlFlow::Continue(())
        };
        let Ok(()) = in_order(&mut vec![(); threads.get()], 0..all, 1, work, take);
        Analysis::new(&self.names, rounds, decisions)
    }

    fn decision(&self, round: &NotedRound, made: &MadeTurn, verdict: ReplyValue) -> AnalysedDecision {
        let MadeTurn { spot, seat, action, turn } = made;
        let question = Question::of(&spot.round, *seat, spot.board_cards());
        let reply = Reply::from(*action);
        let proof = prove(spot, *seat, *action);
        let at_least = proof.map_or(0.0, |proof| f64::from(proof.at_least));
        let is_mistake = verdict.is_mistake();
        let judgement = match proof {
            Some(proof) => Judgement::ProvenMistake(proof),
            None if is_mistake => Judgement::Mistake,
            None => Judgement::Sound,
        };
        let best = match proof {
            Some(proof) if verdict.cost <= at_least || verdict.best == *action => proof.better,
            None if !is_mistake => reply,
            _ => Reply::from(verdict.best),
        };
        let player = round.player_at(*seat);
        AnalysedDecision {
            table: round.table,
            round: round.round,
            turn: *turn,
            player,
            name: self.names[player].clone(),
            street: if question.street == Street::First { 1 } else { 2 },
            question: question_text(&question),
            cards: [question.hole].into_iter().chain(question.up.iter().copied()).collect(),
            others: spot.round.live().len() - 1,
            pot: question.pot,
            to_call: question.bounds.to_call,
            stack: question.bounds.stack,
            reply,
            best,
            cost: if proof.is_some() { verdict.cost.max(at_least) } else { verdict.cost },
            repeated: Vec::new(),
            judgement,
        }
    }
}

/// Has a mistake that a player made several times in a round, as in a war of raises, reported once: where it is proved, or else where it
/// is dearest. The others carry no cost.
fn merge_repeated_mistakes(decisions: &mut [AnalysedDecision]) {
    let mut same: BTreeMap<(usize, ReplyKind), Vec<usize>> = BTreeMap::new();
    for (at, decision) in decisions.iter().enumerate().filter(|(_, decision)| decision.judgement.is_mistake())
    {
        let [_, better] = decision.kinds();
        same.entry((decision.player, better)).or_default().push(at);
    }
    for places in same.into_values() {
        let is_proven = |at: usize| decisions[at].judgement.proof().is_some();
        let reported = places.iter().copied().reduce(|one, other| {
            let order = is_proven(other).cmp(&is_proven(one));
            let is_dearer = order.then(decisions[other].cost.total_cmp(&decisions[one].cost)).is_gt();
            if is_dearer { other } else { one }
        });
        let Some(reported) = reported else { continue };
        let turn = decisions[reported].turn;
        for at in places {
            if at != reported && decisions[at].judgement == Judgement::Mistake {
                let other = &mut decisions[at];
                other.judgement = Judgement::Repeated { turn };
                other.cost = 0.0;
                let repeated = other.turn;
                decisions[reported].repeated.push(repeated);
            }
        }
    }
}

fn in_words<S: Serializer>(reply: &Reply, to: S) -> Result<S::Ok, S::Error> {
    to.collect_str(reply)
}
