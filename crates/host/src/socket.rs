//! The transport of players: a socket of the system, or one end of a pair in memory.

use std::future::poll_fn;
use std::io;
use std::net::SocketAddr;
use std::task::{Context, Poll, ready};
use std::time::Duration;

use bytes::{Buf, BytesMut};
use tokio::io::{AsyncReadExt, AsyncWriteExt, Interest};
use tokio::net::{TcpListener, TcpStream};

use casino_system::sockets::{acknowledge_at_once, enable_keep_alive, read_now, write_now};

use super::ReadMode;
use super::memory_socket::{MemoryListener, MemorySocket};

/// One side of a connection. Everything but the waiting is done at once or refused with
/// [`WouldBlock`](io::ErrorKind::WouldBlock). Which kind it is costs a comparison in each call.
#[derive(Debug)]
pub enum Socket {
    /// A connection over the network.
    Tcp(TcpStream),
    /// One end of a pair in this process.
    Memory(MemorySocket),
}

impl Socket {
    /// Connects over the network. Bytes leave as soon as they are written.
    pub async fn connect(address: SocketAddr) -> io::Result<Socket> {
        let socket = Socket::Tcp(TcpStream::connect(address).await?);
        socket.send_at_once()?;
        Ok(socket)
    }

    /// Has bytes leave as soon as they are written.
    pub(super) fn send_at_once(&self) -> io::Result<()> {
        match self {
            Socket::Tcp(stream) => stream.set_nodelay(true),
            Socket::Memory(_) => Ok(()),
        }
    }

    /// Ends the connection when the other machine has been gone for this long.
    pub(super) fn keep_alive(&self, limit: Duration) {
        if let Socket::Tcp(stream) = self {
            // Where the system cannot do that, a machine that is gone keeps its place until play begins.
            let _ = enable_keep_alive(stream, limit);
        }
    }

    /// Acknowledges the received bytes at once; until then the sender may hold back the rest of a message.
    pub(super) fn acknowledge_at_once(&self) {
        if let Socket::Tcp(stream) = self {
            // A connection that is broken shows when it is read.
            let _ = acknowledge_at_once(stream);
        }
    }

    fn try_write(&self, bytes: &[u8]) -> io::Result<usize> {
        match self {
            Socket::Tcp(stream) => stream.try_write(bytes),
            Socket::Memory(socket) => socket.try_write(bytes),
        }
    }

    /// Writes as much of the outbox as is taken without waiting, and takes it out of there.
    pub(super) fn send(&self, outbox: &mut BytesMut) -> io::Result<()> {
        while !outbox.is_empty() {
            let sent = self.try_write(outbox)?;
            forget(outbox, sent);
        }
        Ok(())
    }

    /// Writes all of this, and waits where it is not taken at once.
    pub async fn write_all(&self, bytes: &[u8]) -> io::Result<()> {
        let mut outbox = BytesMut::from(bytes);
        poll_fn(|context| self.poll_send(&mut outbox, context)).await
    }

    /// Is ready when the whole outbox has been written, or cannot be. Only the last who asked is woken.
    pub(super) fn poll_send(&self, outbox: &mut BytesMut, context: &mut Context<'_>) -> Poll<io::Result<()>> {
        loop {
            match self.send(outbox) {
                Err(error) if error.kind() == io::ErrorKind::WouldBlock => {
                    ready!(self.poll_write_ready(context));
                }
                ended => return Poll::Ready(ended),
            }
        }
    }

    /// The same for a connection too new for the runtime's readiness state.
    pub(super) fn write_now(&self, bytes: &[u8]) -> io::Result<usize> {
        match self {
            Socket::Tcp(stream) => write_now(stream, bytes),
            Socket::Memory(socket) => socket.try_write(bytes),
        }
    }

    /// Reads the received bytes that the runtime has noticed, or with [`ReadMode::Now`] also others.
    pub(super) fn try_read(&self, look: ReadMode, buffer: &mut [u8]) -> io::Result<usize> {
        let stream = match self {
            Socket::Tcp(stream) => stream,
            Socket::Memory(socket) => return socket.try_read(buffer),
        };
        let mut looked = false;
        // Through the runtime if it has noticed bytes, so that it notices when they are read.
        let got = stream.try_io(Interest::READABLE, || {
            looked = true;
            read_now(stream, buffer)
        });
        if looked || look == ReadMode::WhenIdle { got } else { read_now(stream, buffer) }
    }

    /// Waits until there is something to read, and reads it; nothing at the end of the connection. No byte is read if the
    /// future is dropped before.
    pub async fn read(&mut self, inbox: &mut BytesMut) -> io::Result<usize> {
        match self {
            // Not `try_read`: after a short read this one knows that the socket is empty, which saves a system
            // call in every round trip.
            Socket::Tcp(stream) => stream.read_buf(inbox).await,
            Socket::Memory(socket) => socket.read(inbox).await,
        }
    }

    /// Is ready when there is something to read, the end of the connection included. Only the last who asked is woken.
    pub(super) fn poll_read_ready(&self, context: &mut Context<'_>) -> Poll<()> {
        match self {
            Socket::Tcp(stream) => stream.poll_read_ready(context).map(|_| ()),
            Socket::Memory(socket) => socket.poll_read_ready(context),
        }
    }

    /// Is ready when something may be taken. Only the last who asked is woken.
    fn poll_write_ready(&self, context: &mut Context<'_>) -> Poll<()> {
        match self {
            Socket::Tcp(stream) => stream.poll_write_ready(context).map(|_| ()),
            Socket::Memory(socket) => socket.poll_write_ready(context),
        }
    }

    /// Ends the writing side. The other side may continue to write.
    pub(super) async fn shutdown(&mut self) -> io::Result<()> {
        match self {
            Socket::Tcp(stream) => stream.shutdown().await,
            Socket::Memory(socket) => {
                socket.shutdown();
                Ok(())
            }
        }
    }

    /// Resets the connection instead of closing it. Unread bytes may be lost.
    pub fn reset(self) {
        match self {
            // Without lingering, closing a socket resets its connection. Where the option fails, the connection is
            // closed instead.
            Socket::Tcp(stream) => drop(stream.set_zero_linger()),
            Socket::Memory(socket) => socket.reset(),
        }
    }
}

/// Removes the first bytes. An emptied buffer is reused from its start, without an allocation.
pub(super) fn forget(bytes: &mut BytesMut, count: usize) {
    if count == bytes.len() { bytes.clear() } else { bytes.advance(count) }
}

/// Where a lobby takes connections from.
#[derive(Debug)]
pub enum Listener {
    /// A port of the system.
    Tcp(TcpListener),
    /// Connections within this process.
    Memory(MemoryListener),
}

impl Listener {
    /// Waits for the next connection. No connection is lost if the future is dropped before. An IPv4 address has its
    /// IPv4 form, also where the listener takes both.
    pub(super) async fn accept(&mut self) -> io::Result<(Socket, SocketAddr)> {
        match self {
            Listener::Tcp(listener) => {
                let (stream, peer) = listener.accept().await?;
                Ok((Socket::Tcp(stream), SocketAddr::new(peer.ip().to_canonical(), peer.port())))
            }
            Listener::Memory(listener) => {
                listener.accept().await.map(|(socket, peer)| (Socket::Memory(socket), peer))
            }
        }
    }

    pub(super) fn address(&self) -> io::Result<SocketAddr> {
        match self {
            Listener::Tcp(listener) => listener.local_addr(),
            Listener::Memory(listener) => Ok(listener.address()),
        }
    }
}
