//! An event for the page.

use std::io;
use std::sync::Arc;

use tokio::sync::mpsc::UnboundedSender;

use casino_stud::replay::{BoardRow, ExitRank};
use casino_stud::tournament::{Event, Newcomer, Recorder, TableGame, TableRecorder};

use super::capture::Capture;
use super::messages::{FinishedTournament, LevelView, PageMessage, Requests};
use super::page::{EventTable, EventView};
use super::sections::SeriesPart;
use super::table_publisher::{TablePublisher, Together};
use super::time_budget::Remaining;
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

/// The level in play of this event of these players, as the page is told of it.
pub(super) fn level_view(event: &Event, players: Vec<String>) -> Option<LevelView> {
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
        series: event.plan().series,
        first_round: level.first_round,
        last_round: level.last_round(),
        ante: level.ante,
        forgives: event.plan().format.rules().forgives,
        tables: event.tables().iter().map(table).collect(),
        featured: None,
    };
    let standings = event.standings();
    Some(LevelView {
        event: (event.plan().numbers_tables() || event.plan().series > 1).then_some(view),
        rows: BoardRow::all(&standings),
        exits: ExitRank::all(&standings).collect(),
        rounds: event.rounds_complete(),
        remaining: Remaining::of(event),
        finished: finished(event),
        players,
    })
}

/// The tournament of a series that is just over, if the level in play is the first of the next and no round of it has been
/// dealt.
fn finished(event: &Event) -> Option<Box<FinishedTournament>> {
    let level = event.level()?;
    if event.levels_begun() > 1 || event.next_round() != level.first_round {
        return None;
    }
    last_of_series(event)
}

/// The tournament of a series that was over last.
pub(super) fn last_of_series(event: &Event) -> Option<Box<FinishedTournament>> {
    let (number, standings) = event.last_tournament()?;
    let winners = BoardRow::all(standings).into_iter().filter(|row| row.place == Some(1)).collect();
    let part = SeriesPart { number, of: event.plan().series };
    Some(Box::new(FinishedTournament { part, winners }))
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
