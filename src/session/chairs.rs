//! The chairs of a day for people in browsers: who sits on which, and the keys that identify them.

use std::fmt;
use std::path::{Path, PathBuf};
use std::sync::{Mutex, MutexGuard, PoisonError};

use serde::Serialize;
use sha2::{Digest, Sha256};
use thiserror::Error;
use tokio::sync::watch;

use casino_host::ChairHandle;
use casino_show::state::QrCode;
use casino_stud::hex::hex;
use casino_stud::tournament::{Entrant, harmless};
use casino_system::files;

use super::SessionError;
use super::files::{beside, write_private};

/// The most chairs of a day.
pub const MAX_CHAIRS: usize = 50;

const CHAIRS_SUFFIX: &str = ".chairs";

/// The chairs of a day. A link invites to all free ones; a person who takes one gets a key that identifies it from then
/// on.
#[derive(Debug, Default)]
pub struct ChairRegistry {
    state: Mutex<RegistryState>,
    changed: watch::Sender<()>,
    /// Held while the file beside the journal is written, so that the last state is the one that stays.
    writing: Mutex<()>,
}

#[derive(Default)]
struct RegistryState {
    invitation: String,
    link: Option<ChairLink>,
    chairs: Vec<RegisteredChair>,
    is_playing: bool,
    /// The journal of the tournament that is played.
    journal: Option<PathBuf>,
}

/// Without the invitation.
impl fmt::Debug for RegistryState {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("RegistryState").field("chairs", &self.chairs.len()).finish_non_exhaustive()
    }
}

/// The link that invites to the free chairs.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
#[cfg_attr(test, derive(ts_rs::TS))]
pub(crate) struct ChairLink {
    /// The link in the form that people type: it allows taking a chair.
    pub(crate) url: String,
    /// The same as a picture; nothing if only this machine can open it.
    #[cfg_attr(test, ts(type = "QrCode | null"))]
    pub(crate) qr: Option<QrCode>,
}

struct RegisteredChair {
    /// The player's name in the journal.
    github_id: String,
    /// The person's name as entered; empty if the chair was never taken.
    name: String,
    /// Whether the teacher or the journal set the name, so that the person is not asked for one.
    is_named: bool,
    /// The SHA-256 of the sitting person's key.
    key: Option<[u8; 32]>,
    /// Its end of the seat, while it plays.
    seat: Option<ChairHandle>,
}

impl RegisteredChair {
    /// A chair that nobody has taken.
    fn new(github_id: &str, name: &str) -> RegisteredChair {
        let (github_id, name) = (github_id.to_string(), name.to_string());
        RegisteredChair { github_id, name, is_named: false, key: None, seat: None }
    }

    /// Whether it can be taken, during a tournament or not.
    fn is_free(&self, playing: bool) -> bool {
        self.key.is_none() && (!playing || self.seat.is_some())
    }

    /// Whether it keeps its name for the next person.
    fn has_name(&self) -> bool {
        self.is_named || self.seat.is_some()
    }
}

/// A chair as the console shows it.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
#[cfg_attr(test, derive(ts_rs::TS))]
pub(crate) struct ChairRow {
    /// The number of the chair, from 1.
    number: usize,
    /// The person who sits or last sat there; empty if the chair was never taken.
    name: String,
    taken: bool,
    /// Whether it has a seat in the tournament that is played.
    playing: bool,
    /// Whether the host no longer waits for this chair.
    away: bool,
}

/// The reason for refusing a chair.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Error)]
pub(crate) enum NoChair {
    #[error("This link is not the one of today: ask the teacher for the new one.")]
    Uninvited,
    #[error("Enter a name: this one has no printable characters.")]
    NoName,
    #[error("All chairs are taken: ask the teacher for another one.")]
    AllTaken,
    #[error("The tournament is being played, and no chair in it is free: come back for the next one.")]
    Playing,
    #[error("The system gives no random numbers for a key: try again.")]
    NoRandomness,
}

/// A person at a table.
#[derive(Clone, Debug)]
pub struct PersonSeat {
    /// The player's name in the journal.
    pub github_id: String,
    /// The name that everyone sees.
    pub name: String,
    /// The number of the player, from 0.
    pub player: usize,
    /// The numbers of the players, from 0, whose hole cards it is shown after each round.
    pub opened: Vec<usize>,
    /// The person's end of the seat.
    pub chair: ChairHandle,
}

/// A person who has just taken a chair.
#[derive(Debug)]
pub(crate) struct ChairGrant {
    /// The secret by which it is known.
    pub(crate) key: String,
    pub(crate) name: String,
}

fn digest(key: &str) -> [u8; 32] {
    Sha256::digest(key).into()
}

impl ChairRegistry {
    fn state(&self) -> MutexGuard<'_, RegistryState> {
        // Plain data, of which each part is set at once.
        self.state.lock().unwrap_or_else(PoisonError::into_inner)
    }

    fn change<T>(&self, change: impl FnOnce(&mut RegistryState) -> T) -> T {
        let result = change(&mut self.state());
        self.changed.send_replace(());
        result
    }

    /// Notified when a chair is taken or given up, and when seats are assigned.
    pub(crate) fn changes(&self) -> watch::Receiver<()> {
        self.changed.subscribe()
    }

    /// The invitation to the free chairs; drawn if there is none yet.
    pub(super) fn invitation(&self) -> Result<String, SessionError> {
        let mut state = self.state();
        if state.invitation.is_empty() {
            state.invitation = hex(super::context::random::<8>()?);
        }
        Ok(state.invitation.clone())
    }

    pub(super) fn set_link(&self, link: ChairLink) {
        self.state().link = Some(link);
    }

    /// The link that invites to the free chairs, if there are chairs.
    pub(crate) fn link(&self) -> Option<ChairLink> {
        let state = self.state();
        state.link.clone().filter(|_| !state.chairs.is_empty())
    }

    /// So many chairs are open from now on. Those that are taken stay.
    pub(crate) fn open(&self, count: usize) {
        self.change(|state| {
            while state.chairs.len() < count {
                let number =
                    (1..).find(|number| state.chairs.iter().all(|it| it.github_id != chair_id(*number)));
                state.chairs.push(RegisteredChair::new(&chair_id(number.unwrap_or(0)), ""));
            }
            while state.chairs.len() > count {
                let Some(free) =
                    state.chairs.iter().rposition(|chair| chair.key.is_none() && !chair.is_named)
                else {
                    break;
                };
                state.chairs.remove(free);
            }
        });
    }

    /// A chair of this player, who has its name already.
    pub(super) fn keep_for(&self, github_id: &str, name: &str, key: Option<[u8; 32]>) {
        self.change(|state| {
            state.chairs.retain(|chair| chair.github_id != github_id);
            let chair = RegisteredChair::new(github_id, name);
            state.chairs.push(RegisteredChair { is_named: true, key, ..chair });
        });
    }

    pub(crate) fn count(&self) -> usize {
        self.state().chairs.len()
    }

    /// Whether each of them is taken.
    pub(super) fn all_taken(&self) -> bool {
        self.state().chairs.iter().all(|chair| chair.key.is_some())
    }

    /// The people on chairs that were never taken before, in the order of seating.
    pub(super) fn people(&self) -> Vec<Entrant> {
        let state = self.state();
        let taken = state.chairs.iter().filter(|chair| chair.key.is_some() && !chair.is_named);
        taken.map(|chair| Entrant::new(&chair.github_id, &chair.name)).collect()
    }

    pub(crate) fn rows(&self) -> Vec<ChairRow> {
        let state = self.state();
        let row = |(index, chair): (usize, &RegisteredChair)| ChairRow {
            number: index + 1,
            name: chair.name.clone(),
            taken: chair.key.is_some(),
            playing: chair.seat.is_some(),
            away: chair.seat.as_ref().is_some_and(|seat| seat.snapshot().away),
        };
        state.chairs.iter().enumerate().map(row).collect()
    }

    /// The person whom a table has waited for, if there is one.
    pub(crate) fn awaited(&self) -> Option<String> {
        let waits = |chair: &&RegisteredChair| {
            chair
                .seat
                .as_ref()
                .map(ChairHandle::snapshot)
                .is_some_and(|seat| seat.asked.is_some() || seat.confirm_by.is_some())
        };
        self.state().chairs.iter().find(waits).map(|chair| chair.name.clone())
    }

    /// Takes a chair. While a tournament is played, one that was given up: its seat comes with its name.
    pub(crate) fn take(&self, invitation: &str, name: &str) -> Result<ChairGrant, NoChair> {
        let key = super::context::drawn_key().map_err(|_| NoChair::NoRandomness)?;
        let taken = self.change(|state| {
            if state.invitation.is_empty() || digest(invitation) != digest(&state.invitation) {
                return Err(NoChair::Uninvited);
            }
            let playing = state.is_playing;
            let Some(chair) = state.chairs.iter_mut().find(|chair| chair.is_free(playing)) else {
                return Err(if playing { NoChair::Playing } else { NoChair::AllTaken });
            };
            if !chair.has_name() {
                chair.name = harmless(name).ok_or(NoChair::NoName)?;
            }
            chair.key = Some(digest(&key));
            if let Some(seat) = &chair.seat {
                seat.is_here();
            }
            Ok(ChairGrant { key, name: chair.name.clone() })
        });
        self.keep_note();
        taken
    }

    /// The existing name of the chair that this invitation leads to now, if it has one.
    pub(crate) fn offered_name(&self, invitation: &str) -> Option<String> {
        let state = self.state();
        if state.invitation.is_empty() || digest(invitation) != digest(&state.invitation) {
            return None;
        }
        let free = state.chairs.iter().find(|chair| chair.is_free(state.is_playing))?;
        free.has_name().then(|| free.name.clone())
    }

    /// Gives up the chair of this key. Its seat stays, and is folded until the chair is taken again.
    pub(crate) fn leave(&self, key: &str) -> bool {
        let key = digest(key);
        let left = self.change(|state| {
            let chair = state.chairs.iter_mut().find(|chair| chair.key == Some(key));
            chair.map(|chair| chair.key = None).is_some()
        });
        self.keep_note();
        left
    }

    /// Frees the chair of this number, 1-based: its person has to take one again.
    pub(crate) fn free(&self, number: usize) -> bool {
        let freed = self.change(|state| {
            let chair = number.checked_sub(1).and_then(|index| state.chairs.get_mut(index));
            chair.is_some_and(|chair| chair.key.take().is_some())
        });
        self.keep_note();
        freed
    }

    /// The player with this key, and its name.
    pub(crate) fn sitter(&self, key: &str) -> Option<(String, String)> {
        let key = digest(key);
        let state = self.state();
        let chair = state.chairs.iter().find(|chair| chair.key == Some(key))?;
        Some((chair.github_id.clone(), chair.name.clone()))
    }

    /// Play begins with this journal, and these people have seats. The seats are saved beside it, so that each person
    /// gets the same seat back after a crash.
    pub(super) fn seat(&self, seats: &[PersonSeat], journal: Option<&Path>) -> Result<(), SessionError> {
        self.change(|state| {
            (state.is_playing, state.journal) = (true, journal.map(Path::to_path_buf));
            for chair in &mut state.chairs {
                let seat = seats.iter().find(|seat| seat.github_id == chair.github_id);
                chair.seat = seat.map(|seat| seat.chair.clone());
            }
        });
        if seats.is_empty() { Ok(()) } else { self.note() }
    }

    /// Play is over: all seats are cleared.
    pub(super) fn stand_up(&self) {
        self.change(|state| {
            state.is_playing = false;
            state.chairs.iter_mut().for_each(|chair| chair.seat = None);
        });
    }

    /// Keeps beside the journal who sits where. The keys themselves are not written.
    fn note(&self) -> Result<(), SessionError> {
        let _writing = self.writing.lock().unwrap_or_else(PoisonError::into_inner);
        // The disk may be slow, and others look at the chairs meanwhile.
        let state = self.state();
        let Some(journal) = state.journal.clone() else { return Ok(()) };
        let taken = state.chairs.iter().filter_map(|chair| Some((chair.key?, &chair.github_id)));
        let lines: Vec<String> = taken.map(|(key, id)| format!("{} {id}", hex(key))).collect();
        drop(state);
        write_private(&beside(&journal, CHAIRS_SUFFIX), &lines.join("\n"), "")
    }

    /// The same for a change while it is played.
    fn keep_note(&self) {
        if self.state().is_playing {
            // Without it the person opens the teacher's link once more when the host died.
            let _ = self.note();
        }
    }

    /// The SHA-256 of the key of this player, as it was kept beside a journal.
    pub(super) fn noted(journal: &Path, github_id: &str) -> Option<[u8; 32]> {
        let text = String::from_utf8(files::read(&beside(journal, CHAIRS_SUFFIX)).ok()?).ok()?;
        let line = text.lines().find_map(|line| {
            let (key, id) = line.split_once(' ')?;
            (id == github_id).then_some(key)
        })?;
        let mut key = [0; 32];
        for (byte, digits) in key.iter_mut().zip(0..) {
            *byte = u8::from_str_radix(line.get(2 * digits..2 * digits + 2)?, 16).ok()?;
        }
        Some(key)
    }
}

fn chair_id(number: usize) -> String {
    // A colon, which no login can contain.
    format!("person:chair-{number}")
}

#[cfg(test)]
mod tests {
    use std::time::Duration;

    use casino_host::Chair;

    use super::*;

    #[test]
    fn invited_people_take_leave_and_retake_a_chair_during_play() {
        let state = ChairRegistry::default();
        state.open(2);
        let invitation = state.invitation().unwrap();
        assert_eq!(state.take("guessed", "Eve").unwrap_err(), NoChair::Uninvited);
        assert_eq!(state.take(&invitation, " \u{202e} ").unwrap_err(), NoChair::NoName);
        assert_eq!(state.offered_name(&invitation), None, "whoever comes says what it is called");
        let ann = state.take(&invitation, "Ann").unwrap();
        let ben = state.take(&invitation, "Ben").unwrap();
        assert!(state.all_taken());
        assert_eq!(state.take(&invitation, "Cyd").unwrap_err(), NoChair::AllTaken);
        assert_eq!(state.sitter(&ann.key), Some(("person:chair-1".to_string(), "Ann".to_string())));
        assert_eq!(state.sitter(""), None);
        // Only chairs that are free can go.
        state.open(0);
        assert_eq!(state.count(), 2);
        assert!(state.leave(&ben.key) && !state.leave(&ben.key));
        let seat = PersonSeat {
            github_id: "person:chair-1".to_string(),
            name: "Ann".to_string(),
            player: 0,
            opened: Vec::new(),
            chair: Chair::new(Duration::from_secs(60)).handle(),
        };
        state.seat(&[seat], None).unwrap();
        // The other chair has no seat in this tournament.
        assert_eq!(state.take(&invitation, "Cyd").unwrap_err(), NoChair::Playing);
        assert!(state.free(1));
        assert_eq!(state.sitter(&ann.key), None);
        assert_eq!(state.offered_name(&invitation), Some("Ann".to_string()));
        assert_eq!(state.offered_name("guessed"), None);
        let dora = state.take(&invitation, "Dora").unwrap();
        assert_eq!(dora.name, "Ann", "the name in the tournament stays");
        state.stand_up();
        assert!(state.rows().iter().all(|chair| !chair.playing));
    }
}
