//! An event of many tables for the page.

use std::io;
use std::sync::{Arc, PoisonError};

use tokio::sync::mpsc::UnboundedSender;

use crate::replay::BoardRow;
use crate::table::TableEvent;
use crate::tournament::{Event, Recorder, TableGame};

use super::messages::{PageMessage, Requests, TableMessage};
use super::page::{EventTable, EventView};
use super::reply_times::Replies;
use super::table_publisher::{Held, TablePublisher};

/// Tells the page of an event: its levels, and through a [`TablePublisher`] for each table what happens there.
pub struct EventPublisher {
    messages: UnboundedSender<PageMessage>,
    requests: Arc<Requests>,
    replies: Arc<Replies>,
    /// The last round of the last table, until the event is over.
    held: Held,
    /// Whether the level in play has one table.
    is_final: bool,
}

impl EventPublisher {
    pub(super) fn new(
        messages: UnboundedSender<PageMessage>,
        requests: Arc<Requests>,
        replies: Arc<Replies>,
    ) -> EventPublisher {
        EventPublisher { messages, requests, replies, held: Held::default(), is_final: false }
    }

    /// A level has been seated, or an event goes on in the middle of one.
    pub fn show_level(&mut self, event: &Event) {
        let Some(level) = event.level() else { return };
        // What was held back was not the end.
        if let Some((tally, _)) = self.held.lock().unwrap_or_else(PoisonError::into_inner).take() {
            self.send(PageMessage::Dealer(TableMessage::Tally(tally)));
        }
        self.is_final = event.tables().len() == 1;
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
        self.send(PageMessage::Level {
            event: view,
            rows: BoardRow::all(&event.standings()),
            rounds: event.rounds_played(),
        });
    }

    /// The publisher for what happens at this table during the level.
    fn table_publisher(&self, table: &TableGame) -> TablePublisher {
        let publisher = TablePublisher::new(
            self.messages.clone(),
            Arc::clone(&self.requests),
            Arc::clone(&self.replies),
            table.players().to_vec(),
        );
        if self.is_final { publisher.at_final_table(Arc::clone(&self.held)) } else { publisher }
    }

    /// Sends a message. The page may be gone: the game goes on without it.
    fn send(&self, message: PageMessage) {
        let _ = self.messages.send(message);
    }
}

impl Recorder for EventPublisher {
    fn level(&mut self, event: &Event) -> io::Result<()> {
        self.show_level(event);
        Ok(())
    }

    fn for_table(&mut self, table: &TableGame) -> Box<dyn Recorder + Send> {
        Box::new(self.table_publisher(table))
    }

    /// The publishers of the tables tell what happens there.
    fn event(&mut self, _: &TableGame, _: &TableEvent) -> io::Result<()> {
        Ok(())
    }

    fn commit(&mut self) -> io::Result<()> {
        Ok(())
    }

    fn over(&mut self, _: &Event) -> io::Result<()> {
        if let Some((tally, steps)) = self.held.lock().unwrap_or_else(PoisonError::into_inner).take() {
            self.send(PageMessage::Dealer(TableMessage::Over(tally, steps)));
        }
        Ok(())
    }
}
