//! Several jobs that check submissions and play due matches until they are stopped.

use std::collections::BTreeMap;
use std::path::Path;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::time::Duration;

use casino_host::Connection;

use super::{
    Connections, Ladder, LadderError, MatchEnd, MatchId, MatchKind, PlayerId, Ratings, Version, VersionId,
    VersionKind, Workshop,
};

const IDLE_POLL_INTERVAL: Duration = Duration::from_millis(500);

/// Pause before new work after the disk was full, or the machine could not play.
const RETRY_PAUSE: Duration = Duration::from_secs(10);

/// Recomputing the ratings takes at most about one part in this many of the time.
const RATING_TIME_DIVISOR: u32 = 10;

/// Events of the jobs.
#[derive(Clone, Debug, PartialEq)]
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
    /// The ratings were computed again.
    Rated(Arc<Ratings>),
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

/// The work of a job. Each ladder has one job for checks beside those for matches.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum Lane {
    /// The checks of submissions, by turns between the players.
    Checks,
    /// The matches. A player whose version took more time than a quick one rests until its share of the time has made up for
    /// it. Challenges have a share of the time, by turns between the challengers.
    Matches,
}

/// The time that a quick version takes at most: for the starts and builds of a match, and for each round.
const QUICK_START_MS: i64 = 10_000;
const QUICK_ROUND_MS: i64 = 50;

/// Rated matches have this many times as much time as all others.
const RATED_SHARE: i64 = 4;

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
}

/// The state of planning, locked by one job at a time.
#[derive(Default)]
struct Planning {
    /// When the ratings were computed, and how long that took.
    rated_ms: i64,
    took_ms: i64,
    is_stale: bool,
    /// The versions that are being checked, and when others whose check failed may be checked again.
    checking: BTreeMap<VersionId, Option<i64>>,
    /// When each player was served last in a lane.
    served_ms: BTreeMap<(Lane, PlayerId), i64>,
    /// Until when a player rests whose version took much time.
    rests_until_ms: BTreeMap<PlayerId, i64>,
    /// How much longer only rated matches are played, after others.
    unrated_debt_ms: i64,
    /// How many more matches may be begun, if there is a limit.
    left: Option<u64>,
    /// No new work before this time.
    paused_until_ms: i64,
}

impl Planning {
    fn rests(&self, player: PlayerId, now: i64) -> bool {
        self.rests_until_ms.get(&player).is_some_and(|until_ms| *until_ms > now)
    }

    /// When it is the turn of a player in a lane: the one that has waited longest is first.
    fn turn(&self, lane: Lane, player: PlayerId) -> i64 {
        self.served_ms.get(&(lane, player)).copied().unwrap_or_default()
    }

    /// Lets a player rest whose version took so much time in a match of so many rounds, among so many players.
    fn charge(&mut self, player: PlayerId, took_ms: i64, rounds: i64, players: i64, now: i64) {
        let excess_ms = took_ms - QUICK_START_MS - QUICK_ROUND_MS * rounds;
        if excess_ms > 0 {
            let until_ms = self.rests_until_ms.entry(player).or_default();
            *until_ms = (*until_ms).max(now) + excess_ms * players;
        }
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
        let planning = Planning { is_stale: true, left: matches, ..Planning::default() };
        Jobs { workshop, clock, news, stop, planning: Mutex::new(planning), room: None }
    }

    /// The same jobs, which also seat programs waiting here.
    #[must_use]
    pub fn seating(self, room: &'a dyn WaitingRoom) -> Jobs<'a> {
        Jobs { room: Some(room), ..self }
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
        if (self.clock)() < self.planning().paused_until_ms {
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
        if planning.paused_until_ms <= now {
            planning.paused_until_ms = now + RETRY_PAUSE.as_millis() as i64;
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
            let turn = |version: &Version| planning.turn(lane, version.player);
            let step = match waiting.into_iter().filter(may_begin).min_by_key(turn) {
                Some(version) => {
                    planning.served_ms.insert((lane, version.player), now);
                    JobStep::Check(version)
                }
                None if planning.left == Some(0) => return Ok(None),
                None => JobStep::Nothing,
            };
            return Ok(Some(step));
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

    /// A challenge whose turn it is, or the next rated match.
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
        let is_rested = |version: &Version| !planning.rests(version.player, now);
        let comes = |version: &Version| {
            is_rested(version) && (version.kind == VersionKind::Submission || is_connected(version))
        };
        let mut unrated = Vec::new();
        for id in ladder.free_matches()? {
            match ladder.match_of(id)?.challenger {
                Some(challenger) if planning.rests(challenger, now) => {}
                Some(challenger) => unrated.push((planning.turn(Lane::Matches, challenger), id)),
                None => return Ok(Some(id)),
            }
        }
        let next_unrated = |ladder: &mut Ladder| match unrated.iter().min() {
            Some((_, id)) => Ok(Some(*id)),
            None => ladder.plan_for_stranger(|version| is_rested(version) && is_connected(version), now),
        };
        let mut planned = if planning.unrated_debt_ms == 0 { next_unrated(ladder)? } else { None };
        if planned.is_none() {
            planned = ladder.plan_next(comes, now)?;
        }
        if planned.is_none() {
            planned = next_unrated(ladder)?;
        }
        let rests = planning.took_ms * i64::from(RATING_TIME_DIVISOR);
        if planning.is_stale && now - planning.rated_ms >= rests {
            (self.news)(&JobNews::Rated(Arc::new(ladder.ratings()?)));
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
            Ok(()) => ladder.plan_duel(&ladder.version(version.id)?, now)?,
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
        let began_ms = (self.clock)();
        let (end, taken) = ladder.play_begun(id, self.workshop, connections, self.clock, stop)?;
        self.note_times(ladder, id, &taken, began_ms)?;
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

    /// Counts the time of a match that began then: each version of a rated match answers for its own, the challenger and a
    /// stranger for all of it.
    fn note_times(
        &self,
        ladder: &Ladder,
        id: MatchId,
        taken: &BTreeMap<String, i64>,
        began_ms: i64,
    ) -> Result<(), LadderError> {
        let (found, now) = (ladder.match_of(id)?, (self.clock)());
        let is_counted = |version: &&Version| version.kind != VersionKind::House && !version.is_strangers();
        let players = ladder.active_versions()?.iter().filter(is_counted).count().max(1) as i64;
        let rounds = found.decks * found.seats.len() as i64;
        let mut planning = self.planning();
        if found.kind == MatchKind::Rated {
            planning.unrated_debt_ms = (planning.unrated_debt_ms - (now - began_ms)).max(0);
            for (label, took_ms) in taken {
                let player = ladder.version_labelled(label)?.player;
                planning.charge(player, *took_ms, rounds, players, now);
            }
            // Who leaves ends the match for all.
            if found.rounds.is_some_and(|played| played < rounds)
                && let Some(left) = ladder.fouls(id)?.last().and_then(|foul| found.seats.get(foul.seat))
            {
                let player = ladder.version(left.version)?.player;
                planning.charge(player, ladder.plan_of(&found)?.budget_ms(), rounds, players, now);
            }
            return Ok(());
        }
        planning.unrated_debt_ms += RATED_SHARE * (now - began_ms);
        for seat in &found.seats {
            let version = ladder.version(seat.version)?;
            if Some(version.player) == found.challenger || version.is_strangers() {
                planning.served_ms.insert((Lane::Matches, version.player), now);
                planning.charge(version.player, now - began_ms, rounds, players, now);
            }
        }
        Ok(())
    }
}

#[cfg(test)]
mod tests;
