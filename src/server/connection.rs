//! One player's socket.

use std::io;
use std::net::SocketAddr;
use std::pin::pin;
use std::task::{Context, Poll};
use std::thread;
use std::time::Duration;

use bytes::{Buf, Bytes, BytesMut};
use tokio::io::{AsyncReadExt, AsyncWriteExt, Interest};
use tokio::net::TcpStream;
use tokio::time::Instant;
use tokio_util::codec::Decoder;

use crate::protocol::{
    FrameCodec, FrameError, read_reply, read_stray, write_done, write_login, write_question, write_status,
};
use crate::table::{Answer, Fault, Question, Status};

use super::deadline::DeadlineTimer;

/// What may wait to be sent to a player who does not read. Past that it is out.
const OUTBOX_CAP: usize = 64 * 1024;

/// How long a player that has been told `done` may go on before its connection is cut.
const DRAIN: Duration = Duration::from_secs(1);

/// How much a player that has been told `done` may still write before its connection is cut.
const DRAIN_BYTES: usize = 1 << 20;

/// When a socket is looked at.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum ReadMode {
    /// Now, by a system call of its own. Where players answer at once that is cheaper than to have the runtime wait
    /// for them: its wait costs as much as all that can be saved in a round trip.
    Now,
    /// When the runtime waits because there is nothing else to do: it looks at all sockets then.
    WhenIdle,
}

/// A player's socket with what came and is not read yet, and what is not sent yet.
#[derive(Debug)]
pub struct Connection {
    stream: TcpStream,
    peer: SocketAddr,
    codec: FrameCodec,
    inbox: BytesMut,
    outbox: BytesMut,
    /// Messages that are a fault already and may still come, where that is forgiven (R19): replies the player
    /// was too late with, and the rest of a message nobody asked for.
    owed: u32,
}

impl Connection {
    /// Takes a socket that has just been accepted. Nagle's algorithm is off: a `status` and a question after it
    /// would wait for each other.
    ///
    /// # Errors
    /// If the socket is dead already.
    pub fn new(stream: TcpStream, peer: SocketAddr) -> io::Result<Connection> {
        stream.set_nodelay(true)?;
        Ok(Connection {
            stream,
            peer,
            codec: FrameCodec::default(),
            inbox: BytesMut::with_capacity(64),
            outbox: BytesMut::with_capacity(256),
            owed: 0,
        })
    }

    /// Where the player is.
    pub fn peer(&self) -> SocketAddr {
        self.peer
    }

    /// Asks for a login and waits for the payload of the reply.
    ///
    /// # Errors
    /// What came instead, by the deadline.
    pub async fn login(&mut self, limit: Duration) -> Result<Bytes, Fault> {
        write_login(&mut self.outbox);
        self.hand_over(limit).await?;
        self.next_frame(limit).await
    }

    /// Asks a question and waits for the reply. The clock starts when the question has been handed to the socket
    /// and stops when the reply's last byte is in (R17).
    ///
    /// # Errors
    /// Why there is no reply.
    pub async fn ask(&mut self, question: &Question<'_>, limit: Duration) -> Answer {
        self.send_question(question, ReadMode::Now)?;
        match before(limit, self.reply(ReadMode::WhenIdle)).await {
            Some(answer) => answer,
            None => Err(self.too_late(limit)),
        }
    }

    /// Hands a question to the socket; whatever came before it is a message nobody asked for. Nobody waits for a
    /// socket that does not take it: there are thousands of questions in it that were never read.
    ///
    /// # Errors
    /// The fault that comes before any reply.
    pub fn send_question(&mut self, question: &Question<'_>, look: ReadMode) -> Result<(), Fault> {
        self.expect_silence(look)?;
        write_question(question, &mut self.outbox);
        self.flush().map_err(|error| match error.kind() {
            io::ErrorKind::WouldBlock => Fault::Deaf,
            _ => self.hung_up(),
        })
    }

    /// The foul of a player whose reply did not come in time. It may still come, and does not count then.
    pub fn too_late(&mut self, limit: Duration) -> Fault {
        self.owed += 1;
        self.late(limit)
    }

    /// The reply to the question that was sent, whenever it comes. Nothing is lost if this is dropped.
    pub async fn reply(&mut self, look: ReadMode) -> Answer {
        if look == ReadMode::Now && self.inbox.is_empty() {
            // A program on the same machine has answered when it is this thread's turn again.
            thread::yield_now();
            self.take_in(look)?;
        }
        self.read_reply_frame().await.and_then(|payload| read_reply(&payload))
    }

    /// The next frame that is not owed to an earlier question: such a one is too late to count.
    async fn read_reply_frame(&mut self) -> Result<Bytes, Fault> {
        loop {
            let payload = self.read_frame().await?;
            match self.owed.checked_sub(1) {
                Some(still_owed) => self.owed = still_owed,
                None => return Ok(payload),
            }
        }
    }

    /// Puts a `status` into the outbox. It leaves with the next [`Connection::flush`] or question.
    pub fn tell(&mut self, status: &Status) {
        write_status(status, &mut self.outbox);
    }

    /// Sends as much of the outbox as the socket takes without waiting.
    ///
    /// # Errors
    /// If something is left: `WouldBlock` if the socket is full, another kind if it is broken.
    pub fn flush(&mut self) -> io::Result<()> {
        while !self.outbox.is_empty() {
            let sent = self.stream.try_write(&self.outbox)?;
            self.outbox.advance(sent);
        }
        self.outbox.clear();
        Ok(())
    }

    /// Whether the player has left so much unread that nothing more can be kept for it.
    pub fn is_deaf(&self) -> bool {
        self.outbox.len() > OUTBOX_CAP
    }

    /// Ready when the player has written something or hung up. Nothing is read.
    pub fn poll_stirs(&self, context: &mut Context<'_>) -> Poll<()> {
        if !self.inbox.is_empty() {
            return Poll::Ready(());
        }
        self.stream.poll_read_ready(context).map(|_| ())
    }

    /// What a player who was not asked has done, if it has done anything.
    ///
    /// # Errors
    /// The fault: it wrote or hung up. Replies that are owed (R19) are thrown away.
    pub fn expect_silence(&mut self, look: ReadMode) -> Result<(), Fault> {
        while self.take_in(look)? && self.inbox.len() <= OUTBOX_CAP {}
        while !self.inbox.is_empty() {
            match (self.decode()?, self.owed.checked_sub(1)) {
                (Some(_), Some(still_owed)) => self.owed = still_owed,
                (Some(stray), None) => return Err(read_stray(&stray)),
                (None, Some(_)) => break,
                (None, None) => {
                    // The rest of it may still come, and is no second fault.
                    self.owed += 1;
                    return Err(Fault::Stray { sent: String::new() });
                }
            }
        }
        Ok(())
    }

    /// Reads what has come. False if there was nothing.
    fn take_in(&mut self, look: ReadMode) -> Result<bool, Fault> {
        let mut come = [0; 512];
        let mut read = || nix::unistd::read(&self.stream, &mut come).map_err(io::Error::from);
        let mut looked = false;
        // Through the runtime where it has seen something, so that it learns when nothing is left.
        let mut got = self.stream.try_io(Interest::READABLE, || {
            looked = true;
            read()
        });
        if !looked && look == ReadMode::Now {
            got = read();
        }
        match got {
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

    /// Sends the whole outbox, waiting for the socket if it must.
    async fn hand_over(&mut self, limit: Duration) -> Result<(), Fault> {
        let stream = &self.stream;
        let outbox = &mut self.outbox;
        let all = async {
            while !outbox.is_empty() {
                match stream.try_write(outbox) {
                    Ok(sent) => drop(outbox.split_to(sent)),
                    Err(error) if error.kind() == io::ErrorKind::WouldBlock => stream.writable().await?,
                    Err(error) => return Err(error),
                }
            }
            Ok(())
        };
        match before(limit, all).await {
            None => Err(Fault::Deaf),
            Some(Err(_)) => Err(self.hung_up()),
            Some(Ok(())) => Ok(()),
        }
    }

    async fn next_frame(&mut self, limit: Duration) -> Result<Bytes, Fault> {
        before(limit, self.read_frame()).await.unwrap_or_else(|| Err(self.late(limit)))
    }

    fn late(&self, limit: Duration) -> Fault {
        Fault::Late { limit_ms: limit.as_millis() as u64, partial: !self.inbox.is_empty() }
    }

    async fn read_frame(&mut self) -> Result<Bytes, Fault> {
        loop {
            if let Some(frame) = self.decode()? {
                return Ok(frame);
            }
            // Not `try_read`: after a short read this one knows that the socket is empty, which saves a system
            // call in every round trip.
            match self.stream.read_buf(&mut self.inbox).await {
                Ok(0) | Err(_) => return Err(self.hung_up()),
                Ok(_) => {}
            }
        }
    }

    /// Says `done`, shuts down the sending side, reads whatever still comes for a while, and closes: so the
    /// last word arrives, which a reset would take away (R15).
    pub async fn done(mut self, reason: &str) {
        write_done(reason, &mut self.outbox);
        // Whoever does not even take its last word does not get it.
        if self.hand_over(DRAIN).await.is_err() {
            return;
        }
        if self.stream.shutdown().await.is_err() {
            return;
        }
        let drain = async {
            let mut left = DRAIN_BYTES;
            loop {
                if self.stream.readable().await.is_err() {
                    return;
                }
                match self.throw_away() {
                    Ok(0) => return,
                    Ok(more) if more > left => return,
                    Ok(more) => left -= more,
                    Err(error) if error.kind() == io::ErrorKind::WouldBlock => {}
                    Err(_) => return,
                }
            }
        };
        before(DRAIN, drain).await;
    }

    /// Reads what has come and forgets it. The space for it is not the future's: a whole room may be leaving at once.
    fn throw_away(&self) -> io::Result<usize> {
        self.stream.try_read(&mut [0; 1024])
    }
}

/// The future's output, or `None` if it is not there within the limit.
async fn before<F: Future>(limit: Duration, future: F) -> Option<F::Output> {
    DeadlineTimer::new().within(limit, Instant::now(), pin!(future)).await
}
