//! What the teacher knows and may do: behind the console's token only.

use std::collections::BTreeMap;
use std::fs::File;
use std::io::{self, Read, Seek, SeekFrom};
use std::path::{Path, PathBuf};
use std::sync::atomic::{AtomicU32, Ordering};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::time::Duration;

use serde::Serialize;
use tokio::sync::Notify;

use crate::replay::BoardRow;
use crate::server::ControlHandle;
use crate::table::escape;
use crate::tournament::harmless;

use super::console_error::ConsoleError;
use super::day::{Day, DayPhase};
use super::page::{Board, EventView};
use super::reply_times::{PlayerReplyTimes, Replies};
use super::show_settings::ShowSettings;

/// The most of a program's output that the console shows, in bytes from its end.
const TAIL: u64 = 64 * 1024;

/// The most actions the console lists.
const ACTIONS: usize = 500;

/// What kind of player somebody is.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize)]
#[serde(rename_all = "snake_case")]
pub enum Kind {
    /// A bot of the house.
    House,
    /// A program this process started.
    Started,
    /// A program that connected.
    Remote,
}

/// A player in the lobby or in the tournament, as the teacher knows it.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct Member {
    /// The GitHubId of the player.
    pub github_id: String,
    /// The name everyone sees.
    pub name: String,
    /// The avatar as it was sent, harmless to look at.
    pub avatar: String,
    /// What kind of player it is.
    pub kind: Kind,
}

#[derive(Debug, Default)]
struct State {
    day: Day,
    number: u32,
    wanted: usize,
    members: Vec<Member>,
    last_replies: Vec<Option<String>>,
    replies: Arc<Replies>,
    rehearsal: bool,
    renames: BTreeMap<String, String>,
    /// Who connected for the last tournament: GitHubId and the name that everyone saw.
    known: BTreeMap<String, String>,
    actions: Vec<String>,
    journal: Option<PathBuf>,
    folder: Option<PathBuf>,
    result: Option<String>,
}

/// The state of the teacher's console.
#[derive(Debug, Default)]
pub struct ConsoleState {
    state: Mutex<State>,
    controls: ControlHandle,
    went: Notify,
    /// Tells that something about the lobby has changed at the console.
    lobby_changed: Notify,
    /// How fast rounds are shown, in per cent; 0 stands for the usual 100.
    tempo: AtomicU32,
    /// The table that is to be shown round by round; 0 leaves it to the page.
    featured: AtomicU32,
    show: ShowSettings,
}

/// All the console shows, as JSON.
#[derive(Serialize)]
pub(super) struct Overview {
    #[serde(rename = "hour")]
    phase: DayPhase,
    number: u32,
    wanted: usize,
    paused: bool,
    pace_ms: u64,
    tempo: u32,
    featured: u32,
    rehearsal: bool,
    round: u64,
    rate: f64,
    members: Vec<MemberRow>,
    actions: Vec<String>,
    has_journal: bool,
    has_result: bool,
    revealed: bool,
    viewers: usize,
    /// How many tables are in play.
    tables: usize,
}

#[derive(Serialize)]
struct MemberRow {
    #[serde(flatten)]
    member: Member,
    seat: Option<usize>,
    /// The table of an event at which the player sits in this level.
    #[serde(skip_serializing_if = "Option::is_none")]
    table: Option<u32>,
    renamed: Option<String>,
    last_reply: Option<String>,
    #[serde(skip_serializing_if = "Option::is_none")]
    times: Option<PlayerReplyTimes>,
    #[serde(skip_serializing_if = "Option::is_none")]
    row: Option<BoardRow>,
}

impl ConsoleState {
    fn state(&self) -> MutexGuard<'_, State> {
        // Plain data: nothing is left half-done by a panic elsewhere.
        self.state.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// The controls of the tournament that is being played.
    pub fn controls(&self) -> &ControlHandle {
        &self.controls
    }

    /// How the day is shown.
    pub fn show(&self) -> &ShowSettings {
        &self.show
    }

    /// How fast rounds are shown: 1 is the usual pace, 2 is twice as fast.
    pub fn tempo(&self) -> f64 {
        match self.tempo.load(Ordering::Relaxed) {
            0 => 1.0,
            percent => f64::from(percent) / 100.0,
        }
    }

    /// The table that is to be shown round by round, from 1; 0 leaves it to the page.
    pub(super) fn featured(&self) -> u32 {
        self.featured.load(Ordering::Relaxed)
    }

    /// Has this table shown round by round, from 1; 0 leaves it to the page.
    pub(super) fn feature(&self, table: u32) -> Result<(), ConsoleError> {
        self.state_in(DayPhase::Playing, "choosing a table").map(drop)?;
        self.featured.store(table, Ordering::Relaxed);
        self.done(if table == 0 { "show any table".to_string() } else { format!("show table {table}") });
        Ok(())
    }

    /// Whether a tournament is being played.
    pub(super) fn is_playing(&self) -> bool {
        matches!(self.state().day, Day::Playing)
    }

    /// Whether there is room for another player in the lobby.
    pub(super) fn has_room(&self) -> bool {
        let state = self.state();
        state.members.len() < state.wanted
    }

    /// Whether play is paused.
    pub(super) fn is_paused(&self) -> bool {
        self.controls.is_paused()
    }

    /// Players come in: these, of so many.
    pub fn show_lobby(&self, members: Vec<Member>, wanted: usize) {
        let mut state = self.state();
        if !matches!(state.day, Day::Lobby { .. }) {
            state.day = Day::default();
        }
        (state.members, state.wanted) = (members, wanted);
        state.last_replies.clear();
    }

    /// The rehearsal setting the day begins with.
    pub fn set_rehearsal(&self, on: bool) {
        self.state().rehearsal = on;
    }

    /// Whether the next tournament is a rehearsal (R19).
    pub fn is_rehearsal(&self) -> bool {
        self.state().rehearsal
    }

    /// The name the teacher has given somebody.
    pub fn name_given(&self, github_id: &str) -> Option<String> {
        self.state().renames.get(github_id).cloned()
    }

    /// Who connected for the last tournament: the name that everyone saw, by GitHubId.
    pub fn known(&self) -> BTreeMap<String, String> {
        self.state().known.clone()
    }

    pub(super) fn begin(
        &self,
        number: u32,
        members: Vec<Member>,
        replies: Arc<Replies>,
        journal: Option<PathBuf>,
        folder: Option<PathBuf>,
    ) {
        let mut state = self.state();
        (state.day, state.number, state.result) = (Day::Playing, number, None);
        let remote = members.iter().filter(|member| member.kind == Kind::Remote);
        state.known = remote.map(|member| (member.github_id.clone(), member.name.clone())).collect();
        state.members = members;
        state.replies = replies;
        state.journal = journal;
        state.folder = folder;
        state.last_replies.clear();
    }

    /// The tournament is over; this is its result as JSON, and its seed.
    pub(super) fn end(&self, result: String, seed: Option<String>, revealed: bool) {
        let mut state = self.state();
        (state.day, state.result) = (Day::Over { seed, revealed, go: false }, Some(result));
    }

    /// What players, from 0, have answered last.
    pub(super) fn heard(&self, last_replies: impl Iterator<Item = (usize, Option<String>)>) {
        let mut state = self.state();
        let members = state.members.len();
        state.last_replies.resize(members, None);
        for (player, reply) in last_replies {
            if let (Some(kept), Some(reply)) = (state.last_replies.get_mut(player), reply) {
                *kept = Some(reply);
            }
        }
    }

    /// Waits until the teacher says go: begin with those who are in, or go on to the next tournament.
    pub(super) async fn go(&self) {
        while !self.state().day.go().is_some_and(std::mem::take) {
            self.went.notified().await;
        }
    }

    fn press_go(&self, action: &str) {
        if let Some(go) = self.state().day.go() {
            *go = true;
        }
        self.done(action.to_string());
        self.went.notify_one();
    }

    /// Waits until somebody in the lobby has been given another name.
    pub(super) async fn lobby_changed(&self) {
        self.lobby_changed.notified().await;
    }

    /// Notes what was done: for the console's own list at once, for the journal when the dealer gets to it.
    fn done(&self, action: String) {
        self.listed(&action);
        self.controls.note(&action);
    }

    fn listed(&self, action: &str) {
        let mut state = self.state();
        if state.actions.len() == ACTIONS {
            state.actions.remove(0);
        }
        state.actions.push(action.to_string());
    }

    pub(super) fn overview(&self, board: &Board, event: Option<&EventView>, viewers: usize) -> Overview {
        let state = self.state();
        let playing = state.day.phase() != DayPhase::Lobby;
        let member = |(index, member): (usize, &Member)| MemberRow {
            member: member.clone(),
            seat: playing.then_some(index + 1),
            table: event.filter(|_| playing).and_then(|event| {
                event
                    .tables
                    .iter()
                    .find(|table| table.players.contains(&(index + 1)))
                    .map(|table| table.table)
            }),
            renamed: state.renames.get(&member.github_id).cloned(),
            last_reply: state.last_replies.get(index).cloned().flatten(),
            times: playing.then(|| state.replies.of(index)),
            row: playing.then(|| board.rows.iter().find(|row| row.seat == index + 1).cloned()).flatten(),
        };
        Overview {
            phase: state.day.phase(),
            number: state.number,
            wanted: state.wanted,
            paused: self.is_paused(),
            pace_ms: self.controls.current_pace().as_millis() as u64,
            tempo: (self.tempo() * 100.0) as u32,
            featured: self.featured(),
            rehearsal: state.rehearsal,
            round: board.round,
            rate: board.rate,
            members: state.members.iter().enumerate().map(member).collect(),
            actions: state.actions.clone(),
            has_journal: state.journal.is_some(),
            has_result: state.result.is_some(),
            revealed: matches!(state.day, Day::Over { revealed: true, .. }),
            viewers,
            tables: event.map_or(1, |event| event.tables.len()),
        }
    }

    /// The state, if the day is in this phase, which `what` needs.
    fn state_in(&self, needs: DayPhase, what: &'static str) -> Result<MutexGuard<'_, State>, ConsoleError> {
        let state = self.state();
        if state.day.phase() == needs { Ok(state) } else { Err(ConsoleError::WrongPhase { what, needs }) }
    }

    pub(super) fn start(&self) -> Result<(), ConsoleError> {
        let state = self.state_in(DayPhase::Lobby, "starting")?;
        if state.members.len() < 2 {
            return Err(ConsoleError::TooFewPlayers);
        }
        drop(state);
        self.press_go("start");
        Ok(())
    }

    pub(super) fn next(&self) -> Result<(), ConsoleError> {
        self.state_in(DayPhase::Over, "another tournament").map(drop)?;
        self.press_go("next");
        Ok(())
    }

    pub(super) fn rehearse(&self, on: bool) -> Result<(), ConsoleError> {
        self.state_in(DayPhase::Lobby, "changing what a foul costs")?.rehearsal = on;
        self.done(format!("rehearsal {}", if on { "on" } else { "off" }));
        Ok(())
    }

    pub(super) fn rename(&self, github_id: &str, name: &str) -> Result<(), ConsoleError> {
        let mut state = self.state_in(DayPhase::Lobby, "another name")?;
        let name = harmless(name).ok_or(ConsoleError::NoSuchName)?;
        if !state.members.iter().any(|member| member.github_id == github_id) {
            return Err(ConsoleError::UnknownPlayer);
        }
        state.renames.insert(github_id.to_string(), name.clone());
        drop(state);
        self.done(format!("rename {} to {name}", escape(github_id)));
        self.lobby_changed.notify_one();
        Ok(())
    }

    pub(super) fn pause(&self) -> Result<(), ConsoleError> {
        self.state_in(DayPhase::Playing, "a pause").map(drop)?;
        self.listed("pause");
        self.controls.pause();
        Ok(())
    }

    pub(super) fn resume(&self) -> Result<(), ConsoleError> {
        self.state_in(DayPhase::Playing, "playing on").map(drop)?;
        self.listed("resume");
        self.controls.resume();
        Ok(())
    }

    pub(super) fn step(&self) -> Result<(), ConsoleError> {
        self.state_in(DayPhase::Playing, "a single round").map(drop)?;
        self.listed("step");
        self.controls.step();
        Ok(())
    }

    pub(super) fn pace(&self, pace: Duration) -> Result<(), ConsoleError> {
        if pace > Duration::from_secs(60) {
            return Err(ConsoleError::PaceTooSlow);
        }
        self.listed(&format!("pace {}", pace.as_millis()));
        self.controls.pace(pace);
        Ok(())
    }

    pub(super) fn set_tempo(&self, percent: u32) -> Result<(), ConsoleError> {
        if !(10..=2_000).contains(&percent) {
            return Err(ConsoleError::TempoOutOfRange);
        }
        self.tempo.store(percent, Ordering::Relaxed);
        self.done(format!("show {percent} per cent"));
        Ok(())
    }

    pub(super) fn remove(&self, seat: usize, reason: &str) -> Result<(), ConsoleError> {
        let players = self.state_in(DayPhase::Playing, "sending somebody out")?.members.len();
        let reason: String = reason.trim().chars().filter(|c| !c.is_control()).take(200).collect();
        if reason.is_empty() {
            return Err(ConsoleError::NoReason);
        }
        if !(1..=players).contains(&seat) {
            return Err(ConsoleError::UnknownSeat(seat));
        }
        self.listed(&format!("remove {seat}: {reason}"));
        self.controls.remove(seat - 1, &reason);
        Ok(())
    }

    pub(super) fn reveal(&self) -> Result<String, ConsoleError> {
        let mut state = self.state();
        let Day::Over { seed, revealed, .. } = &mut state.day else {
            return Err(ConsoleError::WrongPhase { what: "revealing the seed", needs: DayPhase::Over });
        };
        let seed = seed.clone().ok_or(ConsoleError::SeedInUse)?;
        *revealed = true;
        drop(state);
        self.done("reveal seed".to_string());
        Ok(seed)
    }

    /// The journal's bytes so far.
    pub(super) fn journal(&self) -> Result<Vec<u8>, ConsoleError> {
        let path = self.state().journal.clone().ok_or(ConsoleError::NoJournal)?;
        let bytes =
            std::fs::read(&path).map_err(|source| ConsoleError::Unreadable { what: "journal", source })?;
        self.done("download journal".to_string());
        Ok(bytes)
    }

    /// The result as JSON.
    pub(super) fn result(&self) -> Result<String, ConsoleError> {
        let result = self.state().result.clone().ok_or(ConsoleError::NoResult)?;
        self.done("download result".to_string());
        Ok(result)
    }

    /// The end of what a started program printed: its standard output, or its error output.
    pub(super) fn output(&self, seat: usize, errors: bool) -> Result<String, ConsoleError> {
        let path = {
            let state = self.state();
            let member = seat.checked_sub(1).and_then(|index| state.members.get(index));
            let member = member.ok_or(ConsoleError::UnknownSeat(seat))?;
            if member.kind != Kind::Started {
                return Err(ConsoleError::NotStartedHere);
            }
            let folder = state.folder.as_ref().ok_or(ConsoleError::NoOutputKept)?;
            folder.join(format!("{}.{}", member.avatar, if errors { "stderr" } else { "stdout" }))
        };
        let bytes = tail(&path).map_err(|source| ConsoleError::Unreadable { what: "output", source })?;
        let text = String::from_utf8_lossy(&bytes);
        Ok(text.chars().filter(|c| *c == '\n' || *c == '\t' || !c.is_control()).collect())
    }
}

/// The last bytes of a file.
fn tail(path: &Path) -> io::Result<Vec<u8>> {
    let mut file = File::open(path)?;
    let length = file.metadata()?.len();
    file.seek(SeekFrom::Start(length.saturating_sub(TAIL)))?;
    let mut bytes = Vec::new();
    file.take(TAIL).read_to_end(&mut bytes)?;
    Ok(bytes)
}
