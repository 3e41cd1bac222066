//! The dealer's side of the page: it publishes what happens at a table.

use std::io;
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::time::Duration;

use tokio::sync::mpsc::UnboundedSender;

use casino_stud::stud::Seat;
use casino_stud::table::TableEvent;
use casino_stud::tournament::{Event, Recorder, TableGame};

use super::capture::Capture;
use super::messages::{PageMessage, Requests, TableMessage};
use super::reply_times::Replies;

/// What the tables of an event share: they play a round together, and what is told of it is told together.
#[derive(Debug, Default)]
pub(super) struct Together {
    /// Whether the round that is dealt next is wanted.
    is_wanted: AtomicBool,
    /// What the tables have handed over and nobody has been told.
    messages: Mutex<Vec<TableMessage>>,
}

impl Together {
    fn messages(&self) -> MutexGuard<'_, Vec<TableMessage>> {
        // Plain data: nothing is left half-done by a panic elsewhere.
        self.messages.lock().unwrap_or_else(PoisonError::into_inner)
    }

    pub(super) fn take(&self) -> Vec<TableMessage> {
        std::mem::take(&mut *self.messages())
    }

    /// Between two rounds: says whether the next one is wanted.
    pub(super) fn look_ahead(&self, requests: &Requests) {
        self.is_wanted.store(requests.take_round(), Ordering::Relaxed);
    }

    /// Between two rounds: says that the next one is wanted if somebody asks for it meanwhile.
    pub(super) fn look_again(&self, requests: &Requests) {
        if !self.is_wanted.load(Ordering::Relaxed) {
            self.look_ahead(requests);
        }
    }
}

/// Where a table's messages go.
enum Way {
    Page(UnboundedSender<PageMessage>),
    /// To the tables that play the same round.
    Together(Arc<Together>),
}

/// Publishes a tournament at one table, or of one table of an event. It never waits and never
/// grows: it sends what the page has asked for and otherwise only counts.
pub struct TablePublisher {
    way: Way,
    requests: Arc<Requests>,
    replies: Arc<Replies>,
    capture: Capture,
    /// The messages that are sent at the next commit.
    uncommitted: Vec<TableMessage>,
    /// Whether something happened after the end of the round.
    is_late: bool,
}

impl TablePublisher {
    fn new(way: Way, requests: Arc<Requests>, replies: Arc<Replies>, capture: Capture) -> TablePublisher {
        TablePublisher { way, requests, replies, capture, uncommitted: Vec::new(), is_late: false }
    }

    /// A publisher for a tournament at one table.
    pub(super) fn alone(
        messages: UnboundedSender<PageMessage>,
        requests: Arc<Requests>,
        replies: Arc<Replies>,
        players: usize,
    ) -> TablePublisher {
        let capture = Capture::new((0..players).collect()).with_race();
        TablePublisher::new(Way::Page(messages), requests, replies, capture)
    }

    /// A publisher for one of several tables, at which these players sit.
    pub(super) fn among_others(
        together: Arc<Together>,
        requests: Arc<Requests>,
        replies: Arc<Replies>,
        players: Vec<usize>,
    ) -> TablePublisher {
        TablePublisher::new(Way::Together(together), requests, replies, Capture::new(players))
    }

    /// Sends the standings of a tournament that goes on in the middle at once.
    pub fn catch_up(&mut self, tournament: &TableGame) {
        if tournament.table().round_number() > 0 {
            let tally = self.capture.catch_up(tournament);
            self.uncommitted.push(TableMessage::Tally(tally));
            self.send();
        }
    }

    /// Sends what has been recorded. The page may be gone: the game goes on without it.
    fn send(&mut self) {
        let messages = std::mem::take(&mut self.uncommitted);
        match &self.way {
            Way::Page(page) => drop(page.send(PageMessage::Dealer(messages))),
            Way::Together(together) => together.messages().extend(messages),
        }
    }

    /// Rounds that nobody is shown are not put into words: they must cost the dealer next to nothing.
    #[inline(never)]
    fn note(&mut self, tournament: &TableGame, event: &TableEvent) {
        let TablePublisher { way, requests, capture, .. } = self;
        let wanted = || match way {
            Way::Page(_) => requests.take_round(),
            Way::Together(together) => together.is_wanted.load(Ordering::Relaxed),
        };
        let round = capture.note(tournament, event, wanted, || requests.wants_holes());
        match event {
            TableEvent::Dealt { .. } => self.is_late = false,
            TableEvent::Ended => {
                self.uncommitted.extend(round.map(|round| TableMessage::Round(Box::new(round))));
                self.is_late = true;
            }
            // The round has been handed over: this comes after it, and it may be a while before the next deal.
            _ if self.is_late && capture.has_news() => {
                let tally = capture.take_tally(tournament);
                self.uncommitted.push(TableMessage::Tally(tally));
            }
            _ => {}
        }
    }
}

impl Recorder for TablePublisher {
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
        if !self.uncommitted.is_empty() {
            self.send();
        }
    }

    fn commit(&mut self) -> io::Result<()> {
        if !self.uncommitted.is_empty() && matches!(self.way, Way::Page(_)) {
            self.send();
        }
        Ok(())
    }

    fn over(&mut self, _: &Event) -> io::Result<()> {
        if let Way::Page(page) = &self.way {
            let messages = std::mem::take(&mut self.uncommitted);
            // The page may be gone: the game goes on without it.
            let _ = page.send(PageMessage::Dealer(messages));
            let _ = page.send(PageMessage::Decided);
        }
        Ok(())
    }

    fn network(&mut self, _: u64, seat: Seat, _: Duration) -> io::Result<()> {
        self.replies.note_network(self.capture.player_at(seat));
        Ok(())
    }

    fn round_trip(&mut self, seat: Seat, round_trip: Duration) {
        self.replies.note_round_trip(self.capture.player_at(seat), round_trip);
    }

    fn reply_time(&mut self, _: u64, seat: Seat, took: Duration) {
        self.replies.note(self.capture.player_at(seat), took);
    }
}
