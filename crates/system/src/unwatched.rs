//! Socket options that only Linux has here: macOS names them differently, and Windows needs `unsafe` code.

use std::io;
use std::time::Duration;

use socket2::SockRef;

pub(crate) fn limit_unacknowledged(_: &SockRef<'_>, _: Duration) -> io::Result<()> {
    Ok(())
}

pub(crate) fn acknowledge_at_once(_: &SockRef<'_>) -> io::Result<()> {
    Ok(())
}
