//! The teacher's settings of a day: a fold over the commands of the console, the same live and from a journal.

use std::collections::{BTreeMap, BTreeSet};
use std::net::IpAddr;
use std::ops::RangeInclusive;
use std::time::Duration;

use super::{ConsoleAction, HoleCards};

/// The settings of a day as the commands so far leave them. A new setting is a field here, and its command in
/// [`ConsoleAction`]: then a resumed tournament restores it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct DaySettings {
    /// The least time from the end of a round to the next deal.
    pub pace: Duration,
    /// Whether no round is dealt until the teacher continues.
    pub is_paused: bool,
    /// Whether the teacher has ended the tournament.
    pub is_ended: bool,
    /// Planned length of the show in minutes; 0 if the dealer never waits for it, `None` if nobody has set it.
    pub minutes: Option<u32>,
    /// How many full minutes of the show are left; `None` if its clock does not run.
    pub minutes_left: Option<u32>,
    /// The speed of the show, in per cent of the usual.
    pub tempo_percent: u32,
    /// When the room sees hole cards.
    pub holes: HoleCards,
    /// Whether phones may predict who wins.
    pub predictions: bool,
    /// Whether the page has sounds.
    pub sounds: bool,
    /// The addresses of players, from 0, that are others than in the header.
    pub addresses: BTreeMap<usize, IpAddr>,
    /// The players, from 0, whose removal was ordered, and the reasons.
    pub removals: BTreeMap<usize, String>,
    /// The players, from 0, that are not asked any more: their hands are folded.
    pub set_aside: BTreeSet<usize>,
}

impl Default for DaySettings {
    fn default() -> DaySettings {
        DaySettings {
            pace: Duration::ZERO,
            is_paused: false,
            is_ended: false,
            minutes: None,
            minutes_left: None,
            tempo_percent: 100,
            holes: HoleCards::default(),
            predictions: true,
            sounds: false,
            addresses: BTreeMap::new(),
            removals: BTreeMap::new(),
            set_aside: BTreeSet::new(),
        }
    }
}

impl DaySettings {
    /// The longest time from the end of a round to the next deal.
    pub const MAX_PACE: Duration = Duration::from_secs(60);

    /// The possible speeds of a show, in per cent of the usual.
    pub const TEMPO_PERCENT: RangeInclusive<u32> = 10..=2_000;

    /// Applies a command of the teacher.
    pub fn apply(&mut self, action: &ConsoleAction) {
        match action {
            ConsoleAction::PaceMs(pace) => {
                self.pace = Duration::from_millis(*pace).min(DaySettings::MAX_PACE);
            }
            ConsoleAction::Minutes(minutes) => (self.minutes, self.minutes_left) = (Some(*minutes), None),
            ConsoleAction::MinutesLeft(left) => self.minutes_left = Some(*left),
            ConsoleAction::TempoPercent(percent) => {
                let (least, most) = DaySettings::TEMPO_PERCENT.into_inner();
                self.tempo_percent = (*percent).clamp(least, most);
            }
            ConsoleAction::Holes(holes) => self.holes = *holes,
            ConsoleAction::Predictions(on) => self.predictions = *on,
            ConsoleAction::Sounds(on) => self.sounds = *on,
            ConsoleAction::Address { player, from } => drop(self.addresses.insert(player.get() - 1, *from)),
            ConsoleAction::Remove { player, reason } => {
                self.removals.entry(player.get() - 1).or_insert_with(|| reason.clone());
            }
            ConsoleAction::EndNow => self.is_ended = true,
            ConsoleAction::Other(words) => match words.as_str() {
                ConsoleAction::PAUSE | ConsoleAction::STEP => self.is_paused = true,
                ConsoleAction::RESUME => self.is_paused = false,
                _ => {}
            },
            ConsoleAction::SetAside { player } => drop(self.set_aside.insert(player.get() - 1)),
            ConsoleAction::AskAgain { player } => drop(self.set_aside.remove(&(player.get() - 1))),
        }
    }

    /// The players, from 0, whose removal was ordered, with the reasons.
    pub fn removals(&self) -> impl Iterator<Item = (usize, &str)> {
        self.removals.iter().map(|(player, reason)| (*player, reason.as_str()))
    }

    /// The settings as the next tournament of the day begins with them: nothing in them is about this one.
    #[must_use]
    pub fn of_next_tournament(&self) -> DaySettings {
        DaySettings {
            is_paused: false,
            is_ended: false,
            minutes_left: None,
            addresses: BTreeMap::new(),
            removals: BTreeMap::new(),
            set_aside: BTreeSet::new(),
            ..self.clone()
        }
    }

    /// The commands that record how the next tournament differs from the usual settings.
    pub fn commands(&self, usual: &DaySettings) -> Vec<ConsoleAction> {
        let differs = |differs: bool, action: ConsoleAction| differs.then_some(action);
        let commands = [
            differs(self.pace != usual.pace, ConsoleAction::pace(self.pace)),
            self.minutes.filter(|_| self.minutes != usual.minutes).map(ConsoleAction::Minutes),
            differs(
                self.tempo_percent != usual.tempo_percent,
                ConsoleAction::TempoPercent(self.tempo_percent),
            ),
            differs(self.holes != usual.holes, ConsoleAction::Holes(self.holes)),
            differs(self.predictions != usual.predictions, ConsoleAction::Predictions(self.predictions)),
            differs(self.sounds != usual.sounds, ConsoleAction::Sounds(self.sounds)),
        ];
        commands.into_iter().flatten().collect()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn applied(actions: &[ConsoleAction]) -> DaySettings {
        let mut settings = DaySettings::default();
        actions.iter().for_each(|action| settings.apply(action));
        settings
    }

    #[test]
    fn the_last_command_wins_and_the_first_removal() {
        let address = |last| IpAddr::from([10, 0, 0, last]);
        let set = DaySettings {
            pace: Duration::from_millis(250),
            is_paused: true,
            is_ended: true,
            minutes: Some(25),
            minutes_left: Some(17),
            tempo_percent: 150,
            holes: HoleCards::Tv,
            predictions: false,
            sounds: true,
            addresses: BTreeMap::from([(2, address(7)), (4, address(1))]),
            removals: BTreeMap::from([(1, "it plays music".to_string())]),
            set_aside: BTreeSet::from([3]),
        };
        let usual = DaySettings { minutes: Some(40), ..DaySettings::default() };
        let mut actions = vec![
            ConsoleAction::PaceMs(9),
            ConsoleAction::address(2, address(1)),
            ConsoleAction::address(4, address(1)),
            ConsoleAction::MinutesLeft(3),
        ];
        actions.extend(set.commands(&usual));
        actions.extend([
            ConsoleAction::address(2, address(7)),
            ConsoleAction::MinutesLeft(17),
            ConsoleAction::remove(1, "it plays music"),
            ConsoleAction::remove(1, "once more"),
            ConsoleAction::set_aside(1),
            ConsoleAction::set_aside(3),
            ConsoleAction::ask_again(1),
            ConsoleAction::EndNow,
            "pause".into(),
            "resume".into(),
            "step".into(),
            // Words are only words, also those that the console has for a setting.
            "pace 7".into(),
        ]);
        assert_eq!(applied(&actions), set);
        assert_eq!(applied(&["pause".into(), "resume".into()]), DaySettings::default());
        // A new length replaces what was left of the old one.
        assert_eq!(applied(&[ConsoleAction::MinutesLeft(3), ConsoleAction::Minutes(9)]).minutes_left, None);
    }

    #[test]
    fn the_next_tournament_begins_with_the_settings_and_commands_record_them() {
        let usual = DaySettings { minutes: Some(40), ..DaySettings::default() };
        assert_eq!(usual.commands(&usual), []);
        let mut settings = applied(&[
            ConsoleAction::PaceMs(u64::MAX),
            ConsoleAction::Minutes(0),
            ConsoleAction::TempoPercent(0),
            ConsoleAction::Holes(HoleCards::Never),
            ConsoleAction::Predictions(false),
            ConsoleAction::Sounds(true),
        ]);
        assert_eq!(
            (settings.pace, settings.tempo_percent),
            (DaySettings::MAX_PACE, 10),
            "no journal asks for more"
        );
        let next = settings.clone();
        for action in [
            "pause".into(),
            ConsoleAction::EndNow,
            ConsoleAction::remove(0, "x"),
            ConsoleAction::set_aside(0),
            ConsoleAction::MinutesLeft(1),
        ] {
            settings.apply(&action);
            assert_ne!(settings, next);
        }
        assert_eq!(settings.of_next_tournament(), next);
        assert_eq!(applied(&next.commands(&usual)), next);
    }
}
