//! Sockets: looking at one without waiting, how long a silent one is kept, and how many there may be.

use std::io::{self, Read, Write};
use std::time::Duration;

use socket2::{SockRef, TcpKeepalive};
use tokio::net::TcpStream;

use super::native::sockets as native;

/// Reads what a socket has, without waiting and whatever the runtime knows of it.
///
/// # Errors
/// [`io::ErrorKind::WouldBlock`] if there is nothing, others if the connection is broken.
pub fn read_now(stream: &TcpStream, buffer: &mut [u8]) -> io::Result<usize> {
    (&*SockRef::from(stream)).read(buffer)
}

/// Writes what a socket takes at once, whatever the runtime knows of it. A new connection takes some thousand bytes.
///
/// # Errors
/// [`io::ErrorKind::WouldBlock`] if it takes nothing, others if the connection is broken.
pub fn write_now(stream: &TcpStream, bytes: &[u8]) -> io::Result<usize> {
    (&*SockRef::from(stream)).write(bytes)
}

/// Has the system ask the other machine whether it is there still when it has been silent, or has acknowledged nothing,
/// for so long: one that is gone for good says nothing.
///
/// # Errors
/// If the system cannot do that.
pub fn find_out_who_is_gone(stream: &TcpStream, after: Duration) -> io::Result<()> {
    let socket = SockRef::from(stream);
    socket.set_tcp_keepalive(&TcpKeepalive::new().with_time(after))?;
    native::limit_unacknowledged(&socket, after)
}

/// What the system knows of the way to the machine at the other end of a connection.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Way {
    /// Whether that machine has acknowledged every byte that was sent to it. Bytes that have not been sent, because it has
    /// no room for them, do not count: it has acknowledged that it is full.
    pub is_acknowledged: bool,
    /// How long nothing has come from that machine, neither bytes nor an acknowledgement.
    pub silent_for: Duration,
    /// How long a byte and its acknowledgement take, smoothed.
    pub round_trip: Duration,
    /// How many segments have had to be sent again since the connection began.
    pub sent_again: u32,
}

/// How long a connection may be silent before the system asks the other machine whether it is there, on systems that tell
/// what comes of it. Linux knows no shorter time.
pub const KNOCK_AFTER: Duration = Duration::from_secs(1);

/// Asks the system for the way to the other machine. `None` where it does not tell, and if the connection is gone. Costs one
/// system call on Linux, and nothing elsewhere.
pub fn way(stream: &TcpStream) -> Option<Way> {
    native::way(stream)
}

/// Asks the other machine now whether it is there, if it has been silent for [`KNOCK_AFTER`], and from now on whenever it
/// has. The machine answers, and the program on it learns nothing. Does nothing where the system does not tell what came
/// of it.
///
/// # Errors
/// If the system cannot do that.
pub fn knock(stream: &TcpStream) -> io::Result<()> {
    native::knock(&SockRef::from(stream), KNOCK_AFTER)
}

/// Has the system [`knock`], where it tells what came of it, and repeat what has not been acknowledged at even intervals:
/// usually each is twice as long as the one before, and after an outage of a second the next may be another second away.
/// Linux before 6.15 does so only seven times, and then doubles as usual.
/// A machine that stays silent is given up after a quarter of an hour, as without knocking, and not after some knocks.
///
/// # Errors
/// If the system cannot do that.
pub fn watch_the_way(stream: &TcpStream) -> io::Result<()> {
    let socket = SockRef::from(stream);
    native::repeat_evenly(&socket, KNOCK_AFTER)?;
    native::limit_unacknowledged(&socket, GIVEN_UP_AFTER)?;
    native::knock(&socket, KNOCK_AFTER)
}

/// Has the system acknowledge now what has come, on Linux; elsewhere it does nothing. For whoever has read half a message: a
/// sender that keeps the other half back until the first is acknowledged (Nagle's algorithm) waits for a system that
/// acknowledges only after 40 ms, or with the next bytes it sends, and these wait for the other half.
///
/// # Errors
/// If the connection is broken.
pub fn acknowledge_at_once<'a, S>(stream: &'a S) -> io::Result<()>
where
    SockRef<'a>: From<&'a S>,
{
    native::acknowledge_at_once(&SockRef::from(stream))
}

/// After how long a connection through which nothing comes is given up: about as long as systems try by themselves.
const GIVEN_UP_AFTER: Duration = Duration::from_secs(15 * 60);

/// Raises the limit on open files, and with it on connections, as far as the system allows, and returns it.
pub fn raise_file_limit() -> u64 {
    native::raise_file_limit()
}

#[cfg(test)]
mod tests {
    use tokio::io::{AsyncReadExt, AsyncWriteExt};
    use tokio::net::TcpListener;

    use super::*;

    #[cfg(target_os = "linux")]
    #[tokio::test]
    async fn what_is_not_acknowledged_is_repeated_each_second() {
        let listener = TcpListener::bind("127.0.0.1:0").await.unwrap();
        let stream = TcpStream::connect(listener.local_addr().unwrap()).await.unwrap();
        watch_the_way(&stream).unwrap();
        // Linux before 6.15 does not know how.
        assert!(matches!(native::repeated_after(&stream), None | Some(KNOCK_AFTER)));
    }

    #[cfg(target_os = "linux")]
    #[tokio::test]
    async fn half_a_message_is_acknowledged_before_the_other_half_has_come() {
        let listener = TcpListener::bind("127.0.0.1:0").await.unwrap();
        let mut sender = TcpStream::connect(listener.local_addr().unwrap()).await.unwrap();
        let (mut receiver, _) = listener.accept().await.unwrap();
        let mut bytes = [0; 2];
        // Who has only ever answered acknowledges with its answers.
        for _ in 0..50 {
            receiver.write_all(b"??").await.unwrap();
            sender.read_exact(&mut bytes).await.unwrap();
            sender.write_all(b"!!").await.unwrap();
            receiver.read_exact(&mut bytes).await.unwrap();
        }
        receiver.write_all(b"??").await.unwrap();
        sender.read_exact(&mut bytes).await.unwrap();
        sender.write_all(b"!").await.unwrap();
        receiver.read_exact(&mut bytes[..1]).await.unwrap();
        acknowledge_at_once(&receiver).unwrap();
        let is_acknowledged = |_| way(&sender).is_some_and(|way| way.is_acknowledged);
        // Far less time than the system takes by itself.
        assert!((0..1_000).any(is_acknowledged));
    }
}
