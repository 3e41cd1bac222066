//! The settings of the show: commands of the console, read by the displays.

use std::time::Duration;

use casino_stud::tournament::{ConsoleAction, DaySettings, HoleCards};

use super::{ConsoleError, ConsoleState, DayPhase, NoticeKind};

/// A player whose replies of a round take less does not make a show late, in seconds.
const LEAST_COST: f64 = 0.05;

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

impl ConsoleState {
    /// Tells the teacher something about the day itself, once each.
    pub(crate) fn notice(&self, sentence: String) {
        self.state().notices.add(None, sentence);
    }

    /// The same in place of the last notice of this kind.
    pub(crate) fn notice_of(&self, kind: NoticeKind, sentence: String) {
        self.state().notices.add(Some(kind), sentence);
    }

    /// Tells the teacher which of these players, from 0, costs the show most time, after so many rounds; nobody if the show is not
    /// late.
    pub(crate) fn tell_late(&self, players: impl IntoIterator<Item = usize>, rounds: u64) {
        let mut state = self.state();
        let aside = self.controls.read(|settings| settings.set_aside.clone());
        let players = players.into_iter().filter(|player| !aside.contains(player));
        state.late = state.replies.slowest(players, rounds).filter(|late| late.seconds >= LEAST_COST);
    }

    /// How long a tournament is shown.
    pub fn minutes(&self) -> ShowMinutes {
        ShowMinutes::clamped(self.controls.read(|settings| settings.minutes).unwrap_or(0))
    }

    /// When the room sees hole cards.
    pub fn holes(&self) -> HoleCards {
        self.controls.read(|settings| settings.holes)
    }

    /// Whether phones may predict who wins.
    pub fn predictions(&self) -> bool {
        self.controls.read(|settings| settings.predictions)
    }

    /// Whether the page has sounds.
    pub fn sounds(&self) -> bool {
        self.controls.read(|settings| settings.sounds)
    }

    /// How fast rounds are shown: 1 is the usual pace, 2 is twice as fast.
    pub fn tempo(&self) -> f64 {
        f64::from(self.controls.read(|settings| settings.tempo_percent)) / 100.0
    }

    pub(crate) fn set_tempo(&self, percent: u32) -> Result<(), ConsoleError> {
        if !DaySettings::TEMPO_PERCENT.contains(&percent) {
            return Err("the show runs at 10 to 2,000 per cent".into());
        }
        self.done(ConsoleAction::TempoPercent(percent));
        Ok(())
    }

    pub(crate) fn pace(&self, pace: Duration) -> Result<(), ConsoleError> {
        if pace > DaySettings::MAX_PACE {
            return Err("a round waits at most 60,000 ms".into());
        }
        self.listed(&ConsoleAction::pace(pace));
        self.controls.pace(pace);
        Ok(())
    }

    /// The show's clock: the seconds left, if it runs. The journal records each full minute, so that a resumed
    /// tournament continues with the rest.
    pub(crate) fn clock(&self, seconds_left: Option<u64>) {
        let seconds_left = seconds_left.map(|seconds| u32::try_from(seconds).unwrap_or(u32::MAX));
        self.state().seconds_left = seconds_left;
        let minutes = self.minutes();
        let left = seconds_left.filter(|_| minutes != ShowMinutes::NONE).map(|left| left.div_ceil(60).max(1));
        let before = self.controls.read(|settings| settings.minutes_left);
        match left {
            Some(left) if left < before.unwrap_or(minutes.get()) => {
                self.controls.note(ConsoleAction::MinutesLeft(left));
            }
            _ if left != before => self.controls.set(|settings| settings.minutes_left = left),
            _ => {}
        }
    }

    /// The table that is to be shown round by round, from 1; 0 leaves it to the page.
    pub(crate) fn featured(&self) -> u32 {
        self.state().featured
    }

    /// Has this table shown round by round, from 1; 0 leaves it to the page. `in_play` are the tables there are.
    pub(crate) fn feature(&self, table: u32, in_play: &[u32]) -> Result<(), ConsoleError> {
        let mut state = self.state_in(DayPhase::Playing, "choosing a table")?;
        if table != 0 && !in_play.contains(&table) {
            let numbers: Vec<String> = in_play.iter().map(u32::to_string).collect();
            let tables = if numbers.is_empty() { "none".to_string() } else { numbers.join(", ") };
            return Err(format!("table {table} is not in play; the tables in play: {tables}").into());
        }
        state.featured = table;
        drop(state);
        self.done(if table == 0 { "show any table".to_string() } else { format!("show table {table}") });
        Ok(())
    }
}

#[cfg(test)]
mod tests {
    use std::io;

    use casino_stud::tournament::{NoRecorder, Recorder, TableGame, TableRecorder};

    use super::*;

    #[test]
    fn settings_are_read_as_they_were_set() {
        let console = ConsoleState::default();
        assert_eq!(
            (console.minutes(), console.holes(), console.predictions(), console.tempo()),
            (ShowMinutes::NONE, HoleCards::Showdown, true, 1.0)
        );
        for holes in [HoleCards::Never, HoleCards::Showdown, HoleCards::Tv] {
            console.done(ConsoleAction::Holes(holes));
            assert_eq!(console.holes(), holes);
        }
        for (minutes, seconds) in [(u32::MAX, Some(86_400)), (2, Some(120)), (0, None)] {
            console.done(ConsoleAction::Minutes(minutes));
            assert_eq!(console.minutes().length(), seconds.map(Duration::from_secs));
        }
        assert_eq!(ShowMinutes::try_from(1_440), Ok(ShowMinutes::MAX));
        assert!(ShowMinutes::try_from(1_441).is_err());
        console.done(ConsoleAction::Predictions(false));
        assert!(!console.predictions());
        console.set_tempo(250).unwrap();
        assert!(console.set_tempo(2_001).is_err());
        assert_eq!(console.tempo(), 2.5);
    }

    /// Each full minute is recorded once, and a clock that starts anew begins with all of them.
    #[test]
    fn the_journal_has_each_full_minute_that_is_left() {
        let console = ConsoleState::default();
        let control = console.controls().control();
        let recorded = |seconds: &[Option<u64>]| {
            seconds.iter().for_each(|seconds| console.clock(*seconds));
            let mut orders = Vec::new();
            control.record_orders(&mut Orders(&mut orders)).unwrap();
            orders
        };
        console.done(ConsoleAction::Minutes(3));
        assert_eq!(
            recorded(&[Some(180), Some(150), Some(120), Some(119), Some(60)]),
            ["minutes 3", "minutes left 2", "minutes left 1"]
        );
        assert_eq!(console.state().seconds_left, Some(60));
        assert_eq!(recorded(&[None, Some(180), Some(120)]), ["minutes left 2"]);
        console.done(ConsoleAction::Minutes(9));
        assert_eq!(recorded(&[Some(500), Some(480)]), ["minutes 9", "minutes left 8"]);
        console.done(ConsoleAction::Minutes(0));
        assert_eq!(recorded(&[Some(470), None]), ["minutes 0"]);
    }

    struct Orders<'a>(&'a mut Vec<String>);

    impl Recorder for Orders<'_> {
        fn console(&mut self, action: &ConsoleAction) -> io::Result<()> {
            self.0.push(action.to_string());
            Ok(())
        }

        fn for_table(&mut self, table: &TableGame) -> Box<dyn TableRecorder> {
            NoRecorder.for_table(table)
        }
    }
}
