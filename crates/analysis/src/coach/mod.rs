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
//! - `lesson`: a rule for a class of decisions, tried as a change of the player.
//! - `decision` and `analysis`: the texts on a decision and on a player.

mod analysis;
mod decision;
mod habits;
mod keyed_random;
mod lesson;
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
pub use decision::{Addressee, AnalysedDecision, Judgement, ReplyKind, about_chips};
pub use lesson::{CardsKind, DecisionClass, Lesson, Rule};
pub use noted_round::{Notebook, NotedReply, NotedRound};
pub use proof::{Proof, ProofKind};
pub use rollout::Caution;

use std::collections::{BTreeMap, BTreeSet};
use std::convert::Infallible;
use std::num::NonZero;
use std::ops::{ControlFlow, Range};

use casino_stud::parallel::in_order;
use casino_stud::protocol::question_text;
use casino_stud::strategies::HouseBot;
use casino_stud::stud::{Chips, Street};
use casino_stud::table::{Question, Reply};

use habits::Habits;
use keyed_random::KeyedRandom;
use luck::{luck, usual_pots};
use manner::{AskedBot, PlayModel, SeatAction};
use noted_round::MadeTurn;
use own_value::{Board, CardEquities};
use proof::prove;
use rollout::{CoachRollout, Ranges, ReplyValue};

/// To value a decision takes milliseconds: this bounds the time of a report, whatever the number of rounds.
const MOST_DECISIONS: u64 = 10_000;

/// The part of a key that is the random numbers by which rounds are drawn.
const DRAWN: u64 = u64::MAX - 1;

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
    /// About how many decisions of a tournament are valued at most.
    most: u64,
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
            most: MOST_DECISIONS,
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

    /// The same coach, which values about this many decisions of a tournament at most.
    pub fn valuing(self, most: u64) -> Coach {
        Coach { most, ..self }
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
        let mut decisions = Vec::new();
        self.walk(round, |made, rollout| {
            decisions.push(self.decision(round, made, rollout.judge(made.action)))
        });
        merge_repeated_mistakes(&mut decisions);
        decisions
    }

    /// Goes through the decisions of a round, each with the rollout of its player's knowledge.
    fn walk(&self, round: &NotedRound, mut visit: impl FnMut(&MadeTurn, &CoachRollout<'_>)) {
        let manners = self.manners(round);
        let mut ranges = Ranges::any();
        let mut street: Option<(Street, Box<CardEquities>)> = None;
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
            visit(&made, &rollout);
            let number = KeyedRandom::new(&rollout.key).next();
            let manner = &manners[made.seat.index()];
            let taken = SeatAction { seat: made.seat, action: made.action };
            ranges.saw(&made.spot, taken, manner, equities, number);
        }
    }

    /// Analyses these rounds on that many threads. The cards' luck is that of all rounds; decisions are valued in those
    /// that are drawn: all, unless they have too many. Calls `progress` with the numbers of finished and of all rounds. The number of
    /// threads does not affect the result.
    ///
    /// # Panics
    /// If a round contains a player without a name.
    pub fn analyse_all(
        &self,
        rounds: &[NotedRound],
        threads: NonZero<usize>,
        mut progress: impl FnMut(u64, u64),
    ) -> Analysis {
        let (usual, drawn) = (usual_pots(rounds), self.draw(rounds));
        let work = |_: &mut (), piece: Range<u64>| -> Result<_, Infallible> {
            let at = piece.start as usize;
            Ok((luck(&rounds[at], usual[at]), drawn[at].then(|| self.analyse(&rounds[at]))))
        };
        let all = rounds.len() as u64;
        let mut analysis = Analysis::new(&self.names);
        let take = |piece: Range<u64>, (lucks, decisions)| {
            analysis.add(&rounds[piece.start as usize], lucks, decisions);
            progress(piece.end, all);
            ControlFlow::Continue(())
        };
        let Ok(()) = in_order(&mut vec![(); threads.get()], 0..all, 1, work, take);
        let mut analysis = analysis.closed();
        let rounds: Vec<&NotedRound> =
            rounds.iter().zip(&drawn).filter(|(_, drawn)| **drawn).map(|(round, _)| round).collect();
        let learn = |_: &mut (), players: Range<u64>| -> Result<_, Infallible> {
            Ok(self.lesson(players.start as usize, &rounds, &analysis.decisions))
        };
        let mut lessons = Vec::new();
        let take = |_, lesson| {
            lessons.push(lesson);
            ControlFlow::Continue(())
        };
        let Ok(()) = in_order(&mut vec![(); threads.get()], 0..self.names.len() as u64, 1, learn, take);
        analysis.players.iter_mut().zip(lessons).for_each(|(player, lesson)| player.lesson = lesson);
        analysis
    }

    /// Whether the decisions of each round are valued: of all rounds if they have at most `most` decisions,
    /// and otherwise of so many rounds that about as many decisions are in them. These are a simple random sample, by a
    /// number that depends on the table and the round alone: every round is as likely as any other, whatever was played.
    fn draw(&self, rounds: &[NotedRound]) -> Vec<bool> {
        let decisions: u64 = rounds.iter().map(|round| round.acted().count() as u64).sum();
        if decisions <= self.most {
            return vec![true; rounds.len()];
        }
        let wanted = (rounds.len() as u64 * self.most / decisions).max(1) as usize;
        let lot = |at: &usize| {
            let NotedRound { table, round, .. } = rounds[*at];
            (KeyedRandom::new(&[u64::from(table), round, DRAWN]).next(), *at)
        };
        let mut order: Vec<usize> = (0..rounds.len()).collect();
        order.sort_by_cached_key(lot);
        let mut drawn = vec![false; rounds.len()];
        order[..wanted].iter().for_each(|at| drawn[*at] = true);
        drawn
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
        let raised = |chips: Chips| chips - question.bounds.to_call;
        AnalysedDecision {
            table: round.table,
            round: round.round,
            turn: *turn,
            player,
            name: self.names[player].clone(),
            class: DecisionClass::of(&question),
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
            gains: verdict.gains.iter().map(|(action, gain)| (action.chips().map(raised), *gain)).collect(),
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
