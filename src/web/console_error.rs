//! Reasons for which the console cannot do something at this moment.

use std::{error, fmt, io};

use super::day::DayPhase;

/// Why something cannot be done at this moment.
#[derive(Debug)]
pub(super) enum ConsoleError {
    /// It is possible only in another phase of the day.
    WrongPhase {
        /// What was to be done.
        what: &'static str,
        /// The phase in which it is possible.
        needs: DayPhase,
    },
    /// Fewer than two players are in the lobby.
    TooFewPlayers,
    /// Nothing of the name can be shown.
    NoSuchName,
    /// Nobody with this GitHubId is in the lobby.
    UnknownPlayer,
    /// There is no such seat; seats are counted from 1.
    UnknownSeat(usize),
    /// The pause between rounds is too long.
    PaceTooSlow,
    /// The speed of the display is out of its range.
    TempoOutOfRange,
    /// No reason was given for a removal.
    NoReason,
    /// The seed is still a secret, because the tournament can go on.
    SeedInUse,
    /// No journal is written.
    NoJournal,
    /// There is no result yet.
    NoResult,
    /// The player's program was not started by this process.
    NotStartedHere,
    /// No output of programs is kept.
    NoOutputKept,
    /// A file cannot be read.
    Unreadable {
        /// What is in the file.
        what: &'static str,
        /// Why it cannot be read.
        source: io::Error,
    },
}

impl fmt::Display for ConsoleError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            ConsoleError::WrongPhase { what, needs } => {
                let when = match needs {
                    DayPhase::Lobby => "only before a tournament begins",
                    DayPhase::Playing => "only while a tournament is played",
                    DayPhase::Over => "only when the tournament is over",
                };
                return write!(f, "{what} is possible {when}");
            }
            ConsoleError::UnknownSeat(seat) => return write!(f, "there is no seat {seat}"),
            ConsoleError::Unreadable { what, source } => {
                return write!(f, "the {what} cannot be read: {source}");
            }
            ConsoleError::TooFewPlayers => "a game takes at least two players",
            ConsoleError::NoSuchName => "nothing of this name can be shown: use letters and digits",
            ConsoleError::UnknownPlayer => "nobody with this GitHubId is in",
            ConsoleError::PaceTooSlow => "a round waits at most 60,000 ms",
            ConsoleError::TempoOutOfRange => "the show runs at 10 to 2,000 per cent",
            ConsoleError::NoReason => "say why: the player and the room are told",
            ConsoleError::SeedInUse => "the tournament can still go on with this seed",
            ConsoleError::NoJournal => "no journal is written: start with --journal or --out",
            ConsoleError::NoResult => "the tournament is not over yet",
            ConsoleError::NotStartedHere => "only programs started here have an output to show",
            ConsoleError::NoOutputKept => "no output is kept",
        })
    }
}

impl error::Error for ConsoleError {
    fn source(&self) -> Option<&(dyn error::Error + 'static)> {
        match self {
            ConsoleError::Unreadable { source, .. } => Some(source),
            _ => None,
        }
    }
}
