//! What went wrong in a step, as the dealer observed it: the evidence that a diagnosis is made from.

use std::time::Duration;

use crate::sandbox::Lateness;
use casino_host::{ProgramExit, ProgramOutputs};
use casino_stud::protocol::LoginError;
use casino_stud::stud::{Bounds, Chips, IllegalBet, Street};
use casino_stud::table::FrameFault;

/// A question that was asked, with what the diagnosis needs to know beside it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct AskedQuestion {
    /// The street it was asked on.
    pub street: Street,
    /// The limits of the reply.
    pub bounds: Bounds,
    /// The pot, in chips.
    pub pot: Chips,
    /// What the program had put in on this street already, in chips.
    pub put_in: Chips,
    /// What it had put in on the street before, in chips, without the ante.
    pub put_in_before: Chips,
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

/// What a silent program did when it was given more chances.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Probe {
    /// How late it is, and how long it waited for a processor.
    pub lateness: Option<Lateness>,
    /// The reply came after all, this long after the question.
    pub late: Option<Duration>,
    /// It answered when the same message was sent once more.
    pub answered_repeat: bool,
    /// Sent the same message again and again, it answers every second one.
    pub answers_every_second: bool,
    /// It answered when a line break was sent.
    pub reads_lines: bool,
    /// Its messages came all at once when the same message was sent so often that its answers fill a buffer.
    pub came_in_bulk: bool,
    /// After that it answered each further message, so that nothing was kept back: it had waited for more to read.
    pub answers_what_follows: bool,
    /// Another copy that had logged in did not answer a question either.
    pub silent_after_login: bool,
    /// Its messages came when it was told `done`, and not before.
    pub spoke_at_end: bool,
    /// It answered `done`, and nothing that it was sent before.
    pub answered_done: bool,
    /// It closed its connection when it was told `done`.
    pub closed_at_done: bool,
    /// It ended when the dealer had closed the connection, and not before.
    pub ended_at_close: bool,
    /// It connected again when the dealer had closed the connection, and not before.
    pub came_back: bool,
    /// What it had printed then.
    pub last_words: ProgramOutputs,
    /// Another copy answered a `login` that was written like this.
    pub answers_form: Option<LoginForm>,
}

/// Other ways to write `login` than the right one.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum LoginForm {
    /// The text alone.
    Bare,
    /// The text and a line break.
    Line,
    /// A length with the low byte first, and the text.
    LittleEndian,
    /// A length of four bytes, and the text.
    LongLength,
}

impl LoginForm {
    /// All forms, in the order in which they are tried.
    pub(super) const ALL: [LoginForm; 4] =
        [LoginForm::Bare, LoginForm::Line, LoginForm::LittleEndian, LoginForm::LongLength];

    pub(super) fn bytes(self) -> &'static [u8] {
        match self {
            LoginForm::Bare => b"login",
            LoginForm::Line => b"login\n",
            LoginForm::LittleEndian => b"\x05\0login",
            LoginForm::LongLength => b"\0\0\0\x05login",
        }
    }

    /// How it was written, as words after "a login that was written".
    pub(super) fn in_words(self) -> &'static str {
        match self {
            LoginForm::Bare => "without a length in front",
            LoginForm::Line => "as a line of text",
            LoginForm::LittleEndian => "with the low byte of the length first",
            LoginForm::LongLength => "with four bytes of length",
        }
    }
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
        /// The time it had, and how much of it it waited for a processor.
        late: Lateness,
    },
    /// It connected a second time.
    SecondConnection {
        /// Whether it had been told `done` before.
        after_done: bool,
    },
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
        question: Box<AskedQuestion>,
        /// Whether it is the answer that this program has given to `login`.
        is_name: bool,
    },
    /// An amount that is not allowed.
    Amount {
        /// The amount, in chips.
        chips: Chips,
        /// What is wrong with it.
        problem: IllegalBet,
        /// The question it answers.
        question: Box<AskedQuestion>,
        /// Whether another copy, which was raised by other amounts, sent the total of what it had bet; `None` if that was
        /// not tried.
        says_totals: Option<bool>,
    },
    /// A message nobody had asked for.
    Stray {
        /// The message as text.
        sent: String,
        /// The message of the dealer it comes after.
        after: LastMessage,
        /// All bytes that came since that message.
        raw: Vec<u8>,
    },
    /// No whole message in time.
    Silence {
        /// The part of a message that came.
        partial: Vec<u8>,
        /// What it did when it was given more chances.
        probe: Box<Probe>,
        /// The question that was asked; `None` at `login`.
        question: Option<Box<AskedQuestion>>,
        /// How long it may take.
        limit: Duration,
        /// How many messages of the same kind it has answered on this connection.
        answered: usize,
    },
    /// It closed its connection.
    Closed {
        /// The part of a message that came.
        partial: Vec<u8>,
        /// How the program ended, if it did.
        left: Option<ProgramExit>,
        /// The question that was open, if any.
        question: Option<Box<AskedQuestion>>,
        /// The last message it was sent, apart from an open question.
        after: LastMessage,
    },
    /// It played on and folded after exceptions that it printed.
    Complains {
        /// How many exceptions the end of its output shows.
        traces: usize,
        /// How often it has folded.
        folds: usize,
        /// How often it was asked.
        asked: usize,
    },
    /// It did not end after `done`.
    Stays {
        /// Whether it closed its connection at least.
        closed: bool,
        /// How long it had.
        limit: Duration,
    },
    /// Its replies take long, though none came too late.
    Slow {
        /// What 99 of 100 replies keep within.
        p99: Duration,
        /// How long a reply may take.
        limit: Duration,
    },
}
