//! Sockets and their limits on Linux and macOS.

use nix::sys::resource::{Resource, getrlimit, setrlimit};

use crate::on_linux;

on_linux!({
    use std::io;
    use std::time::Duration;

    use socket2::SockRef;

    pub(crate) fn acknowledge_at_once(socket: &SockRef<'_>) -> io::Result<()> {
        socket.set_tcp_quickack(true)
    }

    /// The number of segments that the other machine has not acknowledged.
    #[cfg(test)]
    pub(crate) fn unacknowledged(stream: &tokio::net::TcpStream) -> Option<u32> {
        use nix::sys::socket::getsockopt;
        use nix::{getsockopt_impl, libc, sockopt_impl};

        /// The fields of Linux's `tcp_info` up to `tcpi_unacked`.
        type TcpInfo = [u32; 7];
        sockopt_impl!(
            /// The state of a TCP connection.
            GetTcpInfo,
            GetOnly,
            libc::IPPROTO_TCP,
            libc::TCP_INFO,
            TcpInfo
        );
        getsockopt(stream, GetTcpInfo).ok().map(|words| words[6])
    }

    pub(crate) fn limit_unacknowledged(socket: &SockRef<'_>, after: Duration) -> io::Result<()> {
        socket.set_tcp_user_timeout(Some(after))
    }
} else {
    pub(crate) use crate::unwatched::{acknowledge_at_once, limit_unacknowledged};
});

pub(crate) fn raise_file_limit() -> u64 {
    let Ok((soft, hard)) = getrlimit(Resource::RLIMIT_NOFILE) else { return DEFAULT_OPEN_FILES };
    let mut higher = [hard, MAX_OPEN_FILES].into_iter().filter(|limit| *limit > soft);
    higher.find(|limit| setrlimit(Resource::RLIMIT_NOFILE, *limit, hard).is_ok()).unwrap_or(soft)
}

const DEFAULT_OPEN_FILES: u64 = 256;

/// The most that macOS grants where it reports no limit (`OPEN_MAX`).
const MAX_OPEN_FILES: u64 = 10_240;
