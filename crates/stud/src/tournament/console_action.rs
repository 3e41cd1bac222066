//! Commands of the teacher at the console, in the form of the journal.

use std::fmt;
use std::net::IpAddr;
use std::num::NonZero;
use std::time::Duration;

use serde::{Deserialize, Serialize};

/// A command of the teacher, or a note of the host about the show. Values that are read back have fields; the rest is
/// text. It displays in the words of the console.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case", deny_unknown_fields)]
pub enum ConsoleAction {
    /// The least time from the end of a round to the next deal, in milliseconds.
    PaceMs(u64),
    /// Planned length of the show in minutes; 0 without a show.
    Minutes(u32),
    /// How many full minutes of the show were left when the journal had got so far.
    MinutesLeft(u32),
    /// The speed of the show, in per cent of the usual.
    TempoPercent(u32),
    /// When the room sees hole cards.
    Holes(HoleCards),
    /// Whether phones may predict who wins.
    Predictions(bool),
    /// Whether the page has sounds.
    Sounds(bool),
    /// A player plays from another address than the header says.
    Address {
        /// The number of the player in the header, from 1.
        player: NonZero<usize>,
        /// The address it plays from now on.
        from: IpAddr,
    },
    /// A player is sent out.
    Remove {
        /// The number of the player in the header, from 1.
        player: NonZero<usize>,
        /// The reason sent to the player and shown to the room.
        reason: String,
    },
    /// A player is not asked any more: its hands are folded.
    SetAside {
        /// The number of the player in the header, from 1.
        player: NonZero<usize>,
    },
    /// A player that missed two questions, or was set aside, is asked again.
    AskAgain {
        /// The number of the player in the header, from 1.
        player: NonZero<usize>,
    },
    /// The tournament ends here, with the places so far.
    EndNow,
    /// Any other command, as text. Only a pause and its end are read back.
    #[serde(untagged)]
    Other(String),
}

/// When the room sees hole cards.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum HoleCards {
    /// Never, not even those that won.
    Never,
    /// Those that won, when the round is over.
    #[default]
    Showdown,
    /// Show all hole cards from the deal on, for a round played to its end before it is shown.
    Tv,
}

impl ConsoleAction {
    /// The words of a pause.
    pub const PAUSE: &str = "pause";

    /// The words that end a pause.
    pub const RESUME: &str = "resume";

    /// The words that play one round and pause.
    pub const STEP: &str = "step";

    /// This is the least time from the end of a round to the next deal, in whole milliseconds.
    pub fn pace(pace: Duration) -> ConsoleAction {
        ConsoleAction::PaceMs(u64::try_from(pace.as_millis()).unwrap_or(u64::MAX))
    }

    /// The player of this number, from 0 in the order of the header, plays from this address from now on.
    pub fn address(player: usize, from: IpAddr) -> ConsoleAction {
        ConsoleAction::Address { player: number(player), from }
    }

    /// The player of this number, from 0 in the order of the header, is sent out.
    pub fn remove(player: usize, reason: &str) -> ConsoleAction {
        ConsoleAction::Remove { player: number(player), reason: reason.to_string() }
    }

    /// The player of this number, from 0 in the order of the header, is not asked any more.
    pub fn set_aside(player: usize) -> ConsoleAction {
        ConsoleAction::SetAside { player: number(player) }
    }

    /// The player of this number, from 0 in the order of the header, is asked again.
    pub fn ask_again(player: usize) -> ConsoleAction {
        ConsoleAction::AskAgain { player: number(player) }
    }
}

fn number(player: usize) -> NonZero<usize> {
    NonZero::<usize>::MIN.saturating_add(player)
}

impl fmt::Display for ConsoleAction {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            ConsoleAction::PaceMs(pace) => write!(f, "pace {pace}"),
            ConsoleAction::Minutes(minutes) => write!(f, "minutes {minutes}"),
            ConsoleAction::MinutesLeft(left) => write!(f, "minutes left {left}"),
            ConsoleAction::TempoPercent(percent) => write!(f, "show {percent} per cent"),
            ConsoleAction::Holes(HoleCards::Never) => f.write_str("hole cards never"),
            ConsoleAction::Holes(HoleCards::Showdown) => f.write_str("hole cards showdown"),
            ConsoleAction::Holes(HoleCards::Tv) => f.write_str("hole cards tv"),
            ConsoleAction::Predictions(on) => write!(f, "predictions {}", if *on { "on" } else { "off" }),
            ConsoleAction::Sounds(on) => write!(f, "sounds {}", if *on { "on" } else { "off" }),
            ConsoleAction::Address { player, from } => write!(f, "address {player}: {from}"),
            ConsoleAction::Remove { player, reason } => write!(f, "remove {player}: {reason}"),
            ConsoleAction::SetAside { player } => write!(f, "set {player} aside"),
            ConsoleAction::AskAgain { player } => write!(f, "ask {player} again"),
            ConsoleAction::EndNow => f.write_str("end now"),
            ConsoleAction::Other(words) => f.write_str(words),
        }
    }
}

impl From<String> for ConsoleAction {
    fn from(words: String) -> ConsoleAction {
        ConsoleAction::Other(words)
    }
}

impl From<&str> for ConsoleAction {
    fn from(words: &str) -> ConsoleAction {
        ConsoleAction::Other(words.to_string())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn only_fields_that_are_read_back_are_structured() {
        let from = IpAddr::from([192, 0, 2, 7]);
        for (action, json, words) in [
            (ConsoleAction::pace(Duration::from_millis(250)), r#"{"pace_ms":250}"#, "pace 250"),
            (ConsoleAction::Minutes(40), r#"{"minutes":40}"#, "minutes 40"),
            (ConsoleAction::MinutesLeft(23), r#"{"minutes_left":23}"#, "minutes left 23"),
            (ConsoleAction::TempoPercent(200), r#"{"tempo_percent":200}"#, "show 200 per cent"),
            (ConsoleAction::Holes(HoleCards::Tv), r#"{"holes":"tv"}"#, "hole cards tv"),
            (ConsoleAction::Predictions(false), r#"{"predictions":false}"#, "predictions off"),
            (ConsoleAction::Sounds(true), r#"{"sounds":true}"#, "sounds on"),
            (
                ConsoleAction::address(4, from),
                r#"{"address":{"player":5,"from":"192.0.2.7"}}"#,
                "address 5: 192.0.2.7",
            ),
            (
                ConsoleAction::remove(2, "it plays music"),
                r#"{"remove":{"player":3,"reason":"it plays music"}}"#,
                "remove 3: it plays music",
            ),
            (ConsoleAction::set_aside(2), r#"{"set_aside":{"player":3}}"#, "set 3 aside"),
            (ConsoleAction::ask_again(2), r#"{"ask_again":{"player":3}}"#, "ask 3 again"),
            (ConsoleAction::EndNow, r#""end_now""#, "end now"),
            ("reveal seed".into(), r#""reveal seed""#, "reveal seed"),
        ] {
            assert_eq!(serde_json::to_string(&action).unwrap(), json);
            assert_eq!(serde_json::from_str::<ConsoleAction>(json).unwrap(), action);
            assert_eq!(action.to_string(), words);
        }
        for json in [r#"{"pace_ms":"x"}"#, r#"{"pase_ms":1}"#, r#"{"remove":{"player":0,"reason":"x"}}"#, "7"]
        {
            assert!(serde_json::from_str::<ConsoleAction>(json).is_err(), "{json}");
        }
    }
}
