//! An event of many tables as the room sees it.

use std::sync::{Arc, PoisonError};

use tokio::sync::mpsc::UnboundedSender;

use crate::tournament::{Event, Freezeout};

use super::page::{BoardRow, HallTable, HallView};
use super::replies::Replies;
use super::tidings::{News, Told, Wishes};
use super::window::{Held, Window};

/// Tells the page of an event: its levels, and through a [`Window`] for each table what happens there.
pub struct Gallery {
    news: UnboundedSender<News>,
    wishes: Arc<Wishes>,
    replies: Arc<Replies>,
    /// How the last table ends, until the event is over.
    held: Held,
    /// Whether the level in play has one table.
    is_final: bool,
}

impl Gallery {
    pub(super) fn new(news: UnboundedSender<News>, wishes: Arc<Wishes>, replies: Arc<Replies>) -> Gallery {
        Gallery { news, wishes, replies, held: Held::default(), is_final: false }
    }

    /// A level has been seated, or an event goes on in the middle of one.
    pub fn level(&mut self, event: &Event) {
        let Some(level) = event.level() else { return };
        // What was held back was not the end.
        if let Some((tally, _)) = self.held.lock().unwrap_or_else(PoisonError::into_inner).take() {
            self.tell(News::Dealer(Told::Tally(tally)));
        }
        self.is_final = event.tables().len() == 1;
        let table = |table: &Freezeout| HallTable {
            table: table.number(),
            round: table.table().round_number(),
            playing: table.table().seated().len(),
            players: table.players().iter().map(|player| player + 1).collect(),
            chips: table.table().stacks().to_vec(),
            last: None,
            done: false,
        };
        let hall = HallView {
            level: level.number,
            tournament: level.tournament,
            first_round: level.first_round,
            last_round: level.last_round(),
            ante: level.ante,
            tables: event.tables().iter().map(table).collect(),
            featured: None,
        };
        self.tell(News::Level {
            hall,
            rows: BoardRow::all(&event.standings()),
            rounds: event.rounds_played(),
        });
    }

    /// Who tells of what happens at this table during the level.
    pub fn window(&self, table: &Freezeout) -> Window {
        let window = Window::new(
            self.news.clone(),
            Arc::clone(&self.wishes),
            Arc::clone(&self.replies),
            table.players().to_vec(),
        );
        if self.is_final { window.at_final_table(Arc::clone(&self.held)) } else { window }
    }

    /// The event is over by its rules.
    pub fn over(&mut self) {
        if let Some((tally, beats)) = self.held.lock().unwrap_or_else(PoisonError::into_inner).take() {
            self.tell(News::Dealer(Told::Over(tally, beats)));
        }
    }

    /// The page may be gone: the game goes on without it.
    fn tell(&self, news: News) {
        let _ = self.news.send(news);
    }
}
