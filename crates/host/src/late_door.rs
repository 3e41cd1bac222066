//! The door through which players come in after the game has begun.

use std::net::IpAddr;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};

use casino_stud::protocol::Login;
use casino_stud::tournament::{EntryError, Newcomer};

use super::lobby::take_restless;
use super::refusal::{LobbyNews, Refusal};
use super::{Guest, ReadMode};

/// The most guests waiting for the next round: a table of them.
const MAX_LATE_GUESTS: usize = 17;

/// A door between a lobby whose game has begun and the host that plays it. The lobby lets guests wait behind it, and the
/// host takes them between two rounds, until it shuts the door.
#[derive(Clone, Debug)]
pub struct LateDoor(Arc<Mutex<Doorway>>);

#[derive(Debug)]
struct Doorway {
    why_shut: Option<EntryError>,
    guests: Vec<Guest>,
}

/// Identifies a guest by its login and address, or refuses it.
type WhoComes = dyn FnMut(&Login, IpAddr) -> Result<Newcomer, Refusal> + Send;

/// The host's end of a door, with the callbacks that identify guests and report refused ones.
pub(super) struct LateAdmission {
    pub(super) door: LateDoor,
    pub(super) newcomer: Box<WhoComes>,
    pub(super) news: Box<dyn FnMut(LobbyNews) + Send>,
}

impl LateDoor {
    /// A door that is open until the host shuts it.
    pub fn open() -> LateDoor {
        LateDoor::new(None)
    }

    /// A door that admits no guests.
    pub fn shut() -> LateDoor {
        LateDoor::new(Some(EntryError::NotAllowed))
    }

    fn new(why_shut: Option<EntryError>) -> LateDoor {
        LateDoor(Arc::new(Mutex::new(Doorway { why_shut, guests: Vec::new() })))
    }

    fn doorway(&self) -> MutexGuard<'_, Doorway> {
        // Guests are put in and taken out whole: a panic elsewhere leaves none half-done.
        self.0.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// The reason late entry has ended; `None` while it is open.
    pub(super) fn why_shut(&self) -> Option<EntryError> {
        self.doorway().why_shut
    }

    /// Lets a guest wait for the next round.
    pub(super) fn wait(&self, guest: Guest) -> Result<(), (Guest, Refusal)> {
        let mut doorway = self.doorway();
        let same = |other: &Guest| other.login.github_id == guest.login.github_id;
        let why = match doorway.why_shut {
            Some(why) => Refusal::TooLate(why),
            None if doorway.guests.iter().any(same) => Refusal::Inside,
            None if doorway.guests.len() >= MAX_LATE_GUESTS => Refusal::Crowded,
            None => {
                doorway.guests.push(guest);
                return Ok(());
            }
        };
        Err((guest, why))
    }

    /// Takes the guests out that have disconnected, or have written something unasked.
    pub(super) fn take_restless(&self, look: ReadMode) -> Vec<(Guest, Refusal)> {
        take_restless(&mut self.doorway().guests, look, |_| true)
    }

    /// The first of the waiting guests, at most this many.
    pub(super) fn take(&self, most: usize) -> Vec<Guest> {
        let mut doorway = self.doorway();
        let count = most.min(doorway.guests.len());
        doorway.guests.drain(..count).collect()
    }

    /// Ends late entry and returns the waiting guests.
    pub(super) fn shut_for(&self, why: EntryError) -> Vec<Guest> {
        let mut doorway = self.doorway();
        doorway.why_shut = Some(why);
        std::mem::take(&mut doorway.guests)
    }
}
