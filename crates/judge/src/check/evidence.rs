//! The dealer's observations of a failed step: the evidence for a diagnosis.

use std::time::Duration;

use casino_host::{ProgramExit, ProgramOutputs};
use casino_stud::protocol::LoginError;
use casino_stud::stud::{Bounds, Chips, IllegalBet};
use casino_stud::table::FrameFault;

#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct AskedQuestion {
    pub(crate) bounds: Bounds,
    /// Chips the program has put in on this street.
    pub(crate) put_in: Chips,
    /// Chips it has put in on the previous street, without the ante.
    pub(crate) put_in_before: Chips,
    /// The amount of its last bet on this street: a program that sends totals takes that for what it has put in.
    pub(crate) last_bet: Chips,
    /// The amount to call of the question before in this round; 0 before the first.
    pub(crate) last_call: Chips,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum LastMessage {
    Nothing,
    Login,
    Question,
    Status,
    Done,
    /// No message for a while: a copy waited this long.
    Waiting(Duration),
}

/// Reactions of a silent program to further messages.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub(crate) struct SilenceProbe {
    /// The reply came after all, this long after the question.
    pub(crate) late: Option<Duration>,
    pub(crate) answered_repeat: bool,
    /// Sent the same message again and again, it answers every second one.
    pub(crate) answers_every_second: bool,
    pub(crate) reads_lines: bool,
    /// Its messages came all at once when the same message was sent so often that its answers fill a buffer.
    pub(crate) came_in_bulk: bool,
    /// After that it answered each further message, so that it had not buffered replies but waited for more input.
    pub(crate) answers_later_messages: bool,
    /// Another copy that had logged in did not answer a question either.
    pub(crate) silent_after_login: bool,
    /// Its messages came after `done`, and not before.
    pub(crate) spoke_at_end: bool,
    /// It answered `done`, but no earlier message.
    pub(crate) answered_done: bool,
    pub(crate) closed_at_done: bool,
    /// It ended only after the dealer had closed the connection.
    pub(crate) ended_at_close: bool,
    /// It connected again only after the dealer had closed the connection.
    pub(crate) came_back: bool,
    /// Its output at that time.
    pub(crate) last_words: ProgramOutputs,
    /// Another copy answered a `login` that was written like this.
    pub(crate) answers_form: Option<LoginForm>,
}

/// Other ways to write `login` than the right one.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum LoginForm {
    Bare,
    Line,
    LittleEndian,
    LongLength,
}

impl LoginForm {
    pub(crate) const ALL: [LoginForm; 4] =
        [LoginForm::Bare, LoginForm::Line, LoginForm::LittleEndian, LoginForm::LongLength];

    pub(crate) fn bytes(self) -> &'static [u8] {
        match self {
            LoginForm::Bare => b"login",
            LoginForm::Line => b"login\n",
            LoginForm::LittleEndian => b"\x05\0login",
            LoginForm::LongLength => b"\0\0\0\x05login",
        }
    }

    /// How it was written, as words after "a login that was written".
    pub(crate) fn in_words(self) -> &'static str {
        match self {
            LoginForm::Bare => "without a length in front",
            LoginForm::Line => "as a line of text",
            LoginForm::LittleEndian => "with the low byte of the length first",
            LoginForm::LongLength => "with four bytes of length",
        }
    }
}

#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) enum Evidence {
    /// It could not be built.
    NotBuilt { command: String },
    /// It could not be started.
    NoStart(String),
    /// It did not connect in time.
    NoConnection { left: Option<ProgramExit> },
    /// It connected a second time.
    SecondConnection { after_done: bool },
    /// It sent something before its first question.
    SpokeFirst { raw: Vec<u8> },
    /// Its answer to `login` cannot be used.
    Login { sent: String, error: LoginError, raw: Vec<u8> },
    /// Its second answer to `login` was not the first.
    LoginChanged { first: String, second: String },
    /// Bytes that are not a frame.
    Frame { fault: FrameFault, raw: Vec<u8> },
    /// A text that is not a reply. `is_name` if it equals the program's answer to `login`.
    Reply { sent: String, raw: Vec<u8>, question: Box<AskedQuestion>, is_name: bool },
    /// An amount that is not allowed. `says_totals` is `None` if no other copy was tried.
    Amount { chips: Chips, problem: IllegalBet, question: Box<AskedQuestion>, says_totals: Option<bool> },
    /// An unexpected message.
    Stray { sent: String, after: LastMessage, raw: Vec<u8> },
    /// No whole message in time.
    Silence {
        partial: Vec<u8>,
        probe: Box<SilenceProbe>,
        question: Option<Box<AskedQuestion>>,
        /// How long it may take.
        limit: Duration,
        answered: usize,
    },
    /// It closed its connection.
    Closed {
        partial: Vec<u8>,
        left: Option<ProgramExit>,
        question: Option<Box<AskedQuestion>>,
        after: LastMessage,
    },
    /// It played on and folded after exceptions that it printed.
    Complains { traces: usize, folds: usize, asked: usize },
    /// It did not end after `done`.
    Stays { closed: bool, limit: Duration },
    /// Its replies take long, though none came too late.
    Slow { p99: Duration, limit: Duration },
}
