//! The teacher's state and commands, protected by the console's token.

mod decisions;
mod error;
mod lobby;
mod notice_list;
mod refusals;
mod reply_times;
mod show;

use std::collections::{BTreeMap, BTreeSet};
use std::fmt;
use std::path::PathBuf;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};

use serde::Serialize;
use tokio::sync::Notify;
use tokio_util::sync::CancellationToken;

use casino_host::{ControlHandle, LobbyOrders};
use casino_stud::journal::PlayerSource;
use casino_stud::tournament::ConsoleAction;

use super::program_outputs::tail;
use super::{ChairRegistry, PlayerRoster};

pub(crate) use error::ConsoleError;
use error::reason_of;
pub use lobby::{AwaitingPlayer, LobbyFeed, LobbyTerms, Member, MissingPlayer};
pub(crate) use notice_list::NoticeKind;
use notice_list::NoticeList;
use refusals::RefusalList;
pub(crate) use refusals::RefusedClient;
pub(crate) use reply_times::{LatePlayer, PlayerReplyTimes, Replies};
pub use show::ShowMinutes;

/// The most of a program's output that the console shows, in bytes from its end.
const MAX_SHOWN_OUTPUT_BYTES: u64 = 64 * 1024;

const MAX_ACTIONS: usize = 500;

/// Of how many players who come in late the reply times are taken: a table of them.
const MAX_LATE_REPLY_TIMES: usize = 17;

/// The phase of the day for the teacher.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize)]
#[cfg_attr(test, derive(ts_rs::TS))]
#[serde(rename_all = "snake_case")]
pub(crate) enum DayPhase {
    Lobby,
    Playing,
    Over,
}

/// The phase of the day with its own state.
#[derive(Debug)]
pub(crate) enum ConsoleDay {
    Lobby {
        /// Whether `start` was pressed and has not been looked at.
        pressed: bool,
    },
    Playing,
    Over {
        /// The seed, if it may be revealed.
        seed: Option<String>,
        /// Whether the seed has been revealed.
        revealed: bool,
        /// Whether `next` was pressed and has not been looked at.
        pressed: bool,
    },
}

impl Default for ConsoleDay {
    fn default() -> ConsoleDay {
        ConsoleDay::Lobby { pressed: false }
    }
}

impl ConsoleDay {
    pub(crate) fn phase(&self) -> DayPhase {
        match self {
            ConsoleDay::Lobby { .. } => DayPhase::Lobby,
            ConsoleDay::Playing => DayPhase::Playing,
            ConsoleDay::Over { .. } => DayPhase::Over,
        }
    }

    /// Whether `start` or `next` was pressed, in the phases in which they can be.
    pub(crate) fn pressed(&mut self) -> Option<&mut bool> {
        match self {
            ConsoleDay::Lobby { pressed } | ConsoleDay::Over { pressed, .. } => Some(pressed),
            ConsoleDay::Playing => None,
        }
    }
}

/// The state of the console, behind one lock.
#[derive(Debug, Default)]
pub(crate) struct State {
    pub(crate) day: ConsoleDay,
    pub(crate) number: u32,
    pub(crate) members: Vec<Member>,
    pub(crate) last_replies: Vec<Option<String>>,
    pub(crate) replies: Arc<Replies>,
    pub(crate) rehearsal: bool,
    pub(crate) renames: BTreeMap<String, String>,
    /// The numbers of those who may be called "Player n", by GitHubId.
    pub(crate) numbers: BTreeMap<String, usize>,
    /// The players of the last tournament: GitHubId and public name.
    known: BTreeMap<String, String>,
    pub(crate) actions: Vec<String>,
    /// Notices about the day itself.
    pub(crate) notices: NoticeList,
    pub(crate) lobby: LobbyTerms,
    /// Players missing from the roster, or from a resumed tournament.
    pub(crate) missing: Vec<MissingPlayer>,
    pub(crate) refusals: RefusalList,
    /// The players allowed to log in; all if there is no roster.
    pub(crate) roster: Option<Arc<PlayerRoster>>,
    /// Logins that wait for the teacher's decision.
    pub(crate) awaiting: Vec<AwaitingPlayer>,
    /// GitHubIds of the missing players without whom the teacher goes on.
    pub(crate) given_up: BTreeSet<String>,
    /// The table that is to be shown round by round; 0 leaves it to the page.
    pub(crate) featured: u32,
    /// The player that costs the show most time, if the tournament will not come to its end in its minutes.
    pub(crate) late: Option<LatePlayer>,
    /// The seconds that are left as the show's clock sees it, if it runs.
    pub(crate) seconds_left: Option<u32>,
    folder: Option<PathBuf>,
}

impl State {
    /// The player in this seat, from 1, as a number from 0.
    fn player(&self, seat: usize) -> Result<usize, ConsoleError> {
        let player = seat.checked_sub(1).filter(|player| *player < self.members.len());
        player.ok_or_else(|| ConsoleError::unknown_seat(seat))
    }

    /// Whether somebody who is added to the roster can come in, now or to the next tournament, after so many rounds.
    pub(crate) fn may_enter(&self, round: u64) -> bool {
        match self.day.phase() {
            DayPhase::Lobby => !self.lobby.resumed,
            DayPhase::Playing => self.lobby.late_entry.is_some_and(|last| round < last),
            DayPhase::Over => true,
        }
    }
}

/// The state of the teacher's console.
#[derive(Debug, Default)]
pub struct ConsoleState {
    state: Mutex<State>,
    pub(crate) controls: ControlHandle,
    proceed_pressed: Notify,
    interrupted: CancellationToken,
    /// Tells that something about the lobby has changed at the console.
    pub(crate) lobby_changed: Notify,
    pub(crate) lobby_orders: LobbyOrders,
    chairs: ChairRegistry,
    /// The journal beside which the decisions in the lobby are kept, if there will be one. Locked while they are written.
    decisions_for: Mutex<Option<PathBuf>>,
}

impl ConsoleState {
    pub(crate) fn state(&self) -> MutexGuard<'_, State> {
        // Plain data: nothing is left half-done by a panic elsewhere.
        self.state.lock().unwrap_or_else(PoisonError::into_inner)
    }

    fn decisions_for(&self) -> MutexGuard<'_, Option<PathBuf>> {
        self.decisions_for.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// The controls of the tournament that is being played.
    pub fn controls(&self) -> &ControlHandle {
        &self.controls
    }

    /// The chairs for people in browsers.
    pub fn chairs(&self) -> &ChairRegistry {
        &self.chairs
    }

    pub(crate) fn is_playing(&self) -> bool {
        matches!(self.state().day, ConsoleDay::Playing)
    }

    pub(crate) fn is_paused(&self) -> bool {
        self.controls.is_paused()
    }

    /// The rehearsal setting the day begins with.
    pub fn set_rehearsal(&self, on: bool) {
        self.state().rehearsal = on;
    }

    /// Whether the next tournament is a rehearsal (R19).
    pub fn is_rehearsal(&self) -> bool {
        self.state().rehearsal
    }

    /// The name set by the teacher.
    pub fn name_given(&self, github_id: &str) -> Option<String> {
        self.state().renames.get(github_id).cloned()
    }

    /// The players of the last tournament: public name by GitHubId.
    pub fn known_players(&self) -> BTreeMap<String, String> {
        self.state().known.clone()
    }

    /// A tournament begins: which one of the day, who plays, and the outputs of started programs.
    pub fn begin(&self, number: u32, members: Vec<Member>, folder: Option<PathBuf>) {
        let mut state = self.state();
        (state.day, state.number) = (ConsoleDay::Playing, number);
        let remote = members.iter().filter(|member| member.plays == PlayerSource::Remote);
        state.known = remote.map(|member| (member.github_id.clone(), member.name.clone())).collect();
        // Of those who come in late, the first have their times taken.
        state.replies = Arc::new(Replies::new(members.len() + MAX_LATE_REPLY_TIMES));
        state.members = members;
        state.folder = folder;
        state.last_replies.clear();
        state.notices.begin();
        state.late = None;
        state.missing.clear();
        state.awaiting.clear();
    }

    /// Another tournament of the day is next.
    pub(crate) fn begin_next(&self) {
        self.controls.begin_next();
        self.state().notices.begin_next();
    }

    /// A player has come in late.
    pub(crate) fn enter(&self, member: Member) {
        let mut state = self.state();
        state.known.insert(member.github_id.clone(), member.name.clone());
        state.members.push(member);
    }

    /// The tournament is over; this is its seed, which is revealed already or may be.
    pub fn end(&self, seed: Option<String>, revealed: bool) {
        self.state().day = ConsoleDay::Over { seed, revealed, pressed: false };
    }

    pub(crate) fn replies(&self) -> Arc<Replies> {
        Arc::clone(&self.state().replies)
    }

    /// How many replies each player has given, and how long they took on average.
    pub(crate) fn reply_times(&self) -> Vec<(u64, std::time::Duration)> {
        let state = self.state();
        let times = (0..state.members.len()).map(|player| state.replies.of(player));
        times.map(|times| (times.count, std::time::Duration::from_micros(times.mean))).collect()
    }

    /// The last answers of players, 0-based.
    pub(crate) fn set_last_replies(&self, last_replies: impl Iterator<Item = (usize, Option<String>)>) {
        let mut state = self.state();
        let members = state.members.len();
        state.last_replies.resize(members, None);
        for (player, reply) in last_replies {
            if let (Some(kept), Some(reply)) = (state.last_replies.get_mut(player), reply) {
                *kept = Some(reply);
            }
        }
    }

    /// Waits until the teacher starts the tournament, or the next one.
    pub(crate) async fn wait_for_proceed(&self) {
        while !self.state().day.pressed().is_some_and(std::mem::take) {
            self.proceed_pressed.notified().await;
        }
    }

    pub(crate) fn press_proceed(&self, action: &str) {
        if let Some(pressed) = self.state().day.pressed() {
            *pressed = true;
        }
        self.done(action);
        self.proceed_pressed.notify_one();
    }

    /// Ctrl-C was pressed. True if a tournament is being played.
    pub(crate) fn interrupt(&self) -> bool {
        self.interrupted.cancel();
        self.is_playing()
    }

    /// Waits until Ctrl-C is pressed.
    pub(crate) async fn interrupted(&self) {
        self.interrupted.cancelled().await;
    }

    /// Waits until a player in the lobby is renamed.
    pub(crate) async fn lobby_changed(&self) {
        self.lobby_changed.notified().await;
    }

    /// Records a command: in the console's list at once, in the journal at the dealer's next commit.
    pub(crate) fn done(&self, action: impl Into<ConsoleAction>) {
        let action = action.into();
        self.listed(&action);
        self.controls.note(action);
    }

    pub(crate) fn listed(&self, action: &dyn fmt::Display) {
        self.listed_in(&mut self.state(), action.to_string());
    }

    /// Puts something that was done on the console's own list.
    pub(crate) fn listed_in(&self, state: &mut State, action: String) {
        if state.actions.len() == MAX_ACTIONS {
            state.actions.remove(0);
        }
        state.actions.push(action);
    }

    /// The state, if the day is in this phase, which `what` needs.
    pub(crate) fn state_in(
        &self,
        needs: DayPhase,
        what: &'static str,
    ) -> Result<MutexGuard<'_, State>, ConsoleError> {
        let state = self.state();
        if state.day.phase() == needs { Ok(state) } else { Err(ConsoleError::wrong_phase(what, needs)) }
    }

    pub(crate) fn next(&self) -> Result<(), ConsoleError> {
        self.state_in(DayPhase::Over, "another tournament").map(drop)?;
        self.press_proceed("next");
        Ok(())
    }

    pub(crate) fn pause(&self) -> Result<(), ConsoleError> {
        self.state_in(DayPhase::Playing, "a pause").map(drop)?;
        self.listed(&"pause");
        self.controls.pause();
        Ok(())
    }

    pub(crate) fn resume(&self) -> Result<(), ConsoleError> {
        self.state_in(DayPhase::Playing, "playing on").map(drop)?;
        self.listed(&"resume");
        self.controls.resume();
        Ok(())
    }

    pub(crate) fn step(&self) -> Result<(), ConsoleError> {
        self.state_in(DayPhase::Playing, "a single round").map(drop)?;
        self.listed(&"step");
        self.controls.step();
        Ok(())
    }

    pub(crate) fn end_now(&self) -> Result<(), ConsoleError> {
        let mut state = self.state_in(DayPhase::Playing, "an end")?;
        if !self.is_ended() {
            self.listed_in(&mut state, ConsoleAction::EndNow.to_string());
            self.controls.note(ConsoleAction::EndNow);
        }
        Ok(())
    }

    /// Whether the teacher has ended the tournament.
    pub(crate) fn is_ended(&self) -> bool {
        self.controls.read(|settings| settings.is_ended)
    }

    pub(crate) fn remove(&self, seat: usize, reason: &str) -> Result<(), ConsoleError> {
        let mut state = self.state_in(DayPhase::Playing, "removing a player")?;
        let reason = reason_of(reason)?;
        let player = state.player(seat)?;
        if self.controls.read(|settings| settings.removals.contains_key(&player)) {
            return Err("this player is being sent out already".into());
        }
        self.listed_in(&mut state, ConsoleAction::remove(player, &reason).to_string());
        self.controls.remove(player, &reason);
        Ok(())
    }

    /// Does not ask a player any more: its hands are folded.
    pub(crate) fn set_aside(&self, seat: usize) -> Result<(), ConsoleError> {
        self.order_for(seat, "setting a player aside", ConsoleAction::set_aside)
    }

    /// Asks a player again that is not asked any more because it missed two questions (R19) or was set aside.
    pub(crate) fn ask_again(&self, seat: usize) -> Result<(), ConsoleError> {
        self.order_for(seat, "asking a player again", ConsoleAction::ask_again)
    }

    fn order_for(
        &self,
        seat: usize,
        what: &'static str,
        action: impl FnOnce(usize) -> ConsoleAction,
    ) -> Result<(), ConsoleError> {
        let action = action(self.state_in(DayPhase::Playing, what)?.player(seat)?);
        self.listed(&action);
        self.controls.note(action);
        Ok(())
    }

    pub(crate) fn reveal(&self) -> Result<String, ConsoleError> {
        let mut state = self.state();
        let ConsoleDay::Over { seed, revealed, .. } = &mut state.day else {
            return Err(ConsoleError::wrong_phase("revealing the seed", DayPhase::Over));
        };
        let seed = seed.clone().ok_or("the tournament can still be resumed with this seed")?;
        *revealed = true;
        drop(state);
        self.done("reveal seed");
        Ok(seed)
    }

    /// The end of a started program's standard output or standard error.
    pub(crate) fn output(&self, seat: usize, errors: bool) -> Result<String, ConsoleError> {
        let path = {
            let state = self.state();
            let member = seat.checked_sub(1).and_then(|index| state.members.get(index));
            let member = member.ok_or_else(|| ConsoleError::unknown_seat(seat))?;
            let PlayerSource::Program { name, .. } = &member.plays else {
                return Err("only programs started here have an output to show".into());
            };
            let folder = state.folder.as_ref().ok_or("no output is kept")?;
            folder.join(format!("{name}.{}", if errors { "stderr" } else { "stdout" }))
        };
        let bytes = tail(&path, MAX_SHOWN_OUTPUT_BYTES)
            .map_err(|error| format!("the output cannot be read: {error}"))?;
        let text = String::from_utf8_lossy(&bytes);
        Ok(text.chars().filter(|c| *c == '\n' || *c == '\t' || !c.is_control()).collect())
    }
}
