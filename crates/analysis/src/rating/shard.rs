//! The parts of a rating that is shared out over several runs.

use std::fmt;
use std::ops::Range;
use std::str::FromStr;

use serde::{Deserialize, Serialize};

use super::RatingPlan;

/// A part of a rating: `2/8` is the second of eight.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(try_from = "String", into = "String")]
pub struct Shard {
    /// The number of the part, counted from 0.
    index: u64,
    of: u64,
}

/// Why a text names no part, in a sentence.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error("{0}")]
pub struct ShardError(String);

const MAX_SHARDS: u64 = 1_000_000;

impl Shard {
    /// The part that is the whole rating.
    pub const WHOLE: Shard = Shard { index: 0, of: 1 };

    fn of(index: u64, of: u64) -> Result<Shard, ShardError> {
        if index < of && of <= MAX_SHARDS {
            return Ok(Shard { index, of });
        }
        let part = index.saturating_add(1);
        Err(ShardError(format!("part {part} of {of} does not exist: there are 1 to {MAX_SHARDS} parts")))
    }

    /// The part's number, counted from 1.
    pub fn number(self) -> u64 {
        self.index + 1
    }

    /// How many parts there are.
    pub fn parts(self) -> u64 {
        self.of
    }

    /// The blocks of this part, counted from 0.
    pub fn blocks(self, plan: &RatingPlan) -> Range<u64> {
        RatingPlan::share(plan.blocks(), self.index, self.of)
    }

    /// The tournaments of this part, counted from 0.
    pub fn tournaments(self, plan: &RatingPlan) -> Range<u64> {
        RatingPlan::share(plan.tournaments(), self.index, self.of)
    }
}

impl fmt::Display for Shard {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}/{}", self.number(), self.of)
    }
}

impl FromStr for Shard {
    type Err = ShardError;

    fn from_str(text: &str) -> Result<Shard, ShardError> {
        let numbers = text.split_once('/').and_then(|(part, of)| {
            let part: u64 = part.parse().ok()?;
            Some((part.checked_sub(1)?, of.parse().ok()?))
        });
        match numbers {
            Some((index, of)) => Shard::of(index, of),
            None => Err(ShardError(format!(
                "\"{}\" is no part: write, say, 2/8 for the second of eight",
                text.escape_debug()
            ))),
        }
    }
}

impl TryFrom<String> for Shard {
    type Error = ShardError;

    fn try_from(text: String) -> Result<Shard, ShardError> {
        text.parse()
    }
}

impl From<Shard> for String {
    fn from(shard: Shard) -> String {
        shard.to_string()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn parts_are_read_as_they_are_written() {
        for text in ["1/1", "2/8", "64/64"] {
            assert_eq!(text.parse::<Shard>().unwrap().to_string(), text);
        }
        for text in ["", "0/4", "5/4", "1/0", "a/b", "3", "1/2/3", "1/9999999999", "-1/4"] {
            assert!(text.parse::<Shard>().is_err(), "{text}");
        }
    }
}
