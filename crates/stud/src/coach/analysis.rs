//! What is said of a whole tournament.

use serde::Serialize;

use super::luck::{UsualPots, luck};
use super::{AnalysedDecision, Judgement, NotedRound};

/// How many of a player's dearest decisions are told.
const DEAREST: usize = 3;

/// What the coach says of a tournament.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct Analysis {
    /// How many rounds were looked at.
    pub rounds: u64,
    /// The players, in the order of the journal.
    pub players: Vec<PlayerAnalysis>,
    /// All decisions in the order of the journal.
    pub decisions: Vec<AnalysedDecision>,
}

/// What the coach says of a player.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct PlayerAnalysis {
    /// The player of the event, from 0.
    #[serde(skip)]
    pub player: usize,
    /// The name everyone sees.
    pub name: String,
    /// In how many rounds the player was dealt in.
    pub rounds: u64,
    /// How many decisions it made.
    pub decisions: u64,
    /// The chips it won or lost in all rounds.
    pub chips: i64,
    /// How many of its decisions are proven mistakes.
    pub proven_mistakes: u64,
    /// How many others are mistakes by estimate.
    pub estimated_mistakes: u64,
    /// The chips it gave away, a round.
    pub given_away: ChipMean,
    /// What the cards alone brought it in all rounds, in chips.
    pub luck: f64,
    /// A mark from 0 to 100 for its decisions: which part of what was at stake in them it did not give away. `None` if
    /// nothing was.
    pub accuracy: Option<f64>,
    /// Its dearest mistakes, the dearest first: places in [`Analysis::decisions`].
    pub dearest: Vec<usize>,
}

/// A mean number of chips, and how certain it is.
#[derive(Clone, Copy, Debug, Default, PartialEq, Serialize)]
pub struct ChipMean {
    /// The mean, in chips.
    pub chips: f64,
    /// Its standard error, in chips: from how much rounds differ.
    pub standard_error: f64,
}

/// What is summed up over the rounds of a player.
#[derive(Clone, Copy, Default)]
struct Sums {
    /// The cost of this round so far.
    round: f64,
    cost: f64,
    squares: f64,
    stake: f64,
}

impl Analysis {
    /// Sums up these decisions of all these rounds for players of these names.
    pub fn new(names: &[String], rounds: &[NotedRound], decisions: Vec<AnalysedDecision>) -> Analysis {
        let mut players: Vec<PlayerAnalysis> =
            names.iter().enumerate().map(|(player, name)| PlayerAnalysis::unplayed(player, name)).collect();
        let mut sums = vec![Sums::default(); names.len()];
        let mut usual = UsualPots::default();
        let mut next = 0;
        for round in rounds {
            let of_round =
                |decision: &&AnalysedDecision| (decision.table, decision.round) == (round.table, round.round);
            for decision in decisions[next..].iter().take_while(of_round) {
                let (player, sums) = (&mut players[decision.player], &mut sums[decision.player]);
                player.count(next, decision);
                sums.round += decision.unchosen_cost;
                sums.stake += decision.stake;
                next += 1;
            }
            let lucks = luck(round, usual.before(round));
            usual.add(round);
            for seat in round.seats() {
                let (player, sums) = (&mut players[round.player_at(seat)], &mut sums[round.player_at(seat)]);
                player.rounds += 1;
                player.chips += round.gain(seat);
                player.luck += lucks[seat.index()];
                let cost = std::mem::take(&mut sums.round);
                sums.cost += cost;
                sums.squares += cost * cost;
            }
        }
        for (player, sums) in players.iter_mut().zip(&sums) {
            player.given_away = ChipMean::of(player.rounds, sums.cost, sums.squares);
            player.accuracy = accuracy(sums.cost, sums.stake);
        }
        for player in &mut players {
            // The sort is stable: of equals the first comes first.
            player.dearest.sort_by(|one, other| decisions[*other].cost.total_cmp(&decisions[*one].cost));
            player.dearest.truncate(DEAREST);
        }
        Analysis { rounds: rounds.len() as u64, players, decisions }
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
    /// The mean of so many numbers with this sum and this sum of squares.
    pub(super) fn of(count: u64, sum: f64, squares: f64) -> ChipMean {
        let count = count as f64;
        let chips = if count > 0.0 { sum / count } else { 0.0 };
        let variance = if count > 1.0 { ((squares - sum * chips) / (count - 1.0)).max(0.0) } else { 0.0 };
        ChipMean { chips, standard_error: if count > 0.0 { (variance / count).sqrt() } else { 0.0 } }
    }
}

/// The mark for decisions that cost so much where so much was at stake.
fn accuracy(cost: f64, stake: f64) -> Option<f64> {
    (stake > 0.0).then(|| 100.0 * (1.0 - cost / stake).clamp(0.0, 1.0))
}

impl PlayerAnalysis {
    fn unplayed(player: usize, name: &str) -> PlayerAnalysis {
        PlayerAnalysis {
            player,
            name: name.to_string(),
            rounds: 0,
            decisions: 0,
            chips: 0,
            proven_mistakes: 0,
            estimated_mistakes: 0,
            given_away: ChipMean::default(),
            luck: 0.0,
            accuracy: None,
            dearest: Vec::new(),
        }
    }

    /// Counts a decision, which is the one at this place.
    fn count(&mut self, at: usize, decision: &AnalysedDecision) {
        self.decisions += 1;
        self.proven_mistakes += u64::from(decision.judgement.proof().is_some());
        self.estimated_mistakes += u64::from(decision.judgement == Judgement::Mistake);
        if decision.judgement.is_mistake() {
            self.dearest.push(at);
        }
    }
}
