//! The replies of a player.

use std::fmt;

use crate::stud::{Action, Bounds, Chips, IllegalBet};

/// A reply that could be read (R22). [`Reply::legalise`] says whether it is legal.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Reply {
    /// The player gives up this round.
    Fold,
    /// The player adds this many chips now.
    Bet(Chips),
}

impl Reply {
    /// Makes the legal action that this reply stands for.
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

/// Displays as on the wire: `fold` or `bet:12`.
impl fmt::Display for Reply {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Reply::Fold => f.write_str("fold"),
            Reply::Bet(chips) => write!(f, "bet:{chips}"),
        }
    }
}
