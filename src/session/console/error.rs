//! The reason for which the console cannot do something at this moment.

use std::borrow::Cow;

use thiserror::Error;

use super::DayPhase;

/// Why something cannot be done at this moment, in a sentence.
#[derive(Debug, Error)]
#[error("{0}")]
pub(crate) struct ConsoleError(Cow<'static, str>);

impl ConsoleError {
    /// `what` is possible only in another phase of the day.
    pub(super) fn wrong_phase(what: &str, needs: DayPhase) -> ConsoleError {
        let when = match needs {
            DayPhase::Lobby => "only before a tournament begins",
            DayPhase::Playing => "only while a tournament is played",
            DayPhase::Over => "only when the tournament is over",
        };
        format!("{what} is possible {when}").into()
    }

    /// `what` follows from the journal of a resumed tournament.
    pub(super) fn recorded(what: &str) -> ConsoleError {
        format!("{what} cannot change while a journal is resumed").into()
    }

    pub(super) fn unknown_player() -> ConsoleError {
        "no connected player has this GitHubId".into()
    }

    /// Seats are counted from 1.
    pub(super) fn unknown_seat(seat: usize) -> ConsoleError {
        format!("there is no seat {seat}").into()
    }
}

impl From<&'static str> for ConsoleError {
    fn from(why: &'static str) -> ConsoleError {
        ConsoleError(why.into())
    }
}

impl From<String> for ConsoleError {
    fn from(why: String) -> ConsoleError {
        ConsoleError(why.into())
    }
}

/// A reason on one line of at most 200 characters.
pub(super) fn reason_of(reason: &str) -> Result<String, ConsoleError> {
    let reason: String = reason.trim().chars().filter(|c| !c.is_control()).take(200).collect();
    if reason.is_empty() { Err("give a reason: the player and the room see it".into()) } else { Ok(reason) }
}
