//! The connection to one player: frames in, frames out, and the deadline of a reply.

use std::future::poll_fn;
use std::io;
use std::net::SocketAddr;
use std::pin::pin;
use std::thread;
use std::time::Duration;

use bytes::{Bytes, BytesMut};
use tokio::time::Instant;
use tokio_util::codec::Decoder;

use casino_stud::protocol::{read_reply, read_stray, write_done, write_login, write_question, write_status};
use casino_stud::table::{Answer, Fault, Question, Status};

use super::deadline::DeadlineTimer;
use super::frame::{FrameCodec, FrameError};
use super::goodbye::Goodbye;
use super::late_replies::LateReplies;
use super::socket::{Socket, forget};
use super::time_bank::TimeBank;

/// Bytes that may wait to be sent to a player who does not read; a player who exceeds it is ejected.
const MAX_UNSENT_BYTES: usize = 64 * 1024;

/// Initial capacity: enough for a reply, and for a `status` and the next question at a table of six.
const INBOX_CAPACITY_BYTES: usize = 64;
const OUTBOX_CAPACITY_BYTES: usize = 128;

/// When a socket is polled.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum ReadMode {
    /// At once, by a separate system call. With fast players that is cheaper than waiting in the runtime, which costs
    /// as much as the rest of a round trip.
    Now,
    /// When the runtime is idle and polls all sockets.
    WhenIdle,
}

/// A player's socket with received bytes that are not decoded yet and pending bytes to send.
#[derive(Debug)]
pub struct Connection {
    socket: Socket,
    peer: SocketAddr,
    codec: FrameCodec,
    inbox: BytesMut,
    outbox: BytesMut,
    /// Outstanding late replies (R19).
    late: LateReplies,
    time_bank: TimeBank,
}

impl Connection {
    /// Takes a socket that has just been accepted. Nagle's algorithm is off: a `status` and a question after it
    /// would wait for each other.
    pub fn new(socket: Socket, peer: SocketAddr) -> io::Result<Connection> {
        socket.send_at_once()?;
        Ok(Connection {
            socket,
            peer,
            codec: FrameCodec::default(),
            inbox: BytesMut::with_capacity(INBOX_CAPACITY_BYTES),
            outbox: BytesMut::with_capacity(OUTBOX_CAPACITY_BYTES),
            late: LateReplies::default(),
            time_bank: TimeBank::default(),
        })
    }

    /// Returns the address of the player.
    pub fn peer(&self) -> SocketAddr {
        self.peer
    }

    /// Asks for a login and waits for the payload of the reply.
    pub async fn login(&mut self, limit: Duration) -> Result<Bytes, Fault> {
        write_login(&mut self.outbox);
        self.hand_over(limit).await?;
        let login = self.next_frame(limit).await;
        if self.inbox.is_empty() {
            // The login shares this buffer's memory and would keep it allocated.
            self.inbox = BytesMut::with_capacity(INBOX_CAPACITY_BYTES);
        }
        login
    }

    /// Asks a question and waits for the reply. The clock starts when the question has been handed to the socket
    /// and stops when the reply's last byte is in (R17).
    pub async fn ask(&mut self, question: &Question<'_>, limit: Duration) -> Answer {
        if let Some(patience) = self.patience() {
            before(patience, self.late_replies()).await.unwrap_or(Ok(()))?;
        }
        self.send_question(question, ReadMode::Now)?;
        match before(limit, self.reply(ReadMode::WhenIdle)).await {
            Some(answer) => answer,
            None => self.final_read(limit, Duration::ZERO),
        }
    }

    /// Hands a question to the socket. An unexpected message before the question is a fault. A socket that cannot take
    /// the question at once is full of thousands of unread questions: that is a fault too, without a wait.
    pub fn send_question(&mut self, question: &Question<'_>, look: ReadMode) -> Result<(), Fault> {
        self.expect_silence(look)?;
        self.late.asked(!self.inbox.is_empty());
        write_question(question, &mut self.outbox);
        self.flush().map_err(|error| match error.kind() {
            io::ErrorKind::WouldBlock => Fault::NotReading,
            _ => self.hung_up(),
        })
    }

    /// Reads the socket once more when the limit and the time bank are over. A reply found there counts, because it may
    /// have come while the host was suspended; otherwise it is late, and ignored if it still comes.
    pub fn final_read(&mut self, limit: Duration, bank: Duration) -> Answer {
        let ended = loop {
            match self.take_in(ReadMode::Now) {
                Ok(true) if self.inbox.len() <= MAX_UNSENT_BYTES => {}
                Ok(_) => break None,
                // What it sent before it hung up counts.
                Err(fault) => break Some(fault),
            }
        };
        while let Some(payload) = self.decode()? {
            if let Some(reply) = self.late.take(payload) {
                return read_reply(&reply);
            }
        }
        if let Some(reply) = self.late.at_the_deadline() {
            return read_reply(&reply);
        }
        if let Some(fault) = ended {
            return Err(fault);
        }
        let late = self.late(limit, bank);
        self.late.missed(limit);
        Err(late)
    }

    /// How long the next question has to wait for outstanding late replies. `None` without any, or if their time is
    /// over.
    pub fn patience(&self) -> Option<Duration> {
        self.late.patience()
    }

    /// The fault of a player that has missed two questions in a row: no other is sent, and nobody waits, until a reply
    /// comes (R19).
    pub(super) fn silence(&mut self, limit: Duration) -> Option<Fault> {
        if !self.late.is_silent() {
            return None;
        }
        let spoken = self.expect_silence(ReadMode::Now);
        spoken.err().or_else(|| self.late.is_silent().then(|| self.late(limit, Duration::ZERO)))
    }

    /// Sends the player the next question, though it has missed two (R19).
    pub(super) fn ask_again(&mut self) {
        self.late.ask_again();
    }

    /// Waits until all late replies have come, and discards them. Cancel-safe.
    pub async fn late_replies(&mut self) -> Result<(), Fault> {
        // The player may be waiting for a status that is still in the outbox.
        if self.flush().is_err_and(|error| error.kind() != io::ErrorKind::WouldBlock) {
            return Err(self.hung_up());
        }
        while self.late.is_pending() {
            self.read_frame().await?;
            self.late.accept_late();
        }
        Ok(())
    }

    /// Waits for the reply to the question that was sent. Cancel-safe: no byte is lost if the future is dropped.
    pub async fn reply(&mut self, look: ReadMode) -> Answer {
        if look == ReadMode::Now && self.inbox.is_empty() {
            // A program on the same machine has often answered by the time this thread runs again; one on another has not.
            if self.peer.ip().is_loopback() {
                thread::yield_now();
            }
            self.take_in(look)?;
        }
        loop {
            if let Some(answer) = self.reply_at_hand() {
                return answer;
            }
            self.wait_for_bytes().await?;
        }
    }

    /// Returns the reply if it has arrived and certainly belongs to this question rather than to an earlier one that
    /// timed out.
    fn reply_at_hand(&mut self) -> Option<Answer> {
        while self.late.is_pending() {
            match self.decode() {
                Ok(payload) => {
                    if let Some(reply) = self.late.take(payload?) {
                        return Some(read_reply(&reply));
                    }
                }
                Err(fault) => return Some(Err(fault)),
            }
        }
        // Read in place: a detached piece would get its own allocation.
        let answer = match self.codec.first_end(&self.inbox) {
            Ok(end) => {
                let end = end?;
                let answer = read_reply(&self.inbox[2..end]);
                forget(&mut self.inbox, end);
                answer
            }
            Err(fault) => Err(Fault::Frame(fault)),
        };
        Some(answer)
    }

    /// The time bank (R17).
    pub(super) fn time_bank(&mut self) -> &mut TimeBank {
        &mut self.time_bank
    }

    /// Restores the time bank from the journal of a resumed tournament.
    pub fn restore_time_bank(&mut self, left: Duration) {
        self.time_bank = TimeBank::holding(left);
    }

    /// Appends a `status` to the outbox. It is sent with the next [`Connection::flush`] or question.
    pub fn notify(&mut self, status: &Status) {
        write_status(status, &mut self.outbox);
    }

    /// Sends as much of the outbox as the socket takes without waiting.
    pub fn flush(&mut self) -> io::Result<()> {
        self.socket.send(&mut self.outbox)
    }

    /// Returns whether the outbox is full because the player does not read.
    pub fn has_full_outbox(&self) -> bool {
        self.outbox.len() > MAX_UNSENT_BYTES
    }

    /// Checks that a player who was not asked has neither written nor disconnected.
    pub fn expect_silence(&mut self, look: ReadMode) -> Result<(), Fault> {
        while self.take_in(look)? && self.inbox.len() <= MAX_UNSENT_BYTES {}
        while !self.inbox.is_empty() {
            match self.decode()? {
                Some(message) => {
                    if !self.late.accept_late() {
                        return Err(read_stray(&message));
                    }
                }
                None if self.late.is_pending() => break,
                None => {
                    // The rest of the message may follow, and is not a second fault.
                    self.late.expect_the_rest();
                    return Err(Fault::Stray { sent: String::new() });
                }
            }
        }
        Ok(())
    }

    /// Reads the bytes that have been received. Returns false if there were none.
    fn take_in(&mut self, look: ReadMode) -> Result<bool, Fault> {
        let mut come = [0; 512];
        match self.socket.try_read(look, &mut come) {
            Ok(0) => Err(self.hung_up()),
            Ok(count) => {
                self.inbox.extend_from_slice(&come[..count]);
                Ok(true)
            }
            Err(error) if matches!(error.kind(), io::ErrorKind::WouldBlock | io::ErrorKind::Interrupted) => {
                Ok(false)
            }
            Err(_) => Err(self.hung_up()),
        }
    }

    fn hung_up(&self) -> Fault {
        Fault::HungUp { partial: !self.inbox.is_empty() }
    }

    fn decode(&mut self) -> Result<Option<Bytes>, Fault> {
        match self.codec.decode(&mut self.inbox) {
            Ok(frame) => Ok(frame),
            Err(FrameError::Fault(fault)) => Err(Fault::Frame(fault)),
            Err(FrameError::Io(_)) => Err(self.hung_up()),
        }
    }

    /// Sends the whole outbox, waiting for the socket where necessary.
    async fn hand_over(&mut self, limit: Duration) -> Result<(), Fault> {
        let all = poll_fn(|context| self.socket.poll_send(&mut self.outbox, context));
        match before(limit, all).await {
            None => Err(Fault::NotReading),
            Some(Err(_)) => Err(self.hung_up()),
            Some(Ok(())) => Ok(()),
        }
    }

    async fn next_frame(&mut self, limit: Duration) -> Result<Bytes, Fault> {
        before(limit, self.read_frame()).await.unwrap_or_else(|| Err(self.late(limit, Duration::ZERO)))
    }

    fn late(&self, limit: Duration, bank: Duration) -> Fault {
        let [limit_ms, bank_ms] = [limit, bank].map(|time| time.as_millis() as u64);
        Fault::Late { limit_ms, bank_ms, partial: !self.inbox.is_empty() }
    }

    async fn read_frame(&mut self) -> Result<Bytes, Fault> {
        loop {
            if let Some(frame) = self.decode()? {
                return Ok(frame);
            }
            self.wait_for_bytes().await?;
        }
    }

    async fn wait_for_bytes(&mut self) -> Result<(), Fault> {
        if !self.inbox.is_empty() {
            self.socket.acknowledge_at_once();
        }
        match self.socket.read(&mut self.inbox).await {
            Ok(0) | Err(_) => Err(self.hung_up()),
            Ok(_) => Ok(()),
        }
    }

    /// Sends as much of `done` as the socket takes at once. The returned future sends the rest and ends when the player
    /// disconnects or after a while (R15).
    pub fn done(mut self, reason: &str) -> impl Future<Output = ()> + Send + use<> {
        write_done(reason, &mut self.outbox);
        Goodbye::new(self.socket, self.outbox).end()
    }
}

/// Returns the future's output, or `None` if it is not ready within the limit.
async fn before<F: Future>(limit: Duration, future: F) -> Option<F::Output> {
    DeadlineTimer::new().within(limit, Instant::now(), pin!(future)).await
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::memory_socket::MemorySocket;

    #[tokio::test]
    async fn a_reply_before_a_hang_up_counts_at_the_deadline() {
        for (sent, expected) in [
            (&b"\0\x05bet:4"[..], Ok(casino_stud::table::Reply::Bet(4))),
            (b"\0\x05be", Err(Fault::HungUp { partial: true })),
            (b"", Err(Fault::HungUp { partial: false })),
        ] {
            let (near, far) = MemorySocket::pair(1 << 10);
            let mut connection = Connection::new(Socket::Memory(far), ([127, 0, 0, 1], 7).into()).unwrap();
            assert!(matches!(near.try_write(sent), Ok(length) if length == sent.len()) || sent.is_empty());
            drop(near);
            assert_eq!(connection.final_read(Duration::from_secs(1), Duration::ZERO), expected);
        }
    }
}
