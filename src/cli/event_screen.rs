//! An event of many tables on the whole terminal: the first table of each level is shown.

use std::io;
use std::mem;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};

use crate::session::TournamentStart;
use crate::stud::Seat;
use crate::table::TableEvent;
use crate::tournament::{Event, NoRecorder, Recorder, TableGame};

use super::screen::{Screen, leave};

/// Draws the first table of each level.
pub(super) struct EventScreen {
    shared: SharedScreen,
    /// The players, and the house bots of a gauntlet after them.
    names: Vec<String>,
    /// Whether the table that is asked for next is the first one of its level.
    is_first: bool,
}

impl EventScreen {
    /// A screen for this event, if standard output is a terminal that can show one.
    pub(super) fn new(start: &TournamentStart<'_>) -> Option<EventScreen> {
        let screen = Screen::new(start.players, start.rounds)?;
        let against = start.plan.map(|plan| plan.against.clone()).unwrap_or_default();
        let names = start.players.iter().map(|player| player.name.clone()).chain(against).collect();
        Some(EventScreen { shared: SharedScreen(Arc::new(Mutex::new(screen))), names, is_first: true })
    }
}

impl Recorder for EventScreen {
    fn level(&mut self, _: &Event) -> io::Result<()> {
        self.is_first = true;
        Ok(())
    }

    fn for_table(&mut self, table: &TableGame) -> Box<dyn Recorder + Send> {
        if !mem::take(&mut self.is_first) {
            return Box::new(NoRecorder);
        }
        let names = table.players().iter().map(|player| self.names[*player].clone()).collect();
        self.shared.screen().show_table(names);
        Box::new(self.shared.clone())
    }

    fn event(&mut self, _: &TableGame, _: &TableEvent) -> io::Result<()> {
        Ok(())
    }

    fn commit(&mut self) -> io::Result<()> {
        Ok(())
    }

    fn over(&mut self, _: &Event) -> io::Result<()> {
        // The final table follows where it can be scrolled back to.
        leave();
        Ok(())
    }

    fn pause(&mut self) -> io::Result<()> {
        leave();
        Ok(())
    }
}

/// The screen in the hands of the table that is shown, which is played in a thread of its own.
#[derive(Clone)]
struct SharedScreen(Arc<Mutex<Screen>>);

impl SharedScreen {
    fn screen(&self) -> MutexGuard<'_, Screen> {
        // A picture is drawn anew each time: nothing is left half-done by a panic elsewhere.
        self.0.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

impl Recorder for SharedScreen {
    fn event(&mut self, table: &TableGame, event: &TableEvent) -> io::Result<()> {
        self.screen().event(table, event)
    }

    fn commit(&mut self) -> io::Result<()> {
        self.screen().commit()
    }

    fn asked(&mut self, seat: Seat) {
        self.screen().asked(seat);
    }

    fn idle(&mut self, table: &TableGame) {
        self.screen().idle(table);
    }
}
