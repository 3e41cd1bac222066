//! What an event is: its format and numbers.

use serde::{Deserialize, Serialize};
use thiserror::Error;

use crate::stud::{Chips, MAX_SEATS};
use crate::tournament::Format;

/// The most players of an event.
pub const MAX_PLAYERS: usize = 10_000;

/// The most rounds that a level or a tournament can be given: they would take years.
pub const MOST_ROUNDS: u64 = 1_000_000_000;

/// The rounds of a freeze-out before the ante rises: as many as are played at a single table if nothing is said.
const QUIET_ROUNDS: u64 = 1_000;

const MOST_TOURNAMENTS: u32 = 1_000;

/// When the tables of a freeze-out are balanced and broken.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum Balance {
    /// Between two levels, and during one after each round in which fewer tables have come to hold everyone, or one
    /// has come to have two players more than another.
    During,
    /// Between two levels.
    #[default]
    Levels,
}

impl Balance {
    /// How a new event of this format is balanced if nothing is said.
    pub fn usual(format: Format) -> Balance {
        if format.rules().balances { Balance::During } else { Balance::Levels }
    }

    #[expect(clippy::trivially_copy_pass_by_ref, reason = "serde calls it so")]
    fn is_between_levels(&self) -> bool {
        *self == Balance::Levels
    }
}

/// What an event is, apart from the rules at its tables, its players and its seed.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct EventPlan {
    /// How the players meet.
    pub format: Format,
    /// The most players at a table, or in a pod of a round robin.
    pub seats: usize,
    /// The rounds of a level; nothing where a format has only one, which lasts as long as the tournament.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub level_rounds: Option<u64>,
    /// When tables are balanced.
    #[serde(default, skip_serializing_if = "Balance::is_between_levels")]
    pub balance: Balance,
    /// The ante of each level of a tournament in chips; the last one stays. If there is none, it is the rules'.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub antes: Vec<Chips>,
    /// How many tournaments are played for points.
    #[serde(default = "one", skip_serializing_if = "is_one")]
    pub series: u32,
    /// The points of each place in a tournament of a series. If there are none, everyone gets a point for each
    /// player who came in after it.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub points: Vec<u32>,
    /// The house bots of a gauntlet.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub against: Vec<String>,
    /// The last round before which somebody may come in late, from 1; nobody may if there is none.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub late_entry: Option<u64>,
}

fn one() -> u32 {
    1
}

#[expect(clippy::trivially_copy_pass_by_ref, reason = "serde calls it so")]
fn is_one(series: &u32) -> bool {
    *series == 1
}

/// Why a plan cannot be played. Each sentence begins with the field that is wrong.
#[derive(Clone, Debug, PartialEq, Eq, Error)]
pub enum PlanError {
    /// A table has no such number of seats.
    #[error("seats is {0}, where a table has 2 to {MAX_SEATS}")]
    Seats(usize),
    /// The format has another number of seats at each table.
    #[error("seats is {seats}, where a {} has two at a table", .format.rules().name)]
    SeatsOfFormat {
        /// How many seats the plan has.
        seats: usize,
        /// The format of the plan.
        format: Format,
    },
    /// A level has no such number of rounds.
    #[error("level_rounds is {0}, where a level has 1 to {MOST_ROUNDS}")]
    LevelRounds(u64),
    /// The format has levels, and nothing says how long they are.
    #[error("level_rounds is missing, which says how long a level of a {} is", .0.rules().name)]
    NoLevelRounds(Format),
    /// Everybody sits down anew for each round of the format.
    #[error("level_rounds is {rounds}, where a level of {} is one round", .format.rules().name)]
    OneRound {
        /// The rounds of a level in the plan.
        rounds: u64,
        /// The format of the plan.
        format: Format,
    },
    /// The format has one level, which lasts as long as the tournament.
    #[error("level_rounds is for formats with levels, and a {} has one", .0.rules().name)]
    OneLevel(Format),
    /// The tables of another format are not balanced.
    #[error("balance is for a freezeout only")]
    Balance,
    /// A round would cost nothing.
    #[error("antes has a 0 in it, where a round costs at least a chip")]
    FreeRound,
    /// A series has no such number of tournaments.
    #[error("series is {0}, where 1 to {MOST_TOURNAMENTS} are played")]
    Series(u32),
    /// Points are listed for a single tournament.
    #[error("points are for the places of a series, and this is one tournament")]
    PointsWithoutSeries,
    /// There is no such round.
    #[error("late_entry is {0}, where a round has a number from 1 to {MOST_ROUNDS}")]
    LateEntryRound(u64),
    /// Players come in late only where stacks are kept, in the middle of play.
    #[error("late_entry is for a single-table and a freezeout, and not for a {}", .0.rules().name)]
    LateEntry(Format),
    /// A gauntlet names no house bots.
    #[error("against is empty, where a gauntlet has house bots")]
    NoOpponents,
    /// Another format names house bots.
    #[error("against is for a gauntlet only")]
    Opponents,
    /// A player could not pay an ante with its starting stack.
    #[error("antes has {ante} in it, which a stack of {stack} cannot pay")]
    Unpayable {
        /// The ante, in chips.
        ante: Chips,
        /// The starting stack, in chips.
        stack: Chips,
    },
}

impl EventPlan {
    /// The plan of the document's own game: everyone at one table, in one level.
    pub fn single_table() -> EventPlan {
        EventPlan {
            format: Format::SINGLE_TABLE,
            seats: MAX_SEATS,
            level_rounds: None,
            balance: Balance::Levels,
            antes: Vec::new(),
            series: 1,
            points: Vec::new(),
            against: Vec::new(),
            late_entry: None,
        }
    }

    /// The antes with which a freeze-out ends by itself: 1 in the levels of the first thousand rounds, and then more and more,
    /// up to all the chips there are.
    pub fn closing_antes(level_rounds: u64, all_chips: Chips) -> Vec<Chips> {
        let quiet = QUIET_ROUNDS.div_ceil(level_rounds.max(1));
        let mut antes = vec![1; usize::try_from(quiet).unwrap_or(usize::MAX)];
        let mut ante: Chips = 2;
        while ante < all_chips {
            antes.push(ante);
            ante += ante.div_ceil(2);
        }
        antes.push(all_chips.max(1));
        antes
    }

    /// Whether this can be played.
    ///
    /// # Errors
    /// The first field with which it cannot.
    pub fn check(&self) -> Result<(), PlanError> {
        if !(2..=MAX_SEATS).contains(&self.seats) {
            return Err(PlanError::Seats(self.seats));
        }
        if self.format.rules().seats.is_some_and(|seats| seats != self.seats) {
            return Err(PlanError::SeatsOfFormat { seats: self.seats, format: self.format });
        }
        match (self.level_rounds, self.format.rules().one_level) {
            (Some(_), true) => return Err(PlanError::OneLevel(self.format)),
            (None, false) => return Err(PlanError::NoLevelRounds(self.format)),
            (Some(rounds), false) if !(1..=MOST_ROUNDS).contains(&rounds) => {
                return Err(PlanError::LevelRounds(rounds));
            }
            (Some(rounds), false) if self.format.rules().equal_deals && rounds != 1 => {
                return Err(PlanError::OneRound { rounds, format: self.format });
            }
            (Some(_), false) | (None, true) => {}
        }
        if self.balance == Balance::During && !self.format.rules().balances {
            return Err(PlanError::Balance);
        }
        if self.antes.contains(&0) {
            return Err(PlanError::FreeRound);
        }
        if !(1..=MOST_TOURNAMENTS).contains(&self.series) {
            return Err(PlanError::Series(self.series));
        }
        if !self.points.is_empty() && self.series == 1 {
            return Err(PlanError::PointsWithoutSeries);
        }
        match self.late_entry {
            Some(round) if !(1..=MOST_ROUNDS).contains(&round) => {
                return Err(PlanError::LateEntryRound(round));
            }
            Some(_) if self.format.rules().restacks => return Err(PlanError::LateEntry(self.format)),
            _ => {}
        }
        match (self.format.rules().against_house, self.against.is_empty()) {
            (true, true) => Err(PlanError::NoOpponents),
            (false, false) => Err(PlanError::Opponents),
            (true, false) | (false, true) => Ok(()),
        }
    }

    /// Whether there can be another table than table 1, so that its number says something.
    pub fn numbers_tables(&self) -> bool {
        !self.format.rules().one_table()
    }

    /// How many players can play at the most.
    pub fn most_players(&self) -> usize {
        if self.format.rules().one_table() { self.seats } else { MAX_PLAYERS }
    }

    /// Whether players who begin with this stack, in chips, can pay the antes.
    pub fn check_stack(&self, stack: Chips) -> Result<(), PlanError> {
        let first = if self.format.rules().restacks { self.antes.len() } else { 1 };
        match self.antes.iter().take(first).find(|ante| **ante > stack) {
            Some(&ante) => Err(PlanError::Unpayable { ante, stack }),
            None => Ok(()),
        }
    }
}
