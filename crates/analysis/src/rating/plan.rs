//! The plan of a rating: which bots play, and how much.

use std::ops::{Range, RangeInclusive};

use serde::{Deserialize, Serialize};

use casino_stud::cards::Seed;
use casino_stud::strategies::HouseBot;
use casino_stud::stud::{Chips, MAX_SEATS, Rules};
use casino_stud::table::{OnFoul, TableSettings};
use casino_stud::tournament::{EventPlan, Format};

use super::BlockTally;

/// The most bots of a rating, which compares every pair of them.
const MAX_BOTS: usize = 200;

/// More chips than needed, and few enough that the sums of a table fit.
const MAX_STACK_CHIPS: Chips = 10_000_000;

/// The most rounds, as far as the stretches of one stream suffice.
const MAX_RATING_ROUNDS: u64 = 1_000_000_000_000;

/// The most batches of blocks that are kept.
pub(super) const MAX_BATCHES: u64 = 4_096;

/// The most rounds of a tournament.
const MAX_TOURNAMENT_ROUNDS: u64 = 20_000;

/// The rounds of a level of a tournament.
const LEVEL_ROUNDS: u64 = 100;

/// How many blocks are given to a thread at once: as many as take about as long as people wait for the end of a piece.
/// Programs take longer than house bots, so their pieces are smaller, and in a short rating each thread has some; but they are
/// started again for each turn of a piece.
const BLOCKS_PER_TASK: u64 = 256;
const BLOCKS_PER_TASK_WITH_PROGRAMS: RangeInclusive<u64> = 8..=64;
const TASKS_WITH_PROGRAMS: u64 = 16;

/// A bot to be rated.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct RatedBot {
    /// The bot's name, which no other bot has.
    pub name: String,
    /// The player under the name.
    pub player: BotSource,
}

impl RatedBot {
    /// A house bot.
    pub fn house(name: &str, bot: &'static HouseBot) -> RatedBot {
        RatedBot { name: name.to_string(), player: BotSource::House(bot) }
    }

    /// A program with its command line.
    pub fn program(name: &str, command: &str) -> RatedBot {
        RatedBot { name: name.to_string(), player: BotSource::Program(command.to_string()) }
    }

    /// A bot in the caller's own process: see [`super::BotPlayers`].
    pub fn in_process(name: &str) -> RatedBot {
        RatedBot { name: name.to_string(), player: BotSource::InProcess }
    }

    /// The house bot, if it is one.
    pub fn house_bot(&self) -> Option<&'static HouseBot> {
        match self.player {
            BotSource::House(bot) => Some(bot),
            BotSource::Program(_) | BotSource::InProcess => None,
        }
    }
}

/// The player of a [`RatedBot`]. In a file it is a text: `house NAME`, `in process`, or the command line of a program.
#[derive(Clone, Debug, Serialize, Deserialize)]
#[serde(from = "String", into = "String")]
pub enum BotSource {
    /// A house bot.
    House(&'static HouseBot),
    /// A program with this command line.
    Program(String),
    /// A bot in the caller's own process.
    InProcess,
}

impl From<String> for BotSource {
    fn from(text: String) -> BotSource {
        match text.split_once(' ') {
            Some(("in", "process")) => BotSource::InProcess,
            Some(("house", name)) => HouseBot::named(name).map_or(BotSource::Program(text), BotSource::House),
            _ => BotSource::Program(text),
        }
    }
}

impl From<BotSource> for String {
    fn from(source: BotSource) -> String {
        match source {
            BotSource::House(bot) => format!("house {}", bot.name),
            BotSource::Program(command) => command,
            BotSource::InProcess => "in process".to_string(),
        }
    }
}

/// Equal sources are the same text in a file.
impl PartialEq for BotSource {
    fn eq(&self, other: &BotSource) -> bool {
        String::from(self.clone()) == String::from(other.clone())
    }
}

impl Eq for BotSource {}

/// The amount of play in a [`RatingPlan`].
#[derive(Clone, Debug)]
pub struct PlanTerms {
    /// The seats at a table, 2 to 17: fewer if there are fewer bots.
    pub seats: usize,
    /// The chips that everyone has at the beginning of every round.
    pub stack: Chips,
    /// The seed of every deck and of the seating.
    pub seed: Seed,
    /// The least number of rounds: whole blocks are played, two at least.
    pub rounds: u64,
    /// The least number of tournaments: as many are played as let each bot sit in each seat equally often.
    pub tournaments: u64,
}

/// 10,000 rounds at tables of six with 500 chips, and no tournaments.
impl Default for PlanTerms {
    fn default() -> PlanTerms {
        PlanTerms { seats: 6, stack: 500, seed: Seed::chosen("rating"), rounds: 10_000, tournaments: 0 }
    }
}

/// All settings that determine the rounds. Equal plans give equal results.
///
/// ```
/// use casino_analysis::rating::{RatedBot, PlanTerms, RatingPlan};
/// use casino_stud::strategies::HOUSE;
///
/// let bots: Vec<RatedBot> = HOUSE.iter().map(|bot| RatedBot::house(bot.name, bot)).collect();
/// let terms = PlanTerms { rounds: 1000, tournaments: 10, ..PlanTerms::default() };
/// let plan = RatingPlan::new(bots, terms)?;
/// // Whole blocks are played, in each of them a round for every bot.
/// assert_eq!(plan.blocks() * plan.rounds_per_block(), 1000_u64.next_multiple_of(HOUSE.len() as u64));
/// # Ok::<(), casino_analysis::rating::RatingPlanError>(())
/// ```
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct RatingPlan {
    casino: String,
    seed: String,
    seats: usize,
    stack: Chips,
    ante: Chips,
    raise_cap: Chips,
    blocks: u64,
    tournaments: u64,
    bots: Vec<RatedBot>,
}

/// Why a plan cannot be played, in a sentence.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error("{0}")]
pub struct RatingPlanError(String);

impl RatingPlan {
    /// Makes a rating of these bots by the document's rules.
    pub fn new(mut bots: Vec<RatedBot>, terms: PlanTerms) -> Result<RatingPlan, RatingPlanError> {
        let PlanTerms { seats, stack, seed, rounds, tournaments } = terms;
        // The order in which the bots were named must not matter.
        bots.sort_by(|one, other| one.name.cmp(&other.name));
        let Rules { ante, raise_cap, .. } = Rules::default();
        RatingPlan {
            casino: env!("CARGO_PKG_VERSION").to_string(),
            seed: seed.text().to_string(),
            seats: seats.min(bots.len()),
            stack,
            ante,
            raise_cap,
            blocks: rounds.div_ceil(bots.len().max(1) as u64).max(2),
            // Each of the bots sits in each seat equally often.
            tournaments: tournaments.next_multiple_of(bots.len().max(1) as u64),
            bots,
        }
        .checked()
    }

    /// Returns the plan if it can be played. It is for plans that were read from a file.
    pub fn checked(self) -> Result<RatingPlan, RatingPlanError> {
        let refuse = |why: String| Err(RatingPlanError(why));
        if self.casino != env!("CARGO_PKG_VERSION") {
            let (theirs, ours) = (self.casino.escape_debug(), env!("CARGO_PKG_VERSION"));
            return refuse(format!("it was made by casino {theirs}, and this is casino {ours}"));
        }
        let bots = self.bots.len();
        if !(2..=MAX_BOTS).contains(&bots) {
            return refuse(format!(
                "a rating compares 2 to {MAX_BOTS} bots, and there are {bots}: see --bot"
            ));
        }
        if let Some(pair) = self.bots.windows(2).find(|pair| pair[0].name >= pair[1].name) {
            let name = pair[1].name.escape_debug();
            return refuse(format!("two bots are named {name}: give each a name of its own"));
        }
        if !(2..=MAX_SEATS.min(bots)).contains(&self.seats) {
            return refuse(format!("a table has 2 to {MAX_SEATS} seats, not {}: see --seats", self.seats));
        }
        if !(self.ante..=MAX_STACK_CHIPS).contains(&self.stack) || self.ante == 0 {
            let (stack, ante) = (self.stack, self.ante);
            return refuse(format!(
                "a stack has {ante} to {MAX_STACK_CHIPS} chips, not {stack}: see --stack"
            ));
        }
        if self.blocks < 2 || self.blocks > MAX_RATING_ROUNDS / bots as u64 {
            return refuse(format!(
                "a rating plays at least two blocks and at most {MAX_RATING_ROUNDS} rounds"
            ));
        }
        if self.raise_cap > MAX_STACK_CHIPS || self.tournaments > 1_000_000 {
            return refuse("at most 1000000 tournaments are played: see --tournaments".to_string());
        }
        let levels = self.tournament_plan();
        if let Err(why) = levels.check().and_then(|()| levels.check_stack(self.stack)) {
            return refuse(format!("the tournaments cannot be played: {why}"));
        }
        Ok(self)
    }

    /// The bots in the order of their names. Everywhere else a bot is an index into this list.
    pub fn bots(&self) -> &[RatedBot] {
        &self.bots
    }

    /// How many bots there are.
    pub fn bot_count(&self) -> usize {
        self.bots.len()
    }

    /// How many players sit at a table.
    pub fn seats(&self) -> usize {
        self.seats
    }

    /// The chips that everyone has at the beginning of every round.
    pub fn stack(&self) -> Chips {
        self.stack
    }

    /// How many blocks are played.
    pub fn blocks(&self) -> u64 {
        self.blocks
    }

    /// How many rounds a block has: one for each bot, and each bot plays as many of them as there are seats.
    pub fn rounds_per_block(&self) -> u64 {
        self.bots.len() as u64
    }

    /// How many blocks are given to a thread at once. The sequential test is read after each such piece.
    pub fn blocks_at_once(&self) -> u64 {
        if self.has_only_house_bots() {
            return BLOCKS_PER_TASK;
        }
        let (least, most) = BLOCKS_PER_TASK_WITH_PROGRAMS.into_inner();
        (self.blocks / TASKS_WITH_PROGRAMS).clamp(least, most)
    }

    /// How many blocks are played together: house bots store no cards, and play one after the other.
    pub(super) fn blocks_together(&self) -> u64 {
        if self.has_only_house_bots() { 1 } else { self.blocks_at_once() }
    }

    fn has_only_house_bots(&self) -> bool {
        self.bots.iter().all(|bot| bot.house_bot().is_some())
    }

    /// How many tournaments are played.
    pub fn tournaments(&self) -> u64 {
        self.tournaments
    }

    /// The most rounds of a tournament: with antes that do not rise it might last for ever.
    pub fn tournament_rounds(&self) -> u64 {
        MAX_TOURNAMENT_ROUNDS
    }

    /// The format of the tournaments: a freeze-out at one table.
    pub fn tournament_plan(&self) -> EventPlan {
        let format = Format::default();
        let all_chips = self.stack.saturating_mul(self.seats as Chips);
        EventPlan {
            format,
            seats: self.seats,
            level_rounds: Some(LEVEL_ROUNDS),
            antes: EventPlan::closing_antes(LEVEL_ROUNDS, all_chips),
            series: 1,
            late_entry: None,
        }
    }

    /// An empty tally that begins with block `from` and has batches of `batch_len` blocks.
    pub fn tally(&self, from: u64, batch_len: u64) -> BlockTally {
        BlockTally::new(self.bot_count(), self.seats, from, batch_len)
    }

    /// The seed of every deck and of the seating.
    pub fn seed(&self) -> Seed {
        Seed::chosen(&self.seed)
    }

    /// The seed of a group of tournaments, numbered from 1: as many as there are bots, with the same cards.
    pub fn tournament_seed(&self, tournament: u64) -> Seed {
        Seed::chosen(format!("{} tournament {tournament}", self.seed))
    }

    /// The settings of the tables. A foul costs the round and not the rating.
    pub fn table_settings(&self) -> TableSettings {
        let rules = Rules { ante: self.ante, raise_cap: self.raise_cap, ..Rules::default() };
        TableSettings { rules, on_foul: OnFoul::Fold }
    }

    /// How many consecutive blocks are one batch when `blocks` blocks have been played: a power of two,
    /// which is 1 for up to 4096 blocks.
    pub fn batch_len(blocks: u64) -> u64 {
        blocks.div_ceil(MAX_BATCHES).next_power_of_two()
    }

    /// The first field in which two plans differ, with both values; `None` if they are equal.
    pub fn difference(&self, other: &RatingPlan) -> Option<String> {
        let [ours, theirs] = [self, other].map(|plan| serde_json::json!(plan));
        let fields = ours.as_object().into_iter().flatten();
        let mut differing = fields.filter(|(name, value)| theirs[*name] != **value);
        differing.next().map(|(name, value)| format!("{name} is {value} here and {} there", theirs[name]))
    }

    /// The range of `count` items that belongs to part `index`, counted from 0, of `of` parts.
    pub(super) fn share(count: u64, index: u64, of: u64) -> Range<u64> {
        let edge = |index: u64| (u128::from(count) * u128::from(index) / u128::from(of)) as u64;
        edge(index)..edge(index + 1)
    }
}

#[cfg(test)]
pub(super) mod tests {
    use super::*;

    pub(in super::super) fn plan(names: &[&str], seats: usize, rounds: u64, tournaments: u64) -> RatingPlan {
        let bot = |name: &&str| {
            HouseBot::named(name).map_or_else(|| RatedBot::in_process(name), |bot| RatedBot::house(name, bot))
        };
        let bots = names.iter().map(bot).collect();
        RatingPlan::new(
            bots,
            PlanTerms { seats, stack: 500, seed: Seed::chosen("plan"), rounds, tournaments },
        )
        .unwrap()
    }

    #[test]
    fn whole_blocks_are_played_and_bad_plans_are_refused() {
        let six = plan(&["a", "b", "c", "d", "e", "f"], 17, 100, 5);
        assert_eq!((six.seats(), six.blocks(), six.rounds_per_block()), (6, 17, 6));
        assert_eq!(plan(&["a", "b"], 2, 1, 0).blocks(), 2);
        assert_eq!(six.clone().checked(), Ok(six.clone()));
        let refused = |change: fn(&mut RatingPlan)| {
            let mut plan = six.clone();
            change(&mut plan);
            plan.checked().unwrap_err().to_string()
        };
        assert!(refused(|plan| plan.seats = 7).contains("2 to 17 seats, not 7"));
        assert!(refused(|plan| plan.stack = 0).contains("not 0"));
        assert!(refused(|plan| plan.bots[1].name = "a".to_string()).contains("two bots are named a"));
        assert!(refused(|plan| plan.bots.truncate(1)).contains("there are 1"));
        assert!(refused(|plan| plan.casino = "0.0.1".to_string()).contains("casino 0.0.1"));
        assert!(refused(|plan| plan.blocks = 1).contains("two blocks"));
        assert!(refused(|plan| plan.blocks = u64::MAX).contains("at most"));
    }

    #[test]
    fn the_order_in_which_bots_are_named_does_not_count() {
        assert_eq!(plan(&["a", "b", "c"], 3, 9, 0), plan(&["c", "a", "b"], 3, 9, 0));
    }

    #[test]
    fn every_difference_of_plans_is_named() {
        let one = plan(&["a", "b", "c"], 3, 9, 0);
        assert_eq!(one.difference(&one), None);
        for (change, words) in [
            (
                (|plan| plan.seed.push('x')) as fn(&mut RatingPlan),
                "seed is \"plan\" here and \"planx\" there",
            ),
            (|plan| plan.casino = "9".to_string(), "casino is "),
            (|plan| plan.bots[0].player = BotSource::Program("other".to_string()), "\"player\":\"other\""),
            (|plan| plan.seats = 2, "seats is 3 here and 2 there"),
            (|plan| plan.stack = 7, "stack is 500 here and 7 there"),
            (|plan| plan.ante = 2, "ante is 1 here and 2 there"),
            (|plan| plan.raise_cap = 2, "raise_cap is 10 here and 2 there"),
            (|plan| plan.blocks = 77, "blocks is 3 here and 77 there"),
            (|plan| plan.tournaments = 1, "tournaments is 0 here and 1 there"),
        ] {
            let mut other = one.clone();
            change(&mut other);
            let difference = one.difference(&other).unwrap();
            assert!(difference.contains(words), "{difference}");
        }
    }

    #[test]
    fn shares_follow_each_other_without_gap() {
        for (count, of) in [(0, 1), (10, 3), (2, 5), (1_000_003, 64)] {
            let mut next = 0;
            for index in 0..of {
                let share = RatingPlan::share(count, index, of);
                assert_eq!(share.start, next);
                next = share.end;
            }
            assert_eq!(next, count);
        }
    }

    #[test]
    fn batches_are_never_more_than_the_cap() {
        for blocks in [1, 2, 4_096, 4_097, 8_192, 8_193, 1_000_000, 123_456_789] {
            let len = RatingPlan::batch_len(blocks);
            assert!(len.is_power_of_two() && blocks.div_ceil(len) <= MAX_BATCHES);
            assert!(len == 1 || blocks.div_ceil(len / 2) > MAX_BATCHES, "{blocks}");
        }
    }

    #[test]
    fn sources_are_read_as_they_are_written() {
        for (text, is_house) in [
            ("house odds", true),
            ("in process", false),
            ("house of cards {host} {port}", false),
            ("./bot {port}", false),
        ] {
            let source = BotSource::from(text.to_string());
            assert_eq!(
                (matches!(source, BotSource::House(_)), String::from(source)),
                (is_house, text.into())
            );
        }
    }
}
