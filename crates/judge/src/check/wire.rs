//! The dealer's end of the connection to the program under test, with a log of everything that is sent over it.

use std::cell::RefCell;
use std::fmt;
use std::io::{self, ErrorKind, Read, Write};
use std::net::{Shutdown, TcpStream};
use std::rc::Rc;
use std::time::{Duration, Instant};

use bytes::{Bytes, BytesMut};
use serde::Serialize;

use casino_stud::hex;
use casino_stud::protocol::{
    FrameCodec, FrameError, Login, modified_utf8, write_done, write_login, write_status,
};
use casino_stud::table::{FrameFault, Status, escape, escape_if_needed};

use super::evidence::{AskedQuestion, Evidence, Experience, LastMessage, LastTurn};

/// How much is kept of what a program sends too much of, in bytes.
const FLOOD: usize = 64 * 1024;

/// How many lines of the log are kept.
const LINES: usize = 24;

/// A line of the log.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
#[serde(rename_all = "snake_case")]
pub enum ExchangeLine {
    /// A message of the dealer.
    Dealer(String),
    /// A message of the program. What is not plain text is escaped.
    Program(String),
    /// A remark on what happened.
    Note(String),
}

impl fmt::Display for ExchangeLine {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            ExchangeLine::Dealer(text) => write!(f, "dealer:  {text}"),
            ExchangeLine::Program(text) => write!(f, "program: {text}"),
            ExchangeLine::Note(text) => write!(f, "         ({text})"),
        }
    }
}

/// How messages are divided into writes.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Delivery {
    /// Each message in a write of its own, with a pause after it.
    Apart,
    Split,
    /// A status and the question after it in one piece.
    Joined,
}

/// How much is done with a silent program.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Probing {
    /// Whatever may show the reason.
    All,
    /// Only what tells that it is one message behind, because it was so in an earlier step.
    Repeat,
    /// Nothing: what it does is known already.
    Nothing,
}

/// The times the dealer's end keeps to.
#[derive(Clone, Copy, Debug)]
pub(super) struct Pace {
    pub(super) reply: Duration,
    /// How long to listen for a message that should not come.
    pub(super) quiet: Duration,
    /// The pause between two messages, or two pieces of one, that are to arrive apart.
    pub(super) apart: Duration,
}

pub(super) enum NoMessage {
    /// None came in time.
    Silence,
    Closed,
    /// The bytes that came are no frame.
    Frame(FrameFault),
}

pub(super) struct Wire {
    stream: TcpStream,
    codec: FrameCodec,
    pub(super) inbox: BytesMut,
    /// All bytes that came since the dealer's last message.
    pub(super) raw: Vec<u8>,
    /// Messages that have not been written yet.
    pub(super) held: BytesMut,
    held_lines: Vec<String>,
    log: Vec<ExchangeLine>,
    pub(super) last_message: LastMessage,
    pub(super) last_turn: LastTurn,
    pub(super) closed: bool,
    /// What went wrong when a status was delivered, which shows at the next question.
    pub(super) pending: Option<Evidence>,
    /// What the program has sent as its login.
    pub(super) name: Option<String>,
    /// Replies to questions on this connection.
    pub(super) answers: usize,
    pub(super) folds: usize,
    /// What all copies of the program have answered so far.
    pub(super) experience: Rc<RefCell<Experience>>,
    pub(super) pace: Pace,
    /// How much is done with a silent program to find out why it is silent.
    pub(super) probing: Probing,
    /// Whether it is waited before and after each status, so that it shows what the program does at the status.
    pub(super) is_patient: bool,
    pub(super) delivery: Delivery,
    pub(super) reply_times: Vec<Duration>,
}

impl Wire {
    pub(super) fn new(
        stream: TcpStream,
        pace: Pace,
        experience: Rc<RefCell<Experience>>,
    ) -> io::Result<Wire> {
        stream.set_nodelay(true)?;
        stream.set_nonblocking(false)?;
        // A program that does not read must not stop the check.
        stream.set_write_timeout(Some(pace.reply))?;
        Ok(Wire {
            stream,
            codec: FrameCodec::default(),
            inbox: BytesMut::new(),
            raw: Vec::new(),
            held: BytesMut::new(),
            held_lines: Vec::new(),
            log: Vec::new(),
            last_message: LastMessage::Nothing,
            last_turn: LastTurn::Other,
            closed: false,
            pending: None,
            name: None,
            answers: 0,
            folds: 0,
            experience,
            pace,
            probing: Probing::All,
            is_patient: false,
            delivery: Delivery::Apart,
            reply_times: Vec::new(),
        })
    }

    /// The log since this was last called.
    pub(super) fn take_log(&mut self) -> Vec<ExchangeLine> {
        std::mem::take(&mut self.log)
    }

    pub(super) fn note(&mut self, line: ExchangeLine) {
        if self.log.len() == LINES {
            self.log.remove(0);
        }
        self.log.push(line);
    }

    /// Expects nothing before the first message of the dealer.
    pub(super) fn expect_no_greeting(&mut self) -> Result<(), Evidence> {
        self.listen(self.pace.quiet / 2);
        if self.inbox.is_empty() {
            return Ok(());
        }
        self.note_unread();
        Err(Evidence::SpokeFirst { raw: self.raw.clone() })
    }

    pub(super) fn login(&mut self, limit: Duration) -> Result<Login, Evidence> {
        self.expect_silence(Duration::ZERO)?;
        let mut frame = BytesMut::new();
        write_login(&mut frame);
        self.send(&frame, "login");
        self.last_message = LastMessage::Login;
        let payload = self.answer(&frame, limit, None)?;
        match Login::read(&payload) {
            Ok(login) => {
                self.name = Some(format!("{}:{}", login.github_id, login.avatar));
                Ok(login)
            }
            Err(error) => {
                self.listen(self.pace.quiet / 2);
                let sent = modified_utf8::decode(&payload).unwrap_or_default();
                self.name = Some(sent.clone());
                Err(Evidence::Login { sent, error, raw: self.raw.clone() })
            }
        }
    }

    /// Queues how a round ended. It is written by [`Wire::deliver`] or with the next question.
    pub(super) fn tell(&mut self, status: &Status) {
        let text = casino_stud::protocol::status_text(status);
        if self.delivery == Delivery::Apart {
            self.deliver();
        }
        write_status(status, &mut self.held);
        self.held_lines.push(text);
    }

    /// Writes what is held, with a pause after it, so that it arrives by itself.
    pub(super) fn deliver(&mut self) {
        if self.held.is_empty() {
            return;
        }
        if self.is_patient && self.pending.is_none() {
            // What comes now belongs to the question before the status.
            self.pending = self.expect_silence(self.pace.quiet).err();
        }
        let bytes = self.take_held();
        self.write(&bytes);
        self.last_message = LastMessage::Status;
        if self.is_patient && self.pending.is_none() {
            self.listen(self.pace.reply);
            self.pending = self.expect_silence(Duration::ZERO).err();
            if self.closed && self.pending.is_none() {
                self.pending = Some(self.closed_by(None));
            }
        } else {
            std::thread::sleep(self.pace.apart);
        }
    }

    /// What went wrong when the last status was delivered, if anything.
    pub(super) fn expect_nothing_pending(&mut self) -> Result<(), Evidence> {
        self.pending.take().map_or(Ok(()), Err)
    }

    pub(super) fn take_held(&mut self) -> BytesMut {
        for line in std::mem::take(&mut self.held_lines) {
            self.note(ExchangeLine::Dealer(line));
        }
        self.held.split()
    }

    pub(super) fn expect_silence(&mut self, time: Duration) -> Result<(), Evidence> {
        self.listen(time);
        if self.inbox.is_empty() {
            return Ok(());
        }
        let after = self.last_message;
        match self.frame(self.pace.quiet) {
            Ok(payload) => {
                let sent = modified_utf8::decode(&payload).unwrap_or_default();
                self.listen(self.pace.quiet / 2);
                Err(Evidence::Stray { sent, after, raw: self.raw.clone() })
            }
            Err(NoMessage::Frame(fault)) => Err(Evidence::Frame { fault, raw: self.raw.clone() }),
            Err(_) => {
                self.note_unread();
                let sent = String::from_utf8_lossy(&self.inbox).into_owned();
                Err(Evidence::Stray { sent, after, raw: self.raw.clone() })
            }
        }
    }

    /// Sends `done` and expects the program to close its connection within the limit. Messages that still come are
    /// those nobody asked for.
    pub(super) fn done(&mut self, reason: &str, limit: Duration) -> Result<(), Evidence> {
        self.deliver();
        self.expect_silence(Duration::ZERO)?;
        self.send_done(reason);
        self.close_write();
        self.listen(limit);
        let closed = self.closed;
        if !self.inbox.is_empty() {
            self.expect_silence(Duration::ZERO)?;
        }
        if closed { Ok(()) } else { Err(Evidence::Stays { closed: false, limit }) }
    }

    /// Whether `done` has been sent.
    pub(super) fn is_done(&self) -> bool {
        self.last_message == LastMessage::Done
    }

    /// Waits for a message, and gives a silent program more chances to show what is the matter with it.
    pub(super) fn answer(
        &mut self,
        frame: &[u8],
        limit: Duration,
        question: Option<&AskedQuestion>,
    ) -> Result<Bytes, Evidence> {
        let sent = Instant::now();
        match self.frame(limit) {
            Ok(payload) => Ok(payload),
            Err(NoMessage::Closed) => Err(self.closed_by(question)),
            Err(NoMessage::Frame(fault)) => Err(Evidence::Frame { fault, raw: self.raw.clone() }),
            Err(NoMessage::Silence) => {
                self.note(ExchangeLine::Note(format!(
                    "no whole message came within {} ms",
                    limit.as_millis()
                )));
                let partial = self.inbox.to_vec();
                self.note_unread();
                let probe = self.probe(frame, sent, question.is_none());
                let answered = match question {
                    Some(_) => self.answers,
                    None => usize::from(self.name.is_some()),
                };
                Err(Evidence::Silence {
                    partial,
                    probe: Box::new(probe),
                    question: question.cloned().map(Box::new),
                    limit,
                    answered,
                })
            }
        }
    }

    /// Closes the dealer's direction, as the dealer does after `done`: the program may read the end of the stream.
    pub(super) fn close_write(&mut self) {
        // A connection that is broken shows when it is read.
        let _ = self.stream.shutdown(Shutdown::Write);
    }

    pub(super) fn send_done(&mut self, reason: &str) {
        let mut frame = BytesMut::new();
        write_done(reason, &mut frame);
        self.send(&frame, &casino_stud::protocol::done_text(reason));
        self.last_message = LastMessage::Done;
    }

    pub(super) fn send(&mut self, bytes: &[u8], text: &str) {
        self.note(ExchangeLine::Dealer(text.to_string()));
        self.write(bytes);
    }

    pub(super) fn send_in_pieces(&mut self, frame: &[u8], text: &str) {
        self.note(ExchangeLine::Dealer(format!("{text}   (in pieces)")));
        let middle = 2 + (frame.len() - 2) / 2;
        let mut rest = frame;
        for end in [1, 2, middle, frame.len()] {
            let (piece, later) = rest.split_at(end - (frame.len() - rest.len()));
            self.write(piece);
            rest = later;
            if !rest.is_empty() {
                std::thread::sleep(self.pace.apart);
            }
        }
    }

    /// A connection that is broken shows when it is read.
    pub(super) fn write(&mut self, bytes: &[u8]) {
        self.raw.clear();
        let _ = self.stream.write_all(bytes);
    }

    pub(super) fn frame(&mut self, limit: Duration) -> Result<Bytes, NoMessage> {
        let deadline = Instant::now() + limit;
        loop {
            match self.codec.decode(&mut self.inbox) {
                Ok(Some(payload)) => {
                    self.note_frame(&payload);
                    return Ok(payload);
                }
                Ok(None) => {}
                Err(FrameError::Fault(fault)) => {
                    self.listen(self.pace.quiet / 2);
                    self.note_unread();
                    return Err(NoMessage::Frame(fault));
                }
                Err(FrameError::Io(_)) => return Err(NoMessage::Closed),
            }
            if self.closed {
                return Err(NoMessage::Closed);
            }
            if !self.read(deadline) {
                return Err(if self.closed { NoMessage::Closed } else { NoMessage::Silence });
            }
        }
    }

    /// Reads what comes within this time; returns at once if the connection is closed.
    pub(super) fn listen(&mut self, time: Duration) {
        let deadline = Instant::now() + time;
        while !self.closed && self.inbox.len() < FLOOD && self.read(deadline) {}
    }

    /// Whether something has come by the deadline. What is there already is always read.
    pub(super) fn read(&mut self, deadline: Instant) -> bool {
        let mut buffer = [0; 4096];
        let read = loop {
            let left = deadline.saturating_duration_since(Instant::now());
            let read = if left.is_zero() {
                self.read_now(&mut buffer)
            } else {
                let timed = self.stream.set_read_timeout(Some(left.max(Duration::from_millis(1))));
                timed.and_then(|()| self.stream.read(&mut buffer))
            };
            match read {
                Err(error) if error.kind() == ErrorKind::Interrupted => {}
                read => break read,
            }
        };
        match read {
            Ok(0) => self.closed = true,
            Ok(read) => {
                self.inbox.extend_from_slice(&buffer[..read]);
                if self.raw.len() < FLOOD {
                    self.raw.extend_from_slice(&buffer[..read]);
                }
                return true;
            }
            Err(error) if matches!(error.kind(), ErrorKind::WouldBlock | ErrorKind::TimedOut) => {}
            Err(_) => self.closed = true,
        }
        false
    }

    fn read_now(&mut self, buffer: &mut [u8]) -> io::Result<usize> {
        self.stream.set_nonblocking(true)?;
        let read = self.stream.read(buffer);
        self.stream.set_nonblocking(false)?;
        read
    }

    fn note_frame(&mut self, payload: &[u8]) {
        let line = match modified_utf8::decode(payload) {
            Ok(text) => escape_if_needed(&text),
            Err(_) => bytes_in_words(payload),
        };
        self.note(ExchangeLine::Program(line));
    }

    pub(super) fn note_unread(&mut self) {
        if self.inbox.is_empty() {
            return;
        }
        let line = bytes_in_words(&self.inbox);
        self.note(ExchangeLine::Program(line));
    }
}

/// Bytes as hexadecimal digits and, where they are letters, as text.
pub(super) fn bytes_in_words(bytes: &[u8]) -> String {
    const SHOWN: usize = 32;
    let shown = &bytes[..bytes.len().min(SHOWN)];
    let more = if bytes.len() > SHOWN { " …" } else { "" };
    let text: String =
        shown.iter().map(|byte| if matches!(byte, b' '..=b'~') { *byte as char } else { '.' }).collect();
    format!("(bytes) {}{more}   {}", hex::spaced(shown), escape(&text))
}
