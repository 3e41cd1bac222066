//! The parts of a rating that is shared out over several runs.

use std::fmt;
use std::ops::Range;
use std::str::FromStr;

use serde::{Deserialize, Serialize};

use super::Plan;

/// A part of a rating: `2/8` is the second of eight.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(try_from = "String", into = "String")]
pub struct Shard {
    /// The number of the part, counted from 0.
    index: u64,
    of: u64,
}

/// Why a text or an environment names no part, in a sentence.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct ShardError(String);

impl fmt::Display for ShardError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.0)
    }
}

impl std::error::Error for ShardError {}

/// The most parts, which is what the schedulers allow.
const MOST_PARTS: u64 = 1_000_000;

impl Shard {
    /// The part that is the whole rating.
    pub const WHOLE: Shard = Shard { index: 0, of: 1 };

    /// Reads the part that a scheduler has given to this process from its environment: a Slurm array, a Kubernetes indexed
    /// job (with the number of completions passed as `JOB_COMPLETIONS`) or an AWS Batch array. `variable` looks up an
    /// environment variable.
    ///
    /// # Errors
    /// [`ShardError`] if there is no such environment, or its values contradict each other.
    pub fn from_environment(variable: impl Fn(&str) -> Option<String>) -> Result<Shard, ShardError> {
        let number = |name: &str| -> Result<u64, ShardError> {
            let text = variable(name).ok_or_else(|| ShardError(format!("{name} is not set")))?;
            text.trim().parse().map_err(|_| {
                ShardError(format!("{name} is \"{}\", which is no whole number", text.escape_debug()))
            })
        };
        let is_set = |name: &str| variable(name).is_some();
        if is_set("SLURM_ARRAY_TASK_ID") {
            let (id, min, max) = (
                number("SLURM_ARRAY_TASK_ID")?,
                number("SLURM_ARRAY_TASK_MIN")?,
                number("SLURM_ARRAY_TASK_MAX")?,
            );
            let count = number("SLURM_ARRAY_TASK_COUNT")?;
            let step = if is_set("SLURM_ARRAY_TASK_STEP") { number("SLURM_ARRAY_TASK_STEP")? } else { 1 };
            let even = step > 0 && min <= id && id <= max && (max - min) / step + 1 == count;
            if !even || !(id - min).is_multiple_of(step) {
                return Err(ShardError(format!(
                    "task {id} of a Slurm array of {count} tasks from {min} to {max} is no part of an even array: use, \
                     say, --array=1-8"
                )));
            }
            return Shard::of((id - min) / step, count);
        }
        if is_set("JOB_COMPLETION_INDEX") {
            if !is_set("JOB_COMPLETIONS") {
                return Err(ShardError(
                    "JOB_COMPLETION_INDEX is set, but Kubernetes does not say of how many: set the variable \
                     JOB_COMPLETIONS to the job's number of completions"
                        .to_string(),
                ));
            }
            return Shard::of(number("JOB_COMPLETION_INDEX")?, number("JOB_COMPLETIONS")?);
        }
        if is_set("AWS_BATCH_JOB_ARRAY_INDEX") {
            return Shard::of(number("AWS_BATCH_JOB_ARRAY_INDEX")?, number("AWS_BATCH_JOB_ARRAY_SIZE")?);
        }
        Err(ShardError(
            "no scheduler says which part this is: auto needs a Slurm array, a Kubernetes indexed job or an AWS Batch \
             array; elsewhere write, say, --shard 2/8"
                .to_string(),
        ))
    }

    fn of(index: u64, of: u64) -> Result<Shard, ShardError> {
        if index < of && of <= MOST_PARTS {
            return Ok(Shard { index, of });
        }
        let part = index.saturating_add(1);
        Err(ShardError(format!("part {part} of {of} does not exist: there are 1 to {MOST_PARTS} parts")))
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
    pub fn blocks(self, plan: &Plan) -> Range<u64> {
        Plan::share(plan.blocks(), self.index, self.of)
    }

    /// The tournaments of this part, counted from 0.
    pub fn tournaments(self, plan: &Plan) -> Range<u64> {
        Plan::share(plan.tournaments(), self.index, self.of)
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

    fn auto(variables: &[(&str, &str)]) -> Result<String, String> {
        let variable =
            |name: &str| variables.iter().find(|(key, _)| *key == name).map(|(_, value)| value.to_string());
        Shard::from_environment(variable).map(|shard| shard.to_string()).map_err(|error| error.to_string())
    }

    fn slurm(id: &str, min: &str, max: &str, count: &str, step: &str) -> Result<String, String> {
        auto(&[
            ("SLURM_ARRAY_TASK_ID", id),
            ("SLURM_ARRAY_TASK_MIN", min),
            ("SLURM_ARRAY_TASK_MAX", max),
            ("SLURM_ARRAY_TASK_COUNT", count),
            ("SLURM_ARRAY_TASK_STEP", step),
        ])
    }

    #[test]
    fn the_schedulers_are_understood() {
        assert_eq!(slurm("0", "0", "7", "8", "1").unwrap(), "1/8");
        assert_eq!(slurm("8", "1", "8", "8", "1").unwrap(), "8/8");
        assert_eq!(slurm("14", "10", "16", "4", "2").unwrap(), "3/4");
        let uneven = slurm("9", "1", "9", "4", "1").unwrap_err();
        assert!(uneven.contains("--array=1-8"), "{uneven}");
        assert!(slurm("11", "10", "16", "4", "2").is_err());
        assert!(slurm("x", "0", "7", "8", "1").unwrap_err().contains("SLURM_ARRAY_TASK_ID is \"x\""));
        let batch = [("AWS_BATCH_JOB_ARRAY_INDEX", "3"), ("AWS_BATCH_JOB_ARRAY_SIZE", "4")];
        assert_eq!(auto(&batch).unwrap(), "4/4");
        assert!(auto(&batch[..1]).unwrap_err().contains("AWS_BATCH_JOB_ARRAY_SIZE is not set"));
        assert_eq!(auto(&[("JOB_COMPLETION_INDEX", "0"), ("JOB_COMPLETIONS", "5")]).unwrap(), "1/5");
        assert!(auto(&[("JOB_COMPLETION_INDEX", "0")]).unwrap_err().contains("JOB_COMPLETIONS"));
        assert!(auto(&[("JOB_COMPLETION_INDEX", "5"), ("JOB_COMPLETIONS", "5")]).is_err());
        assert!(auto(&[]).unwrap_err().contains("--shard 2/8"));
    }

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
