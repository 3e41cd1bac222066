//! Finds which known misreading of the course document explains a program's wrong answers.
//!
//! Nothing here runs a program or gives points. A [`Misreading`] is named only if with it every answer of the program is explained,
//! right ones and wrong ones. [`blackjack`] plays transcripts again, [`cribbage`] compares values and choices.

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

/// A misreading that explains the program's wrong answers.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Explanation {
    /// The misreading.
    pub misreading: Misreading,
    /// The first wrong observation.
    pub first: OutputPlace,
}
