//! Sockets on Windows.

use std::io;
use std::time::Duration;

use socket2::SockRef;
use tokio::net::TcpStream;

use crate::sockets::Way;

pub(crate) fn limit_unacknowledged(_: &SockRef<'_>, _: Duration) -> io::Result<()> {
    Ok(())
}

/// Windows tells it to code that we may not write: only the raw call of the system gives it.
pub(crate) fn way(_: &TcpStream) -> Option<Way> {
    None
}

pub(crate) fn knock(_: &SockRef<'_>, _: Duration) -> io::Result<()> {
    Ok(())
}

pub(crate) fn repeat_evenly(_: &SockRef<'_>) -> io::Result<()> {
    Ok(())
}

/// Windows limits a process's sockets by memory alone. So many are more than a day needs.
pub(crate) fn raise_file_limit() -> u64 {
    65_536
}
