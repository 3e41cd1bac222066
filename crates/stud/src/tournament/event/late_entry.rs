//! Coming in after the beginning.

use thiserror::Error;

use crate::tournament::TableGame;
use crate::tournament::progress::PlayerState;

use super::{Event, MAX_PLAYERS};

/// The reason why late entry is impossible.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Error)]
pub enum EntryError {
    /// Players absent at the beginning do not play.
    #[error("the game has begun without you; come in time for the next one")]
    NotAllowed,
    /// The last round for late entrants has been dealt.
    #[error("the game has begun, and its round {last_round} was the last for late entry")]
    TooLate {
        /// That round, from 1.
        last_round: u64,
    },
    /// No more rounds are played.
    #[error("no round is being played any more")]
    NothingDue,
    /// Tables are in the middle of a round.
    #[error("a round is being played")]
    InRound,
    /// As many sit at each table as it has seats.
    #[error("the game has begun, and all its seats are taken: a table has {seats}")]
    Full {
        /// The seats of a table.
        seats: usize,
    },
    /// There would be more players or chips than an event can count.
    #[error("the game has begun, and has as many players as it can count")]
    TooMany,
}

/// The rule by which players come in late: between two rounds, until a last one, as long as seats are free.
/// `docs/tournaments.md` has it in words.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct LateEntry {
    /// The last round that late entrants may join, 1-based.
    pub(super) last_round: u64,
    pub(super) seats: usize,
}

impl LateEntry {
    /// The last round that late entrants may join, 1-based.
    pub fn last_round(self) -> u64 {
        self.last_round
    }

    /// How many may sit down at these tables before their next round.
    pub fn free_seats<'a>(
        self,
        tables: impl IntoIterator<Item = &'a TableGame, IntoIter: Clone>,
    ) -> Result<usize, EntryError> {
        let tables = tables.into_iter();
        let mut playing = tables.clone().filter(|table| !table.is_over());
        // A table that is over may have been so for long; if it has dealt last, the others have not played this round.
        let next = tables.clone().map(TableGame::next_round).max();
        let Some(next) = next.filter(|_| playing.clone().next().is_some()) else {
            return Err(EntryError::NothingDue);
        };
        if playing.any(|table| table.next_round() != next) {
            return Err(EntryError::InRound);
        }
        if next > self.last_round {
            return Err(EntryError::TooLate { last_round: self.last_round });
        }
        // A newcomer would have no opponents.
        let sizes = tables.map(|table| table.table().seated().len()).filter(|size| *size > 0);
        match sizes.map(|size| self.seats - size).sum() {
            0 => Err(EntryError::Full { seats: self.seats }),
            free => Ok(free),
        }
    }
}

impl Event {
    /// The last round for late entry; `None` if it is closed.
    pub fn late_entry(&self) -> Option<LateEntry> {
        self.progress
            .plan
            .late_entry
            .map(|last_round| LateEntry { last_round, seats: self.progress.plan.seats })
    }

    /// Adds one more player, with the starting stack and the number after all others, and returns that 0-based number.
    /// The level stops here and continues with the next seating: [`Event::next_level`] seats the player.
    pub fn enter(&mut self) -> Result<usize, EntryError> {
        let late_entry = self.late_entry().ok_or(EntryError::NotAllowed)?;
        if self.is_over {
            return Err(EntryError::NothingDue);
        }
        let free = late_entry.free_seats(self.open_tables())?;
        if self.entering.len() >= free {
            return Err(EntryError::Full { seats: self.progress.plan.seats });
        }
        let player = self.players();
        let chips = u64::from(self.progress.stack) * (player as u64 + 1);
        if player >= MAX_PLAYERS || chips >= 1 << 31 {
            return Err(EntryError::TooMany);
        }
        self.progress.players.push(PlayerState { chips: self.progress.stack, ..PlayerState::default() });
        self.placing.enter(player);
        self.entering.push(player);
        Ok(player)
    }

    /// Seats late entrants: each at the smallest occupied table, the first of several, after the players there. All
    /// others stay, unless the tables have to be balanced as well.
    pub(super) fn seat_newcomers(&mut self, entering: &[usize]) -> Vec<Vec<usize>> {
        let last = self.tables.iter().map(|table| table.number() as usize).max().unwrap_or(0);
        let mut seating = vec![Vec::new(); last];
        for table in &self.tables {
            let stays = table.players().iter().copied().filter(|player| self.progress.is_alive(*player));
            seating[table.number() as usize - 1] = stays.collect();
        }
        for &player in entering {
            let taken = seating.iter_mut().filter(|table| !table.is_empty());
            let smallest = taken.min_by_key(|table| table.len());
            smallest.expect("somebody sits where a round is due").push(player);
        }
        self.scheduler.take_over(&seating);
        let balanced = self.reseating().and_then(|_| self.scheduler.reseat(&mut self.progress));
        balanced.unwrap_or(seating)
    }
}
