//! The bytes between dealer and program.

use std::io::{self, ErrorKind, Read, Write};
use std::net::{Shutdown, TcpStream};
use std::time::{Duration, Instant};

use bytes::{Bytes, BytesMut};

use casino_host::{FrameCodec, FrameError};
use casino_stud::table::FrameFault;
use casino_system::sockets::acknowledge_at_once;
use tokio_util::codec::Decoder;

const MAX_UNREAD_BYTES: usize = 64 * 1024;

pub(super) enum NoMessage {
    Silence,
    Closed,
    Frame(FrameFault),
}

pub(super) struct BlockingSocket {
    stream: TcpStream,
    codec: FrameCodec,
    pub(super) inbox: BytesMut,
    /// All bytes that came since the dealer's last message.
    pub(super) raw: Vec<u8>,
    pub(super) closed: bool,
}

impl BlockingSocket {
    /// `patience` is the longest wait for a program that does not read.
    pub(super) fn new(stream: TcpStream, patience: Duration) -> io::Result<BlockingSocket> {
        stream.set_nodelay(true)?;
        stream.set_nonblocking(false)?;
        stream.set_write_timeout(Some(patience))?;
        Ok(BlockingSocket {
            stream,
            codec: FrameCodec::default(),
            inbox: BytesMut::new(),
            raw: Vec::new(),
            closed: false,
        })
    }

    pub(super) fn close_write(&mut self) {
        // A connection that is broken shows when it is read.
        let _ = self.stream.shutdown(Shutdown::Write);
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
                Ok(Some(payload)) => return Ok(payload),
                Ok(None) => {}
                Err(FrameError::Fault(fault)) => return Err(NoMessage::Frame(fault)),
                Err(FrameError::Io(_)) => return Err(NoMessage::Closed),
            }
            if self.closed {
                return Err(NoMessage::Closed);
            }
            if !self.inbox.is_empty() {
                // A connection that is broken shows when it is read.
                let _ = acknowledge_at_once(&self.stream);
            }
            if !self.read(deadline) {
                return Err(if self.closed { NoMessage::Closed } else { NoMessage::Silence });
            }
        }
    }

    /// Reads until the first bytes arrive, at most this long.
    pub(super) fn listen_for_some(&mut self, time: Duration) {
        let deadline = Instant::now() + time;
        while !self.closed && self.raw.is_empty() && self.read(deadline) {}
    }

    /// Reads the messages that arrive within this time; returns at once if the connection is closed.
    pub(super) fn listen(&mut self, time: Duration) {
        let deadline = Instant::now() + time;
        while !self.closed && self.inbox.len() < MAX_UNREAD_BYTES && self.read(deadline) {}
    }

    /// Whether a message has arrived by the deadline. Bytes already received are always read.
    fn read(&mut self, deadline: Instant) -> bool {
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
                if self.raw.len() < MAX_UNREAD_BYTES {
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
}
