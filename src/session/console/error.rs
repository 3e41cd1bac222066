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

const MAX_REASON_CHARS: usize = 200;

/// A reason on one line: what is read must be what was written, so nothing of it is left out.
pub(super) fn reason_of(reason: &str) -> Result<String, ConsoleError> {
    let reason = reason.trim();
    let (count, control) = (reason.chars().count(), reason.chars().find(|c| c.is_control()));
    if reason.is_empty() {
        return Err("give a reason: the player and the room see it".into());
    }
    if let Some(control) = control {
        let shown = control.escape_default();
        return Err(
            format!("the reason has the control character {shown} in it: write one line of text").into()
        );
    }
    if count > MAX_REASON_CHARS {
        let why = format!("the reason has {count} characters: write at most {MAX_REASON_CHARS}");
        return Err(why.into());
    }
    Ok(reason.to_string())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_reason_is_kept_whole_or_refused_with_the_cause() {
        let longest = "é".repeat(MAX_REASON_CHARS);
        for kept in ["it plays music", "“Zoë”: 3 × late", longest.as_str()] {
            assert_eq!(reason_of(&format!(" {kept} ")).ok().as_deref(), Some(kept));
        }
        let refused = |reason: &str| reason_of(reason).expect_err(reason).to_string();
        assert!(refused(" \n ").contains("give a reason"));
        assert!(refused("late\nand\u{1b}[31m red").contains("control character \\n"));
        assert!(refused("red\u{1b}[31m").contains("control character \\u{1b}"));
        assert!(refused(&"x".repeat(MAX_REASON_CHARS + 1)).contains("has 201 characters: write at most 200"));
    }
}
