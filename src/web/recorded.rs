//! Where a tournament stands by its journal: what a page is built again from.

use casino_host::open_replay;
use std::path::Path;

use casino_stud::replay::{BoardRow, Observer, Segment};
use casino_stud::stud::Chips;
use casino_stud::table::TableEvent;
use casino_stud::tournament::{Announce, Point, Race, TableGame};

use super::event_publisher::level_message;
use super::messages::PageMessage;

/// Where a recorded tournament stands, as far as its journal is whole.
pub(super) struct Recorded {
    pub(super) round: u64,
    /// The standings after that round, best first.
    pub(super) rows: Vec<BoardRow>,
    pub(super) points: Vec<Point>,
    /// The stacks with which those who left began their last round.
    pub(super) began_with: Vec<(usize, Chips)>,
    /// The level in play, in an event of many tables.
    pub(super) level: Option<PageMessage>,
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

/// Plays the journal again as far as it is whole. `None` if not even its beginning is.
pub(super) fn recorded(journal: &Path) -> Option<Recorded> {
    let mut replay = open_replay(journal).ok()?;
    let chips = vec![replay.header().stack; replay.header().players.len()];
    let mut stacks = Stacks { race: Race::from_start(chips.clone()), chips };
    let mut whole = replay.event().clone();
    // The journal may end anywhere, and the dealer may be writing it: what can be read counts.
    while let Ok(Some(segment)) = replay.next(&mut stacks) {
        if !matches!(segment, Segment::Round { finished: false, .. }) {
            whole = replay.event().clone();
        }
    }
    let standings = whole.standings();
    let exits = standings
        .places()
        .iter()
        .filter_map(|standing| standing.exit.as_ref().map(|exit| (standing.player, exit.began_with)));
    let round = whole.rounds_complete();
    let points = stacks.race.points().iter().filter(|point| point.round <= round);
    Some(Recorded {
        round,
        rows: BoardRow::all(&standings),
        points: points.cloned().collect(),
        began_with: exits.collect(),
        level: (whole.announce() == Announce::AfterAllTables).then(|| level_message(&whole)).flatten(),
    })
}
