//! Following one round at a table, for whoever shows it elsewhere than on the page.

use crate::table::TableEvent;
use crate::tournament::TableGame;

use super::display_step::{DisplayStep, DisplaySteps};
use super::table_view::TableView;

/// Follows rounds from their deal to their end. What it sees is what the room may see.
#[derive(Debug)]
pub struct Follower {
    names: Vec<String>,
    beats: Option<DisplaySteps>,
    view: Option<TableView>,
}

impl Follower {
    /// Nothing seen yet; these are the names of the players in order.
    pub fn new(names: Vec<String>) -> Follower {
        Follower { names, beats: None, view: None }
    }

    /// The round that is just being dealt is the one to follow.
    pub fn begin(&mut self) {
        self.beats = Some(DisplaySteps::new());
    }

    /// Whether a round is being followed and not over.
    pub fn is_busy(&self) -> bool {
        self.beats.is_some()
    }

    /// Sees an event of the table.
    pub fn event(&mut self, tournament: &TableGame, event: &TableEvent) {
        let Follower { names, beats: Some(beats), view } = self else { return };
        beats.push(tournament, event, |beat| match (&beat, &mut *view) {
            (DisplayStep::Dealt { table, round, pot, seats }, view) => {
                *view = Some(TableView::dealt(*table, *round, *pot, seats, false));
            }
            (_, Some(view)) => {
                view.show(&beat, |player| names.get(player - 1).cloned().unwrap_or_default());
            }
            (_, None) => {}
        });
        if beats.is_over() {
            self.beats = None;
        }
    }

    /// The round as it was last seen.
    pub fn view(&self) -> Option<&TableView> {
        self.view.as_ref()
    }
}
