//! What a player can say.

use std::fmt;

use crate::stud::{Action, Bounds, Chips, IllegalBet};

/// A reply that can be read (R22). Whether it is legal is another question.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Reply {
    /// Out of this round.
    Fold,
    /// Adds this many chips now.
    Bet(Chips),
}

impl Reply {
    /// The legal action this reply stands for.
    ///
    /// # Errors
    /// Why the amount cannot be bet (R7).
    #[inline]
    pub fn legalise(self, bounds: &Bounds) -> Result<Action, IllegalBet> {
        match self {
            Reply::Fold => Ok(Action::FOLD),
            Reply::Bet(chips) => bounds.bet(chips),
        }
    }
}

impl From<Action> for Reply {
    fn from(action: Action) -> Reply {
        action.chips().map_or(Reply::Fold, Reply::Bet)
    }
}

/// As on the wire: `fold` or `bet:12`.
impl fmt::Display for Reply {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Reply::Fold => f.write_str("fold"),
            Reply::Bet(chips) => write!(f, "bet:{chips}"),
        }
    }
}
