//! Sockets on Windows.

use std::io;
use std::time::Duration;

use socket2::SockRef;

/// Windows has no such limit of each socket.
pub(crate) fn limit_unacknowledged(_: &SockRef<'_>, _: Duration) -> io::Result<()> {
    Ok(())
}

/// Windows limits a process's sockets by memory alone. So many are more than a day needs.
pub(crate) fn raise_file_limit() -> u64 {
    65_536
}
