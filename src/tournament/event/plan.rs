//! What an event of many tables is: its format and numbers.

use std::fmt;
use std::str::FromStr;

use serde::{Deserialize, Serialize};

use crate::stud::{Chips, MAX_SEATS};

/// The most players of an event.
pub const MAX_PLAYERS: usize = 1_000;

/// The most rounds of a level and of a tournament.
const MOST_ROUNDS: u64 = 1_000_000_000;

/// The most tournaments of a series.
const MOST_TOURNAMENTS: u32 = 1_000;

/// How the players of an event meet. `docs/tournaments.md` describes each.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum Format {
    /// Everyone plays to the last chip; tables are balanced and broken down to a final table.
    Freezeout,
    /// Everyone plays all rounds: each level begins with the starting stack, and the chips won in all levels count.
    Rounds,
    /// The winner of each table goes on.
    Shootout,
    /// Two at a table; the winners go on in a bracket.
    Knockout,
    /// In each pod everyone meets everyone, two at a table.
    RoundRobin,
    /// Everyone meets the same house bots, one after the other, with the same cards.
    Gauntlet,
}

/// A name that is no format's.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct UnknownFormat;

impl fmt::Display for UnknownFormat {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let names: Vec<&str> = Format::ALL.iter().map(|(name, _)| *name).collect();
        write!(f, "the formats are {}", names.join(", "))
    }
}

impl std::error::Error for UnknownFormat {}

impl FromStr for Format {
    type Err = UnknownFormat;

    fn from_str(text: &str) -> Result<Format, UnknownFormat> {
        let found = Format::ALL.iter().find(|(name, _)| *name == text);
        found.map(|(_, format)| *format).ok_or(UnknownFormat)
    }
}

impl Format {
    /// All formats and their names.
    const ALL: [(&str, Format); 6] = [
        ("freezeout", Format::Freezeout),
        ("rounds", Format::Rounds),
        ("shootout", Format::Shootout),
        ("knockout", Format::Knockout),
        ("round-robin", Format::RoundRobin),
        ("gauntlet", Format::Gauntlet),
    ];

    /// Whether everyone begins each level with the starting stack.
    pub fn restacks(self) -> bool {
        self != Format::Freezeout
    }

    /// Whether whoever has lost its chips plays again in the next level.
    pub fn forgives(self) -> bool {
        matches!(self, Format::Rounds | Format::RoundRobin | Format::Gauntlet)
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
    /// The rounds of a level.
    pub level_rounds: u64,
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
}

fn one() -> u32 {
    1
}

#[expect(clippy::trivially_copy_pass_by_ref, reason = "serde calls it so")]
fn is_one(series: &u32) -> bool {
    *series == 1
}

impl EventPlan {
    /// Whether this can be played.
    ///
    /// # Errors
    /// What cannot, in words that name the field.
    pub fn check(&self) -> Result<(), String> {
        if !(2..=MAX_SEATS).contains(&self.seats) {
            return Err(format!("seats is {}, where a table has 2 to {MAX_SEATS}", self.seats));
        }
        if self.format == Format::Knockout && self.seats != 2 {
            return Err(format!("seats is {}, where a knockout has two at a table", self.seats));
        }
        if !(1..=MOST_ROUNDS).contains(&self.level_rounds) {
            return Err(format!(
                "level_rounds is {}, where a level has 1 to {MOST_ROUNDS}",
                self.level_rounds
            ));
        }
        if self.antes.contains(&0) {
            return Err("antes has a 0 in it, where a round costs at least a chip".to_string());
        }
        if !(1..=MOST_TOURNAMENTS).contains(&self.series) {
            return Err(format!("series is {}, where 1 to {MOST_TOURNAMENTS} are played", self.series));
        }
        if !self.points.is_empty() && self.series == 1 {
            return Err("points are for the places of a series, and this is one tournament".to_string());
        }
        match (self.format, self.against.is_empty()) {
            (Format::Gauntlet, true) => Err("against is empty, where a gauntlet has house bots".to_string()),
            (Format::Gauntlet, false) | (_, true) => Ok(()),
            (_, false) => Err("against is for a gauntlet only".to_string()),
        }
    }

    /// Whether players who begin with this stack, in chips, can pay the antes.
    ///
    /// # Errors
    /// If not, in words that name the field.
    pub fn check_stack(&self, stack: Chips) -> Result<(), String> {
        let first = if self.format.restacks() { self.antes.len() } else { 1 };
        match self.antes.iter().take(first).find(|ante| **ante > stack) {
            Some(ante) => Err(format!("antes has {ante} in it, which a stack of {stack} cannot pay")),
            None => Ok(()),
        }
    }

    /// The ante of a level of a tournament, from 0.
    pub(super) fn ante(&self, level: usize, usual: Chips) -> Chips {
        self.antes.get(level).or(self.antes.last()).copied().unwrap_or(usual)
    }
}
