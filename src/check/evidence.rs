//! What went wrong in a step, as it was seen: the evidence that a diagnosis is made from.

use std::time::Duration;

use crate::protocol::LoginError;
use crate::server::ProgramExit;
use crate::stud::{Bounds, Chips, IllegalBet, Street};
use crate::table::FrameFault;

/// A question that was asked, and what is known beside it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct AskedQuestion {
    /// The street.
    pub street: Street,
    /// What was allowed.
    pub bounds: Bounds,
    /// What the program had put in on this street already, in chips.
    pub put_in: Chips,
    /// Whether its own card stands first in the list.
    pub own_first: bool,
    /// How many players are in the list.
    pub players: usize,
}

/// The last thing that had been said to the program.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum LastMessage {
    /// Nothing yet.
    Nothing,
    /// `login`.
    Login,
    /// A question.
    Question,
    /// `status`.
    Status,
    /// `done`.
    Done,
}

/// What a program did in its last turn.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum LastTurn {
    /// It bet and kept some chips, or had no turn.
    #[default]
    Other,
    /// It bet its last chip.
    AllIn,
    /// It folded.
    Folded,
}

/// What came of giving a silent program more chances.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Probe {
    /// The reply came after all, this long after the question.
    pub late: Option<Duration>,
    /// It answered when the same message was sent once more.
    pub answered_repeat: bool,
    /// It answered when a line break was sent.
    pub reads_lines: bool,
    /// Its messages came when it was told `done`, and not before.
    pub spoke_at_end: bool,
}

/// What went wrong.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Evidence {
    /// It could not be built.
    NotBuilt {
        /// The command that failed.
        command: String,
    },
    /// It could not be started.
    NoStart(String),
    /// It never connected.
    NoConnection {
        /// How it ended, if it did.
        left: Option<ProgramExit>,
    },
    /// It connected a second time.
    SecondConnection,
    /// It spoke before it was asked anything.
    SpokeFirst {
        /// What came.
        raw: Vec<u8>,
    },
    /// Its answer to `login` cannot be used.
    Login {
        /// The answer as text.
        sent: String,
        /// What is wrong with it.
        error: LoginError,
        /// All bytes that came.
        raw: Vec<u8>,
    },
    /// Its second answer to `login` was not the first.
    LoginChanged {
        /// The first answer.
        first: String,
        /// The second answer.
        second: String,
    },
    /// Bytes that are no frame.
    Frame {
        /// What is wrong with them.
        fault: FrameFault,
        /// All bytes that came.
        raw: Vec<u8>,
    },
    /// A text that is no reply.
    Reply {
        /// The text.
        sent: String,
        /// All bytes that came.
        raw: Vec<u8>,
        /// What was asked.
        asked: AskedQuestion,
    },
    /// An amount that is not allowed.
    Amount {
        /// The amount, in chips.
        chips: Chips,
        /// What is wrong with it.
        problem: IllegalBet,
        /// What was asked.
        asked: AskedQuestion,
    },
    /// A message nobody had asked for.
    Stray {
        /// The text.
        sent: String,
        /// What it comes after.
        after: LastMessage,
    },
    /// No whole message in time.
    Silence {
        /// The part of a message that came.
        partial: Vec<u8>,
        /// What came of giving it more chances.
        probe: Probe,
        /// What was asked; nothing at `login`.
        asked: Option<AskedQuestion>,
        /// How long it may take.
        limit: Duration,
    },
    /// It closed its connection.
    Closed {
        /// The part of a message that came.
        partial: Vec<u8>,
        /// How the program ended, if it did.
        left: Option<ProgramExit>,
        /// What was asked, if anything.
        asked: Option<AskedQuestion>,
        /// What it did before.
        last_turn: LastTurn,
    },
    /// It was told `done` and did not go.
    Stays {
        /// Whether it closed its connection at least.
        closed: bool,
        /// How long it had.
        limit: Duration,
    },
    /// The time of the check was over before all rounds against house bots were played.
    TimeIsOver {
        /// How many were played.
        played: u64,
        /// How many were wanted.
        wanted: u64,
    },
    /// Its replies take long.
    Slow {
        /// What 99 of 100 replies keep within.
        p99: Duration,
        /// How long a reply may take.
        limit: Duration,
    },
}
