//! Legal bets (R7).

use std::fmt;

use super::Chips;

/// The legal bets of the player asked. Folding is always legal too (R7).
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Bounds {
    /// The chips the player still has to add to match the others, which is the least it may add.
    pub to_call: Chips,
    /// The largest raise over `to_call`, in chips.
    pub raise_cap: Chips,
    /// The player's stack in chips, which is the most it can bet.
    pub stack: Chips,
}

impl Bounds {
    /// The most chips the player may add now. Less than `to_call` if it cannot pay that.
    #[inline]
    pub fn most(&self) -> Chips {
        self.stack.min(self.to_call.saturating_add(self.raise_cap))
    }

    /// The most chips the player may add to the amount to call; `None` if it cannot pay even that.
    #[inline]
    pub fn max_raise(&self) -> Option<Chips> {
        self.stack.checked_sub(self.to_call).map(|left| left.min(self.raise_cap))
    }

    /// Folds.
    pub fn fold(&self) -> Action {
        Action::FOLD
    }

    /// Adds the amount to call; folds if the stack does not cover it.
    pub fn call(&self) -> Action {
        self.raise(0)
    }

    /// Calls and raises by this many chips, or by as many as the rules and the stack allow; folds if the stack does not
    /// cover a call.
    pub fn raise(&self, by: Chips) -> Action {
        self.bet(self.to_call.saturating_add(by).min(self.most())).unwrap_or(Action::FOLD)
    }

    /// Makes the legal action of adding this many chips.
    #[inline]
    pub fn bet(&self, chips: Chips) -> Result<Action, IllegalBet> {
        let Some(raise) = chips.checked_sub(self.to_call) else { return Err(IllegalBet::BelowCall) };
        if raise > self.raise_cap {
            Err(IllegalBet::AboveCap)
        } else if chips > self.stack || chips == FOLD {
            Err(IllegalBet::AboveStack)
        } else {
            Ok(Action(chips))
        }
    }
}

/// Displays in words: "fold, or bet 5 to 15 (5 to call, at most 10 more, 300 in the stack)".
impl fmt::Display for Bounds {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Bounds { to_call, raise_cap, stack } = self;
        if self.most() < *to_call {
            return write!(f, "only fold ({to_call} to call, {stack} in the stack)");
        }
        if self.most() == *to_call {
            write!(f, "fold, or bet {to_call}")?;
        } else {
            write!(f, "fold, or bet {to_call} to {}", self.most())?;
        }
        write!(f, " ({to_call} to call, at most {raise_cap} more, {stack} in the stack)")
    }
}

/// Why an amount cannot be bet.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
pub enum IllegalBet {
    /// The bet is below the amount to call.
    #[error("the bet is below what the player has to call")]
    BelowCall,
    /// The bet is above the largest raise.
    #[error("the bet is above the largest raise")]
    AboveCap,
    /// The bet is more than the player's stack.
    #[error("the bet is more than the player's stack")]
    AboveStack,
}

/// A legal action. Only [`Bounds::bet`] and [`Action::FOLD`] make one.
///
/// It takes four bytes, because actions are recorded by the million: a fold is kept as an amount that no stack reaches.
#[derive(Clone, Copy, PartialEq, Eq)]
pub struct Action(Chips);

const FOLD: Chips = Chips::MAX;

impl Action {
    /// Folding, which is always legal.
    pub const FOLD: Action = Action(FOLD);

    /// The chips that the player adds now; `None` if it folds.
    #[inline]
    pub const fn chips(self) -> Option<Chips> {
        if self.0 == FOLD { None } else { Some(self.0) }
    }
}

impl fmt::Debug for Action {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        fmt::Display::fmt(self, f)
    }
}

/// Displays as on the wire: `fold` or `bet:12`.
impl fmt::Display for Action {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self.chips() {
            None => f.write_str("fold"),
            Some(chips) => write!(f, "bet:{chips}"),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Every small bound and every amount, against R7 as it is written.
    #[test]
    fn exactly_the_legal_amounts_are_accepted() {
        for to_call in 0..30 {
            for stack in 0..50 {
                let bounds = Bounds { to_call, raise_cap: 10, stack };
                let mut most = None;
                for chips in 0..60 {
                    let legal = to_call <= chips && chips <= to_call + 10 && chips <= stack;
                    assert_eq!(bounds.bet(chips).is_ok(), legal, "{bounds:?} {chips}");
                    most = if legal { Some(chips) } else { most };
                }
                assert_eq!(most, (bounds.most() >= to_call).then_some(bounds.most()));
                assert_eq!(bounds.max_raise(), most.map(|most| most - to_call));
                for by in 0..20 {
                    let raised = most.map(|most| most.min(to_call + by));
                    assert_eq!(bounds.raise(by).chips(), raised, "{bounds:?} {by}");
                }
                assert_eq!((bounds.call(), bounds.fold()), (bounds.raise(0), Action::FOLD));
            }
        }
        let endless = Bounds { to_call: Chips::MAX - 3, raise_cap: 10, stack: Chips::MAX };
        assert_eq!((endless.most(), endless.max_raise()), (Chips::MAX, Some(3)));
    }

    #[test]
    fn actions_and_refusals_in_words() {
        let bounds = Bounds { to_call: 5, raise_cap: 10, stack: 12 };
        let said = |chips| bounds.bet(chips).unwrap_err().to_string();
        assert_eq!(said(4), "the bet is below what the player has to call");
        assert_eq!(said(16), "the bet is above the largest raise");
        assert_eq!(said(13), "the bet is more than the player's stack");
        assert_eq!(format!("{:?} {:?}", bounds.bet(12).unwrap(), Action::FOLD), "bet:12 fold");
    }

    #[test]
    fn bounds_in_words() {
        let say = |to_call, stack| Bounds { to_call, raise_cap: 10, stack }.to_string();
        assert_eq!(say(5, 300), "fold, or bet 5 to 15 (5 to call, at most 10 more, 300 in the stack)");
        assert_eq!(say(5, 5), "fold, or bet 5 (5 to call, at most 10 more, 5 in the stack)");
        assert_eq!(say(5, 3), "only fold (5 to call, 3 in the stack)");
    }
}
