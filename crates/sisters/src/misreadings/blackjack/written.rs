//! A game that a program plays, its transcript, and the first difference from the right one.

use super::transcript_line::{ReadLine, is_same_play, read_lines};
use crate::blackjack::{BlackjackLine, Closing, Counting, CourseCuts, Game, GameStop, PlayedRules, Simple};

/// How many right lines before the first difference are given.
const BEFORE: usize = 4;

/// One game: chips, hands, and whether the player counts.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct AskedGame {
    /// The chips that the player has before the first hand.
    pub bankroll: u32,
    /// How many hands are played at most.
    pub hands: u32,
    /// Whether the counting player plays, and not the simple one.
    pub counting: bool,
}

impl AskedGame {
    /// A game of the simple player.
    pub const fn simple(bankroll: u32, hands: u32) -> AskedGame {
        AskedGame { bankroll, hands, counting: false }
    }

    /// A game of the counting player.
    pub const fn counting(bankroll: u32, hands: u32) -> AskedGame {
        AskedGame { bankroll, hands, counting: true }
    }

    /// The player's name in the document.
    pub fn player(self) -> &'static str {
        if self.counting { "counting" } else { "simple" }
    }

    /// The right transcript, each line with its line feed.
    pub fn transcript(self) -> String {
        self.lines().iter().map(|line| format!("{line}\n")).collect()
    }

    fn lines(self) -> Vec<BlackjackLine> {
        let mut lines = Vec::new();
        let closing = self.play(&PlayedRules::RIGHT, &mut |line| {
            lines.push(line);
            Ok(())
        });
        closing.expect("the document's rules play every game with the course's cuts to its end");
        lines
    }

    /// Plays the game by these rules with the course's cuts, until `tell` ends it.
    pub(super) fn play(
        self,
        rules: &PlayedRules,
        tell: &mut impl FnMut(BlackjackLine) -> Result<(), GameStop>,
    ) -> Result<Closing, GameStop> {
        let AskedGame { bankroll, hands, counting } = self;
        let cuts = CourseCuts::new();
        if counting {
            Game::new(*rules, Counting::default(), cuts).play(bankroll, hands, tell)
        } else {
            Game::new(*rules, Simple, cuts).play(bankroll, hands, tell)
        }
    }
}

/// A game, and the transcript that a program wrote of it.
#[derive(Clone, Debug)]
pub struct WrittenGame {
    pub(super) asked: AskedGame,
    /// The lines of the transcript that the document has.
    pub(super) lines: Vec<ReadLine>,
    /// The first line whose text is not exactly the document's.
    pub(super) inexact: Option<usize>,
    text: String,
}

/// The first line with which a game is not the right one.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct FirstDifference {
    /// The number of the line, from 0.
    pub line: usize,
    /// The last few right lines before it.
    pub before: Vec<String>,
    /// The expected line; `None` after the closing line.
    pub expected: Option<String>,
    /// The actual line; `None` after the last line of the output.
    pub got: Option<String>,
}

impl WrittenGame {
    /// Parses a program's transcript of a game.
    pub fn new(asked: AskedGame, text: String) -> WrittenGame {
        let (lines, inexact) = read_lines(&text);
        WrittenGame { asked, lines, inexact, text }
    }

    /// The first line with which the game is not the right one, in whichever words it is printed.
    pub fn difference(&self) -> Option<FirstDifference> {
        let line = self.first_unlike(&PlayedRules::RIGHT)?;
        let right = self.asked.lines();
        let at = self.lines.iter().take_while(|read| read.line < line).count();
        let is_missing = self.lines.get(at).is_none_or(|read| read.line != line);
        Some(FirstDifference {
            line,
            before: right[at.saturating_sub(BEFORE).min(right.len())..at.min(right.len())]
                .iter()
                .map(ToString::to_string)
                .collect(),
            expected: right.get(at).map(ToString::to_string),
            got: (!is_missing).then(|| self.line(line).to_string()),
        })
    }

    /// The first line of the output that these rules do not print, or the line after its last; `None` if they print it all.
    pub(super) fn first_unlike(&self, rules: &PlayedRules) -> Option<usize> {
        let mut lines = self.lines.iter();
        let mut unlike = None;
        let end = self.text.split_terminator('\n').count();
        // Rules by which the deck does not last explain the lines only up to there.
        let _ = self.asked.play(rules, &mut |line| match lines.next() {
            Some(read) if is_same_play(line, read.said) => Ok(()),
            read => {
                unlike = Some(read.map_or(end, |read| read.line));
                Err(GameStop::Listener)
            }
        });
        unlike.or_else(|| lines.next().map(|read| read.line))
    }

    /// How many hands the right transcript has.
    pub(super) fn right_hands(&self) -> usize {
        self.asked.lines().iter().filter(|line| matches!(line, BlackjackLine::Hand { .. })).count()
    }

    /// Whether the program printed no line that the document has.
    pub fn is_empty(&self) -> bool {
        self.lines.is_empty()
    }

    /// How many hands the program printed.
    pub(super) fn hands_printed(&self) -> u32 {
        self.lines.iter().filter(|read| matches!(read.said, BlackjackLine::Hand { .. })).count() as u32
    }

    /// The bankroll of the first hand.
    pub(super) fn first_bankroll(&self) -> Option<u32> {
        self.lines.iter().find_map(|read| match read.said {
            BlackjackLine::Hand { bankroll, .. } => u32::try_from(bankroll).ok(),
            _ => None,
        })
    }

    /// A line of the output.
    pub(super) fn line(&self, line: usize) -> &str {
        self.text.split_terminator('\n').nth(line).unwrap_or_default()
    }

    /// The exact text of a line whose words only resemble it.
    pub(super) fn right_words(&self, line: usize) -> Option<String> {
        self.lines.iter().find(|read| read.line == line).map(|read| read.said.to_string())
    }

    /// The closing line, if its line feed is missing.
    pub(super) fn unended_line(&self) -> Option<usize> {
        let last = self.lines.last().filter(|_| !self.text.ends_with('\n'))?;
        matches!(last.said, BlackjackLine::Over { .. }).then_some(last.line)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn against(change: impl FnOnce(String) -> String) -> Option<FirstDifference> {
        let asked = AskedGame::simple(100, 3);
        WrittenGame::new(asked, change(asked.transcript())).difference()
    }

    #[test]
    fn the_first_different_line_is_given_with_its_context() {
        assert_eq!(against(|right| right), None);
        let first = against(|right| right.replace("Player bets 5", "Player bets 6")).unwrap();
        assert_eq!(first.line, 9);
        assert_eq!(first.expected.as_deref(), Some("Player bets 5"));
        assert_eq!(first.got.as_deref(), Some("Player bets 6"));
        assert_eq!(first.before.len(), BEFORE);
        assert_eq!(first.before[3], "Hand 1 bankroll 100");
    }

    #[test]
    fn words_are_no_difference_of_the_game_and_missing_lines_are() {
        for words in [
            |right: String| right.replace('\n', "\r\n"),
            |right: String| right.replace("Player's total", "Player total"),
            |right: String| {
                right
                    .replace("Player dealt", "Dealer dealt")
                    .replace("Dealer dealt natural", "Player dealt natural")
            },
            |right: String| right + "bye\n",
            |right: String| right.replace("Player bets", "debug: 17\nPlayer bets"),
        ] {
            assert_eq!(against(words), None);
        }
        let none = against(|_| String::new()).unwrap();
        assert_eq!((none.line, none.got, none.before), (0, None, Vec::new()));
        let is_total = |line: &&str| line.starts_with("Dealer's total");
        let without = |right: String| {
            right.lines().filter(|line| !is_total(line)).map(|line| format!("{line}\n")).collect()
        };
        assert!(against(without).unwrap().expected.is_some_and(|line| is_total(&line.as_str())));
    }
}
