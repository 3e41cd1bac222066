//! The expected behavior of a bot.

use std::fmt;

use serde::Deserialize;

use crate::scenario::json::{Either, Whole};
use casino_stud::stud::Chips;

use super::play::BotMove;

#[derive(Clone, Copy, Debug, PartialEq, Eq, Deserialize)]
#[serde(try_from = "Either<String, BetsFile>")]
pub(crate) enum Expectation {
    /// Nothing but legal replies, in time, all round. Expected in every situation; here nothing else is.
    Legal,
    NotFold,
    Fold,
    NotRaise,
    Raise,
    Bets {
        least: Chips,
        most: Chips,
    },
    /// It puts more in here than in the other situation; a fold is less than any bet.
    BetsMore,
    /// It does not put less in here than in the other situation.
    BetsAtLeastAsMuch,
    /// It folds here and not in the other situation.
    FoldsMore,
    /// It does not fold in the other situation where it stays in here.
    FoldsNoLess,
    /// It does something else here than in the other situation.
    Reacts,
}

use Expectation::{
    Bets, BetsAtLeastAsMuch, BetsMore, Fold, FoldsMore, FoldsNoLess, Legal, NotFold, NotRaise, Raise, Reacts,
};

const WORDS: [(&str, Expectation); 10] = [
    ("legal", Legal),
    ("must not fold", NotFold),
    ("must fold", Fold),
    ("must not raise", NotRaise),
    ("must raise", Raise),
    ("bets more", BetsMore),
    ("bets at least as much", BetsAtLeastAsMuch),
    ("folds more", FoldsMore),
    ("folds no less", FoldsNoLess),
    ("reacts", Reacts),
];

/// `{"bets": [LEAST, MOST]}`.
#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
pub(super) struct BetsFile {
    bets: Vec<Whole<0, 1_000_000>>,
}

impl TryFrom<Either<String, BetsFile>> for Expectation {
    type Error = String;

    fn try_from(expected: Either<String, BetsFile>) -> Result<Expectation, String> {
        match expected {
            Either::Short(text) => match WORDS.iter().find(|(word, _)| *word == text) {
                Some((_, meaning)) => Ok(*meaning),
                None => {
                    let words = WORDS.map(|(word, _)| word).join(" or ");
                    Err(format!("\"{text}\" is not possible: write {words}"))
                }
            },
            Either::Long(BetsFile { bets }) => match bets[..] {
                [Whole(least), Whole(most)] if least <= most => Ok(Bets { least, most }),
                [Whole(least), Whole(most)] => {
                    Err(format!("the least, {least}, is more than the most, {most}"))
                }
                _ => Err("write the least and the most, as in [5, 15]".to_string()),
            },
        }
    }
}

impl Expectation {
    pub(crate) fn compares(self) -> bool {
        matches!(self, BetsMore | BetsAtLeastAsMuch | FoldsMore | FoldsNoLess | Reacts)
    }

    /// Whether a decision in one situation is the expected one; true for comparisons.
    pub(super) fn holds(self, choice: BotMove) -> bool {
        match self {
            Fold => choice.folds(),
            NotFold => choice.chips().is_some(),
            NotRaise => !choice.raises(),
            Raise => choice.raises(),
            Bets { least, most } => choice.chips().is_some_and(|chips| (least..=most).contains(&chips)),
            Legal | BetsMore | BetsAtLeastAsMuch | FoldsMore | FoldsNoLess | Reacts => true,
        }
    }

    /// The event of a pair of runs that decides a comparison, and whether it is wanted or must not be.
    pub(super) fn pair(self, here: BotMove, other: BotMove) -> (bool, BehaviorTest) {
        match self {
            BetsMore => (here > other, BehaviorTest::Yes),
            BetsAtLeastAsMuch => (here < other, BehaviorTest::No),
            FoldsMore => (here.folds() && !other.folds(), BehaviorTest::Yes),
            FoldsNoLess => (!here.folds() && other.folds(), BehaviorTest::No),
            Legal | NotFold | Fold | NotRaise | Raise | Bets { .. } | Reacts => (true, BehaviorTest::Yes),
        }
    }
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum BehaviorTest {
    Yes,
    No,
}

/// The words after "The bot has to".
impl fmt::Display for Expectation {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            Legal => "give only legal replies, each within its second",
            NotFold => "stay in",
            Fold => "fold",
            NotRaise => "fold or call, not raise",
            Raise => "raise",
            Bets { least, most } if least == most => return write!(f, "bet {least}"),
            Bets { least, most } => return write!(f, "bet between {least} and {most}"),
            BetsMore => "bet more than in the other situation",
            BetsAtLeastAsMuch => "bet at least as much as in the other situation",
            FoldsMore => "fold, and stay in in the other situation",
            FoldsNoLess => "fold at least as often as in the other situation",
            Reacts => "answer differently in the other situation",
        })
    }
}
