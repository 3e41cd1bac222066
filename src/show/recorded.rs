//! A recorded tournament as the show gets it from the dealer: the same levels and the same rounds, in their order.

use std::collections::BTreeMap;
use std::io::BufRead;

use casino_show::state::{Capture, Part, last_of_series, level_view};
use casino_stud::replay::{Observer, Replay, ReplayError, Segment, names};
use casino_stud::table::TableEvent;
use casino_stud::tournament::TableGame;

/// Reads the parts of a recorded tournament.
pub(super) struct RecordedParts<J, O = ()> {
    pub(super) replay: Replay<J>,
    /// The captures for the page, and another observer of the same events.
    pub(super) observers: (Captures, O),
}

/// Catches each round at each table, as the dealer's side of the page does.
pub(super) struct Captures {
    /// The first round that is caught whole. Of those before it, the last of a table is, and the others are counted.
    whole_from: u64,
    has_race: bool,
    with_holes: bool,
    of_table: BTreeMap<u32, Capture>,
    caught: Vec<Part>,
}

impl Observer for Captures {
    fn event(&mut self, game: &TableGame, event: &TableEvent) {
        let capture = self.of_table.entry(game.number()).or_insert_with(|| {
            let capture = Capture::new(game.players().to_vec());
            if self.has_race { capture.with_race() } else { capture }
        });
        let is_wanted = || game.table().round_number() >= self.whole_from;
        self.caught.extend(capture.note(game, event, is_wanted, || self.with_holes).map(Part::Round));
    }
}

impl<J: BufRead, O: Observer> RecordedParts<J, O> {
    /// The tournament of this journal, with all rounds from this one on, and with all hole cards if they are to be shown.
    pub(super) fn new(replay: Replay<J>, other: O, whole_from: u64, with_holes: bool) -> RecordedParts<J, O> {
        // A page that gets every round whole takes the stacks for its race from the rounds themselves.
        let has_race = whole_from > 1 && !replay.event().plan().numbers_tables();
        let (of_table, caught) = (BTreeMap::new(), Vec::new());
        let captures = Captures { whole_from, has_race, with_holes, of_table, caught };
        RecordedParts { replay, observers: (captures, other) }
    }

    /// Reads on: `None` at the end of the journal.
    pub(super) fn next(&mut self) -> Result<Option<Vec<Part>>, ReplayError> {
        let Some(segment) = self.replay.next(&mut self.observers)? else { return Ok(None) };
        let captures = &mut self.observers.0;
        let mut parts = std::mem::take(&mut captures.caught);
        let event = self.replay.event();
        match segment {
            // Late entrants sit down with the next level.
            Segment::Round { .. } | Segment::Resumed { .. } | Segment::Entry { .. } => {}
            Segment::Level { .. } => {
                captures.of_table.clear();
                let known = names(self.replay.header()).into_iter().take(event.players()).collect();
                parts.extend(level_view(event, known).map(Part::Level));
            }
            Segment::Over => parts.push(Part::Over(last_of_series(event))),
        }
        Ok(Some(parts))
    }
}
