//! Finds which known misreading of the course document explains a program's wrong answers.
//!
//! Nothing here runs a program or gives points. A [`Misreading`] is named only if it explains every observation of its
//! rule, right ones and wrong ones. [`blackjack`] follows transcripts, [`cribbage`] compares values and choices.

pub mod blackjack;
pub mod cribbage;

/// A known way to misread a rule.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Misreading {
    /// A short name, the same from run to run.
    pub code: &'static str,
    /// The program's behavior and the document's requirement, in a sentence.
    pub says: &'static str,
}

const fn known(code: &'static str, says: &'static str) -> Misreading {
    Misreading { code, says }
}

/// A place in a program's output, counted from 0. An answer of a single line is a game.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub struct OutputPlace {
    /// The number of the game.
    pub game: usize,
    /// The number of the line in its transcript.
    pub line: usize,
}

/// A misreading that explains all observations of its rule.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Explanation {
    /// The misreading.
    pub misreading: Misreading,
    /// The first wrong observation.
    pub first: OutputPlace,
}

/// Observations of one rule, compared with a number of wrong ways to read it.
#[derive(Clone, Debug)]
struct ObservedRule {
    /// The game and the part of it, for each wrong observation.
    wrong: Vec<(usize, usize)>,
    first: Option<OutputPlace>,
    fits: Vec<bool>,
}

impl ObservedRule {
    fn new(ways: usize) -> ObservedRule {
        ObservedRule { wrong: Vec::new(), first: None, fits: vec![true; ways] }
    }

    /// Adds an observation in a part of a game: whether it is right, and which ways explain it.
    fn see(&mut self, at: OutputPlace, part: usize, right: bool, explains: impl Fn(usize) -> bool) {
        if !right {
            self.wrong.push((at.game, part));
            self.first.get_or_insert(at);
        }
        for (way, fits) in self.fits.iter_mut().enumerate() {
            *fits = *fits && explains(way);
        }
    }

    /// Returns the first way that explains every observation, if any observation is wrong.
    fn way(&self) -> Option<usize> {
        self.first.and(self.fits.iter().position(|fits| *fits))
    }

    /// Returns the named misreadings that explain every observation. The names belong to the first ways, in order.
    fn explanations(&self, names: &[Misreading]) -> Vec<Explanation> {
        let Some(first) = self.first else { return Vec::new() };
        let fitting = names.iter().zip(&self.fits).filter(|(_, fits)| **fits);
        fitting.map(|(misreading, _)| Explanation { misreading: *misreading, first }).collect()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn misreading_is_named_only_if_it_fits_everything() {
        const NAMES: [Misreading; 2] = [known("a", "Bets a."), known("b", "Bets b.")];
        let codes = |rule: &ObservedRule| -> Vec<&str> {
            rule.explanations(&NAMES).iter().map(|found| found.misreading.code).collect()
        };
        let at = OutputPlace { game: 0, line: 3 };
        let mut rule = ObservedRule::new(2);
        rule.see(at, 1, true, |_| true);
        assert_eq!((codes(&rule), rule.way()), (Vec::new(), None));
        rule.see(at, 2, false, |_| true);
        assert_eq!(codes(&rule), ["a", "b"]);
        rule.see(at, 3, true, |way| way == 1);
        assert_eq!((codes(&rule), rule.way()), (vec!["b"], Some(1)));
        rule.see(at, 4, false, |_| false);
        assert_eq!((codes(&rule), rule.wrong), (Vec::new(), vec![(0, 2), (0, 4)]));
    }
}
