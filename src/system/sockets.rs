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

/// Raises the limit on open files, and with it on connections, as far as the system allows, and returns it.
pub fn raise_file_limit() -> u64 {
    native::raise_file_limit()
}
