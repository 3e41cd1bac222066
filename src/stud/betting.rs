//! What a player may bet (R7).

use std::fmt;

use super::Chips;

/// What a player who is asked may add now: `fold` is always legal too (R7).
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Bounds {
    /// The chips the player still has to add to match, the least it may add.
    pub to_call: Chips,
    /// The largest raise over `to_call`.
    pub raise_cap: Chips,
    /// The player's stack, which it can't bet more than.
    pub stack: Chips,
}

impl Bounds {
    /// The most chips the player may add now. Less than `to_call` if it cannot pay that.
    #[inline]
    pub fn most(&self) -> Chips {
        self.stack.min(self.to_call.saturating_add(self.raise_cap))
    }

    /// The legal action of adding this many chips.
    ///
    /// # Errors
    /// [`IllegalBet`] if that is below `to_call`, above the cap or more than the stack.
    #[inline]
    pub fn bet(&self, chips: Chips) -> Result<Action, IllegalBet> {
        if chips < self.to_call {
            Err(IllegalBet::BelowCall)
        } else if chips > self.to_call.saturating_add(self.raise_cap) {
            Err(IllegalBet::AboveCap)
        } else if chips > self.stack || chips == FOLD {
            Err(IllegalBet::AboveStack)
        } else {
            Ok(Action(chips))
        }
    }
}

/// In words: "fold, or bet 5 to 15 (5 to call, at most 10 more, 300 in the stack)".
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
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum IllegalBet {
    /// Fewer chips than it takes to match.
    BelowCall,
    /// More than the largest raise.
    AboveCap,
    /// More chips than the player has.
    AboveStack,
}

/// A legal action: only [`Bounds::bet`] and [`Action::FOLD`] make one.
///
/// Kept in four bytes, a fold as an amount no stack ever reaches: actions are recorded by the million.
#[derive(Clone, Copy, PartialEq, Eq)]
pub struct Action(Chips);

const FOLD: Chips = Chips::MAX;

impl Action {
    /// Folding, which is always legal.
    pub const FOLD: Action = Action(FOLD);

    /// The chips added now, `None` if the player folds.
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

/// As on the wire: `fold` or `bet:12`.
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
            }
        }
        let endless = Bounds { to_call: Chips::MAX - 3, raise_cap: 10, stack: Chips::MAX };
        assert_eq!(endless.most(), Chips::MAX);
    }

    #[test]
    fn bounds_in_words() {
        let say = |to_call, stack| Bounds { to_call, raise_cap: 10, stack }.to_string();
        assert_eq!(say(5, 300), "fold, or bet 5 to 15 (5 to call, at most 10 more, 300 in the stack)");
        assert_eq!(say(5, 5), "fold, or bet 5 (5 to call, at most 10 more, 5 in the stack)");
        assert_eq!(say(5, 3), "only fold (5 to call, 3 in the stack)");
    }
}
