//! Counting the fouls of bots.

use std::collections::BTreeMap;

use serde::{Deserialize, Serialize};

use casino_stud::table::Foul;

/// The fouls of one bot.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct FoulCounts {
    /// The number of fouls of each kind.
    pub kinds: BTreeMap<String, u64>,
    /// The first foul, as a sentence that continues "your program".
    pub first: Option<String>,
}

impl FoulCounts {
    /// The number of fouls of all kinds.
    pub fn count(&self) -> u64 {
        self.kinds.values().sum()
    }

    /// One line for a bot of this name: how often it fouled, and its first foul. `None` if it did not foul.
    pub fn sentence(&self, name: &str) -> Option<String> {
        let times = |count| if count == 1 { "once".to_string() } else { format!("{count} times") };
        let kinds: Vec<String> =
            self.kinds.iter().map(|(kind, count)| format!("{kind} {}", times(*count))).collect();
        let first = self.first.as_ref().map(|first| format!(" The first: it {first}")).unwrap_or_default();
        (self.count() > 0)
            .then(|| format!("{name} fouled {}: {}.{first}", times(self.count()), kinds.join(", ")))
    }

    /// Appends later fouls.
    pub fn append(&mut self, next: &FoulCounts) {
        for (kind, count) in &next.kinds {
            *self.kinds.entry(kind.clone()).or_default() += count;
        }
        if self.first.is_none() {
            self.first.clone_from(&next.first);
        }
    }
}

/// The fouls of all bots.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(transparent)]
pub struct FoulBook(Vec<FoulCounts>);

impl FoulBook {
    /// Makes an empty count for this number of bots.
    pub fn new(bots: usize) -> FoulBook {
        FoulBook(vec![FoulCounts::default(); bots])
    }

    /// Counts a foul of a bot.
    pub fn note(&mut self, bot: usize, foul: &Foul) {
        let fouls = &mut self.0[bot];
        *fouls.kinds.entry(foul.name().to_string()).or_default() += 1;
        fouls.first.get_or_insert_with(|| foul.to_string());
    }

    /// Appends later fouls of the same bots.
    pub fn append(&mut self, next: &FoulBook) {
        self.0.iter_mut().zip(&next.0).for_each(|(ours, theirs)| ours.append(theirs));
    }

    /// The fouls of one bot.
    pub fn of(&self, bot: usize) -> &FoulCounts {
        &self.0[bot]
    }

    /// The number of bots it counts for.
    pub fn bots(&self) -> usize {
        self.0.len()
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use casino_stud::table::Fault;

    #[test]
    fn a_single_foul_is_one_that_happened_once() {
        let mut book = FoulBook::new(2);
        let foul = Foul::Fault { fault: Fault::HungUp { partial: false }, allowed: None };
        book.note(1, &foul);
        let sentence = book.of(1).sentence("ada").unwrap();
        assert!(
            sentence.starts_with("ada fouled once: connection closed once. The first: it "),
            "{sentence}"
        );
        book.note(1, &foul);
        assert!(
            book.of(1).sentence("ada").unwrap().starts_with("ada fouled 2 times: connection closed 2 times.")
        );
        assert_eq!(book.of(0).sentence("bob"), None);
    }
}
