//! Sockets and their limits on Linux and macOS.

use std::io;
use std::time::Duration;

use nix::sys::resource::{Resource, getrlimit, setrlimit};
use socket2::SockRef;

use crate::system::on_linux;

on_linux!({
    pub(crate) fn limit_unacknowledged(socket: &SockRef<'_>, after: Duration) -> io::Result<()> {
        socket.set_tcp_user_timeout(Some(after))
    }
} else {
    /// Only Linux has such a limit of each socket.
    pub(crate) fn limit_unacknowledged(_: &SockRef<'_>, _: Duration) -> io::Result<()> {
        Ok(())
    }
});

pub(crate) fn raise_file_limit() -> u64 {
    let Ok((soft, hard)) = getrlimit(Resource::RLIMIT_NOFILE) else { return CAUTIOUS };
    let mut higher = [hard, MOST].into_iter().filter(|limit| *limit > soft);
    higher.find(|limit| setrlimit(Resource::RLIMIT_NOFILE, *limit, hard).is_ok()).unwrap_or(soft)
}

/// The number of open files that is assumed where the system does not tell its limit.
const CAUTIOUS: u64 = 256;

/// What macOS grants at most where it says that there is no limit (`OPEN_MAX`).
const MOST: u64 = 10_240;
