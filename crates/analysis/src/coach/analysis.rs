//! The analysis of a whole tournament.

use std::collections::{BTreeMap, BTreeSet};

use casino_stud::stud::MAX_SEATS;

use crate::rating::HALF_INTERVAL;

use super::{AnalysedDecision, Judgement, Lesson, NotedRound, ReplyKind};

const MAX_REPORTED_DECISIONS: usize = 3;

/// Minimum number of drawn rounds with a mistake for an interval of what is given away.
const MIN_COSTLY_ROUNDS: u64 = 10;

/// The coach's analysis of a tournament.
#[derive(Clone, Debug, PartialEq)]
pub struct Analysis {
    /// How many rounds there are.
    pub rounds: u64,
    /// In how many of them the decisions were valued.
    pub drawn: u64,
    /// The players, in the order of the journal.
    pub players: Vec<PlayerAnalysis>,
    /// The valued decisions in the order of the journal.
    pub decisions: Vec<AnalysedDecision>,
}

/// The coach's analysis of a player.
#[derive(Clone, Debug, PartialEq)]
pub struct PlayerAnalysis {
    /// The player of the event, from 0.
    pub player: usize,
    /// The name everyone sees.
    pub name: String,
    /// In how many rounds the player was dealt in.
    pub rounds: u64,
    /// How many decisions it made.
    pub decisions: u64,
    /// How many of them were valued: all but in a long tournament, of which rounds are drawn.
    pub valued: u64,
    /// The chips it won or lost in all rounds.
    pub chips: i64,
    /// How many of the valued decisions are proven mistakes.
    pub proven_mistakes: u64,
    /// How many others are mistakes by estimate.
    pub estimated_mistakes: u64,
    /// The cost of its mistakes per round, in chips. Its standard error is that of the draw: 0 if all were valued.
    pub given_away: ChipMean,
    /// The luck of its cards in all rounds, in chips.
    pub luck: f64,
    /// The chips it won a round, less that luck.
    pub less_luck: ChipMean,
    sums: PlayerTotals,
    /// Its mistakes by the kind of the reply and of the better one, costliest class first.
    pub classes: Vec<MistakeClass>,
    /// A rule with which it would have won more, if one is certain enough.
    pub lesson: Option<Lesson>,
    /// Its dearest mistakes, of different rounds, the dearest first: places in [`Analysis::decisions`].
    pub dearest: Vec<usize>,
}

/// Mistakes of one kind on one street.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct MistakeClass {
    /// 1 or 2.
    pub street: u8,
    /// The reply.
    pub replied: ReplyKind,
    /// The better reply.
    pub better: ReplyKind,
    /// How many there are, each war of raises counted once.
    pub mistakes: u64,
    /// Their total cost in chips.
    pub cost: f64,
}

impl MistakeClass {
    /// A short description of the class.
    pub fn words(&self) -> String {
        let [replied, better] = [self.replied, self.better].map(|kind| match kind {
            ReplyKind::Fold => "fold",
            ReplyKind::Call => "call",
            ReplyKind::Raise => "raise",
        });
        format!("{replied}s where a {better} was better")
    }
}

/// A mean number of chips, and how certain it is.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct ChipMean {
    /// The mean, in chips.
    pub chips: f64,
    /// Its standard error, in chips: from how much rounds differ.
    pub standard_error: f64,
}

/// Totals over the rounds of a player.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
struct PlayerTotals {
    /// The rounds with valued decisions.
    drawn: u64,
    /// Those of them that have a mistake.
    costly: u64,
    cost: f64,
    cost_squares: f64,
    less_luck: f64,
    less_luck_squares: f64,
}

impl Analysis {
    /// No rounds of players of these names.
    pub(super) fn new(names: &[String]) -> Analysis {
        let players = names.iter().enumerate().map(|(player, name)| PlayerAnalysis::unplayed(player, name));
        Analysis { rounds: 0, drawn: 0, players: players.collect(), decisions: Vec::new() }
    }

    /// Adds a round with the luck of each seat, and its decisions if they were valued.
    pub(super) fn add(
        &mut self,
        round: &NotedRound,
        lucks: [f64; MAX_SEATS],
        decisions: Option<Vec<AnalysedDecision>>,
    ) {
        self.rounds += 1;
        self.drawn += u64::from(decisions.is_some());
        for seat in round.seats() {
            let player = &mut self.players[round.player_at(seat)];
            let (gain, luck) = (round.gain(seat), lucks[seat.index()]);
            player.rounds += 1;
            player.decisions += round.acted().filter(|acted| *acted == seat).count() as u64;
            player.chips += gain;
            player.luck += luck;
            let less_luck = gain as f64 - luck;
            player.sums.less_luck += less_luck;
            player.sums.less_luck_squares += less_luck * less_luck;
            if let Some(decisions) = &decisions {
                player.value((self.decisions.len()..).zip(decisions));
            }
        }
        self.decisions.extend(decisions.into_iter().flatten());
    }

    /// The same with the means and the dearest mistakes of all rounds that were added.
    pub(super) fn closed(mut self) -> Analysis {
        let Analysis { players, decisions, .. } = &mut self;
        for player in players {
            let PlayerTotals { drawn, cost, cost_squares, less_luck, less_luck_squares, .. } = player.sums;
            let left_out = 1.0 - drawn as f64 / (player.rounds as f64).max(1.0);
            player.given_away = ChipMean::of(drawn, cost, cost_squares);
            player.given_away.standard_error *= left_out.sqrt();
            player.less_luck = ChipMean::of(player.rounds, less_luck, less_luck_squares);
            // The sort is stable: of equals the first comes first.
            player.classes = classes(player.dearest.iter().map(|at| &decisions[*at]));
            player.dearest.sort_by(|one, other| decisions[*other].cost.total_cmp(&decisions[*one].cost));
            let mut reported = BTreeSet::new();
            player.dearest.retain(|at| {
                reported.len() < MAX_REPORTED_DECISIONS
                    && reported.insert((decisions[*at].table, decisions[*at].round))
            });
        }
        self
    }

    /// The dearest decisions of a player, the dearest first.
    pub fn dearest<'a>(
        &'a self,
        player: &'a PlayerAnalysis,
    ) -> impl Iterator<Item = &'a AnalysedDecision> + 'a {
        player.dearest.iter().map(|at| &self.decisions[*at])
    }
}

impl ChipMean {
    /// Half of its 95 % interval, in chips.
    pub fn half_interval(&self) -> f64 {
        HALF_INTERVAL * self.standard_error
    }

    /// The mean of so many numbers with this sum and this sum of squares.
    pub fn of(count: u64, sum: f64, squares: f64) -> ChipMean {
        let count = count as f64;
        let chips = if count > 0.0 { sum / count } else { 0.0 };
        let variance = if count > 1.0 { ((squares - sum * chips) / (count - 1.0)).max(0.0) } else { 0.0 };
        ChipMean { chips, standard_error: if count > 0.0 { (variance / count).sqrt() } else { 0.0 } }
    }
}

impl PlayerAnalysis {
    /// Half of the 95 % interval of the chips that it gave away a round: 0 if all of its rounds were valued, and unknown if it
    /// rests on few mistakes.
    pub fn given_away_half_interval(&self) -> Option<f64> {
        match self.sums {
            PlayerTotals { drawn, .. } if drawn == self.rounds => Some(0.0),
            PlayerTotals { costly: MIN_COSTLY_ROUNDS.., .. } => Some(self.given_away.half_interval()),
            _ => None,
        }
    }

    /// The chips that it gave away a round, with half of their interval.
    pub fn given_away_in_words(&self) -> String {
        let ChipMean { chips, .. } = self.given_away;
        match self.given_away_half_interval() {
            Some(half) if half > 0.0 => format!("{chips:.2} ± {half:.2}"),
            Some(_) => format!("{chips:.2}"),
            None => format!("{chips:.2} ± ?"),
        }
    }

    /// Its lesson in words, also if there is none.
    pub fn lesson_in_words(&self) -> String {
        let none = "No single rule is certain to win more both here and against odds.";
        self.lesson.map_or(none.to_string(), |lesson| format!("To learn: {}", lesson.sentence()))
    }

    /// How many of its decisions were valued.
    pub fn valued_in_words(&self) -> String {
        let PlayerAnalysis { valued, decisions, .. } = self;
        if valued == decisions { valued.to_string() } else { format!("{valued} of {decisions}") }
    }

    fn unplayed(player: usize, name: &str) -> PlayerAnalysis {
        PlayerAnalysis {
            player,
            name: name.to_string(),
            rounds: 0,
            decisions: 0,
            valued: 0,
            chips: 0,
            proven_mistakes: 0,
            estimated_mistakes: 0,
            given_away: ChipMean::default(),
            luck: 0.0,
            less_luck: ChipMean::default(),
            sums: PlayerTotals::default(),
            classes: Vec::new(),
            lesson: None,
            dearest: Vec::new(),
        }
    }

    /// Adds the decisions of a round that it was dealt in: its own among these, each with its place.
    fn value<'a>(&mut self, decisions: impl Iterator<Item = (usize, &'a AnalysedDecision)>) {
        let mut cost = 0.0;
        for (at, decision) in decisions.filter(|(_, decision)| decision.player == self.player) {
            self.valued += 1;
            self.proven_mistakes += u64::from(decision.judgement.proof().is_some());
            self.estimated_mistakes += u64::from(decision.judgement == Judgement::Mistake);
            if decision.judgement.is_mistake() {
                self.dearest.push(at);
                cost += decision.cost;
            }
        }
        self.sums.drawn += 1;
        self.sums.costly += u64::from(cost > 0.0);
        self.sums.cost += cost;
        self.sums.cost_squares += cost * cost;
    }
}

/// The street, and the kinds of the reply and of the better one.
type ClassKey = (u8, [ReplyKind; 2]);

/// The classes of these mistakes, the dearest first.
fn classes<'a>(mistakes: impl Iterator<Item = &'a AnalysedDecision>) -> Vec<MistakeClass> {
    let mut sums: BTreeMap<ClassKey, (u64, f64)> = BTreeMap::new();
    for decision in mistakes {
        let (count, cost) = sums.entry((decision.class.street, decision.kinds())).or_default();
        *count += 1;
        *cost += decision.cost;
    }
    let class = |((street, [replied, better]), (mistakes, cost)): (ClassKey, (u64, f64))| MistakeClass {
        street,
        replied,
        better,
        mistakes,
        cost,
    };
    let mut classes: Vec<MistakeClass> = sums.into_iter().map(class).collect();
    classes.sort_by(|one, other| other.cost.total_cmp(&one.cost));
    classes
}
