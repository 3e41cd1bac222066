//! What went wrong in a step, as the dealer observed it: the evidence that a diagnosis is made from.

use std::time::Duration;

use crate::protocol::LoginError;
use crate::server::ProgramExit;
use crate::stud::{Bounds, Chips, IllegalBet, Street};
use crate::table::FrameFault;

/// A question that was asked, with what the diagnosis needs to know beside it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct AskedQuestion {
    /// The street it was asked on.
    pub street: Street,
    /// The limits of the reply.
    pub bounds: Bounds,
    /// What the program had put in on this street already, in chips.
    pub put_in: Chips,
    /// Whether its own card stands first in the list.
    pub own_first: bool,
    /// How many players are in the list.
    pub players: usize,
}

/// The last message that was sent to the program.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum LastMessage {
    /// No message was sent yet.
    Nothing,
    /// The last message was `login`.
    Login,
    /// The last message was `bet1` or `bet2`.
    Question,
    /// The last message was `status`.
    Status,
    /// The last message was `done`.
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
    /// It folded its hand.
    Folded,
}

/// What a silent program did when it was given more chances.
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

/// What went wrong in a step, of one kind each.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Evidence {
    /// It could not be built.
    NotBuilt {
        /// The command that failed.
        command: String,
    },
    /// It could not be started.
    NoStart(String),
    /// It did not connect in time.
    NoConnection {
        /// How it ended, if it did.
        left: Option<ProgramExit>,
    },
    /// It connected a second time.
    SecondConnection,
    /// It sent something before its first question.
    SpokeFirst {
        /// All bytes that came.
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
        /// The first answer to `login`.
        first: String,
        /// The second answer to `login`.
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
        /// The reply as text.
        sent: String,
        /// All bytes that came.
        raw: Vec<u8>,
        /// The question it answers.
        question: AskedQuestion,
    },
    /// An amount that is not allowed.
    Amount {
        /// The amount, in chips.
        chips: Chips,
        /// What is wrong with it.
        problem: IllegalBet,
        /// The question it answers.
        question: AskedQuestion,
    },
    /// A message nobody had asked for.
    Stray {
        /// The message as text.
        sent: String,
        /// The message of the dealer it comes after.
        after: LastMessage,
    },
    /// No whole message in time.
    Silence {
        /// The part of a message that came.
        partial: Vec<u8>,
        /// What it did when it was given more chances.
        probe: Probe,
        /// The question that was asked; `None` at `login`.
        question: Option<AskedQuestion>,
        /// How long it may take.
        limit: Duration,
    },
    /// It closed its connection.
    Closed {
        /// The part of a message that came.
        partial: Vec<u8>,
        /// How the program ended, if it did.
        left: Option<ProgramExit>,
        /// The question that was open, if any.
        question: Option<AskedQuestion>,
        /// What it did before.
        last_turn: LastTurn,
    },
    /// It did not end after `done`.
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
        /// How many were to be played.
        wanted: u64,
    },
    /// Its replies take long, though none came too late.
    Slow {
        /// What 99 of 100 replies keep within.
        p99: Duration,
        /// How long a reply may take.
        limit: Duration,
    },
}
