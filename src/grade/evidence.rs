//! What is counted about one rule over all cases, and which known misreadings fit every single observation of it.

use super::report::{Item, Part, Points};

/// The title of the part of a report that says what is behind the differences. It has no points.
const PART: &str = "What the differences come from";

/// The findings as a part of a report; nothing if there are none. Places are put into words by a function.
pub(super) fn part(findings: &[Finding], place: impl Fn(Place) -> String) -> Option<Part> {
    let item = |finding: &Finding| {
        let title = format!("First seen in {}", place(finding.first));
        Item::new(finding.codes.join(" or "), title, Points::ZERO).failed(finding.says.as_str())
    };
    let items: Vec<Item> = findings.iter().map(item).collect();
    (!items.is_empty()).then(|| Part { title: PART.into(), items })
}

/// A known way to read a rule wrongly.
#[derive(Clone, Copy, Debug)]
pub(super) struct Reading {
    /// A short name, the same from run to run.
    pub(super) code: &'static str,
    /// What the program does, as a sentence.
    pub(super) says: &'static str,
}

/// A reading of this name that does this.
pub(super) const fn says(code: &'static str, says: &'static str) -> Reading {
    Reading { code, says }
}

/// A place in the transcripts: the number of the game and the line, both from 0.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(super) struct Place {
    pub(super) game: usize,
    pub(super) line: usize,
}

/// Something that is wrong, with the evidence for it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct Finding {
    /// The names of the faults that fit all observations; several if they cannot be told apart.
    pub(super) codes: Vec<String>,
    /// What is wrong, in sentences.
    pub(super) says: String,
    /// Where it shows for the first time.
    pub(super) first: Place,
}

/// A rule that is observed: its name, what is counted, and the rule itself.
#[derive(Clone, Copy, Debug)]
pub(super) struct Theme {
    pub(super) code: &'static str,
    pub(super) what: &'static str,
    pub(super) rule: &'static str,
}

/// Observations of one rule: how many, how many wrong, and how many of them each reading does not explain.
#[derive(Clone, Debug)]
pub(super) struct Tally {
    pub(super) seen: usize,
    pub(super) wrong: usize,
    pub(super) first: Option<Place>,
    misses: Vec<usize>,
}

impl Tally {
    pub(super) fn new(readings: usize) -> Tally {
        Tally { seen: 0, wrong: 0, first: None, misses: vec![0; readings] }
    }

    /// Counts an observation, which is right or not and which a reading explains or not. Says whether it is right.
    pub(super) fn see(&mut self, at: Place, right: bool, explains: impl Fn(usize) -> bool) -> bool {
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

    /// Takes a reading out that fits, but makes what was seen far less likely than another one.
    pub(super) fn rule_out(&mut self, reading: usize) {
        self.misses[reading] += 1;
    }

    /// The readings that explain every observation, right ones and wrong ones.
    pub(super) fn fitting(&self) -> impl Iterator<Item = usize> {
        self.misses.iter().enumerate().filter(|(_, misses)| **misses == 0).map(|(number, _)| number)
    }

    /// What is wrong, if anything is.
    pub(super) fn finding(&self, theme: Theme, readings: &[Reading]) -> Option<Finding> {
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
        Some(Finding { codes, says, first })
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
        let at = Place { game: 0, line: 3 };
        let mut tally = Tally::new(2);
        tally.see(at, true, |_| true);
        assert_eq!(tally.finding(THEME, &READINGS), None);
        tally.see(at, false, |_| true);
        assert_eq!(tally.finding(THEME, &READINGS).unwrap().codes, ["a", "b"]);
        tally.see(at, true, |reading| reading == 0);
        assert_eq!(tally.finding(THEME, &READINGS).unwrap().codes, ["a"]);
        tally.see(at, false, |_| false);
        let none = tally.finding(THEME, &READINGS).unwrap();
        assert_eq!(none.codes, ["other"]);
        assert!(none.says.contains("Of 4 bets 2 are wrong"), "{}", none.says);
    }
}
