//! The fouls that a player was forgiven.

use std::fmt;

use super::Foul;

/// The kinds of fouls that can be forgiven, by [`Foul::name`].
const KINDS: [&str; 5] =
    ["no reply in time", "illegal bet", "unreadable reply", "unreadable frame", "unsolicited message"];

/// How often a player committed fouls that cost it only the hand (R19), and when the first of them was. It displays as
/// "44 fouls: no reply in time (40 times), illegal bet (4 times), first in round 3".
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct FoulTally {
    first_round: u64,
    by_kind: [u32; KINDS.len()],
}

impl FoulTally {
    /// Adds a foul in the round of this number.
    pub(super) fn add(&mut self, foul: &Foul, round: u64) {
        if self.is_empty() {
            self.first_round = round;
        }
        let kind = KINDS.iter().position(|kind| *kind == foul.name());
        self.by_kind[kind.expect("a foul that is not in the list ends the game")] += 1;
    }

    /// Adds two tallies.
    #[must_use]
    pub fn and_later(mut self, later: FoulTally) -> FoulTally {
        if self.is_empty() {
            return later;
        }
        self.by_kind.iter_mut().zip(later.by_kind).for_each(|(sum, count)| *sum += count);
        self
    }

    /// Whether there was no foul.
    pub fn is_empty(&self) -> bool {
        self.count() == 0
    }

    /// How many fouls there were.
    pub fn count(&self) -> u32 {
        self.by_kind.iter().sum()
    }

    /// The round of the first foul, if there was one.
    pub fn first_round(&self) -> Option<u64> {
        (!self.is_empty()).then_some(self.first_round)
    }

    /// How often there was a foul of each kind that occurred, the most frequent first.
    pub fn kinds(&self) -> Vec<(&'static str, u32)> {
        let mut kinds: Vec<_> = KINDS.into_iter().zip(self.by_kind).filter(|(_, count)| *count > 0).collect();
        kinds.sort_by_key(|(_, count)| std::cmp::Reverse(*count));
        kinds
    }
}

impl fmt::Display for FoulTally {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match (self.count(), self.kinds().as_slice()) {
            (0, _) => write!(f, "no fouls"),
            (1, [(kind, _), ..]) => write!(f, "1 foul: {kind}, in round {}", self.first_round),
            (count, [(kind, _)]) => write!(f, "{count} fouls: {kind}, first in round {}", self.first_round),
            (count, kinds) => {
                let each: Vec<String> = kinds
                    .iter()
                    .map(|(kind, count)| match count {
                        1 => format!("{kind} (once)"),
                        2 => format!("{kind} (twice)"),
                        count => format!("{kind} ({count} times)"),
                    })
                    .collect();
                write!(f, "{count} fouls: {}, first in round {}", each.join(", "), self.first_round)
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::super::escape::COMMAND_WORDS;
    use super::super::{Fault, FrameFault};
    use super::*;
    use crate::stud::{Bounds, IllegalBet};

    #[test]
    fn a_tally_counts_fouls_by_kind_with_their_first_round() {
        let late =
            Foul::Fault { fault: Fault::Late { limit_ms: 1_000, bank_ms: 0, partial: false }, allowed: None };
        let frame = Foul::Fault { fault: Fault::Frame(FrameFault::BadText), allowed: None };
        let allowed = Bounds { to_call: 5, raise_cap: 10, stack: 12 };
        let illegal = Foul::Illegal { chips: 0, problem: IllegalBet::BelowCall, allowed };
        let mut tally = FoulTally::default();
        assert_eq!((tally.to_string().as_str(), tally.first_round()), ("no fouls", None));
        tally.add(&late, 3);
        assert_eq!(tally.to_string(), "1 foul: no reply in time, in round 3");
        tally.add(&late, 4);
        assert_eq!(tally.to_string(), "2 fouls: no reply in time, first in round 3");
        let mut later = FoulTally::default();
        for (foul, round) in [(&illegal, 7), (&late, 8), (&frame, 9), (&illegal, 9)] {
            later.add(foul, round);
        }
        let all = tally.and_later(later);
        assert_eq!(
            all.to_string(),
            "6 fouls: no reply in time (3 times), illegal bet (twice), unreadable frame (once), first in round 3"
        );
        assert_eq!((all.count(), all.first_round()), (6, Some(3)));
        assert_eq!(FoulTally::default().and_later(later).first_round(), Some(7));
    }

    /// R15: it stands in a last word.
    #[test]
    fn no_kind_names_a_command() {
        for kind in KINDS {
            assert!(COMMAND_WORDS.iter().all(|word| !kind.contains(word)), "{kind}");
        }
    }
}
