//! Sockets where the system neither tells what it knows of the way to another machine nor acknowledges when it is asked to:
//! macOS has other names for it, which could not be tried, and Windows does it only for code that we may not write.

use std::io;
use std::time::Duration;

use socket2::SockRef;
use tokio::net::TcpStream;

use crate::sockets::Way;

pub(crate) fn way(_: &TcpStream) -> Option<Way> {
    None
}

pub(crate) fn knock(_: &SockRef<'_>, _: Duration) -> io::Result<()> {
    Ok(())
}

pub(crate) fn repeat_evenly(_: &SockRef<'_>, _: Duration) -> io::Result<()> {
    Ok(())
}

pub(crate) fn limit_unacknowledged(_: &SockRef<'_>, _: Duration) -> io::Result<()> {
    Ok(())
}

pub(crate) fn acknowledge_at_once(_: &SockRef<'_>) -> io::Result<()> {
    Ok(())
}
