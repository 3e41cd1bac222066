//! Sockets where the system does not tell what it knows of the way to another machine: macOS has another name for it, which could
//! not be tried, and Windows tells it only to code that we may not write.

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

pub(crate) fn repeat_evenly(_: &SockRef<'_>) -> io::Result<()> {
    Ok(())
}

pub(crate) fn limit_unacknowledged(_: &SockRef<'_>, _: Duration) -> io::Result<()> {
    Ok(())
}
