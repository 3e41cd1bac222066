//! The teacher's settings in the journal, which a resumed tournament restores.

use std::collections::BTreeMap;
use std::fs::File;
use std::io::{self, BufRead, BufReader, Seek};
use std::net::IpAddr;
use std::time::Duration;

use casino_stud::journal::JournalLine;
use casino_stud::tournament::{ConsoleAction, HoleCards};

use super::{ConsoleState, ShowMinutes};

/// The beginning of every line that keeps something the teacher did.
const CONSOLE_LINE_PREFIX: &[u8] = b"{\"type\":\"console\"";

/// The teacher's settings at the end of the journal.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub(super) struct RecordedSettings {
    /// From a round's end to the next deal.
    pub(super) pace: Option<Duration>,
    /// The length of the show: the rest of it, or all.
    pub(super) minutes: Option<ShowMinutes>,
    /// The speed of the show, in per cent.
    pub(super) tempo: Option<u32>,
    pub(super) holes: Option<HoleCards>,
    pub(super) predictions: Option<bool>,
    /// The addresses of players, from 0, that are others than in the header.
    pub(super) addresses: BTreeMap<usize, IpAddr>,
}

impl RecordedSettings {
    /// The current settings of a console.
    pub(super) fn of(console: &ConsoleState) -> RecordedSettings {
        let show = console.show();
        RecordedSettings {
            pace: Some(console.controls().current_pace()),
            minutes: Some(show.minutes()),
            tempo: Some((console.tempo() * 100.0) as u32),
            holes: Some(show.holes()),
            predictions: Some(show.predictions()),
            addresses: BTreeMap::new(),
        }
    }

    /// Settings other than the defaults, in the form of the journal.
    pub(super) fn notes(&self) -> Vec<ConsoleAction> {
        let pace = self.pace.filter(|pace| !pace.is_zero());
        let minutes = self.minutes.filter(|minutes| *minutes != ShowMinutes::DEFAULT);
        let tempo = self.tempo.filter(|tempo| *tempo != 100);
        let holes = self.holes.filter(|holes| *holes != HoleCards::default());
        let predictions = self.predictions.filter(|on| !on);
        let notes = [
            pace.map(ConsoleAction::pace),
            minutes.map(|minutes| ConsoleAction::Minutes(minutes.get())),
            tempo.map(ConsoleAction::TempoPercent),
            holes.map(ConsoleAction::Holes),
            predictions.map(ConsoleAction::Predictions),
        ];
        notes.into_iter().flatten().collect()
    }

    /// Reads the settings of a journal, wherever the file stands.
    pub(super) fn read(mut journal: &File) -> io::Result<RecordedSettings> {
        journal.rewind()?;
        let mut lines = BufReader::new(journal);
        let mut settings = RecordedSettings::default();
        let mut line = Vec::new();
        while lines.read_until(b'\n', &mut line)? > 0 {
            if line.starts_with(CONSOLE_LINE_PREFIX)
                && let Ok(JournalLine::Console { action }) = serde_json::from_slice(&line)
            {
                settings.take_over(&action);
            }
            line.clear();
        }
        Ok(settings)
    }

    /// Takes over a setting, if the action is one.
    fn take_over(&mut self, action: &ConsoleAction) {
        match *action {
            ConsoleAction::PaceMs(pace) => self.pace = Some(Duration::from_millis(pace)),
            ConsoleAction::Minutes(minutes) | ConsoleAction::MinutesLeft(minutes) => {
                self.minutes = Some(ShowMinutes::clamped(minutes))
            }
            ConsoleAction::TempoPercent(percent) => self.tempo = Some(percent),
            ConsoleAction::Holes(holes) => self.holes = Some(holes),
            ConsoleAction::Predictions(on) => self.predictions = Some(on),
            ConsoleAction::Address { player, from } => drop(self.addresses.insert(player.get() - 1, from)),
            ConsoleAction::Remove { .. }
            | ConsoleAction::AskAgain { .. }
            | ConsoleAction::EndNow
            | ConsoleAction::Other(_) => {}
        }
    }

    /// Sets everything that was recorded, but the pace, which the dealer has.
    pub(super) fn restore(&self, console: &ConsoleState) {
        let show = console.show();
        if let Some(minutes) = self.minutes {
            show.set_minutes(minutes);
        }
        if let Some(holes) = self.holes {
            show.set_holes(holes);
        }
        if let Some(predictions) = self.predictions {
            show.set_predictions(predictions);
        }
        if let Some(tempo) = self.tempo {
            console.restore_tempo(tempo);
        }
    }
}

#[cfg(test)]
mod tests {
    use std::num::NonZero;

    use super::*;

    #[test]
    fn recorded_settings_are_read_back_and_the_last_one_wins() {
        let mut settings = RecordedSettings::default();
        let address = |last| IpAddr::from([10, 0, 0, last]);
        let plays_from = |from| ConsoleAction::Address { player: NonZero::new(3).unwrap(), from };
        let set = RecordedSettings {
            pace: Some(Duration::from_millis(250)),
            minutes: Some(ShowMinutes::clamped(25)),
            tempo: Some(150),
            holes: Some(HoleCards::Tv),
            predictions: Some(false),
            addresses: BTreeMap::from([(2, address(7))]),
        };
        settings.take_over(&ConsoleAction::PaceMs(9));
        settings.take_over(&plays_from(address(1)));
        set.notes().iter().for_each(|note| settings.take_over(note));
        settings.take_over(&plays_from(address(7)));
        // Words are only words, also those that the console has for a setting.
        settings.take_over(&"pace 7".into());
        assert_eq!(settings, set);
        settings.take_over(&ConsoleAction::MinutesLeft(17));
        assert_eq!(settings.minutes, Some(ShowMinutes::clamped(17)));
    }
}
