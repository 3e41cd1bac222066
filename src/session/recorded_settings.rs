//! The teacher's settings, as the journal keeps them: a tournament that is gone on with has them again.

use std::collections::BTreeMap;
use std::fs::File;
use std::io::{self, BufRead, BufReader, Seek};
use std::net::IpAddr;
use std::time::Duration;

use casino_stud::journal::JournalLine;

use super::{ConsoleState, DEFAULT_MINUTES, HoleCards};

/// The beginning of every line that keeps something the teacher did.
const CONSOLE: &[u8] = b"{\"type\":\"console\"";

/// What the teacher had set when the journal ended.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub(super) struct RecordedSettings {
    /// From a round's end to the next deal.
    pub(super) pace: Option<Duration>,
    /// How long the tournament is shown: what was left of it, or all of it.
    pub(super) minutes: Option<u32>,
    /// The speed of the show, in per cent.
    pub(super) tempo: Option<u32>,
    pub(super) holes: Option<HoleCards>,
    pub(super) predictions: Option<bool>,
    /// The addresses of players, from 0, that are others than in the header.
    pub(super) addresses: BTreeMap<usize, IpAddr>,
}

impl RecordedSettings {
    /// What is set at a console now.
    pub(super) fn of(console: &ConsoleState) -> RecordedSettings {
        let show = console.show();
        RecordedSettings {
            pace: Some(console.controls().current_pace()),
            minutes: Some(show.minutes().unwrap_or(0)),
            tempo: Some((console.tempo() * 100.0) as u32),
            holes: Some(show.holes()),
            predictions: Some(show.predictions()),
            addresses: BTreeMap::new(),
        }
    }

    /// What differs from the usual, in the words of the journal.
    pub(super) fn notes(&self) -> Vec<String> {
        let mut notes = Vec::new();
        if let Some(pace) = self.pace.filter(|pace| !pace.is_zero()) {
            notes.push(format!("pace {}", pace.as_millis()));
        }
        if let Some(minutes) = self.minutes.filter(|minutes| *minutes != DEFAULT_MINUTES) {
            notes.push(format!("minutes {minutes}"));
        }
        if let Some(tempo) = self.tempo.filter(|tempo| *tempo != 100) {
            notes.push(format!("show {tempo} per cent"));
        }
        if let Some(holes) = self.holes.filter(|holes| *holes != HoleCards::default()) {
            notes.push(format!("hole cards {}", holes.name()));
        }
        if self.predictions == Some(false) {
            notes.push("predictions off".to_string());
        }
        notes
    }

    /// Reads the settings of a journal, wherever the file stands.
    ///
    /// # Errors
    /// If it cannot be read.
    pub(super) fn read(mut journal: &File) -> io::Result<RecordedSettings> {
        journal.rewind()?;
        let mut lines = BufReader::new(journal);
        let mut settings = RecordedSettings::default();
        let mut line = Vec::new();
        while lines.read_until(b'\n', &mut line)? > 0 {
            if line.starts_with(CONSOLE)
                && let Ok(JournalLine::Console { action }) = serde_json::from_slice(&line)
            {
                settings.take_over(&action);
            }
            line.clear();
        }
        Ok(settings)
    }

    /// Takes over a setting, if the action is one.
    fn take_over(&mut self, action: &str) {
        let (what, rest) = action.split_once(' ').unwrap_or((action, ""));
        match what {
            "pace" => self.pace = rest.parse().ok().map(Duration::from_millis).or(self.pace),
            "minutes" => {
                let minutes = rest.strip_prefix("left ").unwrap_or(rest);
                self.minutes = minutes.parse().ok().or(self.minutes);
            }
            "show" => {
                let percent = rest.strip_suffix(" per cent").and_then(|percent| percent.parse().ok());
                self.tempo = percent.or(self.tempo);
            }
            "hole" => {
                self.holes = rest.strip_prefix("cards ").and_then(HoleCards::named).or(self.holes);
            }
            "predictions" => self.predictions = Some(rest == "on"),
            "address" => {
                let Some((seat, address)) = rest.split_once(": ") else { return };
                if let (Ok(seat @ 1..), Ok(address)) = (seat.parse::<usize>(), address.parse()) {
                    self.addresses.insert(seat - 1, address);
                }
            }
            _ => {}
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

/// The line that keeps from where a player, from 0, plays now.
pub(super) fn address_note(player: usize, from: IpAddr) -> String {
    format!("address {}: {from}", player + 1)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_is_noted_is_read_again_and_the_last_word_counts() {
        let mut settings = RecordedSettings::default();
        let set = RecordedSettings {
            pace: Some(Duration::from_millis(250)),
            minutes: Some(25),
            tempo: Some(150),
            holes: Some(HoleCards::Tv),
            predictions: Some(false),
            addresses: BTreeMap::from([(2, IpAddr::from([10, 0, 0, 7]))]),
        };
        settings.take_over("pace 9");
        settings.take_over(&address_note(2, [10, 0, 0, 1].into()));
        set.notes().iter().for_each(|note| settings.take_over(note));
        settings.take_over(&address_note(2, [10, 0, 0, 7].into()));
        for other in ["pace x", "remove 3: pace 7", "show table 3", "minutes", "address 0: 1.2.3.4", "hole x"]
        {
            settings.take_over(other);
        }
        assert_eq!(settings, set);
        settings.take_over("minutes left 17");
        assert_eq!(settings.minutes, Some(17));
    }
}
