//! Players of a ladder, their versions and the matches between them.

use std::fmt;

use rusqlite::types::{FromSql, FromSqlError, FromSqlResult, ToSql, ToSqlOutput, ValueRef};
use serde::{Deserialize, Serialize};

macro_rules! ids {
    ($($(#[$doc:meta])* $name:ident),*) => {$(
        $(#[$doc])*
        #[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
        pub struct $name(pub i64);

        impl ToSql for $name {
            fn to_sql(&self) -> rusqlite::Result<ToSqlOutput<'_>> {
                self.0.to_sql()
            }
        }

        impl FromSql for $name {
            fn column_result(value: ValueRef<'_>) -> FromSqlResult<$name> {
                i64::column_result(value).map($name)
            }
        }

        impl fmt::Display for $name {
            fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
                self.0.fmt(f)
            }
        }
    )*};
}

ids! {
    /// The number of a player in one ladder.
    PlayerId,
    /// The number of a version in one ladder.
    VersionId,
    /// The number of a match in one ladder.
    MatchId
}

macro_rules! words {
    ($($(#[$doc:meta])* $name:ident { $($(#[$case_doc:meta])* $case:ident = $word:literal),* $(,)? })*) => {$(
        $(#[$doc])*
        #[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
        #[serde(rename_all = "snake_case")]
        pub enum $name { $($(#[$case_doc])* $case),* }

        impl $name {
            /// The word in the database and in output for scripts.
            pub fn word(self) -> &'static str {
                match self { $($name::$case => $word),* }
            }
        }

        impl ToSql for $name {
            fn to_sql(&self) -> rusqlite::Result<ToSqlOutput<'_>> {
                Ok(ToSqlOutput::from(self.word()))
            }
        }

        impl FromSql for $name {
            fn column_result(value: ValueRef<'_>) -> FromSqlResult<$name> {
                match value.as_str()? {
                    $($word => Ok($name::$case),)*
                    _ => Err(FromSqlError::InvalidType),
                }
            }
        }
    )*};
}

words! {
    /// How a version plays.
    VersionKind {
        /// It is a house bot.
        House = "house",
        /// A submission, started in the sandbox.
        Submission = "submission",
        /// It connects on its own.
        Connection = "connection",
    }

    /// Whether a version may play.
    VersionState {
        /// It has not been built and checked yet.
        Waiting = "waiting",
        /// It could not be built, or did not pass the check.
        Refused = "refused",
        /// It may play.
        Ready = "ready",
        /// It passed and could not be started later: it plays again when its author activates it.
        SetAside = "set_aside",
    }

    /// Whether a match counts, and which game it is.
    MatchKind {
        /// Equal deals, which the ratings follow from.
        Rated = "rated",
        /// Equal deals requested by a player, not rated.
        Challenge = "challenge",
    }

    /// How far a match is.
    MatchState {
        /// It is in the queue.
        Planned = "planned",
        /// It is being played.
        Playing = "playing",
        /// It is over and recorded.
        Played = "played",
        /// Without a result, and without loss for any player.
        Void = "void",
    }
}

/// A player of the ladder.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct PlayerRecord {
    /// Its number.
    pub id: PlayerId,
    /// The name that everyone sees.
    pub name: String,
    /// The GitHubId, which is secret; none of a house bot.
    pub github_id: Option<String>,
    /// Whether it is a house bot.
    pub is_house: bool,
    /// The version that plays.
    pub active_version: Option<VersionId>,
    /// When it was retired, if it was.
    pub retired_ms: Option<i64>,
    /// When it came.
    pub created_ms: i64,
}

/// A version of a player's program.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Version {
    /// Its number in the ladder.
    pub id: VersionId,
    /// The owner.
    pub player: PlayerId,
    /// Its number among the player's versions, from 1.
    pub number: i64,
    /// The player's name, a slash and the number: the same in every ladder.
    pub label: String,
    /// How it plays.
    pub kind: VersionKind,
    /// The name of a house bot, or of the submitted file.
    pub source: String,
    /// The SHA-256 of the submission.
    pub content_sha256: Option<String>,
    /// Whether it may play.
    pub state: VersionState,
    /// Why it does not, for its author.
    pub reason: Option<String>,
    /// The result of `check`, for its author.
    pub diagnosis: Option<String>,
    /// The size of the submission in bytes.
    pub bytes: i64,
    /// When it came.
    pub created_ms: i64,
}

/// The result of a seat in a played match.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct SeatResult {
    /// The chips it won.
    pub chips: i64,
    /// The rounds it played.
    pub rounds: i64,
    /// The decks, which have not been played from every seat if the match ended early.
    pub decks: i64,
    /// The sum over these decks of the square of the chips that each brought.
    pub squares: i64,
}

/// A seat of a match.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct MatchSeat {
    /// The version that sits there.
    pub version: VersionId,
    /// Its result; `None` before the match is played.
    pub result: Option<SeatResult>,
}

/// A foul in a match.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct MatchFoul {
    /// The seat in the match's plan, from 0.
    pub seat: usize,
    /// The round, from 1.
    pub round: u64,
    /// The name of the foul.
    pub name: String,
    /// The fault, in a sentence for the author.
    pub why: String,
}

/// A match.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Match {
    /// Its number in this ladder, in the order in which matches were planned.
    pub id: MatchId,
    /// Its name: sixteen hexadecimal digits, the same on every machine.
    pub name: String,
    /// The purpose of the match.
    pub kind: MatchKind,
    /// How far it is.
    pub state: MatchState,
    /// Why it is void.
    pub reason: Option<String>,
    /// The text of the seed, secret until the match is over.
    pub seed: String,
    /// How many decks are played.
    pub decks: i64,
    /// The chips that everyone has at the beginning of a round.
    pub stack: i64,
    /// How long a reply may take, in milliseconds.
    pub reply_ms: i64,
    /// The player that requested it.
    pub challenger: Option<PlayerId>,
    /// The rounds that were played.
    pub rounds: Option<i64>,
    /// The SHA-256 of its journal.
    pub journal_sha256: Option<String>,
    /// The bytes of its journal.
    pub journal_bytes: Option<i64>,
    /// When it was planned.
    pub planned_ms: i64,
    /// When it began.
    pub began_ms: Option<i64>,
    /// When it ended.
    pub ended_ms: Option<i64>,
    /// The seats, in the order of the plan.
    pub seats: Vec<MatchSeat>,
}

/// A filter for matches, the newest first.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct MatchFilter {
    /// Only those in which this player sat.
    pub player: Option<PlayerId>,
    /// Only those in which this other player sat too.
    pub opponent: Option<PlayerId>,
    /// Only matches of this kind.
    pub kind: Option<MatchKind>,
    /// Only those in this state.
    pub state: Option<MatchState>,
    /// Only those before this one: the next page.
    pub before: Option<MatchId>,
    /// The most that are given; 0 for all.
    pub most: u32,
}
