//! The phases of a day at the console.

use serde::Serialize;

/// The phase of the day for the teacher.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize)]
#[serde(rename_all = "snake_case")]
pub(super) enum DayPhase {
    Lobby,
    Playing,
    Over,
}

/// The phase of the day with what belongs to it alone.
#[derive(Debug)]
pub(super) enum Day {
    Lobby {
        /// Whether `start` was pressed and has not been looked at.
        go: bool,
    },
    Playing,
    Over {
        /// The seed, if it may be revealed.
        seed: Option<String>,
        /// Whether the seed has been revealed.
        revealed: bool,
        /// Whether `next` was pressed and has not been looked at.
        go: bool,
    },
}

impl Default for Day {
    fn default() -> Day {
        Day::Lobby { go: false }
    }
}

impl Day {
    pub(super) fn phase(&self) -> DayPhase {
        match self {
            Day::Lobby { .. } => DayPhase::Lobby,
            Day::Playing => DayPhase::Playing,
            Day::Over { .. } => DayPhase::Over,
        }
    }

    /// Whether `start` or `next` was pressed, in the phases in which they can be.
    pub(super) fn go(&mut self) -> Option<&mut bool> {
        match self {
            Day::Lobby { go } | Day::Over { go, .. } => Some(go),
            Day::Playing => None,
        }
    }
}
