//! The workers: each checks a version that waits, or plays the match that is due, one after the other.

use std::collections::BTreeSet;
use std::io;
use std::sync::{Arc, Mutex};
use std::thread::{JoinHandle, sleep};
use std::time::{Duration, Instant};

use casino_ladder::{
    Connections, Ladder, LadderError, Match, MatchFilter, MatchId, MatchState, Version, VersionId, VersionKind,
    Workshop,
};
use casino_system::processes::thread_named;

use super::{Desk, lock, now_ms};

/// How long a worker waits that has nothing to do.
const IDLE: Duration = Duration::from_millis(400);

/// How long it waits after something went wrong.
const AFTER_TROUBLE: Duration = Duration::from_secs(5);

/// Ratings are reckoned up again after this time at the soonest, and after twenty times what it took.
const RECKON: Duration = Duration::from_secs(3);

/// What a worker does next.
enum Task {
    Check(Version),
    Play(MatchId, Connections),
}

/// The handle that plans, and what is under way.
struct Planner {
    ladder: Ladder,
    checking: BTreeSet<VersionId>,
    /// The matches that a worker has taken.
    taken: BTreeSet<MatchId>,
    next_reckoning: Instant,
}

/// Starts so many workers, which end when the desk is stopping.
///
/// # Errors
/// If the system gives no thread.
pub(super) fn start(
    ladder: Ladder,
    desk: &Arc<Desk>,
    workshop: Workshop,
    jobs: usize,
) -> io::Result<Vec<JoinHandle<()>>> {
    let planner = Planner { ladder, checking: BTreeSet::new(), taken: BTreeSet::new(), next_reckoning: Instant::now() };
    let (planner, workshop) = (Arc::new(Mutex::new(planner)), Arc::new(workshop));
    let worker = |number: usize| {
        let (planner, workshop, desk) = (Arc::clone(&planner), Arc::clone(&workshop), Arc::clone(desk));
        thread_named(&format!("ladder-{number}"), move || work(&planner, &workshop, &desk))
    };
    (1..=jobs.max(1)).map(worker).collect()
}

fn work(planner: &Mutex<Planner>, workshop: &Workshop, desk: &Desk) {
    while !desk.is_stopping() {
        let pause = match step(planner, workshop, desk) {
            Ok(true) => {
                *lock(&desk.problem) = None;
                continue;
            }
            Ok(false) => {
                *lock(&desk.problem) = None;
                IDLE
            }
            Err(error) => {
                *lock(&desk.problem) = Some(error.to_string());
                AFTER_TROUBLE
            }
        };
        let until = Instant::now() + pause;
        while Instant::now() < until && !desk.is_stopping() {
            sleep(Duration::from_millis(50));
        }
    }
}

/// Does what is to be done next; false if there is nothing.
fn step(planner: &Mutex<Planner>, workshop: &Workshop, desk: &Desk) -> Result<bool, LadderError> {
    let task = lock(planner).next(desk)?;
    let Some(task) = task else { return Ok(false) };
    let mut ladder = Ladder::open(&desk.folder)?;
    match task {
        Task::Check(version) => {
            let checked = ladder.check_version(&version, workshop);
            lock(planner).checking.remove(&version.id);
            desk.forget_overview();
            if checked? {
                return Ok(true);
            }
            Err(LadderError::Refused(format!("{} could not be checked on this machine", version.label)))
        }
        Task::Play(id, connections) => {
            let played = ladder.play_planned(id, workshop, connections, &now_ms, || desk.is_stopping());
            let mut planner = lock(planner);
            planner.taken.remove(&id);
            played?;
            planner.reckon(desk)?;
            desk.forget_overview();
            Ok(true)
        }
    }
}

impl Planner {
    fn next(&mut self, desk: &Desk) -> Result<Option<Task>, LadderError> {
        let waiting = self.ladder.waiting_versions()?;
        if let Some(version) = waiting.into_iter().find(|version| !self.checking.contains(&version.id)) {
            self.checking.insert(version.id);
            return Ok(Some(Task::Check(version)));
        }
        if self.ladder.settings()?.is_paused {
            return Ok(None);
        }
        if let Some(planned) = self.planned_before()? {
            let connections = self.connections(&planned, desk)?;
            return Ok(Some(Task::Play(planned.id, connections)));
        }
        let is_here = |version: &Version| desk.door.is_here(version.player);
        let id = self.ladder.plan_next(&desk.ratings(), is_here, now_ms())?;
        let Some(id) = id else { return Ok(None) };
        let planned = self.ladder.match_of(id)?;
        let connections = self.connections(&planned, desk)?;
        Ok(Some(Task::Play(id, connections)))
    }

    /// The match that has waited longest of those that were planned before: a challenge, or one that a host that died left.
    fn planned_before(&mut self) -> Result<Option<Match>, LadderError> {
        let planned = MatchFilter { state: Some(MatchState::Planned), ..MatchFilter::default() };
        let mut waiting = self.ladder.matches(planned)?;
        waiting.retain(|planned| !planned.is_away && !self.taken.contains(&planned.id));
        Ok(waiting.pop())
    }

    /// The connections of those in a match who connect by themselves.
    fn connections(&mut self, planned: &Match, desk: &Desk) -> Result<Connections, LadderError> {
        self.taken.insert(planned.id);
        let mut connections = Connections::new();
        for seat in &planned.seats {
            let version = self.ladder.version(seat.version)?;
            if version.kind == VersionKind::Connection
                && let Some(connection) = desk.door.take(version.player)
            {
                connections.insert(version.label, connection);
            }
        }
        Ok(connections)
    }

    /// Reckons the ratings up, but not all the time.
    fn reckon(&mut self, desk: &Desk) -> Result<(), LadderError> {
        let began = Instant::now();
        if began < self.next_reckoning {
            return Ok(());
        }
        let ratings = self.ladder.reckon(now_ms())?;
        *lock(&desk.ratings) = Arc::new(ratings);
        self.next_reckoning = Instant::now() + RECKON.max(20 * began.elapsed());
        Ok(())
    }
}
