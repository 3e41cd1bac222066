//! Several jobs that check submissions and play due matches until they are stopped.

use std::path::Path;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::time::Duration;

use casino_host::Connection;

use super::{
    Connections, Ladder, LadderError, MatchEnd, MatchId, MatchKind, Ratings, Version, VersionKind, Workshop,
};

const IDLE_POLL_INTERVAL: Duration = Duration::from_millis(500);

/// Pause before new work after the disk was full, or the machine could not play.
const RETRY_PAUSE: Duration = Duration::from_secs(10);

/// Recomputing the ratings takes at most about one part in this many of the time.
const RATING_TIME_DIVISOR: u32 = 10;

/// Events of the jobs.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum JobNews {
    /// A version was checked.
    Checked {
        /// The version, as it is now.
        version: Version,
    },
    /// A match is over.
    Ended {
        /// The match.
        id: MatchId,
        /// The result of the match.
        end: MatchEnd,
    },
    /// The jobs pause for a while, for this reason.
    Resting(String),
}

/// The connected programs that wait for their matches.
pub trait WaitingRoom: Sync {
    /// Whether this version's program is connected and waits.
    fn is_connected(&self, version: &Version) -> bool;

    /// Hands its connection over, for a match that begins now.
    fn take(&self, version: &Version) -> Option<Box<Connection>>;
}

/// The next work of a job.
enum JobStep {
    Check(Version),
    Play(MatchId),
    Nothing,
}

/// The state shared by all jobs of a ladder.
pub struct Jobs<'a> {
    workshop: &'a Workshop,
    /// The clock, in milliseconds since 1970.
    clock: &'a (dyn Fn() -> i64 + Sync),
    news: &'a (dyn Fn(&JobNews) + Sync),
    stop: &'a (dyn Fn() -> bool + Sync),
    planning: Mutex<Planning>,
    room: Option<&'a dyn WaitingRoom>,
    reckoned: Option<&'a (dyn Fn(Arc<Ratings>) + Sync)>,
}

/// The state of planning, locked by one job at a time.
struct Planning {
    ratings: Option<Arc<Ratings>>,
    /// When they were computed, and how long that took.
    reckoned_ms: i64,
    took_ms: i64,
    is_stale: bool,
    /// The versions that are being checked.
    checking: Vec<Version>,
    /// How many more matches may be begun, if there is a limit.
    left: Option<u64>,
    /// No new work before this time.
    rests_until_ms: i64,
}

impl<'a> Jobs<'a> {
    /// Jobs with this workshop, this clock in milliseconds since 1970, and this receiver of events. They end when
    /// `stop` returns true or this many matches have begun.
    pub fn new(
        workshop: &'a Workshop,
        clock: &'a (dyn Fn() -> i64 + Sync),
        news: &'a (dyn Fn(&JobNews) + Sync),
        stop: &'a (dyn Fn() -> bool + Sync),
        matches: Option<u64>,
    ) -> Jobs<'a> {
        let planning = Planning {
            ratings: None,
            reckoned_ms: 0,
            took_ms: 0,
            is_stale: true,
            checking: Vec::new(),
            left: matches,
            rests_until_ms: 0,
        };
        Jobs { workshop, clock, news, stop, planning: Mutex::new(planning), room: None, reckoned: None }
    }

    /// The same jobs, which also seat programs waiting here.
    #[must_use]
    pub fn seating(self, room: &'a dyn WaitingRoom) -> Jobs<'a> {
        Jobs { room: Some(room), ..self }
    }

    /// The same jobs, reporting the ratings each time they are recomputed.
    #[must_use]
    pub fn with_rating_listener(self, reckoned: &'a (dyn Fn(Arc<Ratings>) + Sync)) -> Jobs<'a> {
        Jobs { reckoned: Some(reckoned), ..self }
    }

    fn planning(&self) -> MutexGuard<'_, Planning> {
        self.planning.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// Runs one job until it is to stop. Each job has its own thread; `Ladder::serve` was called before by one handle.
    pub fn work(&self, folder: &Path) -> Result<(), LadderError> {
        let mut ladder = Ladder::open(folder)?;
        // A match of which nothing could be written, not even that it is void.
        let mut unwritten = None;
        while !(self.stop)() {
            match self.step(&mut ladder, &mut unwritten) {
                Ok(true) => {}
                Ok(false) => break,
                Err(error) if error.is_full() => self.rest(&error.to_string()),
                Err(error) => return Err(error),
            }
        }
        Ok(())
    }

    /// Does the next work; false if all requested matches have begun.
    fn step(&self, ladder: &mut Ladder, unwritten: &mut Option<MatchId>) -> Result<bool, LadderError> {
        if (self.clock)() < self.planning().rests_until_ms {
            std::thread::sleep(IDLE_POLL_INTERVAL);
            return Ok(true);
        }
        if let Some(id) = *unwritten {
            ladder.void(id, "the disk was full when it was over", (self.clock)())?;
            *unwritten = None;
        }
        match self.next(ladder)? {
            Some(JobStep::Check(version)) => self.check(ladder, &version)?,
            Some(JobStep::Play(id)) => {
                self.play(ladder, id).inspect_err(|error| *unwritten = error.is_full().then_some(id))?;
            }
            Some(JobStep::Nothing) => std::thread::sleep(IDLE_POLL_INTERVAL),
            None => return Ok(false),
        }
        Ok(true)
    }

    fn rest(&self, why: &str) {
        let now = (self.clock)();
        let mut planning = self.planning();
        if planning.rests_until_ms <= now {
            planning.rests_until_ms = now + RETRY_PAUSE.as_millis() as i64;
            drop(planning);
            (self.news)(&JobNews::Resting(why.to_string()));
        }
    }

    /// The next work; `None` if all requested matches have begun.
    fn next(&self, ladder: &mut Ladder) -> Result<Option<JobStep>, LadderError> {
        let mut planning = self.planning();
        let now = (self.clock)();
        let waits = |version: &Version| !planning.checking.iter().any(|other| other.id == version.id);
        if let Some(version) = ladder.waiting_versions()?.into_iter().find(waits) {
            planning.checking.push(version.clone());
            return Ok(Some(JobStep::Check(version)));
        }
        if planning.left == Some(0) {
            return Ok(None);
        }
        let Some(id) = self.due(ladder, &mut planning, now)? else { return Ok(Some(JobStep::Nothing)) };
        // Begun under the planning lock, so that no player sits at two tables.
        if !ladder.begin_match(id, now)? {
            return Ok(Some(JobStep::Nothing));
        }
        planning.left = planning.left.map(|left| left - 1);
        Ok(Some(JobStep::Play(id)))
    }

    /// A challenge, or the match that is due by the rule.
    fn due(
        &self,
        ladder: &mut Ladder,
        planning: &mut Planning,
        now: i64,
    ) -> Result<Option<MatchId>, LadderError> {
        let settings = ladder.settings()?;
        if settings.is_paused {
            return Ok(None);
        }
        ladder.check_room(&settings)?;
        let is_connected = |version: &Version| self.room.is_some_and(|room| room.is_connected(version));
        if let Some(planned) = ladder.next_planned()? {
            return Ok(Some(planned));
        }
        let rests = planning.took_ms * i64::from(RATING_TIME_DIVISOR);
        if planning.ratings.is_none() || planning.is_stale && now - planning.reckoned_ms >= rests {
            let ratings = Arc::new(ladder.ratings()?);
            if let Some(reckoned) = self.reckoned {
                reckoned(Arc::clone(&ratings));
            }
            planning.took_ms = (self.clock)() - now;
            (planning.ratings, planning.reckoned_ms, planning.is_stale) = (Some(ratings), now, false);
        }
        let Some(ratings) = &planning.ratings else { return Ok(None) };
        ladder.plan_next(ratings, is_connected, now)
    }

    fn check(&self, ladder: &mut Ladder, version: &Version) -> Result<(), LadderError> {
        let judged = ladder.check_version(version, self.workshop);
        self.planning().checking.retain(|other| other.id != version.id);
        if judged? {
            let version = ladder.version(version.id)?;
            (self.news)(&JobNews::Checked { version });
        } else {
            self.rest(&format!("this machine could not check {}", version.label));
        }
        Ok(())
    }

    /// The connections of a match's programs that connect on their own.
    fn connections(&self, ladder: &Ladder, id: MatchId) -> Result<Connections, LadderError> {
        let mut connections = Connections::new();
        let Some(room) = self.room else { return Ok(connections) };
        for seat in ladder.match_of(id)?.seats {
            let version = ladder.version(seat.version)?;
            if version.kind == VersionKind::Connection
                && let Some(connection) = room.take(&version)
            {
                connections.insert(version.label, connection);
            }
        }
        Ok(connections)
    }

    fn play(&self, ladder: &mut Ladder, id: MatchId) -> Result<(), LadderError> {
        let connections = self.connections(ladder, id)?;
        let end = ladder.play_begun(id, self.workshop, connections, self.clock, || (self.stop)())?;
        if ladder.match_of(id)?.kind == MatchKind::Rated && end == MatchEnd::Played {
            self.planning().is_stale = true;
        }
        let failed = if let MatchEnd::Machine(why) = &end { Some(why.clone()) } else { None };
        (self.news)(&JobNews::Ended { id, end });
        if let Some(why) = failed {
            self.rest(&why);
        }
        Ok(())
    }
}
