//! Comparison of two versions.

use serde::{Deserialize, Serialize};

use super::Ratings;

const MIN_REPORTED_PROBABILITY: f64 = 0.97;

/// The comparison of two versions.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize)]
#[serde(tag = "verdict", rename_all = "snake_case")]
pub enum Comparison {
    /// The first one is better, with this probability in percent.
    Better {
        /// From 97 to 99.
        of_100: u8,
    },
    /// The first one is worse, with this probability in percent.
    Worse {
        /// From 97 to 99.
        of_100: u8,
    },
    /// No significant difference yet.
    NotToldApart,
}

/// Compares two versions.
pub fn compare(ratings: &Ratings, one: &str, other: &str) -> Option<Comparison> {
    let (difference, error) = ratings.difference(one, other)?;
    if error <= 0.0 {
        return Some(Comparison::NotToldApart);
    }
    let errors = difference / error;
    // The normal distribution function at this many standard errors.
    let better = 0.5 * libm::erfc(-errors / std::f64::consts::SQRT_2);
    let of_100 = |probability: f64| (probability * 100.0).floor().min(99.0) as u8;
    if better >= MIN_REPORTED_PROBABILITY {
        return Some(Comparison::Better { of_100: of_100(better) });
    }
    if 1.0 - better >= MIN_REPORTED_PROBABILITY {
        return Some(Comparison::Worse { of_100: of_100(1.0 - better) });
    }
    Some(Comparison::NotToldApart)
}

impl Comparison {
    /// A sentence about the first one.
    pub fn in_words(&self) -> String {
        match self {
            Comparison::Better { of_100 } => format!("better, {of_100} of 100"),
            Comparison::Worse { of_100 } => format!("worse, {of_100} of 100"),
            Comparison::NotToldApart => "not told apart yet".to_string(),
        }
    }
}
