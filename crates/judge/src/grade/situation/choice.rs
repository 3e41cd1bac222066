//! The decision of a bot in a situation.

use std::collections::BTreeMap;
use std::fmt;

use casino_stud::stud::Chips;
use casino_stud::table::Reply;

/// A bot's decision, or why there is none. Ordered by how much it puts in: folding is less than betting nothing.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub(crate) enum Choice {
    /// The round never came to the question: it folded before, or it bet what the question would have been about.
    NotAsked,
    Fold,
    Bet {
        chips: Chips,
        to_call: Chips,
    },
}

impl Choice {
    pub(super) fn new(reply: Reply, to_call: Chips) -> Choice {
        match reply {
            Reply::Fold => Choice::Fold,
            Reply::Bet(chips) => Choice::Bet { chips, to_call },
        }
    }

    pub(crate) fn folds(self) -> bool {
        self == Choice::Fold
    }

    pub(crate) fn chips(self) -> Option<Chips> {
        match self {
            Choice::Bet { chips, .. } => Some(chips),
            Choice::NotAsked | Choice::Fold => None,
        }
    }

    pub(crate) fn raises(self) -> bool {
        matches!(self, Choice::Bet { chips, to_call } if chips > to_call)
    }

    /// The category in the test of independence: folds, calls, and raises in steps of three chips.
    pub(super) fn kind(self) -> u32 {
        match self {
            Choice::NotAsked | Choice::Fold => 0,
            Choice::Bet { chips, to_call } => match chips.saturating_sub(to_call) {
                0 => 1,
                raise => 2 + ((raise - 1) / 3).min(3),
            },
        }
    }
}

impl fmt::Display for Choice {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Choice::NotAsked => f.write_str("was not asked"),
            Choice::Fold => f.write_str("fold"),
            Choice::Bet { chips, .. } => write!(f, "bet:{chips}"),
        }
    }
}

/// Describes choices and how often they were made: "bet:10 in 12 runs, fold in 3 runs".
pub(super) fn tally(choices: &[Choice]) -> String {
    let mut counts: BTreeMap<Choice, u32> = BTreeMap::new();
    for choice in choices {
        *counts.entry(*choice).or_default() += 1;
    }
    if let (1, Some((choice, count))) = (counts.len(), counts.first_key_value()) {
        return format!("{choice} in all of {count} runs");
    }
    let mut counts: Vec<(Choice, u32)> = counts.into_iter().collect();
    counts.sort_by_key(|(choice, count)| (std::cmp::Reverse(*count), *choice));
    let all = choices.len();
    let parts: Vec<String> = counts.iter().map(|(choice, count)| format!("{choice} in {count}")).collect();
    format!("{} of {all} runs", parts.join(", "))
}
