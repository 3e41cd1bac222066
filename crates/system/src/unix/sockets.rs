//! Sockets and their limits on Linux and macOS.

use nix::sys::resource::{Resource, getrlimit, setrlimit};

use crate::on_linux;

on_linux!({
    use std::io;
    use std::time::Duration;

    use nix::sys::socket::{getsockopt, setsockopt};
    use nix::errno::Errno;
    use nix::{getsockopt_impl, libc, setsockopt_impl, sockopt_impl};
    use socket2::{SockRef, TcpKeepalive};
    use tokio::net::TcpStream;

    use crate::sockets::Way;

    /// The words of Linux's `tcp_info` up to the last that all its versions have: `tcpi_total_retrans`. A longer answer is
    /// cut off there by the system.
    type TcpInfo = [u32; 26];

    sockopt_impl!(
        /// What the system knows of a TCP connection.
        GetTcpInfo,
        GetOnly,
        libc::IPPROTO_TCP,
        libc::TCP_INFO,
        TcpInfo
    );

    /// The places of the words in [`TcpInfo`]: segments that were sent and not acknowledged, milliseconds since bytes came,
    /// milliseconds since an acknowledgement came, microseconds of the smoothed round trip, and segments sent again.
    const UNACKNOWLEDGED: usize = 6;
    const LAST_DATA: usize = 13;
    const LAST_ACKNOWLEDGEMENT: usize = 14;
    const ROUND_TRIP: usize = 17;
    const SENT_AGAIN: usize = 25;

    pub(crate) fn way(stream: &TcpStream) -> Option<Way> {
        let words = getsockopt(stream, GetTcpInfo).ok()?;
        Some(Way {
            is_acknowledged: words[UNACKNOWLEDGED] == 0,
            silent_for: Duration::from_millis(words[LAST_DATA].min(words[LAST_ACKNOWLEDGEMENT]).into()),
            round_trip: Duration::from_micros(words[ROUND_TRIP].into()),
            sent_again: words[SENT_AGAIN],
        })
    }

    pub(crate) fn knock(socket: &SockRef<'_>, after: Duration) -> io::Result<()> {
        // Setting the time makes the system reckon anew when it has to ask: at once if the time is over.
        socket.set_tcp_keepalive(&TcpKeepalive::new().with_time(after).with_interval(after))
    }

    sockopt_impl!(
        /// After how many milliseconds at most the system repeats what has not been acknowledged.
        RepeatedAfter,
        Both,
        libc::IPPROTO_TCP,
        TCP_RTO_MAX_MS,
        u32
    );

    /// Linux has this since 6.15 (`include/uapi/linux/tcp.h`), and takes no less than a second.
    const TCP_RTO_MAX_MS: libc::c_int = 44;

    pub(crate) fn repeat_evenly(socket: &SockRef<'_>, at_most: Duration) -> io::Result<()> {
        socket.set_tcp_thin_linear_timeouts(true)?;
        let at_most = u32::try_from(at_most.as_millis()).unwrap_or(u32::MAX);
        match setsockopt(&**socket, RepeatedAfter, &at_most) {
            Err(Errno::ENOPROTOOPT) => Ok(()),
            done => Ok(done?),
        }
    }

    /// After how long at most the system repeats, where it tells.
    #[cfg(test)]
    pub(crate) fn repeated_after(stream: &TcpStream) -> Option<Duration> {
        getsockopt(stream, RepeatedAfter).ok().map(|at_most| Duration::from_millis(at_most.into()))
    }

    pub(crate) fn acknowledge_at_once(socket: &SockRef<'_>) -> io::Result<()> {
        socket.set_tcp_quickack(true)
    }

    pub(crate) fn limit_unacknowledged(socket: &SockRef<'_>, after: Duration) -> io::Result<()> {
        socket.set_tcp_user_timeout(Some(after))
    }
} else {
    pub(crate) use crate::unwatched::{acknowledge_at_once, knock, limit_unacknowledged, repeat_evenly, way};
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
