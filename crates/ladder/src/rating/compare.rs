//! What can be said of two versions.

use serde::{Deserialize, Serialize};

use super::Ratings;

/// A difference is told when it is so probable.
const TOLD: f64 = 0.97;

/// The same in standard errors.
const TOLD_ERRORS: f64 = 1.880_793_608_151_250_9;

/// More hours than these are no answer that helps anybody.
const MANY_HOURS: f64 = 200.0;

/// What can be said of two versions.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize)]
#[serde(tag = "verdict", rename_all = "snake_case")]
pub enum Comparison {
    /// The first one is better, in so many cases of 100.
    Better {
        /// From 97 to 99.
        of_100: u8,
    },
    /// The first one is worse, in so many cases of 100.
    Worse {
        /// From 97 to 99.
        of_100: u8,
    },
    /// They are not told apart yet.
    NotToldApart {
        /// About how many more hours of play it takes, if the difference is what it seems; `None` if that is not known or
        /// more than 200.
        more_hours: Option<f64>,
    },
}

/// Compares two versions. `rounds_an_hour` is how many rounds each of them plays in an hour, as measured.
pub fn compare(ratings: &Ratings, one: &str, other: &str, rounds_an_hour: Option<f64>) -> Option<Comparison> {
    let (difference, error) = ratings.difference(one, other)?;
    if error <= 0.0 {
        return Some(Comparison::NotToldApart { more_hours: None });
    }
    let errors = difference / error;
    // The part of the normal distribution below so many standard errors.
    let better = 0.5 * libm::erfc(-errors / std::f64::consts::SQRT_2);
    let of_100 = |probability: f64| (probability * 100.0).floor().min(99.0) as u8;
    if better >= TOLD {
        return Some(Comparison::Better { of_100: of_100(better) });
    }
    if 1.0 - better >= TOLD {
        return Some(Comparison::Worse { of_100: of_100(1.0 - better) });
    }
    let (one, other) = (ratings.of(one)?, ratings.of(other)?);
    let more_hours = rounds_an_hour.filter(|speed| *speed > 0.0 && difference != 0.0).and_then(|speed| {
        // The error falls with the square root of the rounds of whoever has played less.
        let factor = (TOLD_ERRORS / errors.abs()).powi(2) - 1.0;
        let rounds = one.rounds.min(other.rounds).max(1) as f64;
        Some(factor * rounds / speed).filter(|hours| *hours <= MANY_HOURS)
    });
    Some(Comparison::NotToldApart { more_hours })
}

impl Comparison {
    /// In words, of the first one.
    pub fn in_words(&self) -> String {
        match self {
            Comparison::Better { of_100 } => format!("better, {of_100} of 100"),
            Comparison::Worse { of_100 } => format!("worse, {of_100} of 100"),
            Comparison::NotToldApart { more_hours: None } => "not told apart yet".to_string(),
            Comparison::NotToldApart { more_hours: Some(hours) } if *hours < 1.0 => {
                format!("not told apart yet: about {} more minutes", (hours * 60.0).ceil().max(1.0))
            }
            Comparison::NotToldApart { more_hours: Some(hours) } if *hours < 1.5 => {
                "not told apart yet: about one more hour".to_string()
            }
            Comparison::NotToldApart { more_hours: Some(hours) } => {
                format!("not told apart yet: about {} more hours", hours.round())
            }
        }
    }
}
