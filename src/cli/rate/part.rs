//! The file of a part of a rating.

use std::io;
use std::path::Path;

use serde::{Deserialize, Serialize};

use crate::cli::Failure;
use casino_analysis::rating::{PlayedPart, RatingPlan, Shard};
use casino_stud::json_error::in_words;
use casino_stud::sealed::{seal, unsealed};
use casino_system::files::{Readers, read_text, write_atomically};

/// The version of the format. No other is read.
const PART_VERSION: u32 = 5;

/// The results of a part, with its plan.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub(in crate::cli) struct RatingPart {
    /// [`PART_VERSION`]; the name identifies the format.
    casino_rating_part: u32,
    pub(in crate::cli) shard: Shard,
    pub(in crate::cli) plan: RatingPlan,
    pub(in crate::cli) played: PlayedPart,
}

/// The fields that tell whether the rest can be read.
#[derive(Deserialize)]
struct PartHeader {
    casino_rating_part: u32,
}

impl RatingPart {
    pub(in crate::cli) fn new(plan: RatingPlan, shard: Shard) -> RatingPart {
        let played = PlayedPart::new(&plan, shard);
        RatingPart { casino_rating_part: PART_VERSION, shard, plan, played }
    }

    /// Reads a part, and makes sure that it is a whole one.
    pub(in crate::cli) fn read(path: &Path) -> Result<RatingPart, Failure> {
        let refuse = |why: String| Failure::of_path(path, why);
        let text = read_text(path).map_err(|error| refuse(error.to_string()))?;
        let head = text.lines().next().unwrap_or_default();
        let probe: PartHeader = serde_json::from_str(head).map_err(|error| {
            refuse(format!("this is no part of a rating that `casino rate` wrote: {}", in_words(&error)))
        })?;
        if probe.casino_rating_part != PART_VERSION {
            let version = probe.casino_rating_part;
            return Err(refuse(format!(
                "the part is written in version {version} of the format, and this program reads version {PART_VERSION}"
            )));
        }
        let text =
            unsealed(&text).map_err(|error| refuse(format!("damaged: {error}; play this part again")))?;
        let part: RatingPart =
            serde_json::from_str(text).map_err(|error| refuse(format!("damaged: {}", in_words(&error))))?;
        let plan = part.plan.checked().map_err(|error| refuse(error.to_string()))?;
        if !part.played.is_sound(&plan, part.shard) || !part.played.is_complete(&plan, part.shard) {
            return Err(refuse("damaged: its numbers do not fit together; play this part again".to_string()));
        }
        Ok(RatingPart { plan, ..part })
    }

    /// Writes the part to a file beside its place and renames it, so that a reader sees the old part or the new one, never
    /// half of either.
    pub(super) fn write(&self, path: &Path) -> io::Result<()> {
        let mut text = serde_json::to_string(self)? + "\n";
        text += &seal(&text);
        write_atomically(path, text.as_bytes(), Readers::Everyone)
    }
}
