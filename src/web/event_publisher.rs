//! An event for the page.

use std::io;
use std::sync::Arc;

use tokio::sync::mpsc::UnboundedSender;

use casino_show::state::{Capture, last_of_series, level_view};
use casino_stud::tournament::{Event, Newcomer, Recorder, TableGame, TableRecorder};

use super::messages::{PageMessage, Requests};
use super::table_publisher::{TablePublisher, Together};
use crate::session::Replies;

/// Tells the page of an event: its levels, and through a [`TablePublisher`] for each table what happens there. All
/// tables tell of the same rounds.
pub struct EventPublisher {
    messages: UnboundedSender<PageMessage>,
    requests: Arc<Requests>,
    replies: Arc<Replies>,
    together: Arc<Together>,
    /// Whether the stacks of a table are kept over its rounds: nobody comes to it or leaves for another one.
    has_race: bool,
    /// The names of all players, those who have come in late after the others.
    players: Vec<String>,
}

impl EventPublisher {
    pub(super) fn new(
        messages: UnboundedSender<PageMessage>,
        requests: Arc<Requests>,
        replies: Arc<Replies>,
        players: Vec<String>,
    ) -> EventPublisher {
        EventPublisher { messages, requests, replies, together: Arc::default(), has_race: false, players }
    }

    /// An event goes on whose journal the page knows.
    pub(super) fn go_on(&mut self, event: &Event) {
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
        let (together, requests) = (Arc::clone(&self.together), Arc::clone(&self.requests));
        Box::new(TablePublisher::new(together, requests, Arc::clone(&self.replies), capture))
    }

    /// All tables have played the round and handed it over.
    fn commit(&mut self) -> io::Result<()> {
        let rounds = self.together.take();
        if !rounds.is_empty() {
            self.send(PageMessage::Dealer(rounds));
        }
        Ok(())
    }

    fn over(&mut self, event: &Event) -> io::Result<()> {
        self.send(PageMessage::Decided(last_of_series(event)));
        Ok(())
    }
}
