//! The page of a tournament that goes on after an interruption, made from its journal. The dealer is at most one round ahead of a
//! show in step, so everything up to the round before the last recorded one has been shown; from that round on it is shown
//! again.

use std::io::{BufRead, BufReader, Read};
use std::sync::Arc;
use std::time::Duration;

use casino_show::plan::Pending;
use casino_show::rounds::TournamentInfo;
use casino_show::state::{Part, PredictionStage};
use casino_stud::journal::{ReadError, Reader};
use casino_stud::replay::{HouseBots, Replay, ReplayError};
use casino_stud::tournament::HoleCards;
use casino_system::files;

use super::presenter::Presenter;
use super::recorded::RecordedParts;
use crate::session::{Interruption, first_shown_again};

impl Interruption {
    /// The journal as it was then: the dealer may write on already.
    fn replay(&self) -> Result<Replay<impl BufRead + use<>>, ReplayError> {
        let file = files::open(&self.journal).map_err(ReadError::from)?;
        let lines = Reader::new(BufReader::new(file.take(self.length)))?;
        Replay::new(lines, HouseBots::AsRecorded)
    }
}

impl Presenter {
    /// A recorded tournament goes on after an interruption.
    pub(super) fn go_on_after(&mut self, mut info: TournamentInfo, interruption: &Interruption) {
        let replay = interruption.replay();
        // Late entrants come in with their level.
        info.players.truncate(replay.as_ref().map_or(usize::MAX, |replay| replay.event().players()));
        let players = (1..=info.players.len()).collect();
        self.begin(info);
        self.recorded = interruption.rounds;
        self.queue.has_gap = !self.in_step;
        if let Err(error) = replay.and_then(|replay| self.move_to_interruption(replay)) {
            self.queue.has_gap = true;
            self.console_state.notice(format!(
                "The page cannot read the journal ({error}): it shows all standings again from the next round on."
            ));
        }
        self.plan.budget.begin_here();
        match interruption.pause {
            _ if self.recorded == 0 => self.let_predict(PredictionStage::Start, players),
            Some(pause) => self.plan.push_interruption(pause.as_secs()),
            None => {}
        }
    }

    /// Applies to the page, without showing them, the parts that were shown before the interruption. The later parts of the
    /// journal are queued to be shown.
    fn move_to_interruption(&mut self, replay: Replay<impl BufRead>) -> Result<(), ReplayError> {
        let first = first_shown_again(self.recorded);
        let whole_from = if self.in_step { 1 } else { first };
        let with_holes = self.console_state.holes() == HoleCards::Tv;
        let mut recorded = RecordedParts::new(replay, (), whole_from, with_holes);
        Arc::clone(&self.hub).quietly(|| {
            let mut waiting = Vec::new();
            while let Some(parts) = recorded.next()? {
                for part in parts {
                    match part {
                        Part::Round(round) if round.round >= first => waiting.push(round),
                        Part::Level(level) if level.rounds >= first => {
                            self.queue.take(std::mem::take(&mut waiting));
                            self.queue.push(Pending::Level(level));
                        }
                        Part::Over(finished) => self.decide(finished),
                        shown => self.pass(&shown),
                    }
                }
            }
            self.queue.take(waiting);
            Ok(())
        })
    }

    /// Applies to the page a part that was shown before the interruption.
    fn pass(&mut self, part: &Part) {
        let before = self.hub.look(|page| page.board.round);
        let alive = self.page.advance(part);
        let (budget, no_time) = (&mut self.plan.budget, Duration::ZERO);
        match part {
            Part::Level(level) => budget.begin_level(no_time, level.rounds, alive, level.remaining),
            Part::Round(round) if round.round > before => budget.note_round(no_time, alive, no_time),
            _ => {}
        }
    }
}
