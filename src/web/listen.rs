//! Serves an address to untrusted clients, which may keep connections idle or stop reading.

use std::collections::BTreeMap;
use std::convert::Infallible;
use std::io::{self, IoSlice};
use std::net::{IpAddr, Ipv4Addr, SocketAddr};
use std::pin::Pin;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::task::{Context, Poll, ready};
use std::time::Duration;

use axum::Router;
use axum::body::Body;
use axum::extract::Request;
use axum::http::StatusCode;
use axum::middleware::{Next, from_fn};
use axum::response::{IntoResponse, Response};
use hyper::body::Incoming;
use hyper::server::conn::http1;
use hyper::service::{Service, service_fn};
use hyper_util::rt::{TokioIo, TokioTimer};
use hyper_util::service::TowerToHyperService;
use tokio::io::{AsyncRead, AsyncReadExt, AsyncWrite, AsyncWriteExt, ReadBuf};
use tokio::net::{TcpListener, TcpStream};
use tokio::task::AbortHandle;
use tokio::time::{Sleep, sleep};

use casino_host::driven::{machine, oldest_of_crowd};
use casino_system::sockets::{enable_keep_alive, listen};

/// How long to wait when the system has no file descriptor or memory left for another connection.
const ACCEPT_PAUSE: Duration = Duration::from_millis(100);

/// The answer to a connection above the limit.
const NO_PLACE: &[u8] =
    b"HTTP/1.1 503 Service Unavailable\r\nRetry-After: 5\r\nConnection: close\r\nContent-Length: 0\r\n\r\n";

/// The limits of those who are connected to one address of the page.
#[derive(Clone, Copy, Debug)]
pub(crate) struct ServingLimits {
    /// How many may be connected: a room full of phones, and not a flood.
    places: usize,
    /// How many more this machine may have, whose browser the projector shows.
    own_places: usize,
    /// How many of them from one remote address: the phones of a room may share one.
    per_address: usize,
    /// How long the head of a request may take, from the connection or the end of the request before it, and how long
    /// the rest of it.
    request: Duration,
    /// How long a reader may take nothing while there is something for it.
    stalled: Duration,
}

impl ServingLimits {
    pub(super) const PAGE: ServingLimits = ServingLimits {
        places: 512,
        own_places: 16,
        per_address: 256,
        request: Duration::from_secs(10),
        stalled: Duration::from_secs(30),
    };

    /// Those of a ladder's page, which takes submissions too.
    pub(crate) const LADDER: ServingLimits =
        ServingLimits { request: Duration::from_secs(60), ..ServingLimits::PAGE };

    /// Those of the teacher's console, which has places of its own.
    pub(super) const CONSOLE: ServingLimits =
        ServingLimits { places: 64, per_address: 32, ..ServingLimits::PAGE };
}

/// The machine from which a request came: an extension of every request.
#[derive(Clone, Copy, Debug)]
pub(crate) struct RemoteMachine(pub(crate) IpAddr);

/// Listens at an address, with the port that the system has chosen for 0.
pub(crate) fn bound(address: SocketAddr) -> io::Result<(std::net::TcpListener, SocketAddr)> {
    let listener = listen(address)?;
    let address = listener.local_addr()?;
    Ok((listener, address))
}

/// Serves the connections of this listener. It never returns.
pub(crate) async fn serve(listener: TcpListener, router: Router, limits: ServingLimits) -> Infallible {
    let router = in_time_only(router, limits);
    let places = SharedPlaces::default();
    loop {
        let Ok((stream, peer)) = listener.accept().await else {
            sleep(ACCEPT_PAUSE).await;
            continue;
        };
        let from = machine_of(&stream, peer);
        match places.lock().admit(from, limits) {
            PlaceGrant::Refused => {
                // A refused client gets the reason if it can be sent at once.
                let _ = stream.try_write(NO_PLACE);
                continue;
            }
            PlaceGrant::Granted { instead_of: Some(other) } => other.abort(),
            PlaceGrant::Granted { instead_of: None } => {}
        }
        let number = places.lock().take(from);
        let place = HeldPlace { number, places: places.clone() };
        let task = tokio::spawn(serve_connection(stream, RemoteMachine(from), router.clone(), place, limits));
        if let Some(taken) = places.lock().taken.get_mut(&number) {
            taken.task = Some(task.abort_handle());
        }
    }
}

/// The machine that a connection comes from; this one has many addresses, and one name.
fn machine_of(stream: &TcpStream, peer: SocketAddr) -> IpAddr {
    match stream.local_addr().is_ok_and(|own| own.ip() == peer.ip()) {
        true => IpAddr::V4(Ipv4Addr::LOCALHOST),
        false => machine(peer.ip()),
    }
}

async fn serve_connection(
    stream: TcpStream,
    machine: RemoteMachine,
    router: Router,
    place: HeldPlace,
    limits: ServingLimits,
) {
    // Where the system cannot do that, a machine that is gone for good keeps its place for longer.
    let _ = enable_keep_alive(&stream, limits.stalled);
    let reader = ReadingStream { stream, stalled: None, limit: limits.stalled };
    answer_requests(reader, machine, router, || place.note_request(), limits).await;
}

/// Answers the requests of a connection until it ends; `on_request` is called for each request.
async fn answer_requests(
    stream: impl AsyncRead + AsyncWrite + Unpin,
    machine: RemoteMachine,
    router: Router,
    on_request: impl Fn(),
    limits: ServingLimits,
) {
    let router = TowerToHyperService::new(router);
    let service = service_fn(move |request: hyper::Request<Incoming>| {
        on_request();
        let mut request = request.map(Body::new);
        request.extensions_mut().insert(machine);
        router.call(request)
    });
    // The error that ends a connection is ignored.
    let _ = http1::Builder::new()
        .timer(TokioTimer::new())
        .header_read_timeout(limits.request)
        .serve_connection(TokioIo::new(stream), service)
        .await;
}

/// Returns the answer on a connection in memory that sends these bytes and stays open, at most `most` bytes of it. It
/// waits until the server closes the connection, at most ten times the limit of a request.
pub(crate) async fn answer_in_memory(
    router: Router,
    bytes: &[u8],
    limits: ServingLimits,
    most: u64,
) -> io::Result<Vec<u8>> {
    let (mut client, server) = tokio::io::duplex(bytes.len().max(1 << 16));
    client.write_all(bytes).await?;
    let machine = RemoteMachine(IpAddr::V4(Ipv4Addr::LOCALHOST));
    let serving = answer_requests(server, machine, in_time_only(router, limits), || {}, limits);
    let mut answer = Vec::new();
    let mut reader = client.take(most);
    let reading = reader.read_to_end(&mut answer);
    let both = async {
        tokio::select! {
            biased;
            read = reading => read.map(|_| ()),
            () = async { serving.await; std::future::pending().await } => Ok(()),
        }
    };
    match tokio::time::timeout(10 * limits.request, both).await {
        Ok(done) => done.map(|()| answer),
        Err(_) => Ok(answer),
    }
}

/// The same routes, where no request takes longer than it may.
fn in_time_only(router: Router, limits: ServingLimits) -> Router {
    router.layer(from_fn(move |request: Request, next: Next| in_time(limits.request, request, next)))
}

/// Answers a request whose rest does not come with an error.
async fn in_time(limit: Duration, request: Request, next: Next) -> Response {
    match tokio::time::timeout(limit, next.run(request)).await {
        Ok(response) => response,
        Err(_) => StatusCode::REQUEST_TIMEOUT.into_response(),
    }
}

/// The open connections, and the order of eviction.
///
/// Connections without a request are evicted first, the oldest before others, so that idle connections never keep out
/// an active one. Among active ones, the machine with the most places gives one up to a machine with fewer.
#[derive(Debug, Default)]
struct OpenConnections {
    /// By number, which grows: the oldest first.
    taken: BTreeMap<u64, AcceptedConnection>,
    next: u64,
}

#[derive(Debug)]
struct AcceptedConnection {
    machine: IpAddr,
    is_silent: bool,
    task: Option<AbortHandle>,
}

/// Whether a new connection gets a place.
#[derive(Debug)]
enum PlaceGrant {
    /// It does, and another one may have to go for it.
    Granted {
        instead_of: Option<AbortHandle>,
    },
    Refused,
}

impl OpenConnections {
    /// Makes room for a connection from this machine.
    fn admit(&mut self, machine: IpAddr, limits: ServingLimits) -> PlaceGrant {
        let own_places = if machine == IpAddr::V4(Ipv4Addr::LOCALHOST) { limits.own_places } else { 0 };
        let here = self.taken.values().filter(|taken| taken.machine == machine).count();
        let oldest = |wanted: &dyn Fn(&AcceptedConnection) -> bool| {
            self.taken.iter().find(|(_, taken)| wanted(taken)).map(|(number, _)| *number)
        };
        let goes = if here >= limits.per_address {
            oldest(&|taken| taken.is_silent && taken.machine == machine)
        } else if self.taken.len() >= limits.places + own_places {
            oldest(&|taken| taken.is_silent).or_else(|| {
                let machines: Vec<IpAddr> = self.taken.values().map(|taken| taken.machine).collect();
                self.taken.keys().nth(oldest_of_crowd(&machines, machine)?).copied()
            })
        } else {
            return PlaceGrant::Granted { instead_of: None };
        };
        match goes.and_then(|number| self.taken.remove(&number)) {
            Some(other) => PlaceGrant::Granted { instead_of: other.task },
            None => PlaceGrant::Refused,
        }
    }

    /// Gives a place to a connection from this machine, and the place its number.
    fn take(&mut self, machine: IpAddr) -> u64 {
        let number = self.next;
        self.next += 1;
        self.taken.insert(number, AcceptedConnection { machine, is_silent: true, task: None });
        number
    }
}

#[derive(Clone, Debug, Default)]
struct SharedPlaces(Arc<Mutex<OpenConnections>>);

impl SharedPlaces {
    fn lock(&self) -> MutexGuard<'_, OpenConnections> {
        // No panic can occur between two related changes.
        self.0.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

/// A place, given back when it is dropped.
struct HeldPlace {
    number: u64,
    places: SharedPlaces,
}

impl HeldPlace {
    /// A whole request has come.
    fn note_request(&self) {
        if let Some(taken) = self.places.lock().taken.get_mut(&self.number) {
            taken.is_silent = false;
        }
    }
}

impl Drop for HeldPlace {
    fn drop(&mut self) {
        self.places.lock().taken.remove(&self.number);
    }
}

/// A connection to a client that must keep reading.
struct ReadingStream {
    stream: TcpStream,
    /// Rings when nothing has been taken for too long.
    stalled: Option<Pin<Box<Sleep>>>,
    limit: Duration,
}

impl AsyncRead for ReadingStream {
    fn poll_read(
        mut self: Pin<&mut Self>,
        context: &mut Context<'_>,
        buffer: &mut ReadBuf<'_>,
    ) -> Poll<io::Result<()>> {
        Pin::new(&mut self.stream).poll_read(context, buffer)
    }
}

impl ReadingStream {
    /// The result of a write, or the error that the client has not read for too long.
    fn unless_stalled(
        &mut self,
        written: Poll<io::Result<usize>>,
        context: &mut Context<'_>,
    ) -> Poll<io::Result<usize>> {
        if written.is_ready() {
            self.stalled = None;
            return written;
        }
        let limit = self.limit;
        let stalled = self.stalled.get_or_insert_with(|| Box::pin(sleep(limit)));
        ready!(stalled.as_mut().poll(context));
        Poll::Ready(Err(io::ErrorKind::TimedOut.into()))
    }
}

/// Vectored writes avoid a copy: hyper would otherwise copy shared bytes for each connection into memory that lasts as
/// long as the connection.
impl AsyncWrite for ReadingStream {
    fn poll_write(
        mut self: Pin<&mut Self>,
        context: &mut Context<'_>,
        data: &[u8],
    ) -> Poll<io::Result<usize>> {
        let written = Pin::new(&mut self.stream).poll_write(context, data);
        self.unless_stalled(written, context)
    }

    fn poll_write_vectored(
        mut self: Pin<&mut Self>,
        context: &mut Context<'_>,
        pieces: &[IoSlice<'_>],
    ) -> Poll<io::Result<usize>> {
        let written = Pin::new(&mut self.stream).poll_write_vectored(context, pieces);
        self.unless_stalled(written, context)
    }

    fn is_write_vectored(&self) -> bool {
        self.stream.is_write_vectored()
    }

    fn poll_flush(mut self: Pin<&mut Self>, context: &mut Context<'_>) -> Poll<io::Result<()>> {
        Pin::new(&mut self.stream).poll_flush(context)
    }

    fn poll_shutdown(mut self: Pin<&mut Self>, context: &mut Context<'_>) -> Poll<io::Result<()>> {
        Pin::new(&mut self.stream).poll_shutdown(context)
    }
}

#[cfg(test)]
mod tests {
    use std::net::SocketAddr;

    use axum::body::Bytes;
    use axum::routing::get;
    use tokio::io::{AsyncReadExt, AsyncWriteExt};
    use tokio::net::TcpSocket;

    use super::*;

    const SHORT: ServingLimits = ServingLimits {
        places: 8,
        own_places: 0,
        per_address: 4,
        request: Duration::from_millis(200),
        stalled: Duration::from_millis(200),
    };

    async fn open(limits: ServingLimits) -> SocketAddr {
        let listener = TcpListener::bind("0.0.0.0:0").await.unwrap();
        let address = SocketAddr::from(([127, 0, 0, 1], listener.local_addr().unwrap().port()));
        let endless = || {
            let block = Ok::<Bytes, Infallible>(Bytes::from(vec![0; 1 << 20]));
            Body::from_stream(futures_util::stream::repeat(block))
        };
        let read = |body: String| async move { body.len().to_string() };
        let router = Router::new()
            .route("/", get(|| async { "here" }).post(read))
            .route("/endless", get(move || async move { endless() }));
        tokio::spawn(serve(listener, router, limits));
        address
    }

    async fn connect(machine: u8, to: SocketAddr) -> TcpStream {
        let socket = TcpSocket::new_v4().unwrap();
        socket.bind(SocketAddr::from(([127, 0, 0, machine], 0))).unwrap();
        socket.connect(to).await.unwrap()
    }

    async fn ask(stream: &mut TcpStream, path: &str) {
        let request = format!("GET {path} HTTP/1.1\r\nHost: room\r\n\r\n");
        stream.write_all(request.as_bytes()).await.unwrap();
    }

    /// Whether a new connection from this machine is answered.
    async fn is_answered(machine: u8, to: SocketAddr) -> bool {
        let mut stream = connect(machine, to).await;
        ask(&mut stream, "/").await;
        let mut answer = [0; 15];
        // A refused connection may be reset.
        stream.read_exact(&mut answer).await.is_ok() && answer == *b"HTTP/1.1 200 OK"
    }

    /// Whether the other side closes this connection: all that still comes is read.
    async fn ends(stream: &mut TcpStream) {
        let mut bytes = vec![0; 1 << 16];
        while stream.read(&mut bytes).await.is_ok_and(|count| count > 0) {}
    }

    #[tokio::test]
    async fn six_hundred_silent_connections_do_not_block_others() {
        let patient = Duration::from_secs(3_600);
        let limits = ServingLimits { request: patient, stalled: patient, ..ServingLimits::PAGE };
        let (page, console) = (open(limits).await, open(ServingLimits::CONSOLE).await);
        let mut silent = Vec::new();
        for _ in 0..600 {
            silent.push(connect(1, page).await);
            silent.last_mut().unwrap().write_all(b"GET / HT").await.unwrap();
        }
        assert!(is_answered(1, page).await, "the same machine");
        assert!(is_answered(2, page).await, "another machine");
        assert!(is_answered(1, console).await, "the console");
        ends(&mut silent[0]).await;
    }

    #[test]
    fn a_room_full_of_others_keeps_places_for_the_projector_of_this_machine() {
        let mut open = OpenConnections::default();
        let mut is_admitted = |machine: IpAddr, limits| {
            let is_admitted = matches!(open.admit(machine, limits), PlaceGrant::Granted { instead_of: None });
            if is_admitted {
                let number = open.take(machine);
                open.taken.get_mut(&number).unwrap().is_silent = false;
            }
            is_admitted
        };
        let phone = |number: usize| IpAddr::from([10, 0, (number >> 8) as u8, number as u8]);
        let admitted = (0..600).filter(|number| is_admitted(phone(*number), ServingLimits::PAGE)).count();
        assert_eq!(admitted, ServingLimits::PAGE.places);
        let own = [(); 20].map(|()| is_admitted(Ipv4Addr::LOCALHOST.into(), ServingLimits::PAGE));
        assert_eq!(own.iter().filter(|own| **own).count(), ServingLimits::PAGE.own_places);
    }

    #[tokio::test]
    async fn silent_partial_and_finished_clients_are_not_waited_for() {
        let address = open(SHORT).await;
        let mut nothing = connect(1, address).await;
        let mut half_head = connect(2, address).await;
        half_head.write_all(b"GET / HTTP/1.1\r\n").await.unwrap();
        let mut half_body = connect(3, address).await;
        half_body.write_all(b"POST / HTTP/1.1\r\nHost: a\r\nContent-Length: 9\r\n\r\nhalf").await.unwrap();
        let mut idle = connect(4, address).await;
        ask(&mut idle, "/").await;
        for stream in [&mut nothing, &mut half_head, &mut half_body, &mut idle] {
            ends(stream).await;
        }
    }

    #[tokio::test]
    async fn shared_responses_are_not_copied_for_each_connection() {
        let address = open(SHORT).await;
        let stream = connect(1, address).await;
        let reader = ReadingStream { stream, stalled: None, limit: SHORT.stalled };
        assert!(reader.is_write_vectored(), "hyper copies for whoever takes one piece at a time");
    }

    #[tokio::test]
    async fn clients_that_stop_reading_lose_their_slot() {
        let limits = ServingLimits { places: 1, per_address: 1, ..SHORT };
        let address = open(limits).await;
        let mut asleep = connect(1, address).await;
        ask(&mut asleep, "/endless").await;
        asleep.readable().await.unwrap();
        while !is_answered(2, address).await {
            sleep(Duration::from_millis(20)).await;
        }
    }

    #[tokio::test]
    async fn the_machine_with_the_most_places_gives_one_up() {
        let address = open(ServingLimits { stalled: Duration::from_secs(3_600), ..SHORT }).await;
        let mut readers = Vec::new();
        for machine in [1, 1, 1, 1, 2, 2, 2, 2] {
            let mut stream = connect(machine, address).await;
            ask(&mut stream, "/endless").await;
            stream.readable().await.unwrap();
            readers.push(stream);
        }
        assert!(!is_answered(1, address).await, "one machine took more than its places");
        assert!(is_answered(3, address).await);
        let mut gone = readers.remove(0);
        ends(&mut gone).await;
    }
}
