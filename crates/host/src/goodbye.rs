//! The end of a connection: `done`, the drain, and the close.

use std::future::poll_fn;
use std::io;
use std::pin::pin;
use std::task::{Context, Poll, ready};
use std::time::Duration;

use bytes::BytesMut;
use tokio::time::Instant;

use super::ReadMode;
use super::deadline::DeadlineTimer;
use super::socket::Socket;

/// Time a player has to disconnect after `done` before its connection is cut.
const DISCONNECT_TIMEOUT: Duration = Duration::from_secs(1);

/// Bytes a player may still write after `done` before its connection is cut.
const MAX_DRAINED_BYTES: usize = 1 << 20;

/// A connection whose `done` is being sent. A whole class may be leaving at once, so it is small.
pub(super) struct Goodbye {
    socket: Socket,
    outbox: BytesMut,
    /// How many bytes the player may still write.
    left: usize,
}

impl Goodbye {
    /// Sends only the bytes of the outbox through this socket from now on.
    pub(super) fn new(socket: Socket, outbox: BytesMut) -> Goodbye {
        let mut goodbye = Goodbye { socket, outbox, left: MAX_DRAINED_BYTES };
        // Usually all of it is sent at once. The rest is tried again later, also on a broken socket.
        if goodbye.socket.send(&mut goodbye.outbox).is_ok() {
            goodbye.outbox = BytesMut::new();
        }
        goodbye
    }

    /// Sends the rest, shuts down the sending side, reads for a while, and closes the socket. Closing at once could
    /// reset the connection and lose `done` (R15).
    pub(super) async fn end(mut self) {
        let mut timer = DeadlineTimer::new();
        let sent = poll_fn(|context| self.socket.poll_send(&mut self.outbox, context));
        let sent = timer.within(DISCONNECT_TIMEOUT, Instant::now(), pin!(sent)).await;
        // A player who does not read does not get its `done` either.
        if !matches!(sent, Some(Ok(()))) || self.socket.shutdown().await.is_err() {
            return;
        }
        timer
            .within(
                DISCONNECT_TIMEOUT,
                Instant::now(),
                pin!(poll_fn(|context| self.poll_disconnected(context))),
            )
            .await;
    }

    /// Ready when the player has disconnected or has written too much.
    fn poll_disconnected(&mut self, context: &mut Context<'_>) -> Poll<()> {
        loop {
            ready!(self.socket.poll_read_ready(context));
            match self.socket.try_read(ReadMode::WhenIdle, &mut [0; 1024]) {
                Ok(0) => return Poll::Ready(()),
                Ok(more) if more > self.left => return Poll::Ready(()),
                Ok(more) => self.left -= more,
                Err(error) if error.kind() == io::ErrorKind::WouldBlock => {}
                Err(_) => return Poll::Ready(()),
            }
        }
    }
}
