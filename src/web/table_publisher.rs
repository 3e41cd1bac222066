//! The dealer's side of the page: it publishes what happens at a table.

use std::io;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::time::Duration;

use casino_show::state::{Capture, TableRound};
use casino_stud::stud::Seat;
use casino_stud::table::TableEvent;
use casino_stud::tournament::{TableGame, TableRecorder, TimeBankUse};

use super::messages::Requests;
use crate::session::Replies;

/// What the tables of an event share: they play a round together, and what is told of it is told together.
#[derive(Debug, Default)]
pub(super) struct Together {
    /// The round that was asked about last, and whether it is wanted.
    wanted: Mutex<(u64, bool)>,
    /// The rounds that the tables have handed over and nobody has been told.
    rounds: Mutex<Vec<TableRound>>,
}

impl Together {
    fn rounds(&self) -> MutexGuard<'_, Vec<TableRound>> {
        // Plain data: nothing is left half-done by a panic elsewhere.
        self.rounds.lock().unwrap_or_else(PoisonError::into_inner)
    }

    pub(super) fn take(&self) -> Vec<TableRound> {
        std::mem::take(&mut *self.rounds())
    }

    /// Whether this round is wanted: the first table that deals it finds out for all.
    fn wants(&self, round: u64, requests: &Requests) -> bool {
        let mut wanted = self.wanted.lock().unwrap_or_else(PoisonError::into_inner);
        if wanted.0 != round {
            *wanted = (round, requests.take_round());
        }
        wanted.1
    }
}

/// Publishes what happens at one table. It never waits and never grows: it keeps what the page has asked for and otherwise
/// only counts.
pub(super) struct TablePublisher {
    together: Arc<Together>,
    requests: Arc<Requests>,
    replies: Arc<Replies>,
    capture: Capture,
    /// What is handed over when all tables have played the round.
    finished: Option<TableRound>,
}

impl TablePublisher {
    pub(super) fn new(
        together: Arc<Together>,
        requests: Arc<Requests>,
        replies: Arc<Replies>,
        capture: Capture,
    ) -> TablePublisher {
        TablePublisher { together, requests, replies, capture, finished: None }
    }

    /// Rounds that nobody is shown are not put into words: they must cost the dealer next to nothing.
    #[inline(never)]
    fn note(&mut self, tournament: &TableGame, event: &TableEvent) {
        let TablePublisher { together, requests, capture, .. } = self;
        let wanted = || together.wants(tournament.table().round_number(), requests);
        if let Some(round) = capture.note(tournament, event, wanted, || requests.wants_holes()) {
            self.finished = Some(round);
        }
    }
}

impl TableRecorder for TablePublisher {
    #[inline]
    fn event(&mut self, tournament: &TableGame, event: &TableEvent) -> io::Result<()> {
        use TableEvent::{Acted, ForcedFold, Opened, Passed, Won};
        // Nearly all there is in a round that nobody is shown.
        if self.capture.is_catching()
            || !matches!(event, Opened { .. } | Acted { .. } | Passed { .. } | ForcedFold { .. } | Won { .. })
        {
            self.note(tournament, event);
        }
        Ok(())
    }

    fn hand_over(&mut self) {
        if let Some(round) = self.finished.take() {
            self.together.rounds().push(round);
        }
    }

    fn time_bank(&mut self, _: u64, seat: Seat, bank: TimeBankUse) -> io::Result<()> {
        self.replies.note_time_bank(self.capture.player_at(seat), bank.used);
        Ok(())
    }

    fn reply_time(&mut self, _: u64, seat: Seat, took: Duration, time_bank: Duration) {
        self.replies.note(self.capture.player_at(seat), took, time_bank);
    }
}
