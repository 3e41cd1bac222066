//! The cuts of a shuffle, and where they come from.

use std::fmt;

use rand_mt::Mt;

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
}
