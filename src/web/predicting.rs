//! When the show stands still so that phones can predict.

use std::collections::BTreeSet;
use std::time::Duration;

use tokio::time::Instant;

use super::predictions::{PredictionStage, Predictions};
use super::presenter::Presenter;

/// The part of the show in which phones may predict before the start, and again before the last table.
const PREDICTING_PART: f64 = 0.02;

/// The shortest and the longest time for it: a name has to be chosen from a list and one's own typed.
const PREDICTING_LEAST: Duration = Duration::from_secs(8);
const PREDICTING_MOST: Duration = Duration::from_secs(30);

impl Presenter {
    /// Lets phones predict before the show goes on, if the dealer keeps in step with it and somebody watches.
    pub(super) fn let_predict(&mut self, stage: PredictionStage, players: BTreeSet<usize>) {
        if stage == PredictionStage::Start {
            self.last_table.clear();
        } else {
            self.last_table.clone_from(&players);
        }
        let is_wanted = self.in_step && self.console_state.show().predictions() && self.hub.viewers() > 0;
        if !is_wanted || players.len() < 2 {
            return;
        }
        self.hub.predictions(|predictions| predictions.open(stage, players));
        self.is_predicting = true;
        let time = self.clock.total().mul_f64(PREDICTING_PART).clamp(PREDICTING_LEAST, PREDICTING_MOST);
        self.next = Instant::now() + time.div_f64(self.console_state.tempo());
    }

    /// The show goes on: nothing more may be predicted.
    pub(super) fn end_predicting(&mut self) {
        if std::mem::take(&mut self.is_predicting) {
            self.hub.predictions(Predictions::close);
        }
    }
}
