//! Sockets: listening, looking at one without waiting, how long a silent one is kept, and how many there may be.

use std::io::{self, Read, Write};
use std::net::{Ipv4Addr, Ipv6Addr, SocketAddr, TcpListener};
use std::time::Duration;

use socket2::{Domain, Protocol, SockRef, Socket, TcpKeepalive, Type};
use tokio::net::TcpStream;

use super::native::sockets as native;

/// Connections that the system keeps until they are accepted. A class that connects all at once must fit: a client that
/// does not is connected on its own side only, and waits forever for the first message.
const BACKLOG: i32 = 4_096;

/// Listens at an address, for tokio. `[::]` takes IPv4 as well, on all systems; on one without IPv6 it takes IPv4 only.
pub fn listen(address: SocketAddr) -> io::Result<TcpListener> {
    match listen_at(address) {
        Err(error) if takes_both(address) && error.kind() != io::ErrorKind::AddrInUse => {
            listen_at((Ipv4Addr::UNSPECIFIED, address.port()).into())
        }
        listening => listening,
    }
}

fn listen_at(address: SocketAddr) -> io::Result<TcpListener> {
    let socket = Socket::new(Domain::for_address(address), Type::STREAM, Some(Protocol::TCP))?;
    if takes_both(address) {
        socket.set_only_v6(false)?;
    }
    // On Unix: the same port again for the next tournament, or after a crash. On Windows it would share the port.
    if cfg!(unix) {
        socket.set_reuse_address(true)?;
    }
    socket.bind(&address.into())?;
    socket.listen(BACKLOG)?;
    socket.set_nonblocking(true)?;
    Ok(socket.into())
}

fn takes_both(address: SocketAddr) -> bool {
    address == SocketAddr::new(Ipv6Addr::UNSPECIFIED.into(), address.port())
}

/// Reads the available bytes of a socket without waiting, independently of the runtime's readiness state.
pub fn read_now(stream: &TcpStream, buffer: &mut [u8]) -> io::Result<usize> {
    (&*SockRef::from(stream)).read(buffer)
}

/// Writes as much as a socket takes at once, independently of the runtime's readiness state. A new connection takes
/// some thousand bytes.
pub fn write_now(stream: &TcpStream, bytes: &[u8]) -> io::Result<usize> {
    (&*SockRef::from(stream)).write(bytes)
}

/// Ends a connection whose other machine has acknowledged nothing for this time, by keep-alive probes and a limit for
/// unacknowledged data: a machine that sleeps or has lost its network sends no farewell.
pub fn enable_keep_alive(stream: &TcpStream, limit: Duration) -> io::Result<()> {
    const PROBES: u32 = 3;
    let socket = SockRef::from(stream);
    // The first probe is sent at half of the time. The usual interval would add twelve minutes.
    let probes =
        TcpKeepalive::new().with_time(limit / 2).with_interval(limit / 2 / PROBES).with_retries(PROBES);
    socket.set_tcp_keepalive(&probes)?;
    native::limit_unacknowledged(&socket, limit)
}

/// Acknowledges the received bytes at once on Linux; does nothing elsewhere. For the reader of half a message: a sender
/// that keeps the other half back until the first is acknowledged (Nagle's algorithm) waits for a system that
/// acknowledges only after 40 ms, or with its next bytes, which in turn wait for the other half.
pub fn acknowledge_at_once<'a, S>(stream: &'a S) -> io::Result<()>
where
    SockRef<'a>: From<&'a S>,
{
    native::acknowledge_at_once(&SockRef::from(stream))
}

/// Raises the limit on open files, and with it on connections, as far as the system allows, and returns it.
pub fn raise_file_limit() -> u64 {
    native::raise_file_limit()
}

#[cfg(test)]
mod tests {
    use tokio::io::{AsyncReadExt, AsyncWriteExt};
    use tokio::net::TcpListener;

    use super::*;

    #[test]
    fn a_port_of_all_interfaces_takes_ipv4() {
        let listener = listen((Ipv6Addr::UNSPECIFIED, 0).into()).unwrap();
        let port = listener.local_addr().unwrap().port();
        std::net::TcpStream::connect((Ipv4Addr::LOCALHOST, port)).unwrap();
        let taken = listen((Ipv6Addr::UNSPECIFIED, port).into()).unwrap_err();
        assert_eq!(taken.kind(), io::ErrorKind::AddrInUse);
    }

    #[tokio::test]
    async fn probes_end_within_the_limit() {
        let listener = TcpListener::bind("127.0.0.1:0").await.unwrap();
        let stream = TcpStream::connect(listener.local_addr().unwrap()).await.unwrap();
        enable_keep_alive(&stream, Duration::from_secs(30)).unwrap();
        let socket = SockRef::from(&stream);
        let [first, interval] =
            [socket.tcp_keepalive_time(), socket.tcp_keepalive_interval()].map(Result::unwrap);
        let probes = socket.tcp_keepalive_retries().unwrap();
        assert!(socket.keepalive().unwrap());
        assert_eq!((first + probes * interval).as_secs(), 30);
    }

    #[cfg(target_os = "linux")]
    #[tokio::test]
    async fn half_a_message_is_acknowledged_at_once() {
        let listener = TcpListener::bind("127.0.0.1:0").await.unwrap();
        let mut sender = TcpStream::connect(listener.local_addr().unwrap()).await.unwrap();
        let (mut receiver, _) = listener.accept().await.unwrap();
        let mut bytes = [0; 2];
        // A socket that has only answered so far acknowledges with its answers.
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
        // Far less time than the system takes otherwise.
        assert!((0..1_000).any(|_| native::unacknowledged(&sender) == Some(0)));
    }
}
