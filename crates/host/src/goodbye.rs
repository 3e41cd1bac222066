//! The last word to a player.

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

/// How long a player that has been told `done` may go on before its connection is cut.
const DRAIN: Duration = Duration::from_secs(1);

/// How many bytes a player that has been told `done` may still write before its connection is cut.
const DRAIN_BYTES: usize = 1 << 20;

/// What is left of a connection whose last word is on its way. A whole class may be leaving at once, so it is small.
pub(super) struct Goodbye {
    socket: Socket,
    outbox: BytesMut,
    /// How many bytes the player may still write.
    left: usize,
}

impl Goodbye {
    /// Nothing more is to be said through this socket than what is in the outbox.
    pub(super) fn new(socket: Socket, outbox: BytesMut) -> Goodbye {
        let mut goodbye = Goodbye { socket, outbox, left: DRAIN_BYTES };
        // Mostly all of it leaves at once. What does not is tried again, and so is a socket that is broken.
        if goodbye.socket.send(&mut goodbye.outbox).is_ok() {
            goodbye.outbox = BytesMut::new();
        }
        goodbye
    }

    /// Sends the rest, shuts down the sending side, reads what still comes for a while, and closes the socket. Closing it
    /// at once could reset the connection, and `done` would be lost (R15).
    pub(super) async fn end(mut self) {
        let mut timer = DeadlineTimer::new();
        let sent = poll_fn(|context| self.socket.poll_send(&mut self.outbox, context));
        let sent = timer.within(DRAIN, Instant::now(), pin!(sent)).await;
        // A player who does not read does not get its `done` either.
        if !matches!(sent, Some(Ok(()))) || self.socket.shutdown().await.is_err() {
            return;
        }
        timer.within(DRAIN, Instant::now(), pin!(poll_fn(|context| self.poll_gone(context)))).await;
    }

    /// Ready when the player has hung up, or has written too much.
    fn poll_gone(&mut self, context: &mut Context<'_>) -> Poll<()> {
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
