//! Comparison of two versions: of different players by their ratings, and of one player by a match between the two. The
//! opponents of an older version may be gone, so that its rating says little about a newer one.

use serde::{Deserialize, Serialize};

use super::Ratings;
use crate::SeatResult;

/// Of two equal versions one is reported to be better in one of twenty-five comparisons.
const MIN_REPORTED_PROBABILITY: f64 = 0.98;

/// The comparison of two versions.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize)]
#[serde(tag = "verdict", rename_all = "snake_case")]
pub enum Comparison {
    /// The first one is better, with this probability in percent.
    Better {
        /// 98 or 99.
        of_100: u8,
    },
    /// The first one is worse, with this probability in percent.
    Worse {
        /// 98 or 99.
        of_100: u8,
    },
    /// No significant difference yet.
    NotToldApart,
}

/// Compares two versions.
pub fn compare(ratings: &Ratings, one: &str, other: &str) -> Option<Comparison> {
    let (difference, error) = ratings.difference(one, other)?;
    Some(Comparison::of(difference, error))
}

/// Compares two versions by the results of the first in matches between the two; `None` if there are fewer than two decks.
pub(crate) fn compare_in_duels(results: &[SeatResult]) -> Option<Comparison> {
    let sum = |of: fn(&SeatResult) -> i64| results.iter().map(of).sum::<i64>() as f64;
    let (chips, decks, squares) = (sum(|one| one.chips), sum(|one| one.decks), sum(|one| one.squares));
    let variance = (squares - chips * chips / decks) / (decks - 1.0);
    (decks > 1.0).then(|| Comparison::of(chips / decks, (variance.max(0.0) / decks).sqrt()))
}

impl Comparison {
    /// The comparison by how much better the first is, with this standard error.
    fn of(difference: f64, error: f64) -> Comparison {
        // The normal distribution function at this many standard errors.
        let errors = if error > 0.0 { difference / error } else { 0.0 };
        let better = 0.5 * libm::erfc(-errors / std::f64::consts::SQRT_2);
        let of_100 = |probability: f64| (probability * 100.0).floor().min(99.0) as u8;
        if better >= MIN_REPORTED_PROBABILITY {
            Comparison::Better { of_100: of_100(better) }
        } else if 1.0 - better >= MIN_REPORTED_PROBABILITY {
            Comparison::Worse { of_100: of_100(1.0 - better) }
        } else {
            Comparison::NotToldApart
        }
    }

    /// A sentence about the first one.
    pub fn in_words(&self) -> String {
        match self {
            Comparison::Better { of_100 } => format!("better, {of_100} of 100"),
            Comparison::Worse { of_100 } => format!("worse, {of_100} of 100"),
            Comparison::NotToldApart => "not told apart yet".to_string(),
        }
    }
}
