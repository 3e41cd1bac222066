//! The teacher's settings, as the journal keeps them: a tournament that is gone on with has them again.

use std::collections::BTreeMap;
use std::fs::File;
use std::io::{self, BufRead, BufReader, Seek};
use std::net::IpAddr;
use std::time::Duration;

use serde::{Deserialize, Serialize};

use casino_stud::journal::JournalLine;
use casino_stud::tournament::ConsoleAction;

use super::HoleCards;

/// The beginning of every line that keeps something the teacher did.
const CONSOLE: &[u8] = b"{\"type\":\"console\"";

/// What the teacher has set, as far as something is said of it here.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(default, deny_unknown_fields)]
pub(crate) struct RecordedSettings {
    /// The least time from a round's end to the next deal. The dealer records each change of it.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(super) pace_ms: Option<u64>,
    /// How long the tournament is shown: what was left of it, or all of it.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(crate) minutes: Option<u32>,
    /// The speed of the show, in per cent.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(super) tempo: Option<u32>,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(super) holes: Option<HoleCards>,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(super) predictions: Option<bool>,
    /// The addresses of players, from 1, that are others than in the header.
    #[serde(skip_serializing_if = "BTreeMap::is_empty")]
    pub(super) addresses: BTreeMap<usize, IpAddr>,
}

impl RecordedSettings {
    /// From where a player, from 0, plays now.
    pub(crate) fn address(player: usize, from: IpAddr) -> RecordedSettings {
        RecordedSettings { addresses: BTreeMap::from([(player + 1, from)]), ..RecordedSettings::default() }
    }

    pub(crate) fn pace(&self) -> Option<Duration> {
        self.pace_ms.map(Duration::from_millis)
    }

    /// The address of a player, from 0, if it is another than in the header.
    pub(crate) fn address_of(&self, player: usize) -> Option<IpAddr> {
        self.addresses.get(&(player + 1)).copied()
    }

    /// An action for each of these settings, in the words of the console.
    pub(crate) fn recorded(&self) -> Vec<ConsoleAction> {
        let only = RecordedSettings::default;
        let mut actions = Vec::new();
        if let Some(pace) = self.pace_ms {
            let set = RecordedSettings { pace_ms: self.pace_ms, ..only() };
            actions.push(set.recorded_as(format!("pace {pace}")));
        }
        if let Some(minutes) = self.minutes {
            let set = RecordedSettings { minutes: self.minutes, ..only() };
            actions.push(set.recorded_as(format!("minutes {minutes}")));
        }
        if let Some(tempo) = self.tempo {
            let set = RecordedSettings { tempo: self.tempo, ..only() };
            actions.push(set.recorded_as(format!("show {tempo} per cent")));
        }
        if let Some(holes) = self.holes {
            let set = RecordedSettings { holes: self.holes, ..only() };
            actions.push(set.recorded_as(format!("hole cards {}", holes.name())));
        }
        if let Some(on) = self.predictions {
            let set = RecordedSettings { predictions: self.predictions, ..only() };
            actions.push(set.recorded_as(format!("predictions {}", if on { "on" } else { "off" })));
        }
        for (player, from) in &self.addresses {
            let set = RecordedSettings { addresses: BTreeMap::from([(*player, *from)]), ..only() };
            actions.push(set.recorded_as(format!("address {player}: {from}")));
        }
        actions
    }

    /// All of these settings as one action in these words.
    pub(crate) fn recorded_as(&self, action: String) -> ConsoleAction {
        let set = serde_json::to_value(self).expect("numbers and words are JSON");
        ConsoleAction { action, set: Some(set) }
    }

    /// Reads the settings of a journal, wherever the file stands.
    ///
    /// # Errors
    /// If it cannot be read, or a setting in it is none of those there are.
    pub(crate) fn read(mut journal: &File) -> io::Result<RecordedSettings> {
        journal.rewind()?;
        let mut lines = BufReader::new(journal);
        let mut settings = RecordedSettings::default();
        let mut line = Vec::new();
        while lines.read_until(b'\n', &mut line)? > 0 {
            if line.starts_with(CONSOLE)
                && let Ok(JournalLine::Console(ConsoleAction { set: Some(set), .. })) =
                    serde_json::from_slice(&line)
            {
                settings = settings.changed_by(serde_json::from_value(set)?);
            }
            line.clear();
        }
        Ok(settings)
    }

    /// These settings, where nothing else is said later.
    fn changed_by(mut self, later: RecordedSettings) -> RecordedSettings {
        self.addresses.extend(later.addresses);
        RecordedSettings {
            pace_ms: later.pace_ms.or(self.pace_ms),
            minutes: later.minutes.or(self.minutes),
            tempo: later.tempo.or(self.tempo),
            holes: later.holes.or(self.holes),
            predictions: later.predictions.or(self.predictions),
            addresses: self.addresses,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::io::Write as _;

    /// What is read of a journal in which these actions stand.
    fn read(actions: &[ConsoleAction]) -> io::Result<RecordedSettings> {
        static FILES: std::sync::atomic::AtomicU32 = std::sync::atomic::AtomicU32::new(0);
        let number = FILES.fetch_add(1, std::sync::atomic::Ordering::Relaxed);
        let name = format!("casino-settings-{}-{number}.jsonl", std::process::id());
        let path = std::env::temp_dir().join(name);
        let mut journal = File::create_new(&path)?;
        for action in actions {
            let line = serde_json::to_string(&JournalLine::Console(action.clone()))?;
            writeln!(journal, "{line}")?;
        }
        let settings = RecordedSettings::read(&File::open(&path)?);
        std::fs::remove_file(&path)?;
        settings
    }

    #[test]
    fn what_is_recorded_is_read_again_and_the_last_word_counts() {
        let set = RecordedSettings {
            pace_ms: Some(250),
            minutes: Some(25),
            tempo: Some(150),
            holes: Some(HoleCards::Tv),
            predictions: Some(false),
            addresses: BTreeMap::from([(3, IpAddr::from([10, 0, 0, 7]))]),
        };
        let before = RecordedSettings { pace_ms: Some(9), predictions: Some(true), ..set.clone() };
        let others = ["pace x", "remove 3: pace 7", "minutes 3", "address 3: 1.2.3.4"];
        let mut actions = before.recorded();
        actions.extend(RecordedSettings::address(2, [10, 0, 0, 1].into()).recorded());
        actions.extend(set.recorded());
        actions.extend(others.map(ConsoleAction::unset));
        let read_again = read(&actions).unwrap();
        assert_eq!(read_again, set, "words set nothing");
        assert_eq!(read_again.address_of(2), Some([10, 0, 0, 7].into()));
        assert_eq!(read_again.pace(), Some(Duration::from_millis(250)));
        let left = RecordedSettings { minutes: Some(17), ..RecordedSettings::default() };
        actions.push(left.recorded_as("minutes left 17".to_string()));
        assert_eq!(read(&actions).unwrap(), RecordedSettings { minutes: Some(17), ..set });
    }

    #[test]
    fn a_setting_that_there_is_not_is_refused() {
        let action =
            ConsoleAction { action: "loud".to_string(), set: Some(serde_json::json!({ "volume": 11 })) };
        assert!(read(&[action]).unwrap_err().to_string().contains("volume"));
    }
}
