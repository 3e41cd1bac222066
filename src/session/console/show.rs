//! The settings of the show: written by the console, read by the displays.

use std::path::PathBuf;
use std::sync::atomic::{AtomicBool, AtomicU8, AtomicU32, Ordering};
use std::time::Duration;

use casino_stud::tournament::{ConsoleAction, HoleCards};

use super::{ConsoleError, ConsoleState, DayPhase};

const MAX_NOTICES: usize = 20;

/// How long a tournament is shown, in whole minutes: at most a day; zero if the dealer never waits for the show.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, PartialOrd, Ord)]
pub struct ShowMinutes(u32);

impl ShowMinutes {
    /// The dealer never waits for the show.
    pub const NONE: ShowMinutes = ShowMinutes(0);

    /// The length where there is a page or a console and nobody sets another.
    pub const DEFAULT: ShowMinutes = ShowMinutes(40);

    /// A day.
    pub const MAX: ShowMinutes = ShowMinutes(24 * 60);

    /// So many minutes, or a day if they are more.
    pub const fn clamped(minutes: u32) -> ShowMinutes {
        if minutes > ShowMinutes::MAX.0 { ShowMinutes::MAX } else { ShowMinutes(minutes) }
    }

    /// The number of minutes.
    pub const fn get(self) -> u32 {
        self.0
    }

    /// The number of minutes; `None` if the dealer never waits for the show.
    pub fn of_a_show(self) -> Option<u32> {
        (self != ShowMinutes::NONE).then_some(self.0)
    }

    /// The time from the first deal to the last award; `None` if the dealer never waits for the show.
    pub fn length(self) -> Option<Duration> {
        self.of_a_show().map(|minutes| Duration::from_secs(60 * u64::from(minutes)))
    }
}

impl TryFrom<u64> for ShowMinutes {
    type Error = &'static str;

    fn try_from(minutes: u64) -> Result<ShowMinutes, &'static str> {
        let minutes = u32::try_from(minutes).ok().map(ShowMinutes);
        minutes
            .filter(|minutes| *minutes <= ShowMinutes::MAX)
            .ok_or("a tournament is shown for at most 1,440 minutes, which is a day")
    }
}

/// The settings of the show: one value each, read at every round and changed at any time.
#[derive(Debug)]
pub struct ShowSettings {
    minutes: AtomicU32,
    /// The seconds that are left as the show's clock sees it, plus one; 0 if no clock runs.
    seconds_left: AtomicU32,
    holes: AtomicU8,
    predictions: AtomicBool,
}

impl Default for ShowSettings {
    fn default() -> ShowSettings {
        ShowSettings {
            minutes: AtomicU32::new(0),
            seconds_left: AtomicU32::new(0),
            holes: AtomicU8::new(HoleCards::default() as u8),
            predictions: AtomicBool::new(true),
        }
    }
}

impl ShowSettings {
    /// How long a tournament is shown.
    pub fn minutes(&self) -> ShowMinutes {
        ShowMinutes(self.minutes.load(Ordering::Relaxed))
    }

    /// Sets how long a tournament is shown, from its beginning.
    pub fn set_minutes(&self, minutes: ShowMinutes) {
        self.minutes.store(minutes.get(), Ordering::Relaxed);
    }

    /// How many seconds are left, as the presenter said last; `None` if no clock runs.
    pub fn seconds_left(&self) -> Option<u32> {
        self.seconds_left.load(Ordering::Relaxed).checked_sub(1)
    }

    /// Keeps how many seconds are left; `None` if no clock runs.
    pub fn set_seconds_left(&self, seconds: Option<u32>) {
        self.seconds_left.store(seconds.map_or(0, |seconds| seconds.saturating_add(1)), Ordering::Relaxed);
    }

    /// When the room sees hole cards.
    pub fn holes(&self) -> HoleCards {
        match self.holes.load(Ordering::Relaxed) {
            0 => HoleCards::Never,
            1 => HoleCards::Showdown,
            _ => HoleCards::Tv,
        }
    }

    /// Sets when the room sees hole cards.
    pub fn set_holes(&self, holes: HoleCards) {
        self.holes.store(holes as u8, Ordering::Relaxed);
    }

    /// Whether phones may predict who wins.
    pub fn predictions(&self) -> bool {
        self.predictions.load(Ordering::Relaxed)
    }

    /// Sets whether phones may predict who wins.
    pub fn set_predictions(&self, on: bool) {
        self.predictions.store(on, Ordering::Relaxed);
    }
}

impl ConsoleState {
    /// Where the journal of the tournament in play is, if one is written.
    pub(crate) fn journal_path(&self) -> Option<PathBuf> {
        self.state().journal.clone()
    }

    /// Tells the teacher something about the day itself, once each.
    pub(crate) fn notice(&self, sentence: String) {
        let mut state = self.state();
        if state.notices.contains(&sentence) {
            return;
        }
        if state.notices.len() == MAX_NOTICES {
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

    pub(crate) fn set_tempo(&self, percent: u32) -> Result<(), ConsoleError> {
        if !(10..=2_000).contains(&percent) {
            return Err("the show runs at 10 to 2,000 per cent".into());
        }
        self.tempo.store(percent, Ordering::Relaxed);
        self.done(ConsoleAction::TempoPercent(percent));
        Ok(())
    }

    pub(crate) fn pace(&self, pace: Duration) -> Result<(), ConsoleError> {
        if pace > Duration::from_secs(60) {
            return Err("a round waits at most 60,000 ms".into());
        }
        self.listed(&ConsoleAction::pace(pace));
        self.controls.pace(pace);
        Ok(())
    }

    /// The show's clock: the seconds left, if it runs. The journal records each full minute, so that a resumed
    /// tournament continues with the rest.
    pub(crate) fn clock(&self, seconds_left: Option<u64>) {
        let seconds_left = seconds_left.map(|seconds| u32::try_from(seconds).unwrap_or(u32::MAX - 1));
        self.show().set_seconds_left(seconds_left);
        let minutes = self.show().minutes();
        let Some(left) = seconds_left.filter(|_| minutes != ShowMinutes::NONE) else {
            return self.minutes_left.store(0, Ordering::Relaxed);
        };
        let left = left.div_ceil(60).max(1);
        let before = match self.minutes_left.swap(left, Ordering::Relaxed) {
            0 => minutes.get(),
            before => before,
        };
        if left < before {
            self.controls.note(ConsoleAction::MinutesLeft(left));
        }
    }

    /// Sets the length of the show.
    pub(crate) fn set_minutes(&self, minutes: ShowMinutes) {
        self.show().set_minutes(minutes);
        self.done(ConsoleAction::Minutes(minutes.get()));
        self.controls.wake();
    }

    pub(crate) fn set_holes(&self, holes: HoleCards) {
        self.show().set_holes(holes);
        self.done(ConsoleAction::Holes(holes));
    }

    pub(crate) fn set_predictions(&self, on: bool) {
        self.show().set_predictions(on);
        self.done(ConsoleAction::Predictions(on));
    }

    /// The table that is to be shown round by round, from 1; 0 leaves it to the page.
    pub(crate) fn featured(&self) -> u32 {
        self.featured.load(Ordering::Relaxed)
    }

    /// Has this table shown round by round, from 1; 0 leaves it to the page. `in_play` are the tables there are.
    pub(crate) fn feature(&self, table: u32, in_play: &[u32]) -> Result<(), ConsoleError> {
        self.state_in(DayPhase::Playing, "choosing a table").map(drop)?;
        if table != 0 && !in_play.contains(&table) {
            let numbers: Vec<String> = in_play.iter().map(u32::to_string).collect();
            let tables = if numbers.is_empty() { "none".to_string() } else { numbers.join(", ") };
            return Err(format!("table {table} is not in play; the tables in play: {tables}").into());
        }
        self.featured.store(table, Ordering::Relaxed);
        self.done(if table == 0 { "show any table".to_string() } else { format!("show table {table}") });
        Ok(())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn settings_are_read_as_they_were_set() {
        let settings = ShowSettings::default();
        assert_eq!(
            (settings.minutes(), settings.holes(), settings.predictions()),
            (ShowMinutes::NONE, HoleCards::Showdown, true)
        );
        for holes in [HoleCards::Never, HoleCards::Showdown, HoleCards::Tv] {
            settings.set_holes(holes);
            assert_eq!(settings.holes(), holes);
        }
        for (minutes, seconds) in [(u32::MAX, Some(86_400)), (2, Some(120)), (0, None)] {
            settings.set_minutes(ShowMinutes::clamped(minutes));
            assert_eq!(settings.minutes().length(), seconds.map(Duration::from_secs));
        }
        assert_eq!(ShowMinutes::try_from(1_440), Ok(ShowMinutes::MAX));
        assert!(ShowMinutes::try_from(1_441).is_err());
        assert_eq!(settings.seconds_left(), None);
        settings.set_seconds_left(Some(0));
        assert_eq!(settings.seconds_left(), Some(0));
        settings.set_seconds_left(None);
        assert_eq!(settings.seconds_left(), None);
        settings.set_predictions(false);
        assert!(!settings.predictions());
    }
}
