//! The dealer's side of the page: publishes the levels and rounds of an event.

use std::io;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::time::Duration;

use tokio::sync::mpsc::UnboundedSender;

use casino_show::plan::FinalResult;
use casino_show::rounds::BoardRow;
use casino_show::state::{Capture, TableRound, last_of_series, level_view};
use casino_stud::stud::Seat;
use casino_stud::table::{Fault, Foul, TableEvent};
use casino_stud::tournament::{Event, Newcomer, Recorder, TableGame, TableRecorder, TimeBankUse};

use super::messages::{PageMessage, Requests};
use crate::session::Replies;

/// Publishes an event to the page: its levels, and through a [`TablePublisher`] for each table its rounds. All tables
/// publish the same rounds.
pub struct EventPublisher {
    messages: UnboundedSender<PageMessage>,
    requests: Arc<Requests>,
    replies: Arc<Replies>,
    shared: Arc<RoundOfTables>,
    /// Whether the stacks of a table are kept over its rounds: no player changes tables.
    has_race: bool,
    /// The names of all players, those who have come in late after the others.
    players: Vec<String>,
    /// The end of the event, until it is recorded.
    end: Option<PageMessage>,
}

impl EventPublisher {
    pub(crate) fn new(
        messages: UnboundedSender<PageMessage>,
        requests: Arc<Requests>,
        replies: Arc<Replies>,
        players: Vec<String>,
    ) -> EventPublisher {
        let shared = Arc::default();
        EventPublisher { messages, requests, replies, shared, has_race: false, players, end: None }
    }

    /// Continues an event of a journal that the page knows.
    pub(crate) fn go_on(&mut self, event: &Event) {
        self.has_race = !event.plan().numbers_tables();
    }

    /// A level has been seated, or an event goes on in the middle of one.
    pub fn show_level(&mut self, event: &Event) {
        self.go_on(event);
        if let Some(level) = level_view(event, self.players.clone()) {
            self.send(PageMessage::Level(level));
        }
    }

    /// Sends a message. The page may be gone: the game goes on without it.
    fn send(&self, message: PageMessage) {
        let _ = self.messages.send(message);
    }
}

impl Recorder for EventPublisher {
    fn entry(&mut self, _: &Event, newcomer: &Newcomer) -> io::Result<()> {
        self.players.push(newcomer.player.name.clone());
        Ok(())
    }

    fn level(&mut self, event: &Event) -> io::Result<()> {
        self.show_level(event);
        Ok(())
    }

    fn for_table(&mut self, table: &TableGame) -> Box<dyn TableRecorder> {
        let capture = Capture::new(table.players().to_vec());
        let capture = if self.has_race { capture.with_race() } else { capture };
        let (shared, requests) = (Arc::clone(&self.shared), Arc::clone(&self.requests));
        let replies = Arc::clone(&self.replies);
        Box::new(TablePublisher { shared, requests, replies, capture, finished: None })
    }

    /// All tables have played the round and handed it over.
    fn commit(&mut self) -> io::Result<()> {
        let rounds = self.shared.take();
        if !rounds.is_empty() {
            self.send(PageMessage::Dealer(rounds));
        }
        self.end.take().into_iter().for_each(|end| self.send(end));
        Ok(())
    }

    fn over(&mut self, event: &Event) -> io::Result<()> {
        self.send(PageMessage::Decided(last_of_series(event)));
        let rows = BoardRow::all(&event.standings());
        self.end =
            Some(PageMessage::End(FinalResult { rows, rounds: event.rounds_played(), stopped: false }));
        Ok(())
    }
}

/// The round that all tables of an event play, which is published once all have played it.
#[derive(Debug, Default)]
struct RoundOfTables {
    /// The round that was asked about last, and whether it is wanted.
    wanted: Mutex<(u64, bool)>,
    /// The rounds of the tables that have not been published.
    rounds: Mutex<Vec<TableRound>>,
}

impl RoundOfTables {
    fn rounds(&self) -> MutexGuard<'_, Vec<TableRound>> {
        // Plain data: nothing is left half-done by a panic elsewhere.
        self.rounds.lock().unwrap_or_else(PoisonError::into_inner)
    }

    fn take(&self) -> Vec<TableRound> {
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

/// Publishes the rounds of one table. It never waits and never grows: it keeps the requested rounds and only counts the
/// others.
struct TablePublisher {
    shared: Arc<RoundOfTables>,
    requests: Arc<Requests>,
    replies: Arc<Replies>,
    capture: Capture,
    /// The rounds that are published when all tables have played.
    finished: Option<TableRound>,
}

impl TablePublisher {
    /// Rounds that are not shown are not described, so that they cost the dealer almost nothing.
    #[inline(never)]
    fn note(&mut self, tournament: &TableGame, event: &TableEvent) {
        let TablePublisher { shared, requests, capture, .. } = self;
        let wanted = || shared.wants(tournament.table().round_number(), requests);
        if let Some(round) = capture.note(tournament, event, wanted, || requests.wants_holes()) {
            self.finished = Some(round);
        }
    }
}

impl TableRecorder for TablePublisher {
    #[inline]
    fn event(&mut self, tournament: &TableGame, event: &TableEvent) -> io::Result<()> {
        use TableEvent::{Acted, ForcedFold, Opened, Passed, Won};
        if let TableEvent::Fouled { seat } = event
            && let Some(Foul::Fault { fault: Fault::Late { .. }, .. }) = tournament.table().foul_of(*seat)
        {
            self.replies.note_missed(self.capture.player_at(*seat));
        }
        // Almost all events of a round that is not shown are skipped here.
        if self.capture.is_catching()
            || !matches!(event, Opened { .. } | Acted { .. } | Passed { .. } | ForcedFold { .. } | Won { .. })
        {
            self.note(tournament, event);
        }
        Ok(())
    }

    fn hand_over(&mut self) {
        if let Some(round) = self.finished.take() {
            self.shared.rounds().push(round);
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
