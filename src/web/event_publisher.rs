//! An event of many tables for the page.

use std::io;
use std::sync::Arc;

use tokio::sync::mpsc::UnboundedSender;

use casino_stud::replay::BoardRow;
use casino_stud::table::TableEvent;
use casino_stud::tournament::{Event, Recorder, TableGame};

use super::messages::{PageMessage, Requests};
use super::page::{EventTable, EventView};
use super::reply_times::Replies;
use super::table_publisher::{TablePublisher, Together};
use super::time_budget::Remaining;

/// Tells the page of an event: its levels, and through a [`TablePublisher`] for each table what happens there. All
/// tables tell of the same rounds.
pub struct EventPublisher {
    messages: UnboundedSender<PageMessage>,
    requests: Arc<Requests>,
    replies: Arc<Replies>,
    together: Arc<Together>,
}

impl EventPublisher {
    pub(super) fn new(
        messages: UnboundedSender<PageMessage>,
        requests: Arc<Requests>,
        replies: Arc<Replies>,
    ) -> EventPublisher {
        EventPublisher { messages, requests, replies, together: Arc::default() }
    }

    /// A level has been seated, or an event goes on in the middle of one.
    pub fn show_level(&mut self, event: &Event) {
        self.together.look_again(&self.requests);
        if let Some(message) = level_message(event) {
            self.send(message);
        }
    }

    /// Sends a message. The page may be gone: the game goes on without it.
    fn send(&self, message: PageMessage) {
        let _ = self.messages.send(message);
    }
}

/// The level in play of this event, as the page is told of it.
pub(super) fn level_message(event: &Event) -> Option<PageMessage> {
    let level = event.level()?;
    let table = |table: &TableGame| EventTable {
        table: table.number(),
        round: table.table().round_number(),
        playing: table.table().seated().len(),
        players: table.players().iter().map(|player| player + 1).collect(),
        chips: table.table().stacks().to_vec(),
        last: None,
        done: false,
    };
    let view = EventView {
        level: level.number,
        tournament: level.tournament,
        first_round: level.first_round,
        last_round: level.last_round(),
        ante: level.ante,
        tables: event.tables().iter().map(table).collect(),
        featured: None,
    };
    Some(PageMessage::Level {
        event: view,
        rows: BoardRow::all(&event.standings()),
        rounds: event.rounds_complete(),
        remaining: Remaining::of(event),
    })
}

impl Recorder for EventPublisher {
    fn level(&mut self, event: &Event) -> io::Result<()> {
        self.show_level(event);
        Ok(())
    }

    fn for_table(&mut self, table: &TableGame) -> Box<dyn Recorder + Send> {
        Box::new(TablePublisher::among_others(
            Arc::clone(&self.together),
            Arc::clone(&self.requests),
            Arc::clone(&self.replies),
            table.players().to_vec(),
        ))
    }

    /// The publishers of the tables tell what happens there.
    fn event(&mut self, _: &TableGame, _: &TableEvent) -> io::Result<()> {
        Ok(())
    }

    /// All tables have played the round and handed it over.
    fn commit(&mut self) -> io::Result<()> {
        let messages = self.together.take();
        if !messages.is_empty() {
            self.send(PageMessage::Dealer(messages));
        }
        self.together.look_ahead(&self.requests);
        Ok(())
    }

    fn over(&mut self, _: &Event) -> io::Result<()> {
        self.send(PageMessage::Decided);
        Ok(())
    }
}
