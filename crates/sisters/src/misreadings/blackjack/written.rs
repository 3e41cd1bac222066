//! A game that a program plays, its transcript, and the first difference from the right one.

use std::fmt::Write;

use super::transcript::Transcript;
use super::transcript_line::GameLine;
use crate::blackjack::{BlackjackLine, Counting, CourseCuts, Simple, play};

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
        text_of(&self.lines())
    }

    fn lines(self) -> Vec<BlackjackLine> {
        let mut lines = Vec::new();
        let tell = |line| lines.push(line);
        let cuts = CourseCuts::new();
        let closing = if self.counting {
            play(self.bankroll, self.hands, Counting::default(), cuts, tell)
        } else {
            play(self.bankroll, self.hands, Simple, cuts, tell)
        };
        closing.expect("the course's cuts never end");
        lines
    }
}

fn text_of(lines: &[BlackjackLine]) -> String {
    let mut text = String::new();
    for line in lines {
        writeln!(text, "{line}").expect("a string takes every line");
    }
    text
}

/// A game, and the transcript that a program wrote of it.
#[derive(Clone, Debug)]
pub struct WrittenGame {
    pub(super) asked: AskedGame,
    right: Vec<BlackjackLine>,
    pub(super) transcript: Transcript,
    /// Whether the program was ended before it had printed everything.
    pub(super) is_cut_off: bool,
    text: String,
}

/// How the text of a transcript differs from the right one.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum TranscriptDifference {
    /// Only the last line feed is missing.
    LastLineFeed,
    /// A line is another one, is missing, or is one too many.
    Line(FirstDifference),
}

/// The first line that differs.
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
        let transcript = Transcript::read(&text);
        WrittenGame { asked, right: asked.lines(), transcript, is_cut_off: false, text }
    }

    /// As [`WrittenGame::new`], of a program that was ended while it wrote: where its output ends is not its doing.
    pub fn cut_off(asked: AskedGame, text: String) -> WrittenGame {
        WrittenGame { is_cut_off: true, ..WrittenGame::new(asked, text) }
    }

    /// The first difference from the right transcript, if there is one.
    pub fn difference(&self) -> Option<TranscriptDifference> {
        let right = text_of(&self.right);
        if self.text == right {
            return None;
        }
        // A last line without its line feed is a line all the same, and its own kind of difference.
        let [expected, got] =
            [&right, &self.text].map(|text| text.split_terminator('\n').collect::<Vec<&str>>());
        let line = expected.iter().zip(&got).take_while(|(expected, got)| expected == got).count();
        if line == expected.len() && line == got.len() {
            return Some(TranscriptDifference::LastLineFeed);
        }
        let owned = |lines: &[&str]| lines.get(line).map(ToString::to_string);
        Some(TranscriptDifference::Line(FirstDifference {
            line,
            before: expected[line.saturating_sub(BEFORE)..line].iter().map(ToString::to_string).collect(),
            expected: owned(&expected),
            got: owned(&got),
        }))
    }

    /// Whether nothing differs but totals over 21, of which the document allows any (III.2).
    pub(super) fn differs_only_over_21(&self) -> bool {
        let right = text_of(&self.right);
        let over = |line: &str| {
            matches!(
                GameLine::read(line),
                (Some(GameLine::PlayerTotal(22..) | GameLine::DealerTotal(22..)), true)
            )
        };
        let mut both = right.split('\n').zip(self.text.split('\n'));
        right.split('\n').count() == self.text.split('\n').count()
            && both.all(|(right, got)| right == got || over(right) && over(got))
    }

    /// Whether it has its closing line although another hand had to be played.
    pub(super) fn stops_early(&self) -> bool {
        let played = self.transcript.hands.len() as u32;
        self.transcript.over.is_some_and(|over| over.bankroll >= 5 && played < self.asked.hands)
    }

    /// How many hands the right transcript has.
    pub(super) fn right_hands(&self) -> usize {
        self.right.iter().filter(|line| matches!(line, BlackjackLine::Hand { .. })).count()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn against(change: impl FnOnce(String) -> String) -> Option<TranscriptDifference> {
        let asked = AskedGame::simple(100, 3);
        WrittenGame::new(asked, change(asked.transcript())).difference()
    }

    fn line(difference: Option<TranscriptDifference>) -> FirstDifference {
        match difference {
            Some(TranscriptDifference::Line(line)) => line,
            other => panic!("no line differs: {other:?}"),
        }
    }

    #[test]
    fn the_first_different_line_is_given_with_its_context() {
        assert_eq!(against(|right| right), None);
        let first = line(against(|right| right.replace("Player bets 5", "Player bets 6")));
        assert_eq!(first.line, 9);
        assert_eq!(first.expected.as_deref(), Some("Player bets 5"));
        assert_eq!(first.got.as_deref(), Some("Player bets 6"));
        assert_eq!(first.before.len(), BEFORE);
        assert_eq!(first.before[3], "Hand 1 bankroll 100");
    }

    #[test]
    fn missing_or_extra_lines_at_the_end_differ() {
        assert_eq!(against(|right| right.trim_end().into()), Some(TranscriptDifference::LastLineFeed));
        for more in ["bye\n", "\n"] {
            let more = line(against(|right| right + more));
            assert_eq!(more.expected, None);
        }
        let none = line(against(|_| String::new()));
        assert_eq!((none.line, none.got, none.before), (0, None, Vec::new()));
        let windows = line(against(|right| right.replace('\n', "\r\n")));
        assert_eq!((windows.line, windows.got.as_deref()), (0, Some("Shuffling the deck\r")));
    }
}
