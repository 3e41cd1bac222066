//! A listener that takes only so many connections at once.

use std::io;
use std::net::SocketAddr;
use std::pin::Pin;
use std::sync::Arc;
use std::task::{Context, Poll};

use axum::serve::Listener;
use tokio::io::{AsyncRead, AsyncWrite, ReadBuf};
use tokio::net::{TcpListener, TcpStream};
use tokio::sync::{OwnedSemaphorePermit, Semaphore};

/// How many may be connected to one address of the page: a room full of phones, and not a flood.
const CONNECTIONS: usize = 512;

/// Takes connections while there is room, and makes the others wait in the system's queue.
pub(super) struct LimitedListener {
    listener: TcpListener,
    room: Arc<Semaphore>,
}

impl LimitedListener {
    pub(super) fn new(listener: TcpListener) -> LimitedListener {
        LimitedListener { listener, room: Arc::new(Semaphore::new(CONNECTIONS)) }
    }
}

impl Listener for LimitedListener {
    type Io = Connected;
    type Addr = SocketAddr;

    async fn accept(&mut self) -> (Connected, SocketAddr) {
        let room = Arc::clone(&self.room).acquire_owned().await.expect("the semaphore is never closed");
        let (stream, address) = Listener::accept(&mut self.listener).await;
        (Connected { stream, _room: room }, address)
    }

    fn local_addr(&self) -> io::Result<SocketAddr> {
        self.listener.local_addr()
    }
}

/// A connection that gives its room back when it is closed.
pub(super) struct Connected {
    stream: TcpStream,
    _room: OwnedSemaphorePermit,
}

impl AsyncRead for Connected {
    fn poll_read(
        mut self: Pin<&mut Self>,
        context: &mut Context<'_>,
        buffer: &mut ReadBuf<'_>,
    ) -> Poll<io::Result<()>> {
        Pin::new(&mut self.stream).poll_read(context, buffer)
    }
}

impl AsyncWrite for Connected {
    fn poll_write(
        mut self: Pin<&mut Self>,
        context: &mut Context<'_>,
        data: &[u8],
    ) -> Poll<io::Result<usize>> {
        Pin::new(&mut self.stream).poll_write(context, data)
    }

    fn poll_flush(mut self: Pin<&mut Self>, context: &mut Context<'_>) -> Poll<io::Result<()>> {
        Pin::new(&mut self.stream).poll_flush(context)
    }

    fn poll_shutdown(mut self: Pin<&mut Self>, context: &mut Context<'_>) -> Poll<io::Result<()>> {
        Pin::new(&mut self.stream).poll_shutdown(context)
    }
}
