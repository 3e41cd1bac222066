//! Reasons for which the console cannot do something at this moment.

use std::net::IpAddr;
use std::{error, fmt, io};

use super::DayPhase;

/// Why something cannot be done at this moment.
#[derive(Debug)]
pub(crate) enum ConsoleError {
    /// It is possible only in another phase of the day.
    WrongPhase {
        /// What was to be done.
        what: &'static str,
        /// The phase in which it is possible.
        needs: DayPhase,
    },
    TooFewPlayers {
        /// The fewest that can begin.
        fewest: usize,
    },
    /// Players of a tournament that is gone on with have not come back.
    PlayersMissing {
        missing: usize,
    },
    /// It stands in the journal of the tournament that is gone on with.
    Resumed {
        /// What cannot be changed.
        what: &'static str,
    },
    NotResumed,
    NobodyMissing,
    NobodyLeft,
    /// No login with this GitHubId waits for the teacher.
    NobodyWaits,
    /// Several logins with this GitHubId wait, from these addresses.
    SeveralWait(Vec<IpAddr>),
    /// The player is being sent out already.
    RemovedAlready,
    ShutAlready,
    NotShut,
    NoSuchTable {
        /// The table that was asked for.
        table: u32,
        in_play: Vec<u32>,
    },
    /// The show would take too long.
    TooManyMinutes,
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
    TooManyChairs,
    /// Nobody sits on the chair of this number.
    NobodySits(usize),
    /// The seed is still a secret, because the tournament can go on.
    SeedInUse,
    NoJournal,
    NoResult,
    /// The player's program was not started by this process.
    NotStartedHere,
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
            ConsoleError::TooFewPlayers { fewest } => {
                return write!(f, "a game like this takes at least {fewest} players, and fewer are in");
            }
            ConsoleError::PlayersMissing { missing } => {
                let verb = if *missing == 1 { "player is" } else { "players are" };
                return write!(f, "{missing} {verb} missing: wait for them, or go on without them");
            }
            ConsoleError::Resumed { what } => {
                return write!(f, "{what} stays as it is in the journal that is gone on with");
            }
            ConsoleError::NoSuchTable { table, in_play } => {
                let numbers: Vec<String> = in_play.iter().map(u32::to_string).collect();
                let tables = if numbers.is_empty() { "none".to_string() } else { numbers.join(", ") };
                return write!(f, "table {table} is not in play; the tables in play: {tables}");
            }
            ConsoleError::SeveralWait(from) => {
                let from: Vec<String> = from.iter().map(IpAddr::to_string).collect();
                return write!(
                    f,
                    "{} players with this GitHubId wait: say with `from` which is meant, of {}",
                    from.len(),
                    from.join(", ")
                );
            }
            ConsoleError::ShutAlready => "nobody is let in from this address already",
            ConsoleError::NotShut => "clients are let in from this address",
            ConsoleError::RemovedAlready => "this player is being sent out already",
            ConsoleError::NotResumed => "a new tournament begins with those who are in",
            ConsoleError::NobodyMissing => "nobody with this GitHubId is missing",
            ConsoleError::NobodyLeft => "nobody is back yet, and without anybody there is no game",
            ConsoleError::NobodyWaits => "no player with this GitHubId waits for an approval any more",
            ConsoleError::TooManyMinutes => "a tournament is shown for at most 1,440 minutes, which is a day",
            ConsoleError::NoSuchName => "nothing of this name can be shown: use letters and digits",
            ConsoleError::UnknownPlayer => "nobody with this GitHubId has connected and is in",
            ConsoleError::PaceTooSlow => "a round waits at most 60,000 ms",
            ConsoleError::TempoOutOfRange => "the show runs at 10 to 2,000 per cent",
            ConsoleError::NobodySits(number) => return write!(f, "nobody sits on chair {number}"),
            ConsoleError::TooManyChairs => "there are at most 50 chairs",
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
/// A reason on one line of at most 200 characters.
pub(super) fn reason_of(reason: &str) -> Result<String, ConsoleError> {
    let reason: String = reason.trim().chars().filter(|c| !c.is_control()).take(200).collect();
    if reason.is_empty() { Err(ConsoleError::NoReason) } else { Ok(reason) }
}
