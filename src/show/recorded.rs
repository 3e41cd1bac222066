//! A recorded tournament as the show gets it from the dealer: the same levels and the same rounds, in their order.

use std::collections::BTreeMap;
use std::fs::File;
use std::io::BufReader;
use std::path::Path;

use casino_host::{open_journal, open_replay};
use casino_show::plan::ShownRounds;
use casino_show::state::{Capture, FinishedTournament, LevelView, TableRound, last_of_series, level_view};
use casino_stud::replay::{Observer, Replay, Segment};
use casino_stud::table::TableEvent;
use casino_stud::tournament::TableGame;

use crate::session::History;
pub(super) enum RecordedPart {
    Level(LevelView),
    /// A round, at all tables that played it.
    Rounds(Vec<TableRound>),
    /// The tournament was over by the rules.
    Decided(Option<Box<FinishedTournament>>),
}

/// Which rounds are read whole.
struct Wanted {
    /// Those that were shown,
    history: History,
    /// and all that follow from here.
    from: u64,
}

/// Catches rounds as the dealer's side of the page does.
struct Catcher {
    wanted: Wanted,
    with_holes: bool,
    has_race: bool,
    captures: BTreeMap<u32, Capture>,
    caught: Vec<TableRound>,
}

impl Observer for Catcher {
    fn event(&mut self, game: &TableGame, event: &TableEvent) {
        let Catcher { wanted, captures, has_race, .. } = self;
        let capture = captures.entry(game.number()).or_insert_with(|| {
            let capture = Capture::new(game.players().to_vec());
            if *has_race { capture.with_race() } else { capture }
        });
        let round = game.table().round_number();
        let Wanted { history, from } = wanted;
        let is_wanted = || {
            round >= *from
                || history.of_round(round).is_some_and(ShownRounds::was_asked_for)
                || history.begun(round).is_some()
        };
        let with_holes = self.with_holes;
        if let Some(round) = capture.note(game, event, is_wanted, || with_holes) {
            self.caught.push(round);
        }
    }
}

/// The parts of a recorded tournament, as far as its journal is whole: the dealer may be writing it.
pub(super) struct RecordedShow {
    replay: Replay<BufReader<File>>,
    catcher: Catcher,
    /// The read items that have not been returned.
    next: Vec<RecordedPart>,
    is_at_end: bool,
}

impl RecordedShow {
    /// The tournament of this journal, with the rounds that were shown by this history and those that come after it: where
    /// the dealer does not keep in step, only the last of these. `None` if the journal cannot be read.
    pub(super) fn open(
        journal: &Path,
        history: History,
        in_step: bool,
        with_holes: bool,
    ) -> Option<RecordedShow> {
        let from = if in_step { history.last() + 1 } else { rounds_of(journal).max(history.last() + 1) };
        let replay = open_replay(journal).ok()?;
        let has_race = !replay.event().plan().numbers_tables();
        let wanted = Wanted { history, from };
        let catcher = Catcher { wanted, with_holes, has_race, captures: BTreeMap::new(), caught: Vec::new() };
        Some(RecordedShow { replay, catcher, next: Vec::new(), is_at_end: false })
    }

    /// The rounds that have been read, which are all of their number.
    fn caught(&mut self) -> Option<RecordedPart> {
        let rounds = std::mem::take(&mut self.catcher.caught);
        (!rounds.is_empty()).then_some(RecordedPart::Rounds(rounds))
    }

    fn read(&mut self) {
        let before = self.catcher.caught.last().map(|round| round.round);
        let segment = self.replay.next(&mut self.catcher).ok().flatten();
        match segment {
            Some(Segment::Round { round }) => {
                if before.is_some_and(|before| before != round) {
                    let newer = self.catcher.caught.iter().position(|caught| caught.round == round);
                    let at = newer.unwrap_or(self.catcher.caught.len());
                    let newer = self.catcher.caught.split_off(at);
                    let older = self.caught();
                    self.next.extend(older);
                    self.catcher.caught = newer;
                }
            }
            // Late entrants sit down with the next level.
            Some(Segment::Resumed { .. } | Segment::Entry { .. }) => {}
            Some(Segment::Level { .. }) => {
                let rounds = self.caught();
                self.next.extend(rounds);
                self.catcher.captures.clear();
                let players = self.replay.players().iter().map(|player| player.name.clone()).collect();
                self.next.extend(level_view(self.replay.event(), players).map(RecordedPart::Level));
            }
            Some(Segment::Over) => {
                let rounds = self.caught();
                self.next.extend(rounds);
                self.next.push(RecordedPart::Decided(last_of_series(self.replay.event())));
            }
            None => {
                self.is_at_end = true;
                let rounds = self.caught();
                self.next.extend(rounds);
            }
        }
        self.next.reverse();
    }
}

impl Iterator for RecordedShow {
    type Item = RecordedPart;

    fn next(&mut self) -> Option<RecordedPart> {
        while self.next.is_empty() && !self.is_at_end {
            self.read();
        }
        self.next.pop()
    }
}

/// How many players a recorded tournament began with. `None` if the journal cannot be read.
pub(super) fn players_at_first(journal: &Path) -> Option<usize> {
    open_journal(journal).ok().map(|lines| lines.header().players.len())
}

/// How many rounds of a journal were played at all tables.
pub(super) fn rounds_of(journal: &Path) -> u64 {
    let Ok(mut replay) = open_replay(journal) else { return 0 };
    let mut rounds = 0;
    while let Ok(Some(segment)) = replay.next(&mut ()) {
        if matches!(segment, Segment::Round { .. }) {
            rounds = replay.event().rounds_complete();
        }
    }
    rounds
}
