//! The players' end of a connection to a scenario's dealer: a real one, or one in memory.

use std::io;
use std::net::SocketAddr;

use bytes::BytesMut;
use tokio::io::{AsyncReadExt, AsyncWriteExt};
use tokio::net::TcpStream;

use casino_host::{MemoryConnector, MemorySocket};

/// How many bytes of a direction of a connection in memory may be unread: about what systems take.
const CAPACITY: usize = 1 << 18;

/// How often the dealer gets its turn to read what was written before a connection in memory is broken off.
const TURNS_OF_THE_DEALER: usize = 8;

/// What connects to the dealer.
pub(super) enum Dialler {
    Tcp(SocketAddr),
    Memory(MemoryConnector, SocketAddr),
}

impl Dialler {
    pub(super) async fn connect(&self) -> io::Result<ClientSocket> {
        match self {
            Dialler::Tcp(address) => {
                let stream = TcpStream::connect(address).await?;
                stream.set_nodelay(true)?;
                Ok(ClientSocket::Tcp(stream))
            }
            Dialler::Memory(connector, from) => connector.connect(*from, CAPACITY).map(ClientSocket::Memory),
        }
    }
}

pub(super) enum ClientSocket {
    Tcp(TcpStream),
    Memory(MemorySocket),
}

impl ClientSocket {
    /// Reads what is there, or waits until something is; nothing at the end of the connection.
    pub(super) async fn read(&mut self, inbox: &mut BytesMut) -> io::Result<usize> {
        match self {
            ClientSocket::Tcp(stream) => stream.read_buf(inbox).await,
            ClientSocket::Memory(socket) => socket.read(inbox).await,
        }
    }

    pub(super) async fn write(&mut self, bytes: &[u8]) -> io::Result<()> {
        match self {
            ClientSocket::Tcp(stream) => stream.write_all(bytes).await,
            ClientSocket::Memory(socket) => {
                let mut rest = bytes;
                while !rest.is_empty() {
                    socket.writable().await;
                    rest = &rest[socket.try_write(rest)?..];
                }
                Ok(())
            }
        }
    }

    /// Breaks the connection off instead of closing it. What was written before is read by a dealer who waits for it, as
    /// systems but Windows have it.
    pub(super) async fn reset(self) {
        match self {
            // Without lingering, closing a socket resets its connection. Where the option fails, the connection is
            // closed instead.
            ClientSocket::Tcp(stream) => drop(stream.set_zero_linger()),
            ClientSocket::Memory(socket) => {
                for _ in 0..TURNS_OF_THE_DEALER {
                    if socket.unread() == 0 {
                        break;
                    }
                    tokio::task::yield_now().await;
                }
                socket.reset();
            }
        }
    }
}
