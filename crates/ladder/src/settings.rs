//! The teacher's settings.

use serde::{Deserialize, Serialize};

use rusqlite::OptionalExtension;

use super::{Ladder, LadderError};

const NAME: &str = "settings";

/// The teacher's settings. A setting unknown to an older version of this program has its default.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(default)]
pub struct Settings {
    /// How many sit at the table of a match, 2 to 17.
    pub seats: usize,
    /// How many decks a match has; each is played once from every seat.
    pub decks: u64,
    /// The chips that everyone has at the beginning of each round.
    pub stack: u32,
    /// How long a reply may take, in milliseconds.
    pub reply_ms: u64,
    /// The quotas of each player.
    pub quotas: Quotas,
    /// No match is begun.
    pub is_paused: bool,
    /// No submission is taken, and no other version is activated: the time before a deadline.
    pub is_frozen: bool,
    /// The announcement on the page.
    pub announcement: String,
}

/// The quotas of a player and of the ladder.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(default)]
pub struct Quotas {
    /// Submissions of a player in an hour.
    pub submissions_an_hour: u32,
    /// Challenges of a player in a day.
    pub challenges_a_day: u32,
    /// The most bytes of one submission.
    pub submission_bytes: u64,
    /// The most bytes of all journals and submissions of the ladder together.
    pub ladder_bytes: u64,
}

impl Default for Quotas {
    fn default() -> Quotas {
        Quotas {
            submissions_an_hour: 12,
            challenges_a_day: 20,
            submission_bytes: 32 << 20,
            ladder_bytes: 50 << 30,
        }
    }
}

impl Default for Settings {
    fn default() -> Settings {
        Settings {
            seats: 6,
            decks: 20,
            stack: 500,
            reply_ms: 1_000,
            quotas: Quotas::default(),
            is_paused: false,
            is_frozen: false,
            announcement: String::new(),
        }
    }
}

impl Settings {
    /// Checks that a ladder can be played with these settings.
    pub fn check(&self) -> Result<(), LadderError> {
        let seats = casino_stud::stud::MAX_SEATS as u64;
        let limits = [
            ("seats", self.seats as u64, 2..=seats, "a table has"),
            ("decks", self.decks, 1..=200, "a match has"),
            ("stack", u64::from(self.stack), 2..=1_000_000, "everyone has in chips"),
            ("reply_ms", self.reply_ms, 1..=600_000, "a reply may take"),
        ];
        match limits.into_iter().find(|(_, value, limits, _)| !limits.contains(value)) {
            None => Ok(()),
            Some((name, value, limits, what)) => Err(LadderError::Refused(format!(
                "{name} is {value}, where {what} {} to {}",
                limits.start(),
                limits.end()
            ))),
        }
    }
}

impl Ladder {
    /// The teacher's settings.
    pub fn settings(&self) -> Result<Settings, LadderError> {
        let text: Option<String> = self
            .db
            .query_row("SELECT value FROM settings WHERE name = ?1", [NAME], |row| row.get(0))
            .optional()?;
        let Some(text) = text else { return Ok(Settings::default()) };
        serde_json::from_str(&text)
            .map_err(|error| LadderError::Damaged { path: self.database(), why: error.to_string() })
    }

    /// Replaces all settings.
    pub fn set_settings(&mut self, settings: &Settings) -> Result<(), LadderError> {
        settings.check()?;
        let text =
            serde_json::to_string(settings).map_err(|error| LadderError::Refused(error.to_string()))?;
        let step = self.begin()?;
        step.execute(
            "INSERT INTO settings (name, value) VALUES (?1, ?2)
             ON CONFLICT (name) DO UPDATE SET value = excluded.value",
            (NAME, text),
        )?;
        Ok(step.commit()?)
    }
}
