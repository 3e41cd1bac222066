//! Serving a practice ladder for weeks: its page, its players' own places behind their keys, the teacher's console, the door
//! where bots connect, and the workers that check and play. It knows no flag and prints nothing.
//!
//! Everything that lasts is in the [`Ladder`]; what is kept here is only who is connected, what went wrong last, and answers
//! that many ask for. Who reads opens the place of nobody else: public answers are made by [`pages`], which has no field for
//! a GitHubId, a key, a diagnosis or an unshown card; what a key opens is made by [`own`], of its owner alone.

mod door;
mod own;
mod pages;
mod routes;
mod teacher;
mod workers;

use std::fmt;
use std::io;
use std::net::{SocketAddr, TcpListener};
use std::path::{Path, PathBuf};
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::time::{Duration, Instant, SystemTime, UNIX_EPOCH};

use bytes::Bytes;
use sha2::{Digest, Sha256};

use casino_ladder::{Ladder, LadderError, Ratings, Workshop};
use casino_stud::hex::hex;
use casino_system::processes::thread_named;

use crate::web::{ServingLimits, serve};
use door::Door;

/// How often whoever serves looks whether it is to stop.
const STOP_POLL: Duration = Duration::from_millis(100);

/// How long an answer that everybody gets is good for.
const FRESH: Duration = Duration::from_secs(2);

/// Milliseconds since 1970.
pub fn now_ms() -> i64 {
    let since = SystemTime::now().duration_since(UNIX_EPOCH).unwrap_or_default();
    i64::try_from(since.as_millis()).unwrap_or(i64::MAX)
}

/// A key that the system draws: 128 bits in hexadecimal.
fn drawn_key() -> io::Result<String> {
    let mut bytes = [0; 16];
    getrandom::fill(&mut bytes).map_err(io::Error::other)?;
    Ok(hex(bytes))
}

/// How a ladder is served.
#[derive(Debug)]
pub struct ServeTerms {
    /// Where bots connect.
    pub bind: SocketAddr,
    /// Where the page is.
    pub web: SocketAddr,
    /// How many matches are played at a time, 1 at least.
    pub jobs: usize,
    /// What builds, checks and starts submissions.
    pub workshop: Workshop,
}

/// Why a ladder cannot be served.
#[derive(Debug)]
pub enum ServeError {
    /// The ladder itself.
    Ladder(LadderError),
    /// An address cannot be listened on.
    Address(SocketAddr, io::Error),
    /// The system gives no thread or no randomness.
    System(io::Error),
}

impl fmt::Display for ServeError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            ServeError::Ladder(error) => error.fmt(f),
            ServeError::Address(address, error) => write!(
                f,
                "{address} cannot be listened on: {error}; choose another address, or port 0 for a free one"
            ),
            ServeError::System(error) => write!(f, "the ladder cannot be served: {error}"),
        }
    }
}

impl std::error::Error for ServeError {}

impl From<LadderError> for ServeError {
    fn from(error: LadderError) -> ServeError {
        ServeError::Ladder(error)
    }
}

/// What whoever started the ladder is told once it is served.
#[derive(Debug)]
pub struct Served {
    /// Where bots connect.
    pub door: SocketAddr,
    /// Where the page is.
    pub page: SocketAddr,
    /// What opens the teacher's console; each start makes a new one.
    pub token: String,
}

/// What requests, the door and the workers share.
#[derive(Debug)]
struct Desk {
    folder: PathBuf,
    /// The handle that answers requests.
    ladder: Mutex<Ladder>,
    ratings: Mutex<Arc<Ratings>>,
    /// The SHA-256 of the teacher's token.
    token: [u8; 32],
    door: Arc<Door>,
    /// Why no match is begun, if something is in the way.
    problem: Mutex<Option<String>>,
    overview: Mutex<Option<(Instant, Bytes)>>,
    /// Held by who asks for much of the machine's time: one at a time, and the matches go before.
    heavy: Mutex<()>,
    stop: AtomicBool,
}

fn lock<T>(mutex: &Mutex<T>) -> MutexGuard<'_, T> {
    // What is behind these locks is replaced whole, or is a database with transactions of its own.
    mutex.lock().unwrap_or_else(PoisonError::into_inner)
}

impl Desk {
    fn new(folder: &Path, ladder: Ladder, token: &str) -> Result<Desk, LadderError> {
        let ratings = ladder.ratings()?;
        Ok(Desk {
            folder: folder.to_path_buf(),
            ladder: Mutex::new(ladder),
            ratings: Mutex::new(Arc::new(ratings)),
            token: Sha256::digest(token).into(),
            door: Arc::default(),
            problem: Mutex::default(),
            overview: Mutex::default(),
            heavy: Mutex::default(),
            stop: AtomicBool::new(false),
        })
    }

    fn ladder(&self) -> MutexGuard<'_, Ladder> {
        lock(&self.ladder)
    }

    fn ratings(&self) -> Arc<Ratings> {
        Arc::clone(&lock(&self.ratings))
    }

    fn is_stopping(&self) -> bool {
        self.stop.load(Ordering::Relaxed)
    }

    /// The overview as JSON, made anew when it is old: however many look, it is made once.
    fn overview(&self) -> Result<Bytes, LadderError> {
        let mut kept = lock(&self.overview);
        if let Some((made, bytes)) = kept.as_ref()
            && made.elapsed() < FRESH
        {
            return Ok(bytes.clone());
        }
        let overview = pages::Overview::of(self, now_ms())?;
        let bytes = Bytes::from(serde_json::to_vec(&overview).map_err(|error| LadderError::Refused(error.to_string()))?);
        *kept = Some((Instant::now(), bytes.clone()));
        Ok(bytes)
    }

    /// What was asked for has changed something: the next one who looks sees it.
    fn forget_overview(&self) {
        *lock(&self.overview) = None;
    }
}

/// Serves the ladder in this folder until `stop` says so; `ready` is told the addresses. Matches that are being played then are
/// broken off, and are void.
///
/// # Errors
/// [`ServeError`] if it cannot be begun.
pub fn serve_ladder(
    folder: &Path,
    terms: ServeTerms,
    stop: impl Fn() -> bool,
    ready: impl FnOnce(Served),
) -> Result<(), ServeError> {
    let mut planner = Ladder::create(folder)?;
    planner.serve()?;
    planner.add_house_bots(now_ms())?;
    let token = drawn_key().map_err(ServeError::System)?;
    let desk = Arc::new(Desk::new(folder, Ladder::open(folder)?, &token)?);
    let (listener, page) = bound(terms.web).map_err(|error| ServeError::Address(terms.web, error))?;
    let door = door::open(terms.bind, Arc::clone(&desk)).map_err(|error| ServeError::Address(terms.bind, error))?;
    serve_page(listener, Arc::clone(&desk)).map_err(ServeError::System)?;
    let crew = workers::start(planner, &desk, terms.workshop, terms.jobs).map_err(ServeError::System)?;
    ready(Served { door, page, token });
    while !stop() {
        std::thread::sleep(STOP_POLL);
    }
    desk.stop.store(true, Ordering::Relaxed);
    for worker in crew {
        // A panic over there has been printed; its match is void when the ladder is served again.
        let _ = worker.join();
    }
    Ok(())
}

fn bound(address: SocketAddr) -> io::Result<(TcpListener, SocketAddr)> {
    let listener = TcpListener::bind(address)?;
    listener.set_nonblocking(true)?;
    let address = listener.local_addr()?;
    Ok((listener, address))
}

/// Serves the page on a thread of its own, until the process ends.
fn serve_page(listener: TcpListener, desk: Arc<Desk>) -> io::Result<()> {
    let serving = move || {
        let served = casino_host::block_on(async move {
            let listener = tokio::net::TcpListener::from_std(listener)?;
            match serve(listener, routes::routes(desk), ServingLimits::LADDER).await {}
        });
        let served: io::Result<io::Result<()>> = served;
        drop(served);
    };
    thread_named("ladder-page", serving).map(drop)
}
