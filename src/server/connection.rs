//! One player's socket.

use std::io;
use std::net::SocketAddr;
use std::task::{Context, Poll};
use std::time::Duration;

use bytes::{Bytes, BytesMut};
use tokio::io::{AsyncReadExt, AsyncWriteExt};
use tokio::net::TcpStream;
use tokio::time::Instant;
use tokio_util::codec::Decoder;

use crate::protocol::{
    FrameCodec, FrameError, read_reply, read_stray, write_done, write_login, write_question, write_status,
};
use crate::table::{Answer, Fault, Question, Status};

/// What may wait to be sent to a player who does not read. Past that it is out.
const OUTBOX_CAP: usize = 64 * 1024;

/// How much later than asked a timer may fire before the host itself must have stood still: a stall of the
/// host is not the players' fault.
const STALL: Duration = Duration::from_millis(250);

/// How long a player that has been told `done` may go on before its connection is cut.
const DRAIN: Duration = Duration::from_secs(1);

/// How much a player that has been told `done` may still write before its connection is cut.
const DRAIN_BYTES: usize = 1 << 20;

/// A player's socket with what came and is not read yet, and what is not sent yet.
#[derive(Debug)]
pub struct Connection {
    stream: TcpStream,
    peer: SocketAddr,
    codec: FrameCodec,
    inbox: BytesMut,
    outbox: BytesMut,
    /// Replies the player was too late with and may still send, where that is forgiven (R19).
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

    /// Asks a question. The clock starts when the question has been handed to the socket and stops when the
    /// reply's last byte is in (R17); whatever came before the question is a message nobody asked for.
    pub async fn ask(&mut self, question: &Question<'_>, limit: Duration) -> Answer {
        self.send_question(question, limit).await?;
        self.reply(limit).await
    }

    /// The first half of [`Connection::ask`]: everything up to handing over the question.
    ///
    /// # Errors
    /// The fault that comes before any reply.
    pub async fn send_question(&mut self, question: &Question<'_>, limit: Duration) -> Result<(), Fault> {
        self.expect_silence()?;
        write_question(question, &mut self.outbox);
        self.flush();
        if !self.outbox.is_empty() {
            self.hand_over(limit).await?;
        }
        Ok(())
    }

    /// The second half of [`Connection::ask`].
    ///
    /// # Errors
    /// Why there is no reply.
    pub async fn reply(&mut self, limit: Duration) -> Answer {
        let payload = loop {
            let payload = match self.next_frame(limit).await {
                Err(Fault::Late { limit_ms, partial }) => {
                    self.owed += 1;
                    return Err(Fault::Late { limit_ms, partial });
                }
                other => other?,
            };
            // A reply still owed to an earlier question comes first, and is too late to count.
            match self.owed.checked_sub(1) {
                Some(still_owed) => self.owed = still_owed,
                None => break payload,
            }
        };
        read_reply(&payload)
    }

    /// Puts a `status` into the outbox. It leaves with the next [`Connection::flush`] or question.
    pub fn tell(&mut self, status: &Status) {
        write_status(status, &mut self.outbox);
    }

    /// Sends as much of the outbox as the socket takes without waiting.
    pub fn flush(&mut self) {
        while !self.outbox.is_empty() {
            match self.stream.try_write(&self.outbox) {
                Ok(sent) => drop(self.outbox.split_to(sent)),
                // A socket that is full takes the rest later; one that is broken shows when it is read.
                Err(_) => break,
            }
        }
        if self.outbox.is_empty() {
            self.outbox.clear();
        }
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

    /// What a player who was not asked has done, if it has done anything. What has just come is seen only if
    /// the runtime has looked at its sockets since.
    ///
    /// # Errors
    /// The fault: it wrote or hung up. Replies that are owed (R19) are thrown away.
    pub fn expect_silence(&mut self) -> Result<(), Fault> {
        loop {
            match self.stream.try_read_buf(&mut self.inbox) {
                Ok(0) => return Err(Fault::HungUp { partial: !self.inbox.is_empty() }),
                Ok(_) => {}
                Err(error) if error.kind() == io::ErrorKind::WouldBlock => break,
                Err(error) if error.kind() == io::ErrorKind::Interrupted => {}
                Err(_) => return Err(Fault::HungUp { partial: !self.inbox.is_empty() }),
            }
            if self.inbox.len() > OUTBOX_CAP {
                break;
            }
        }
        while !self.inbox.is_empty() {
            match (self.decode()?, self.owed.checked_sub(1)) {
                (Some(_), Some(still_owed)) => self.owed = still_owed,
                (Some(stray), None) => return Err(read_stray(&stray)),
                (None, Some(_)) => break,
                (None, None) => {
                    self.inbox.clear();
                    return Err(Fault::Stray { sent: String::new() });
                }
            }
        }
        Ok(())
    }

    fn decode(&mut self) -> Result<Option<Bytes>, Fault> {
        match self.codec.decode(&mut self.inbox) {
            Ok(frame) => Ok(frame),
            Err(FrameError::Fault(fault)) => Err(Fault::Frame(fault)),
            Err(FrameError::Io(_)) => Err(Fault::HungUp { partial: !self.inbox.is_empty() }),
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
        match before(Instant::now() + limit, limit, all).await {
            None => Err(Fault::Deaf),
            Some(Err(_)) => Err(Fault::HungUp { partial: !self.inbox.is_empty() }),
            Some(Ok(())) => Ok(()),
        }
    }

    async fn next_frame(&mut self, limit: Duration) -> Result<Bytes, Fault> {
        let deadline = Instant::now() + limit;
        match before(deadline, limit, self.read_frame()).await {
            Some(frame) => frame,
            None => Err(Fault::Late { limit_ms: limit.as_millis() as u64, partial: !self.inbox.is_empty() }),
        }
    }

    async fn read_frame(&mut self) -> Result<Bytes, Fault> {
        loop {
            if let Some(frame) = self.decode()? {
                return Ok(frame);
            }
            // Not `try_read`: after a short read this one knows that the socket is empty, which saves a system
            // call in every round trip.
            match self.stream.read_buf(&mut self.inbox).await {
                Ok(0) | Err(_) => return Err(Fault::HungUp { partial: !self.inbox.is_empty() }),
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
            let mut scrap = [0; 1024];
            let mut left = DRAIN_BYTES;
            loop {
                if self.stream.readable().await.is_err() {
                    return;
                }
                match self.stream.try_read(&mut scrap) {
                    Ok(0) => return,
                    Ok(more) if more > left => return,
                    Ok(more) => left -= more,
                    Err(error) if error.kind() == io::ErrorKind::WouldBlock => {}
                    Err(_) => return,
                }
            }
        };
        before(Instant::now() + DRAIN, DRAIN, drain).await;
    }
}

/// The future's output, or `None` if it is not there by the deadline. If the timer fires much too late, the
/// whole process stood still (the machine slept, the disk hung): then the clock starts again.
async fn before<F: Future>(deadline: Instant, limit: Duration, future: F) -> Option<F::Output> {
    let mut deadline = deadline;
    tokio::pin!(future);
    loop {
        match tokio::time::timeout_at(deadline, &mut future).await {
            Ok(output) => return Some(output),
            Err(_) if Instant::now() > deadline + STALL => deadline = Instant::now() + limit,
            Err(_) => return None,
        }
    }
}
