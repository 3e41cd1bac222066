//! How the teacher has the day shown.

use std::path::PathBuf;
use std::sync::atomic::Ordering;
use std::time::Duration;

use super::console_error::ConsoleError;
use super::console_state::ConsoleState;
use super::day::DayPhase;
use super::messages::Requests;
use super::show_settings::{HoleCards, MOST_MINUTES};

const NOTICES: usize = 20;

impl ConsoleState {
    /// A tournament begins: says which rounds are wanted, and closes the gate where the dealer keeps in step with the
    /// show. This comes before anything is dealt, so that the first round is not missed.
    pub(super) fn open_show(&self, requests: &Requests) {
        let in_step = self.show().minutes().is_some();
        if in_step {
            requests.want_every();
        } else {
            requests.want_one();
        }
        requests.show_begins();
        self.controls.reset_gate(in_step.then_some(1));
    }

    /// Where the journal of the tournament in play is, if one is written.
    pub(super) fn journal_path(&self) -> Option<PathBuf> {
        self.state().journal.clone()
    }

    /// Tells the teacher something about the day itself, once each.
    pub(super) fn notice(&self, sentence: String) {
        let mut state = self.state();
        if state.notices.contains(&sentence) {
            return;
        }
        if state.notices.len() == NOTICES {
            state.notices.remove(0);
        }
        state.notices.push(sentence);
    }

    /// How fast rounds are shown: 1 is the usual pace, 2 is twice as fast.
    pub fn tempo(&self) -> f64 {
        match self.tempo.load(Ordering::Relaxed) {
            0 => 1.0,
            percent => f64::from(percent) / 100.0,
        }
    }

    /// Sets how fast rounds are shown, in per cent, as it was before an interruption.
    pub fn restore_tempo(&self, percent: u32) {
        self.tempo.store(percent.clamp(10, 2_000), Ordering::Relaxed);
    }

    pub(super) fn set_tempo(&self, percent: u32) -> Result<(), ConsoleError> {
        if !(10..=2_000).contains(&percent) {
            return Err(ConsoleError::TempoOutOfRange);
        }
        self.tempo.store(percent, Ordering::Relaxed);
        self.done(format!("show {percent} per cent"));
        Ok(())
    }

    pub(super) fn pace(&self, pace: Duration) -> Result<(), ConsoleError> {
        if pace > Duration::from_secs(60) {
            return Err(ConsoleError::PaceTooSlow);
        }
        self.listed(&format!("pace {}", pace.as_millis()));
        self.controls.pace(pace);
        Ok(())
    }

    /// The show's clock: how many seconds are left, if it runs. The journal keeps each full minute, so that a
    /// tournament that is interrupted goes on with what was left.
    pub(super) fn clock(&self, seconds_left: Option<u64>) {
        let seconds_left = seconds_left.map(|seconds| u32::try_from(seconds).unwrap_or(u32::MAX - 1));
        self.show().set_seconds_left(seconds_left);
        let (Some(minutes), Some(left)) = (self.show().minutes(), seconds_left) else {
            return self.minutes_left.store(0, Ordering::Relaxed);
        };
        let left = left.div_ceil(60).max(1);
        let before = match self.minutes_left.swap(left, Ordering::Relaxed) {
            0 => minutes,
            before => before,
        };
        if left < before {
            self.controls.note(&format!("minutes left {left}"));
        }
    }

    /// Sets how long the tournament is shown, in minutes; 0 if nobody waits for the show.
    pub(super) fn set_minutes(&self, minutes: u32) -> Result<(), ConsoleError> {
        if minutes > MOST_MINUTES {
            return Err(ConsoleError::TooManyMinutes);
        }
        self.show().set_minutes(minutes);
        self.done(format!("minutes {minutes}"));
        self.controls.wake();
        Ok(())
    }

    pub(super) fn set_holes(&self, holes: HoleCards) {
        self.show().set_holes(holes);
        self.done(format!("hole cards {}", holes.name()));
    }

    pub(super) fn set_predictions(&self, on: bool) {
        self.show().set_predictions(on);
        self.done(format!("predictions {}", if on { "on" } else { "off" }));
    }

    /// The table that is to be shown round by round, from 1; 0 leaves it to the page.
    pub(super) fn featured(&self) -> u32 {
        self.featured.load(Ordering::Relaxed)
    }

    /// Has this table shown round by round, from 1; 0 leaves it to the page. `in_play` are the tables there are.
    pub(super) fn feature(&self, table: u32, in_play: &[u32]) -> Result<(), ConsoleError> {
        self.state_in(DayPhase::Playing, "choosing a table").map(drop)?;
        if table != 0 && !in_play.contains(&table) {
            return Err(ConsoleError::NoSuchTable { table, in_play: in_play.to_vec() });
        }
        self.featured.store(table, Ordering::Relaxed);
        self.done(if table == 0 { "show any table".to_string() } else { format!("show table {table}") });
        Ok(())
    }
}
