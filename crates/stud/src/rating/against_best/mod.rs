//! How much a player who knows a house bot, but not its cards, takes from it. `docs/exploit.md` explains the method.
//!
//! - `line`: a round between two in the middle of its betting.
//! - [`asked_bot`]: what the bot would do with every hole card that it may hold.
//! - [`view`]: what the adversary sees of the cards, and what its own is worth then.
//! - [`search`]: the adversary's reply.
//! - [`deal`]: the rounds that are really played.
//! - [`learned`], [`program`], [`watched`]: the same with a program, which cannot be asked and is watched first.

mod asked_bot;
mod deal;
#[cfg(test)]
mod first_street;
mod learned;
mod line;
mod program;
mod search;
#[cfg(test)]
mod tests;
mod view;
mod watched;

use std::ops::ControlFlow;

use serde::{Deserialize, Serialize};

use crate::cards::Seed;
use crate::strategies::HouseBot;
use crate::stud::{Chips, Rules};

use super::intervals::{PowerSums, Spread};
use super::{Estimate, Plan};
use crate::parallel::in_order;
use deal::Won;
pub use watched::AgainstWatched;

/// How many deals a thread is given at once.
const DEALS_AT_ONCE: u64 = 4;

/// How many rounds a deal is: the adversary sits once in each seat.
const ROUNDS_A_DEAL: u64 = 2;

/// Rounds between a house bot and an adversary that knows how it plays.
///
/// ```
/// use casino_stud::cards::Seed;
/// use casino_stud::rating::AgainstBest;
/// use casino_stud::strategies::HouseBot;
///
/// let folder = HouseBot::named("folder").expect("it is one of the house");
/// let contest = AgainstBest::new(folder, &Seed::chosen("monday"), 200);
/// let report = contest.play(1, |_| std::ops::ControlFlow::Continue(())).expect("it has played");
/// // Who always folds loses its ante in every round.
/// assert_eq!(report.chips_per_100.value, 100.0);
/// ```
#[derive(Clone, Debug)]
pub struct AgainstBest {
    bot: &'static HouseBot,
    seed: Seed,
    rules: Rules,
    stack: Chips,
    deals: u64,
}

/// How a round can end for the adversary.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum RoundEnd {
    /// The bot folded on the first street.
    FoldedOnFirst,
    /// The bot folded on the second street.
    FoldedOnSecond,
    /// The adversary folded.
    AdversaryFolded,
    /// Both showed their cards.
    Shown,
}

/// What an adversary took from a bot. It is the same for the same bot, seed and number of rounds.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct AgainstBestReport {
    /// The version of the program.
    pub casino: String,
    /// The name of the bot.
    pub bot: String,
    /// The text of the seed.
    pub seed: String,
    /// How many rounds were played that count, with a house bot each with every hole card that it could hold.
    pub rounds: u64,
    /// How many rounds were played before, to see how a program plays; none with a house bot, which can be asked.
    pub watched: u64,
    /// The chips that both had at the beginning of each round.
    pub stack: Chips,
    /// What the adversary won in 100 rounds, in chips.
    pub chips_per_100: Estimate,
    /// Where it won them.
    pub ends: Vec<EndLine>,
    /// The fouls that the bot committed in the rounds that count. A foul folds its hand.
    pub fouls: u64,
}

/// What came of the rounds that ended in one way.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct EndLine {
    /// How they ended.
    pub end: RoundEnd,
    /// How many of 100 rounds ended so.
    pub of_100: f64,
    /// The chips that the adversary won in these, of 100 rounds. All of them add up to what it won.
    pub chips: f64,
}

impl RoundEnd {
    /// All ends, in the order in which they are told.
    pub const ALL: [RoundEnd; 4] =
        [RoundEnd::FoldedOnFirst, RoundEnd::FoldedOnSecond, RoundEnd::AdversaryFolded, RoundEnd::Shown];
}

impl AgainstBest {
    /// So many rounds against this bot, rounded up to whole deals of two, with stacks of 500 chips, antes of 1 and raises of at
    /// most 10. There are at least two deals.
    pub fn new(bot: &'static HouseBot, seed: &Seed, rounds: u64) -> AgainstBest {
        let deals = rounds.div_ceil(ROUNDS_A_DEAL).max(2);
        AgainstBest { bot, seed: seed.clone(), rules: Rules::default(), stack: 500, deals }
    }

    /// The same with this many chips in each stack at the beginning of every round.
    #[must_use]
    pub fn with_stack(self, stack: Chips) -> AgainstBest {
        AgainstBest { stack, ..self }
    }

    /// How many rounds are played.
    pub fn rounds(&self) -> u64 {
        self.deals * ROUNDS_A_DEAL
    }

    /// Plays with this many threads. `watch` is told how many rounds have been played, and may stop it. `None` if it was
    /// stopped before there were two deals.
    ///
    /// # Panics
    /// If there are no threads.
    pub fn play(
        &self,
        threads: usize,
        mut watch: impl FnMut(u64) -> ControlFlow<()>,
    ) -> Option<AgainstBestReport> {
        let mut played: Vec<Won> = Vec::new();
        let deals = |(): &mut (), deals: std::ops::Range<u64>| -> Result<Vec<Won>, super::Impossible> {
            Ok(deals.map(|deal| deal::play(self, deal)).collect())
        };
        let take = |_, won: Vec<Won>| {
            played.extend(won);
            watch(played.len() as u64 * ROUNDS_A_DEAL)
        };
        match in_order(&mut vec![(); threads], 0..self.deals, DEALS_AT_ONCE, deals, take) {
            Ok(()) => (played.len() >= 2).then(|| self.report(&played)),
            Err(never) => match never {},
        }
    }

    fn report(&self, played: &[Won]) -> AgainstBestReport {
        let mut all = Won::default();
        played.iter().for_each(|won| all.add(won));
        let deals = played.len() as u64;
        let hundreds = (deals * ROUNDS_A_DEAL) as f64 / 100.0;
        let mean = all.chips / deals as f64;
        // As elsewhere in ratings, many deals are added up first.
        let batch = Plan::batch_len(deals) as usize;
        let deviation = |batch: &[Won]| batch.iter().map(|won| won.chips - mean).sum::<f64>();
        let swing = played.iter().map(|won| won.at_stake).fold(0.0, f64::max);
        let sums = PowerSums::of(played.chunks(batch).map(deviation));
        let spread = Spread::new(sums, None, swing, (hundreds, deals as f64), mean != 0.0);
        let line = |end: &RoundEnd| {
            let (rounds, chips) = all.ends[*end as usize];
            EndLine { end: *end, of_100: rounds / hundreds, chips: chips / hundreds }
        };
        AgainstBestReport {
            casino: env!("CARGO_PKG_VERSION").to_string(),
            bot: self.bot.name.to_string(),
            seed: self.seed.text().to_string(),
            rounds: deals * ROUNDS_A_DEAL,
            watched: 0,
            stack: self.stack,
            chips_per_100: Estimate::new(all.chips / hundreds, &spread),
            ends: RoundEnd::ALL.iter().map(line).collect(),
            fouls: 0,
        }
    }
}
