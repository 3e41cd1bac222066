//! The plan of an event: its format and numbers.

use serde::{Deserialize, Serialize};
use thiserror::Error;

use crate::stud::{Chips, MAX_SEATS};
use crate::tournament::Format;

/// The fewest players of an event.
pub const FEWEST_PLAYERS: usize = 2;

/// The most players of an event.
pub const MAX_PLAYERS: usize = 10_000;

/// The most rounds that a level or a tournament can be given: they would take years.
pub const MAX_ROUNDS: u64 = 1_000_000_000;

/// The rounds of a freeze-out before the ante rises: as many as are played at a single table if nothing is said.
const ROUNDS_BEFORE_ANTE_RISES: u64 = 1_000;

const MAX_TOURNAMENTS: u32 = 1_000;

/// The plan of an event, without the rules at its tables, its players and its seed.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct EventPlan {
    /// How the players meet.
    pub format: Format,
    /// The most players at a table.
    pub seats: usize,
    /// The rounds of a level; nothing where a format has only one, which lasts as long as the tournament.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub level_rounds: Option<u64>,
    /// The ante of each level of a tournament in chips; the last one stays. If empty, it is the rules'.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub antes: Vec<Chips>,
    /// How many tournaments are played for points. In each of them everyone gets a point for each player who came in
    /// after it.
    #[serde(default = "one", skip_serializing_if = "is_one")]
    pub series: u32,
    /// The last round that late entrants may join, 1-based; `None` if there is no late entry.
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

/// Why a plan cannot be played, in a sentence that begins with the field that is wrong.
#[derive(Clone, Debug, PartialEq, Eq, Error)]
#[error("{0}")]
pub struct PlanError(String);

impl EventPlan {
    /// The plan of the document's own game: everyone at one table, in one level.
    pub fn single_table() -> EventPlan {
        EventPlan {
            format: Format::SINGLE_TABLE,
            seats: MAX_SEATS,
            level_rounds: None,
            antes: Vec::new(),
            series: 1,
            late_entry: None,
        }
    }

    /// The antes with which a freeze-out ends by itself: 1 in the levels of the first thousand rounds, and then more and more,
    /// up to all the chips there are.
    pub fn closing_antes(level_rounds: u64, all_chips: Chips) -> Vec<Chips> {
        let quiet = ROUNDS_BEFORE_ANTE_RISES.div_ceil(level_rounds.max(1));
        let mut antes = vec![1; usize::try_from(quiet).unwrap_or(usize::MAX)];
        let mut ante: Chips = 2;
        while ante < all_chips {
            antes.push(ante);
            ante += ante.div_ceil(2);
        }
        antes.push(all_chips.max(1));
        antes
    }

    /// Whether this can be played; the first wrong field if not.
    pub fn check(&self) -> Result<(), PlanError> {
        let rules = self.format.rules();
        let name = rules.name;
        let refuse = |why: String| Err(PlanError(why));
        if !(2..=MAX_SEATS).contains(&self.seats) {
            return refuse(format!("seats is {}, where a table has 2 to {MAX_SEATS}", self.seats));
        }
        match (self.level_rounds, rules.one_level) {
            (Some(_), true) => {
                return refuse(format!("level_rounds is for formats with levels, and a {name} has one"));
            }
            (None, false) => {
                return refuse(format!(
                    "level_rounds is missing, which says how long a level of a {name} is"
                ));
            }
            (Some(rounds), false) if !(1..=MAX_ROUNDS).contains(&rounds) => {
                return refuse(format!("level_rounds is {rounds}, where a level has 1 to {MAX_ROUNDS}"));
            }
            (Some(rounds), false) if rules.deck_plays.is_some() && rounds != 1 => {
                return refuse(format!("level_rounds is {rounds}, where a level of {name} is one round"));
            }
            (Some(_), false) | (None, true) => {}
        }
        if self.antes.contains(&0) {
            return refuse("antes has a 0 in it, where a round costs at least a chip".to_string());
        }
        if !(1..=MAX_TOURNAMENTS).contains(&self.series) {
            return refuse(format!("series is {}, where 1 to {MAX_TOURNAMENTS} are played", self.series));
        }
        match self.late_entry {
            Some(round) if !(1..=MAX_ROUNDS).contains(&round) => {
                let numbers = format!("where a round has a number from 1 to {MAX_ROUNDS}");
                return refuse(format!("late_entry is {round}, {numbers}"));
            }
            Some(_) if rules.forgives => {
                return refuse(format!(
                    "late_entry is for a single-table and a freezeout, and not for a {name}"
                ));
            }
            _ => {}
        }
        Ok(())
    }

    /// Whether there can be another table than table 1, so that its number says something.
    pub fn numbers_tables(&self) -> bool {
        !self.format.rules().one_table()
    }

    /// How many players can play at the most.
    pub fn max_players(&self) -> usize {
        if self.format.rules().one_table() { self.seats } else { MAX_PLAYERS }
    }

    /// Whether players who begin with this stack, in chips, can pay the antes.
    pub fn check_stack(&self, stack: Chips) -> Result<(), PlanError> {
        let first = if self.format.rules().forgives { self.antes.len() } else { 1 };
        match self.antes.iter().take(first).find(|ante| **ante > stack) {
            Some(ante) => {
                Err(PlanError(format!("antes has {ante} in it, which a stack of {stack} cannot pay")))
            }
            None => Ok(()),
        }
    }
}
