//! Where a tournament stands by its journal: what a page is built again from.

use casino_host::open_replay;
use std::path::Path;

use casino_stud::replay::{Observer, Segment};
use casino_stud::stud::Chips;
use casino_stud::table::TableEvent;
use casino_stud::tournament::{Point, Race, TableGame};

use super::event_publisher::level_view;
use super::messages::LevelView;

/// Where a recorded tournament stands, as far as its journal is whole.
pub(super) struct Recorded {
    /// The level in play; the standings are those after the last whole round.
    pub(super) level: LevelView,
    pub(super) points: Vec<Point>,
}

struct Stacks {
    chips: Vec<Chips>,
    race: Race,
}

impl Observer for Stacks {
    fn event(&mut self, game: &TableGame, event: &TableEvent) {
        if *event != TableEvent::Ended {
            return;
        }
        for (player, stack) in game.players().iter().zip(game.table().stacks()) {
            if let Some(chips) = self.chips.get_mut(*player) {
                *chips = *stack;
            }
        }
        self.race.push(Point { round: game.table().round_number(), stacks: self.chips.clone() });
    }
}

/// Plays the journal again as far as it is whole. `None` if not even its first level is.
pub(super) fn recorded(journal: &Path) -> Option<Recorded> {
    let mut replay = open_replay(journal).ok()?;
    let chips = vec![replay.header().terms.stack; replay.header().players.len()];
    let mut stacks = Stacks { race: Race::from_start(chips.clone()), chips };
    let mut whole = replay.event().clone();
    // The journal may end anywhere, and the dealer may be writing it: what can be read counts.
    while let Ok(Some(segment)) = replay.next(&mut stacks) {
        if !matches!(segment, Segment::Round { finished: false, .. }) {
            whole = replay.event().clone();
        }
    }
    let level = level_view(&whole)?;
    let points = stacks.race.points().iter().filter(|point| point.round <= level.rounds);
    let points = points.cloned().collect();
    Some(Recorded { level, points })
}
