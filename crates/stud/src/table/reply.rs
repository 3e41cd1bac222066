//! The replies of a player.

use std::fmt;

use crate::stud::{Action, Bounds, Chips, IllegalBet};

/// A reply that could be read (R22). [`Reply::legalise`] says whether it is legal.
///
/// ```
/// use casino_stud::stud::{Bounds, IllegalBet};
/// use casino_stud::table::Reply;
///
/// let bounds = Bounds { to_call: 5, raise_cap: 10, stack: 300 };
/// assert_eq!(Reply::Bet(12).legalise(&bounds).unwrap().to_string(), "bet:12");
/// assert_eq!(Reply::Bet(16).legalise(&bounds), Err(IllegalBet::AboveCap));
/// ```
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Reply {
    /// The player gives up this round.
    Fold,
    /// The player adds this many chips now.
    Bet(Chips),
}

impl Reply {
    /// Makes the legal action that this reply stands for.
    ///
    /// # Errors
    /// [`IllegalBet`] if the amount cannot be bet (R7).
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
