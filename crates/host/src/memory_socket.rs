//! Connections within one process, which behave like network connections: bounded, reset at any moment, and independent
//! of any clock. The bytes received depend only on the bytes written, so a whole day can be repeated.

use std::future::poll_fn;
use std::io;
use std::net::SocketAddr;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::task::{Context, Poll, Waker};

use bytes::{Buf, BytesMut};
use tokio::sync::mpsc::{UnboundedReceiver, UnboundedSender, unbounded_channel};

#[derive(Debug, Default)]
struct Pipe {
    bytes: BytesMut,
    /// How many bytes it holds that have not been read.
    capacity: usize,
    is_ended: bool,
    /// Nothing more is read: the reader has gone.
    is_abandoned: bool,
    /// The connection was broken off.
    is_reset: bool,
    reader: Option<Waker>,
    writer: Option<Waker>,
}

impl Pipe {
    fn has_something_to_read(&self) -> bool {
        !self.bytes.is_empty() || self.is_ended || self.is_reset
    }

    fn takes_something(&self) -> bool {
        self.bytes.len() < self.capacity || self.is_ended || self.is_abandoned || self.is_reset
    }

    fn wake(&mut self) {
        self.reader.take().into_iter().chain(self.writer.take()).for_each(Waker::wake);
    }
}

/// One end of a connection within this process. Each direction buffers a bounded number of unread bytes. Dropping an
/// end closes the connection; the bytes it wrote can still be read.
#[derive(Debug)]
pub struct MemorySocket {
    incoming: Arc<Mutex<Pipe>>,
    outgoing: Arc<Mutex<Pipe>>,
}

fn lock(pipe: &Mutex<Pipe>) -> MutexGuard<'_, Pipe> {
    // Plain data: a panic elsewhere leaves it consistent.
    pipe.lock().unwrap_or_else(PoisonError::into_inner)
}

impl MemorySocket {
    /// The two ends of a connection. Each direction holds at most `capacity` bytes that have not been read.
    pub fn pair(capacity: usize) -> (MemorySocket, MemorySocket) {
        let [one, other] = [(); 2].map(|()| Arc::new(Mutex::new(Pipe { capacity, ..Pipe::default() })));
        let far = MemorySocket { incoming: Arc::clone(&other), outgoing: Arc::clone(&one) };
        (MemorySocket { incoming: one, outgoing: other }, far)
    }

    /// Writes as much as fits, without waiting.
    pub fn try_write(&self, bytes: &[u8]) -> io::Result<usize> {
        let mut pipe = lock(&self.outgoing);
        if pipe.is_reset {
            return Err(io::ErrorKind::ConnectionReset.into());
        }
        if pipe.is_ended || pipe.is_abandoned {
            return Err(io::ErrorKind::BrokenPipe.into());
        }
        let room = pipe.capacity - pipe.bytes.len();
        if room == 0 {
            return Err(io::ErrorKind::WouldBlock.into());
        }
        let taken = room.min(bytes.len());
        pipe.bytes.extend_from_slice(&bytes[..taken]);
        pipe.reader.take().into_iter().for_each(Waker::wake);
        Ok(taken)
    }

    /// Reads the available bytes without waiting; 0 at the end of the connection.
    pub fn try_read(&self, buffer: &mut [u8]) -> io::Result<usize> {
        let mut pipe = lock(&self.incoming);
        if pipe.is_reset {
            return Err(io::ErrorKind::ConnectionReset.into());
        }
        let count = pipe.bytes.len().min(buffer.len());
        if count == 0 {
            return if pipe.is_ended { Ok(0) } else { Err(io::ErrorKind::WouldBlock.into()) };
        }
        pipe.bytes.copy_to_slice(&mut buffer[..count]);
        pipe.writer.take().into_iter().for_each(Waker::wake);
        Ok(count)
    }

    /// Waits until there is something to read, and appends it to the buffer; nothing at the end of the connection. No byte
    /// is read if the future is dropped before.
    pub async fn read(&self, inbox: &mut BytesMut) -> io::Result<usize> {
        poll_fn(|context| self.poll_read_ready(context)).await;
        let (start, count) = (inbox.len(), lock(&self.incoming).bytes.len());
        inbox.resize(start + count, 0);
        self.try_read(&mut inbox[start..])
    }

    /// Is ready when there is something to read, the end of the connection included. Only the last who asked is woken.
    pub fn poll_read_ready(&self, context: &mut Context<'_>) -> Poll<()> {
        let mut pipe = lock(&self.incoming);
        if pipe.has_something_to_read() {
            return Poll::Ready(());
        }
        pipe.reader = Some(context.waker().clone());
        Poll::Pending
    }

    /// Is ready when something can be written, or nothing ever will be. Only the last who asked is woken.
    pub fn poll_write_ready(&self, context: &mut Context<'_>) -> Poll<()> {
        let mut pipe = lock(&self.outgoing);
        if pipe.takes_something() {
            return Poll::Ready(());
        }
        pipe.writer = Some(context.waker().clone());
        Poll::Pending
    }

    /// Waits until something can be written, or nothing ever will be.
    pub async fn writable(&self) {
        poll_fn(|context| self.poll_write_ready(context)).await;
    }

    /// How many bytes have been written to the other end that it has not read.
    pub fn unread(&self) -> usize {
        lock(&self.outgoing).bytes.len()
    }

    /// Whether the other end has shut down writing, or the connection was reset.
    pub fn is_closed(&self) -> bool {
        let pipe = lock(&self.incoming);
        pipe.is_ended || pipe.is_reset
    }

    /// Ends the writing side. The other end reads the remaining bytes and then the end of the connection.
    pub fn shutdown(&self) {
        let mut pipe = lock(&self.outgoing);
        pipe.is_ended = true;
        pipe.wake();
    }

    /// Resets the connection; unread bytes are lost.
    pub fn reset(self) {
        for pipe in [&self.incoming, &self.outgoing] {
            let mut pipe = lock(pipe);
            pipe.is_reset = true;
            pipe.bytes.clear();
            pipe.wake();
        }
    }
}

impl Drop for MemorySocket {
    fn drop(&mut self) {
        self.shutdown();
        let mut pipe = lock(&self.incoming);
        pipe.is_abandoned = true;
        pipe.bytes.clear();
        pipe.wake();
    }
}

/// Where a lobby takes connections from that are made within this process.
#[derive(Debug)]
pub struct MemoryListener {
    address: SocketAddr,
    connections: UnboundedReceiver<(MemorySocket, SocketAddr)>,
}

/// Makes connections to a [`MemoryListener`].
#[derive(Clone, Debug)]
pub struct MemoryConnector(UnboundedSender<(MemorySocket, SocketAddr)>);

impl MemoryListener {
    /// A listener that reports this address, and the connector to it.
    pub fn new(address: SocketAddr) -> (MemoryConnector, MemoryListener) {
        let (connector, connections) = unbounded_channel();
        (MemoryConnector(connector), MemoryListener { address, connections })
    }

    /// Waits for the next connection, forever if all connectors are dropped.
    pub(super) async fn accept(&mut self) -> io::Result<(MemorySocket, SocketAddr)> {
        match self.connections.recv().await {
            Some(connection) => Ok(connection),
            None => std::future::pending().await,
        }
    }

    /// The reported address.
    pub fn address(&self) -> SocketAddr {
        self.address
    }
}

impl MemoryConnector {
    /// Connects from this address. Each direction holds at most `capacity` bytes that have not been read.
    pub fn connect(&self, from: SocketAddr, capacity: usize) -> io::Result<MemorySocket> {
        let (near, far) = MemorySocket::pair(capacity);
        let refused = |_| io::Error::from(io::ErrorKind::ConnectionRefused);
        self.0.send((far, from)).map_err(refused)?;
        Ok(near)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[tokio::test]
    async fn bytes_come_in_order_and_no_more_than_fit() {
        let (one, other) = MemorySocket::pair(4);
        assert_eq!(one.try_write(b"abcdef").unwrap(), 4);
        assert_eq!(one.try_write(b"ef").unwrap_err().kind(), io::ErrorKind::WouldBlock);
        assert_eq!(one.unread(), 4);
        let mut two = [0; 2];
        assert_eq!((other.try_read(&mut two).unwrap(), &two), (2, b"ab"));
        assert_eq!(one.try_write(b"ef").unwrap(), 2);
        let mut rest = BytesMut::new();
        assert_eq!(other.read(&mut rest).await.unwrap(), 4);
        assert_eq!(&rest[..], b"cdef");
        assert_eq!(other.try_read(&mut two).unwrap_err().kind(), io::ErrorKind::WouldBlock);
    }

    #[tokio::test]
    async fn a_waiting_task_is_woken() {
        let (one, other) = MemorySocket::pair(1);
        one.try_write(b"a").unwrap();
        let mut got = BytesMut::new();
        let writes = async {
            one.writable().await;
            one.try_write(b"b").unwrap();
        };
        let reads = async {
            other.read(&mut got).await.unwrap();
            other.read(&mut got).await.unwrap();
        };
        tokio::join!(writes, reads);
        assert_eq!(&got[..], b"ab");
        let ends = async { drop(one) };
        let (ended, ()) = tokio::join!(other.read(&mut got), ends);
        assert_eq!(ended.unwrap(), 0);
    }

    #[tokio::test]
    async fn a_closed_end_is_read_to_its_end_and_a_broken_one_is_not() {
        let (one, other) = MemorySocket::pair(8);
        one.try_write(b"last").unwrap();
        drop(one);
        let mut got = BytesMut::new();
        assert_eq!(other.read(&mut got).await.unwrap(), 4);
        assert_eq!(other.read(&mut got).await.unwrap(), 0);
        assert_eq!(other.try_write(b"x").unwrap_err().kind(), io::ErrorKind::BrokenPipe);

        let (one, other) = MemorySocket::pair(8);
        one.try_write(b"lost").unwrap();
        one.reset();
        assert_eq!(other.read(&mut got).await.unwrap_err().kind(), io::ErrorKind::ConnectionReset);
        assert_eq!(other.try_write(b"x").unwrap_err().kind(), io::ErrorKind::ConnectionReset);

        let (one, other) = MemorySocket::pair(8);
        one.shutdown();
        other.try_write(b"back").unwrap();
        assert_eq!(other.try_read(&mut [0; 4]).unwrap(), 0);
        assert_eq!(one.read(&mut got).await.unwrap(), 4, "only one direction has ended");
    }

    #[tokio::test]
    async fn a_listener_gives_out_connections_with_their_addresses() {
        let address = SocketAddr::from(([10, 0, 0, 1], 9_000));
        let (connector, mut listener) = MemoryListener::new(address);
        assert_eq!(listener.address(), address);
        let from = SocketAddr::from(([10, 0, 0, 7], 1));
        let near = connector.connect(from, 16).unwrap();
        near.try_write(b"hello").unwrap();
        let (far, peer) = listener.accept().await.unwrap();
        let mut got = BytesMut::new();
        far.read(&mut got).await.unwrap();
        assert_eq!((&got[..], peer), (&b"hello"[..], from));
        drop(listener);
        assert_eq!(connector.connect(from, 16).unwrap_err().kind(), io::ErrorKind::ConnectionRefused);
    }
}
