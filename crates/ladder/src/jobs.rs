//! Several jobs that check submissions and play due matches until they are stopped.

use std::collections::BTreeMap;
use std::path::Path;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::time::Duration;

use casino_host::Connection;

use super::{
    Connections, Ladder, LadderError, MatchEnd, MatchId, MatchKind, Ratings, Version, VersionId, VersionKind,
    Workshop,
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

/// The work of a job. Each ladder has one job for checks and one for trials beside those for matches, so that a program
/// that hangs, crashes or is slow keeps no other one from playing.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Lane {
    /// The checks of submissions.
    Checks,
    /// Matches of new and of slow programs among themselves and with house bots.
    Trials,
    /// The other matches.
    Matches,
}

/// The mean reply time up to which no version is slow.
const QUICK_REPLY_MS: f64 = 50.0;

/// A version is slow if its replies take this many times as long as those of the quickest quarter of the versions.
const SLOW_FACTOR: f64 = 4.0;

/// How long a version waits for its second check when this machine could not check it.
const SECOND_CHECK_MS: i64 = 10_000;

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
    rating_listener: Option<&'a (dyn Fn(Arc<Ratings>) + Sync)>,
}

/// The state of planning, locked by one job at a time.
struct Planning {
    /// When the ratings were computed, and how long that took.
    rated_ms: i64,
    took_ms: i64,
    is_stale: bool,
    /// The versions that are being checked, and when others whose check failed may be checked again.
    checking: BTreeMap<VersionId, Option<i64>>,
    /// The mean reply times of versions in their last matches, in milliseconds.
    reply_times: BTreeMap<VersionId, f64>,
    /// How many more matches may be begun, if there is a limit.
    left: Option<u64>,
    /// No new work before this time.
    rests_until_ms: i64,
}

impl Planning {
    /// The greatest mean reply time of a version that is not slow.
    fn quick_ms(&self) -> f64 {
        let mut times: Vec<f64> = self.reply_times.values().copied().collect();
        times.sort_by(f64::total_cmp);
        times.get(times.len() / 4).map_or(0.0, |quartile| quartile * SLOW_FACTOR).max(QUICK_REPLY_MS)
    }
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
            rated_ms: 0,
            took_ms: 0,
            is_stale: true,
            checking: BTreeMap::new(),
            reply_times: BTreeMap::new(),
            left: matches,
            rests_until_ms: 0,
        };
        Jobs {
            workshop,
            clock,
            news,
            stop,
            planning: Mutex::new(planning),
            room: None,
            rating_listener: None,
        }
    }

    /// The same jobs, which also seat programs waiting here.
    #[must_use]
    pub fn seating(self, room: &'a dyn WaitingRoom) -> Jobs<'a> {
        Jobs { room: Some(room), ..self }
    }

    /// The same jobs, reporting the ratings each time they are recomputed.
    #[must_use]
    pub fn with_rating_listener(self, rating_listener: &'a (dyn Fn(Arc<Ratings>) + Sync)) -> Jobs<'a> {
        Jobs { rating_listener: Some(rating_listener), ..self }
    }

    fn planning(&self) -> MutexGuard<'_, Planning> {
        self.planning.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// Runs one job until it is to stop. Each job has its own thread; `Ladder::serve` was called before by one handle.
    pub fn work(&self, folder: &Path, lane: Lane) -> Result<(), LadderError> {
        let mut ladder = Ladder::open(folder)?;
        // Nothing could be written about the match, not even that it is void.
        let mut unwritten = None;
        while !(self.stop)() {
            match self.step(&mut ladder, lane, &mut unwritten) {
                Ok(true) => {}
                Ok(false) => break,
                Err(error) if error.is_full() => self.rest(&error.to_string()),
                Err(error) => return Err(error),
            }
        }
        Ok(())
    }

    /// Does the next work; false if all requested matches have begun.
    fn step(
        &self,
        ladder: &mut Ladder,
        lane: Lane,
        unwritten: &mut Option<MatchId>,
    ) -> Result<bool, LadderError> {
        if (self.clock)() < self.planning().rests_until_ms {
            std::thread::sleep(IDLE_POLL_INTERVAL);
            return Ok(true);
        }
        if let Some(id) = *unwritten {
            ladder.void(id, "the disk was full when it was over", (self.clock)())?;
            *unwritten = None;
        }
        match self.next(ladder, lane)? {
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
    fn next(&self, ladder: &mut Ladder, lane: Lane) -> Result<Option<JobStep>, LadderError> {
        let mut planning = self.planning();
        let now = (self.clock)();
        let waiting = ladder.waiting_versions()?;
        if lane == Lane::Checks {
            let may_begin = |version: &Version| match planning.checking.get(&version.id) {
                Some(again_ms) => again_ms.is_some_and(|again_ms| again_ms <= now),
                None => true,
            };
            let step = match waiting.into_iter().find(may_begin) {
                Some(version) => JobStep::Check(version),
                None if planning.left == Some(0) => return Ok(None),
                None => JobStep::Nothing,
            };
            return Ok(Some(step));
        }
        if planning.left == Some(0) {
            return Ok(None);
        }
        let Some(id) = self.due(ladder, &mut planning, lane, now)? else { return Ok(Some(JobStep::Nothing)) };
        // Begun under the planning lock, so that no player sits at two tables.
        if !ladder.begin_match(id, now)? {
            return Ok(Some(JobStep::Nothing));
        }
        planning.left = planning.left.map(|left| left - 1);
        Ok(Some(JobStep::Play(id)))
    }

    /// A challenge, or the next rated match.
    fn due(
        &self,
        ladder: &mut Ladder,
        planning: &mut Planning,
        lane: Lane,
        now: i64,
    ) -> Result<Option<MatchId>, LadderError> {
        let settings = ladder.settings()?;
        if settings.is_paused {
            return Ok(None);
        }
        ladder.check_room(&settings)?;
        let quick_ms = planning.quick_ms();
        let is_quick =
            |version: &VersionId| planning.reply_times.get(version).is_some_and(|mean| *mean <= quick_ms);
        for id in ladder.free_matches()? {
            let mut are_quick = true;
            for seat in ladder.match_of(id)?.seats {
                are_quick &=
                    is_quick(&seat.version) || ladder.version(seat.version)?.kind == VersionKind::House;
            }
            if are_quick == (lane == Lane::Matches) {
                return Ok(Some(id));
            }
        }
        let is_connected = |version: &Version| self.room.is_some_and(|room| room.is_connected(version));
        let comes = |version: &Version| {
            is_quick(&version.id) == (lane == Lane::Matches)
                && (version.kind == VersionKind::Submission || is_connected(version))
        };
        let mut planned = ladder.plan_next(comes, now)?;
        if planned.is_none() && lane == Lane::Trials {
            planned = ladder.plan_for_stranger(is_connected, now)?;
        }
        let rests = planning.took_ms * i64::from(RATING_TIME_DIVISOR);
        if planning.is_stale
            && now - planning.rated_ms >= rests
            && let Some(rating_listener) = self.rating_listener
        {
            rating_listener(Arc::new(ladder.ratings()?));
            planning.took_ms = (self.clock)() - now;
            (planning.rated_ms, planning.is_stale) = (now, false);
        }
        Ok(planned)
    }

    fn check(&self, ladder: &mut Ladder, version: &Version) -> Result<(), LadderError> {
        let is_second = self.planning().checking.insert(version.id, None).is_some();
        let judged = ladder.check_version(version, self.workshop);
        self.planning().checking.remove(&version.id);
        let now = (self.clock)();
        match judged? {
            Ok(()) => {}
            Err(why) if why.is_full() => return Err(why),
            Err(_) if !is_second => {
                self.planning().checking.insert(version.id, Some(now + SECOND_CHECK_MS));
                return Ok(());
            }
            Err(why) => {
                let why = format!("This machine could not check it, twice: {why}");
                ladder.set_aside(version.id, &why, now)?;
            }
        }
        (self.news)(&JobNews::Checked { version: ladder.version(version.id)? });
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
        let stop = || (self.stop)();
        let (end, reply_times) = ladder.play_begun(id, self.workshop, connections, self.clock, stop)?;
        for (label, mean_ms) in reply_times {
            let version = ladder.version_labelled(&label)?;
            if version.kind != VersionKind::House {
                self.planning().reply_times.insert(version.id, mean_ms);
            }
        }
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

#[cfg(test)]
mod tests {
    use std::sync::atomic::{AtomicI64, Ordering};

    use casino_judge::check::CheckSettings;
    use casino_judge::sandbox::{Policy, Sandbox};

    use super::*;
    use crate::folder::tests::Scratch;
    use crate::{HandedInBy, MatchState, VersionState};

    /// Steps of lanes on a clock of their own, without programs: matches are begun and not played.
    #[test]
    fn bad_programs_keep_no_other_one_from_playing() {
        let scratch = Scratch::new("lanes");
        let mut ladder = scratch.ladder();
        ladder.add_house_bots(1).unwrap();
        let names = ["Crashes", "Hangs", "New", "One", "Other", "Slow"];
        let versions = names.map(|name| {
            let player = ladder.add_player(name, None, 1).unwrap();
            let source = scratch.path().join(name);
            std::fs::create_dir(&source).unwrap();
            std::fs::write(source.join("bot.json"), "{\"run\":\"no-such-program {host} {port}\"}").unwrap();
            std::fs::write(source.join("name"), name).unwrap();
            ladder.take_in(player, &source, HandedInBy::Teacher, 1).unwrap()
        });
        let [crashes, hangs, new, one, other, slow] = versions;
        let workshop = Workshop::new(Sandbox::new(Policy::Plain).unwrap(), CheckSettings::default());
        let time = AtomicI64::new(1_000);
        let clock = || time.fetch_add(1, Ordering::Relaxed);
        let reported = Mutex::new(Vec::new());
        let news = |news: &JobNews| reported.lock().unwrap().push(news.clone());
        let jobs = Jobs::new(&workshop, &clock, &news, &|| false, None);
        for version in [new, one, other, slow, hangs] {
            ladder.set_checked(version, VersionState::Ready, None, Some("passed")).unwrap();
        }
        // The check hangs; that of another version that cannot be checked is tried twice, and no match waits for it.
        jobs.planning().checking.insert(crashes, None);
        for (version, mean_ms) in [(one, 2.0), (other, 3.0), (slow, 400.0), (hangs, 1_000.0)] {
            jobs.planning().reply_times.insert(version, mean_ms);
        }
        let players = |ladder: &mut Ladder, lane| match jobs.next(ladder, lane).unwrap() {
            Some(JobStep::Play(id)) => {
                let mut seats = ladder.match_of(id).unwrap().seats;
                seats.retain(|seat| versions.contains(&seat.version));
                let mut players: Vec<VersionId> = seats.iter().map(|seat| seat.version).collect();
                players.sort_unstable();
                (Some(id), players)
            }
            _ => (None, Vec::new()),
        };
        assert!(matches!(jobs.next(&mut ladder, Lane::Checks).unwrap(), Some(JobStep::Nothing)));
        let (trial, tried) = players(&mut ladder, Lane::Trials);
        assert_eq!(tried, [hangs, new, slow]);
        for _ in 0..10 {
            let (played, quick) = players(&mut ladder, Lane::Matches);
            assert_eq!(quick, [one, other], "while the trial goes on");
            ladder.void(played.unwrap(), "it is over", clock()).unwrap();
        }
        // A version that cannot be started is set aside at once, after its second start in that match.
        let why = "ended before it connected".to_string();
        let absent = crate::PlayError::Absent { label: "Hangs/1".to_string(), why };
        ladder.conclude(trial.unwrap(), Err(absent), clock()).unwrap();
        assert_eq!(players(&mut ladder, Lane::Trials).1, [new, slow]);
        // A version that cannot be checked is set aside after its second check, with the reason.
        jobs.planning().checking.clear();
        for _ in 0..2 {
            let version = ladder.version(crashes).unwrap();
            std::fs::remove_dir_all(ladder.handed_in(&version)).unwrap_or_default();
            assert!(matches!(jobs.next(&mut ladder, Lane::Checks).unwrap(), Some(JobStep::Check(_))));
            jobs.check(&mut ladder, &version).unwrap();
            assert!(matches!(jobs.next(&mut ladder, Lane::Checks).unwrap(), Some(JobStep::Nothing)));
            time.fetch_add(SECOND_CHECK_MS, Ordering::Relaxed);
        }
        let version = ladder.version(crashes).unwrap();
        assert_eq!(version.state, VersionState::SetAside);
        assert!(version.reason.as_ref().unwrap().contains("twice"), "{version:?}");
        assert_eq!(*reported.lock().unwrap(), [JobNews::Checked { version }]);
        // Who is retired plays no longer: planned matches are void, and one in play ends.
        let terms = ladder.settings().unwrap().terms(MatchKind::Challenge);
        let planned = ladder.plan_match(terms, &[one, other], None, clock()).unwrap();
        ladder.retire(ladder.version(one).unwrap().player, Some(clock())).unwrap();
        assert_eq!(ladder.match_of(planned).unwrap().state, MatchState::Void);
        assert_eq!(players(&mut ladder, Lane::Matches).1, [other]);
        // What could not be checked is checked when it is activated.
        ladder.activate(crashes).unwrap();
        assert_eq!(ladder.version(crashes).unwrap().state, VersionState::Waiting);
    }
}
