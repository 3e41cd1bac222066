//! Following one round at a table for a display.

use crate::table::TableEvent;
use crate::tournament::TableGame;

use super::{DisplayStep, DisplaySteps, PublicEvent, PublicRound, TableView};

/// Follows rounds from their deal to their end, and knows only what everybody may see.
#[derive(Debug)]
pub struct Follower {
    names: Vec<String>,
    /// The round that is followed, until it is over.
    round: Option<(PublicRound, DisplaySteps)>,
    view: Option<TableView>,
}

impl Follower {
    /// A follower that has seen nothing yet; these are the names of the players in order.
    pub fn new(names: Vec<String>) -> Follower {
        Follower { names, round: None, view: None }
    }

    /// Begins to follow the round that is just being dealt.
    pub fn begin(&mut self) {
        self.round = Some(Default::default());
    }

    /// Whether a round is being followed and not over.
    pub fn is_busy(&self) -> bool {
        self.round.is_some()
    }

    /// Sees an event of the table.
    pub fn event(&mut self, game: &TableGame, event: &TableEvent) {
        let Follower { names, round: Some((round, steps)), view } = self else { return };
        steps.push(round.push(game, event), |step| match (step, &mut *view) {
            (DisplayStep::Event(PublicEvent::Dealt(deal)), view) => {
                *view = Some(TableView::dealt(&deal, false));
            }
            (DisplayStep::Event(event), Some(view)) => view.show(&event, names),
            _ => {}
        });
        if steps.is_over() {
            self.round = None;
        }
    }

    /// The round as it was last seen.
    pub fn view(&self) -> Option<&TableView> {
        self.view.as_ref()
    }
}
