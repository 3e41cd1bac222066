//! Serving a practice ladder for weeks: its page, its players' own places behind their keys, the teacher's console, and
//! the listener for bots. The package's [`Jobs`](casino_ladder::Jobs) play the matches, with the bots that wait at the
//! listener. This module knows no flag and prints nothing.
//!
//! Persistent state is in the [`Ladder`]; this module keeps only the connections, the latest error, and cached answers.
//! Public answers are made by [`pages`], which has no field for a GitHubId, a key, a diagnosis or a hidden card;
//! private answers are made by [`own`], for the owner of the key alone.

mod door;
mod heavy;
mod own;
mod pages;
mod player_page;
mod replays;
mod routes;
mod teacher;
#[cfg(test)]
mod tests;

use std::collections::BTreeMap;
use std::io;
use std::net::{SocketAddr, TcpListener};
use std::path::Path;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::sync::{Arc, LazyLock, Mutex, MutexGuard, PoisonError, Weak};
use std::time::{Duration, Instant, SystemTime, UNIX_EPOCH};

use bytes::Bytes;
use sha2::{Digest, Sha256};
use thiserror::Error;
use tokio::sync::Semaphore;

use casino_host::Connection;
use casino_ladder::{JobNews, Ladder, LadderError, PlayerId, Ratings, Version, WaitingRoom};
use casino_system::processes::thread_named;

use crate::session::drawn_key;
use crate::web::{ServingLimits, bound, serve};
use door::Door;
use heavy::HeavyAnswers;

const MAX_CONCURRENT_READS: usize = 4;

const MAX_CACHE_AGE: Duration = Duration::from_secs(2);

/// Milliseconds since 1970, by the clock at the first call: in this process time goes on evenly, even if the clock is set back.
pub(crate) fn now_ms() -> i64 {
    static FIRST: LazyLock<(Instant, Duration)> =
        LazyLock::new(|| (Instant::now(), SystemTime::now().duration_since(UNIX_EPOCH).unwrap_or_default()));
    let since = FIRST.1 + FIRST.0.elapsed();
    i64::try_from(since.as_millis()).unwrap_or(i64::MAX)
}

/// Why a ladder cannot be served.
#[derive(Debug, Error)]
pub enum ServeError {
    #[error(transparent)]
    Ladder(#[from] LadderError),
    #[error("{0} cannot be listened on: {1}; choose another address, or port 0 for a free one")]
    Address(SocketAddr, io::Error),
    /// The system gives no thread or no randomness.
    #[error("the ladder cannot be served: {0}")]
    System(io::Error),
}

/// State shared by requests, the listener and the jobs.
#[derive(Debug)]
struct LadderState {
    /// The handle through which requests change something.
    ladder: Mutex<Ladder>,
    /// Read-only connections: readers never wait for a writer or the disk.
    readers: [Mutex<Ladder>; MAX_CONCURRENT_READS],
    next_reader: AtomicUsize,
    /// The ratings last computed by the jobs.
    ratings: Mutex<Arc<Ratings>>,
    /// Binds tickets to this process.
    secret: String,
    /// The SHA-256 of the teacher's token.
    token: [u8; 32],
    door: Arc<Door>,
    /// Why no match is begun, if something is in the way.
    problem: Mutex<Option<String>>,
    overview: Mutex<Option<(Instant, Bytes)>>,
    /// The expensive answers.
    heavy: HeavyAnswers,
    /// The submissions of each player that are on their way.
    uploads: Turns<PlayerId, { own::MAX_UPLOADS }>,
}

/// So many turns at a time for each one that has something under way.
#[derive(Debug)]
struct Turns<K, const AT_ONCE: usize>(Mutex<BTreeMap<K, Weak<Semaphore>>>);

impl<K: Ord, const AT_ONCE: usize> Turns<K, AT_ONCE> {
    /// The turns of this one, which are shared as long as anything holds them.
    fn of(&self, whose: K) -> Arc<Semaphore> {
        let mut all = lock(&self.0);
        all.retain(|_, turns| turns.strong_count() > 0);
        all.get(&whose).and_then(Weak::upgrade).unwrap_or_else(|| {
            let turns = Arc::new(Semaphore::new(AT_ONCE));
            all.insert(whose, Arc::downgrade(&turns));
            turns
        })
    }
}

fn lock<T>(mutex: &Mutex<T>) -> MutexGuard<'_, T> {
    // The values behind these locks are replaced as a whole, or are a database with transactions of its own.
    mutex.lock().unwrap_or_else(PoisonError::into_inner)
}

impl LadderState {
    fn new(ladder: Ladder, token: &str) -> Result<LadderState, ServeError> {
        let reader = || Ladder::open_to_read(ladder.folder()).map(Mutex::new);
        let readers = [reader()?, reader()?, reader()?, reader()?];
        Ok(LadderState {
            readers,
            next_reader: AtomicUsize::new(0),
            ratings: Mutex::new(Arc::new(ladder.ratings()?)),
            ladder: Mutex::new(ladder),
            secret: drawn_key().map_err(|error| ServeError::System(io::Error::other(error)))?,
            token: Sha256::digest(token).into(),
            door: Arc::default(),
            problem: Mutex::default(),
            overview: Mutex::default(),
            heavy: HeavyAnswers::default(),
            uploads: Turns(Mutex::default()),
        })
    }

    fn ladder(&self) -> MutexGuard<'_, Ladder> {
        lock(&self.ladder)
    }

    /// A read-only handle.
    fn reading(&self) -> MutexGuard<'_, Ladder> {
        lock(&self.readers[self.next_reader.fetch_add(1, Ordering::Relaxed) % MAX_CONCURRENT_READS])
    }

    /// The ratings last computed.
    fn ratings(&self) -> Arc<Ratings> {
        Arc::clone(&lock(&self.ratings))
    }

    /// The overview as JSON, made anew when it is old: however many look, it is made once.
    fn overview(&self) -> Result<Bytes, LadderError> {
        let mut kept = lock(&self.overview);
        if let Some((made, bytes)) = kept.as_ref()
            && made.elapsed() < MAX_CACHE_AGE
        {
            return Ok(bytes.clone());
        }
        let overview = pages::LadderOverview::of(self)?;
        let bytes = Bytes::from(
            serde_json::to_vec(&overview).map_err(|error| LadderError::Refused(error.to_string()))?,
        );
        *kept = Some((Instant::now(), bytes.clone()));
        Ok(bytes)
    }

    /// A request changed the state: invalidates the cached answers.
    fn forget_overview(&self) {
        *lock(&self.overview) = None;
    }
}

/// A served ladder: its page and its listener, for the life of the process. Its jobs seat the bots that wait here.
#[derive(Debug)]
pub struct ServedLadder {
    state: Arc<LadderState>,
    /// Where the page is.
    pub page: Option<SocketAddr>,
    /// Where bots connect.
    pub door: Option<SocketAddr>,
    /// The token of the teacher's console; each start makes a new one.
    pub token: String,
}

impl ServedLadder {
    /// Opens the page and the door of the ladder in this folder, at the addresses that are given.
    pub fn open(
        folder: &Path,
        page: Option<SocketAddr>,
        door: Option<SocketAddr>,
    ) -> Result<ServedLadder, ServeError> {
        let token = drawn_key().map_err(|error| ServeError::System(io::Error::other(error)))?;
        let state = Arc::new(LadderState::new(Ladder::open(folder)?, &token)?);
        let failed = |address| move |error| ServeError::Address(address, error);
        let page = match page {
            Some(address) => {
                let (listener, address) = bound(address).map_err(failed(address))?;
                serve_page(listener, Arc::clone(&state)).map_err(ServeError::System)?;
                Some(address)
            }
            None => None,
        };
        let door = match door {
            Some(address) => Some(door::open(address, Arc::clone(&state)).map_err(failed(address))?),
            None => None,
        };
        Ok(ServedLadder { state, page, door, token })
    }

    /// Something happened in the ladder: the page shows it.
    pub fn publish(&self, news: &JobNews) {
        match news {
            JobNews::Rated(ratings) => *lock(&self.state.ratings) = Arc::clone(ratings),
            JobNews::Resting(why) => *lock(&self.state.problem) = Some(why.clone()),
            JobNews::Checked { .. } | JobNews::Ended { .. } => *lock(&self.state.problem) = None,
        }
        self.state.forget_overview();
    }
}

impl WaitingRoom for ServedLadder {
    fn is_connected(&self, version: &Version) -> bool {
        self.state.door.is_connected(version.player)
    }

    fn take(&self, version: &Version) -> Option<Box<Connection>> {
        self.state.door.take(version.player)
    }
}

/// Serves the page on a thread of its own, until the process ends.
fn serve_page(listener: TcpListener, state: Arc<LadderState>) -> io::Result<()> {
    let serving = move || {
        let served = casino_host::block_on(async move {
            let listener = tokio::net::TcpListener::from_std(listener)?;
            match serve(listener, routes::routes(state), ServingLimits::LADDER).await {}
        });
        let served: io::Result<io::Result<()>> = served;
        drop(served);
    };
    thread_named("ladder-page", serving).map(drop)
}

/// Declares the types that the ladder's pages receive.
#[cfg(test)]
pub(crate) fn declare(types: &mut impl ts_rs::TypeVisitor) {
    types.visit::<pages::LadderOverview>();
    types.visit::<player_page::LadderPlayerPage>();
    types.visit::<own::OwnView>();
    types.visit::<teacher::TeacherView>();
}
