//! Finds which known misreading of the course document explains a program's wrong answers.
//!
//! Nothing here runs a program or gives points. A [`Misreading`] is named only if with it every answer of the program is explained,
//! right ones and wrong ones. [`blackjack`] plays transcripts again, [`cribbage`] compares values and choices.

pub mod blackjack;
pub mod cribbage;

/// The tables with a row for each misreading: its code and its sentence.
const TABLES: &str = include_str!("misreadings.md");

/// A known way to misread a rule, by its code: a short name, the same from run to run.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Misreading(&'static str);

impl Misreading {
    /// Its code.
    pub fn code(self) -> &'static str {
        self.0
    }

    /// The program's behavior and the document's requirement, in a sentence.
    pub fn says(self) -> &'static str {
        let start = format!("| `{}` | ", self.0);
        let sentence = |line: &'static str| line.strip_prefix(&start)?.strip_suffix(" |");
        TABLES.lines().find_map(sentence).expect("a test finds every misreading in the tables")
    }
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
    /// How many wrong answers have another cause.
    pub others: usize,
}
