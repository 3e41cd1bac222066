//! The dealer's end of the connection to the program under test: messages, their pieces, and the expected replies.

use std::io;
use std::net::TcpStream;
use std::time::{Duration, Instant};

use bytes::{Bytes, BytesMut};

use casino_stud::protocol::{
    Login, modified_utf8, read_reply, write_done, write_login, write_question, write_status,
};
use casino_stud::table::{Fault, Question, Reply, Status, escape_if_needed};

use super::evidence::{AskedQuestion, Evidence, LastMessage};
use super::exchange::{ExchangeLine, ExchangeLog, bytes_in_words};
use super::socket::{BlockingSocket, NoMessage};

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Delivery {
    /// Each message in a separate write, with a pause after it.
    Apart,
    Split,
    /// A status and the question after it in one piece.
    Joined,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Probing {
    /// All probes that may show the reason.
    All,
    /// Only the probe for being one message behind, after an earlier step found that.
    Repeat,
    /// No probe: the behavior is known already.
    Nothing,
}

#[derive(Clone, Copy, Debug)]
pub(super) struct DealerTimes {
    pub(super) reply: Duration,
    /// How long the check waits for a message that the program should not send.
    pub(super) quiet: Duration,
    /// The pause between two messages, or two pieces of one, that are to arrive apart.
    pub(super) apart: Duration,
}

/// The message exchange with the program.
pub(super) struct Wire {
    pub(super) socket: BlockingSocket,
    pub(super) log: ExchangeLog,
    pub(super) replies: OwnReplies,
    /// Messages that have not been written yet, and how the log shows them.
    held: BytesMut,
    held_lines: Vec<String>,
    pub(super) last_message: LastMessage,
    /// A fault at the delivery of a status, reported at the next question.
    pub(super) pending: Option<Evidence>,
    pub(super) pace: DealerTimes,
    pub(super) probing: Probing,
    /// Whether to pause before and after each status, so that a fault is attributed to it.
    pub(super) is_patient: bool,
    pub(super) delivery: Delivery,
}

impl Wire {
    pub(super) fn new(stream: TcpStream, pace: DealerTimes) -> io::Result<Wire> {
        Ok(Wire {
            socket: BlockingSocket::new(stream, pace.reply)?,
            log: ExchangeLog::default(),
            replies: OwnReplies::default(),
            held: BytesMut::new(),
            held_lines: Vec::new(),
            last_message: LastMessage::Nothing,
            pending: None,
            pace,
            probing: Probing::All,
            is_patient: false,
            delivery: Delivery::Apart,
        })
    }

    pub(super) fn expect_no_greeting(&mut self) -> Result<(), Evidence> {
        self.socket.listen(self.pace.quiet / 2);
        if self.socket.inbox.is_empty() {
            return Ok(());
        }
        self.note_unread();
        Err(Evidence::SpokeFirst { raw: self.socket.raw.clone() })
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
                self.replies.name = Some(format!("{}:{}", login.github_id, login.avatar));
                Ok(login)
            }
            Err(error) => {
                self.socket.listen(self.pace.quiet / 2);
                let sent = modified_utf8::decode(&payload).unwrap_or_default();
                self.replies.name = Some(sent.clone());
                Err(Evidence::Login { sent, error, raw: self.socket.raw.clone() })
            }
        }
    }

    /// Asks a question. `asked` has it with the program's earlier bets.
    pub(super) fn ask(&mut self, question: &Question<'_>, asked: &AskedQuestion) -> Result<Reply, Evidence> {
        if self.delivery != Delivery::Joined {
            self.deliver();
        }
        self.expect_silence(Duration::ZERO)?;
        if let Some(evidence) = self.pending.take() {
            return Err(evidence);
        }
        if self.socket.closed {
            return Err(self.closed_by(None));
        }
        let mut frame = BytesMut::new();
        write_question(question, &mut frame);
        let text = casino_stud::protocol::question_text(question);
        if self.delivery == Delivery::Split {
            self.send_in_pieces(&frame, &text);
        } else {
            let mut bytes = self.take_held();
            bytes.extend_from_slice(&frame);
            self.send(&bytes, &text);
        }
        let sent = Instant::now();
        let payload = self.answer(&frame, self.pace.reply, Some(asked))?;
        self.last_message = LastMessage::Question;
        self.replies.times.push(sent.elapsed());
        let reply = self.reply(&payload, asked)?;
        self.replies.add(reply);
        Ok(reply)
    }

    fn reply(&mut self, payload: &[u8], asked: &AskedQuestion) -> Result<Reply, Evidence> {
        let reply = match read_reply(payload) {
            Ok(reply) => reply,
            Err(Fault::Frame(fault)) => return Err(Evidence::Frame { fault, raw: self.socket.raw.clone() }),
            Err(_) => {
                self.socket.listen(self.pace.quiet / 2);
                let sent = modified_utf8::decode(payload).unwrap_or_default();
                let is_name = self.replies.name.as_ref() == Some(&sent);
                return Err(Evidence::Reply {
                    sent,
                    raw: self.socket.raw.clone(),
                    question: Box::new(asked.clone()),
                    is_name,
                });
            }
        };
        if let Reply::Bet(chips) = reply
            && let Err(problem) = asked.bounds.bet(chips)
        {
            let question = Box::new(asked.clone());
            return Err(Evidence::Amount { chips, problem, question, says_totals: None });
        }
        Ok(reply)
    }

    pub(super) fn closed_by(&mut self, question: Option<&AskedQuestion>) -> Evidence {
        self.log.add(ExchangeLine::Note("the program closed its connection".to_string()));
        Evidence::Closed {
            partial: self.socket.inbox.to_vec(),
            left: None,
            question: question.cloned().map(Box::new),
            after: self.last_message,
        }
    }

    pub(super) fn notify(&mut self, status: &Status) {
        let text = casino_stud::protocol::status_text(status);
        if self.delivery == Delivery::Apart {
            self.deliver();
        }
        write_status(status, &mut self.held);
        self.held_lines.push(text);
    }

    /// Writes the held messages and pauses, so that they arrive on their own.
    pub(super) fn deliver(&mut self) {
        if self.held.is_empty() {
            return;
        }
        if self.is_patient && self.pending.is_none() {
            // A message that arrives now belongs to the question before the status.
            self.pending = self.expect_silence(self.pace.quiet).err();
            if self.socket.closed && self.pending.is_none() {
                self.pending = Some(self.closed_by(None));
            }
        }
        let bytes = self.take_held();
        self.socket.write(&bytes);
        self.last_message = LastMessage::Status;
        if self.is_patient && self.pending.is_none() {
            self.socket.listen(self.pace.reply);
            self.pending = self.expect_silence(Duration::ZERO).err();
            if self.socket.closed && self.pending.is_none() {
                self.pending = Some(self.closed_by(None));
            }
        } else {
            std::thread::sleep(self.pace.apart);
        }
    }

    pub(super) fn expect_nothing_pending(&mut self) -> Result<(), Evidence> {
        self.pending.take().map_or(Ok(()), Err)
    }

    pub(super) fn take_held(&mut self) -> BytesMut {
        for line in std::mem::take(&mut self.held_lines) {
            self.log.add(ExchangeLine::Dealer(line));
        }
        self.held.split()
    }

    pub(super) fn expect_silence(&mut self, time: Duration) -> Result<(), Evidence> {
        self.socket.listen(time);
        if self.socket.inbox.is_empty() {
            return Ok(());
        }
        let after = self.last_message;
        match self.frame(self.pace.quiet) {
            Ok(payload) => {
                let sent = modified_utf8::decode(&payload).unwrap_or_default();
                self.socket.listen(self.pace.quiet / 2);
                Err(Evidence::Stray { sent, after, raw: self.socket.raw.clone() })
            }
            Err(NoMessage::Frame(fault)) => Err(Evidence::Frame { fault, raw: self.socket.raw.clone() }),
            Err(_) => {
                self.note_unread();
                let sent = String::from_utf8_lossy(&self.socket.inbox).into_owned();
                Err(Evidence::Stray { sent, after, raw: self.socket.raw.clone() })
            }
        }
    }

    /// Sends `done` and expects the program to close its connection within the limit.
    pub(super) fn done(&mut self, reason: &str, limit: Duration) -> Result<(), Evidence> {
        self.deliver();
        self.expect_silence(Duration::ZERO)?;
        self.send_done(reason);
        self.socket.close_write();
        self.socket.listen(limit);
        let closed = self.socket.closed;
        if !self.socket.inbox.is_empty() {
            self.expect_silence(Duration::ZERO)?;
        }
        if closed { Ok(()) } else { Err(Evidence::Stays { closed: false, limit }) }
    }

    pub(super) fn is_done(&self) -> bool {
        self.last_message == LastMessage::Done
    }

    /// Waits for a message; probes a silent program for the reason.
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
            Err(NoMessage::Frame(fault)) => Err(Evidence::Frame { fault, raw: self.socket.raw.clone() }),
            Err(NoMessage::Silence) => {
                self.log.add(ExchangeLine::Note(format!(
                    "no whole message came within {} ms",
                    limit.as_millis()
                )));
                let partial = self.socket.inbox.to_vec();
                self.note_unread();
                let probe = self.probe(frame, sent, question.is_none());
                let answered = match question {
                    Some(_) => self.replies.answers,
                    None => usize::from(self.replies.name.is_some()),
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

    pub(super) fn send_done(&mut self, reason: &str) {
        let mut frame = BytesMut::new();
        write_done(reason, &mut frame);
        self.send(&frame, &casino_stud::protocol::done_text(reason));
        self.last_message = LastMessage::Done;
    }

    pub(super) fn send(&mut self, bytes: &[u8], text: &str) {
        self.log.add(ExchangeLine::Dealer(text.to_string()));
        self.socket.write(bytes);
    }

    pub(super) fn send_in_pieces(&mut self, frame: &[u8], text: &str) {
        self.log.add(ExchangeLine::Dealer(format!("{text}   (in pieces)")));
        let middle = 2 + (frame.len() - 2) / 2;
        let mut rest = frame;
        for end in [1, 2, middle, frame.len()] {
            let (piece, later) = rest.split_at(end - (frame.len() - rest.len()));
            self.socket.write(piece);
            rest = later;
            if !rest.is_empty() {
                std::thread::sleep(self.pace.apart);
            }
        }
    }

    /// Returns the next message, within this time. After an invalid one it reads a while longer, for the log.
    pub(super) fn frame(&mut self, limit: Duration) -> Result<Bytes, NoMessage> {
        let read = self.socket.frame(limit);
        match &read {
            Ok(payload) => self.log.add(ExchangeLine::Program(match modified_utf8::decode(payload) {
                Ok(text) => escape_if_needed(&text),
                Err(_) => bytes_in_words(payload),
            })),
            Err(NoMessage::Frame(_)) => {
                self.socket.listen(self.pace.quiet / 2);
                self.note_unread();
            }
            Err(_) => {}
        }
        read
    }

    pub(super) fn note_unread(&mut self) {
        if !self.socket.inbox.is_empty() {
            self.log.add(ExchangeLine::Program(bytes_in_words(&self.socket.inbox)));
        }
    }
}

/// The program's messages on one connection.
#[derive(Default)]
pub(super) struct OwnReplies {
    /// Its login.
    pub(super) name: Option<String>,
    pub(super) answers: usize,
    pub(super) folds: usize,
    pub(super) times: Vec<Duration>,
}

impl OwnReplies {
    pub(super) fn add(&mut self, reply: Reply) {
        self.answers += 1;
        self.folds += usize::from(reply == Reply::Fold);
    }
}
