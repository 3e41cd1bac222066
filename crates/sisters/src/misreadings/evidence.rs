//! What is counted about one rule over all cases, and which known misreadings fit every single observation of it.

/// A known way to read a rule wrongly.
#[derive(Clone, Copy, Debug)]
pub struct Reading {
    /// A short name, the same from run to run.
    pub code: &'static str,
    /// What the program does, as a sentence.
    pub says: &'static str,
}

/// A known way to read a rule wrongly: its name, what the program does, and the way itself.
pub const fn known<T>(code: &'static str, says: &'static str, way: T) -> (Reading, T) {
    (Reading { code, says }, way)
}

/// The reading of a fault in the table that has them all.
pub(super) fn reading_of<F: Copy + PartialEq>(table: &[(Reading, F)], fault: F) -> Reading {
    let found = table.iter().find(|(_, known)| *known == fault);
    found.expect("a table has all faults of its kind").0
}

/// A place in all that a program printed. Numbers are from 0; an answer of a single line counts as a game.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub struct OutputPlace {
    /// The number of the game.
    pub game: usize,
    /// The number of the line in its transcript.
    pub line: usize,
}

/// Something that is wrong, with the evidence for it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Flaw {
    /// The names of the faults that fit all observations; several if they cannot be told apart.
    pub codes: Vec<String>,
    /// What is wrong, in sentences.
    pub says: String,
    /// Where it shows for the first time.
    pub first: OutputPlace,
}

/// A rule that is observed: its name, what is counted, and the rule itself.
#[derive(Clone, Copy, Debug)]
pub struct Theme {
    /// A short name, the same from run to run.
    pub code: &'static str,
    /// What is counted, as a plural.
    pub what: &'static str,
    /// The rule, as a sentence.
    pub rule: &'static str,
}

/// Observations of one rule: how many, how many wrong, and how many of them each reading does not explain.
#[derive(Clone, Debug)]
pub struct ReadingTally {
    seen: usize,
    wrong: usize,
    first: Option<OutputPlace>,
    misses: Vec<usize>,
}

impl ReadingTally {
    /// Nothing is counted yet for so many readings.
    pub fn new(readings: usize) -> ReadingTally {
        ReadingTally { seen: 0, wrong: 0, first: None, misses: vec![0; readings] }
    }

    /// Counts an observation, which is right or not and which a reading explains or not. Says whether it is right.
    pub fn see(&mut self, at: OutputPlace, right: bool, explains: impl Fn(usize) -> bool) -> bool {
        self.seen += 1;
        if !right {
            self.wrong += 1;
            self.first.get_or_insert(at);
        }
        for (number, misses) in self.misses.iter_mut().enumerate() {
            *misses += usize::from(!explains(number));
        }
        right
    }

    pub(super) fn is_any_wrong(&self) -> bool {
        self.wrong > 0
    }

    /// Takes a reading out that fits, but makes what was seen far less likely than another one.
    pub(super) fn rule_out(&mut self, reading: usize) {
        self.misses[reading] += 1;
    }

    /// The readings that explain every observation, right ones and wrong ones.
    pub(super) fn fitting(&self) -> impl Iterator<Item = usize> {
        self.misses.iter().enumerate().filter(|(_, misses)| **misses == 0).map(|(number, _)| number)
    }

    /// What is wrong, if anything is. The readings are those that the observations were held against, in order.
    pub fn flaw(&self, theme: Theme, readings: &[Reading]) -> Option<Flaw> {
        let first = self.first?;
        let (wrong, seen, what) = (self.wrong, self.seen, theme.what);
        let fits: Vec<&Reading> = self.fitting().map(|number| &readings[number]).collect();
        let (codes, says) = match fits.as_slice() {
            [] => (
                vec![theme.code.to_string()],
                format!(
                    "{} Of {seen} {what} {wrong} are wrong, and no single fault known here explains them all.",
                    theme.rule
                ),
            ),
            [one] => (
                vec![one.code.to_string()],
                format!("{} This explains all {seen} {what}; {wrong} are wrong.", one.says),
            ),
            many => {
                let each: Vec<&str> = many.iter().map(|reading| reading.says).collect();
                (
                    many.iter().map(|reading| reading.code.to_string()).collect(),
                    format!(
                        "These explanations fit all {seen} {what}, of which {wrong} are wrong, and cannot be told \
                         apart by them: {}",
                        each.join(" Or: ")
                    ),
                )
            }
        };
        Some(Flaw { codes, says, first })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_reading_is_named_only_if_it_fits_everything() {
        const THEME: Theme = Theme { code: "other", what: "bets", rule: "Bet 5." };
        const READINGS: [Reading; 2] =
            [Reading { code: "a", says: "Bets a." }, Reading { code: "b", says: "Bets b." }];
        let at = OutputPlace { game: 0, line: 3 };
        let mut tally = ReadingTally::new(2);
        tally.see(at, true, |_| true);
        assert_eq!(tally.flaw(THEME, &READINGS), None);
        tally.see(at, false, |_| true);
        assert_eq!(tally.flaw(THEME, &READINGS).unwrap().codes, ["a", "b"]);
        tally.see(at, true, |reading| reading == 0);
        assert_eq!(tally.flaw(THEME, &READINGS).unwrap().codes, ["a"]);
        tally.see(at, false, |_| false);
        let none = tally.flaw(THEME, &READINGS).unwrap();
        assert_eq!(none.codes, ["other"]);
        assert!(none.says.contains("Of 4 bets 2 are wrong"), "{}", none.says);
    }
}
