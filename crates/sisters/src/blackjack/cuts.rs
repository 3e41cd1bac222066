//! The cuts of a shuffle, and where they come from.

use std::fmt;

use rand_mt::Mt;

use casino_stud::cards::notation::excerpt;
use casino_stud::cards::{Seed, Stream};

/// A place to cut the deck: 13 to 39 cards go to the left part (Blackjack document, III.4).
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub struct Cut(u8);

impl Cut {
    /// The fewest cards a driver's cut leaves on the left.
    pub const LOWEST: u8 = 13;
    /// The most cards a driver's cut leaves on the left.
    pub const HIGHEST: u8 = 39;

    /// Makes the cut with this many cards on the left; `None` unless they are 13 to 39.
    pub fn new(left: u8) -> Option<Cut> {
        (Cut::LOWEST..=Cut::HIGHEST).contains(&left).then_some(Cut(left))
    }

    /// How many cards go to the left part.
    pub fn left(self) -> usize {
        usize::from(self.0)
    }

    /// The cut for a number below 27.
    fn nth(number: u32) -> Cut {
        let left = u8::try_from(number).expect("a number below 27 fits a byte") + Cut::LOWEST;
        Cut::new(left).expect("13 plus a number below 27 is at most 39")
    }
}

impl fmt::Display for Cut {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.0.fmt(f)
    }
}

const WIDTH: u32 = (Cut::HIGHEST - Cut::LOWEST + 1) as u32;

/// The endless cuts of the course's generator: MT19937 with the seed 0, each output modulo 27, plus 13.
#[derive(Clone, Debug)]
pub struct CourseCuts {
    words: Mt,
}

impl CourseCuts {
    /// Makes the generator at its first cut.
    pub fn new() -> CourseCuts {
        CourseCuts { words: Mt::new(0) }
    }
}

impl Default for CourseCuts {
    fn default() -> CourseCuts {
        CourseCuts::new()
    }
}

impl Iterator for CourseCuts {
    type Item = Cut;

    fn next(&mut self) -> Option<Cut> {
        Some(Cut::nth(self.words.next_u32() % WIDTH))
    }
}

/// Endless cuts from a stream of a [`Seed`], each of the 27 equally likely.
#[derive(Clone, Debug)]
pub struct SeededCuts {
    words: Stream,
}

impl SeededCuts {
    /// The cuts of a seed. The stream's purpose is `blackjack`.
    pub fn new(seed: &Seed) -> SeededCuts {
        SeededCuts { words: seed.stream("blackjack") }
    }
}

impl Iterator for SeededCuts {
    type Item = Cut;

    fn next(&mut self) -> Option<Cut> {
        Some(Cut::nth(self.words.below(WIDTH)))
    }
}

/// Reads cuts: whole numbers separated by white space; `#` begins a comment that ends with its line.
pub fn read_cuts(text: &str) -> Result<Vec<Cut>, CutsError> {
    let mut cuts = Vec::new();
    for (line, words) in (1..).zip(text.lines()) {
        for word in words.split('#').next().unwrap_or_default().split_whitespace() {
            let cut = word.parse().ok().and_then(Cut::new);
            cuts.push(cut.ok_or_else(|| CutsError::NoCut { line, word: word.to_string() })?);
        }
    }
    if cuts.is_empty() { Err(CutsError::Empty) } else { Ok(cuts) }
}

/// Why a list of cuts cannot be used.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum CutsError {
    /// A word of the list is not a whole number from 13 to 39.
    NoCut {
        /// The line, counted from 1.
        line: usize,
        /// The word as it was written.
        word: String,
    },
    /// The list has no cut in it.
    Empty,
}

impl fmt::Display for CutsError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let (low, high) = (Cut::LOWEST, Cut::HIGHEST);
        match self {
            CutsError::NoCut { line, word } => {
                write!(
                    f,
                    "line {line}: \"{}\" is no cut: write whole numbers from {low} to {high}",
                    excerpt(word)
                )
            }
            CutsError::Empty => {
                write!(
                    f,
                    "there are no cuts: write whole numbers from {low} to {high}, seven for each shuffle"
                )
            }
        }
    }
}

impl std::error::Error for CutsError {}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_first_cuts_of_the_course() {
        let cuts: Vec<usize> = CourseCuts::new().take(14).map(Cut::left).collect();
        assert_eq!(cuts, [39, 22, 33, 37, 38, 37, 38, 23, 23, 22, 39, 33, 19, 25]);
    }

    #[test]
    fn exactly_27_cuts_exist_and_a_stream_reaches_them_all() {
        assert_eq!((0..=255).filter_map(Cut::new).count(), 27);
        let seed = Seed::chosen("cuts");
        let mut seen: Vec<Cut> = SeededCuts::new(&seed).take(2_000).collect();
        assert_eq!(seen[..20], SeededCuts::new(&seed).take(20).collect::<Vec<_>>());
        seen.sort();
        seen.dedup();
        assert_eq!(seen.len(), 27);
    }

    #[test]
    fn invalid_cuts_are_named_with_their_line() {
        let cuts = read_cuts("39 22\n\n# a comment\n33 # and one more 99\n").unwrap();
        assert_eq!(cuts.iter().map(|cut| cut.left()).collect::<Vec<_>>(), [39, 22, 33]);
        for word in ["12", "40", "-13", "13.0", "x", "1300"] {
            let error = read_cuts(&format!("39\n\n22 {word}")).unwrap_err();
            assert_eq!(error, CutsError::NoCut { line: 3, word: word.into() });
            assert!(
                error.to_string().contains("line 3") && error.to_string().contains("13 to 39"),
                "{error}"
            );
        }
        assert_eq!(read_cuts(" \n# nothing\n"), Err(CutsError::Empty));
    }
}
