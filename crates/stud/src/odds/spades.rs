//! The chances of the high spade.

use crate::cards::{Card, CardSet};

use super::PublicHand;

/// The chance that so many unknown hole cards, each any of the unseen cards, are all no spade above this one; or no spade at
/// all.
pub(super) fn none_above(known: Option<Card>, unseen: CardSet, unknown: usize) -> f64 {
    none_of(unseen.spades_above(known), unseen.len(), unknown)
}

/// The chance that none of so many marked cards, of so many cards in all, is among so many that are drawn.
pub(crate) fn none_of(marked: usize, cards: usize, drawn: usize) -> f64 {
    let others = cards.saturating_sub(marked);
    (0..drawn).map(|taken| others.saturating_sub(taken) as f64 / (cards - taken) as f64).product()
}

/// The chance of each player left to have the highest spade in the hole, and the chance of no spade in the hole.
///
/// An unknown hole card is any of the unseen cards, the same for each player. So with the highest known spade (or none)
/// and *m* unknown holes, these beat it with a chance of one less the chance that none of *m* unseen cards is a higher spade,
/// and share that chance evenly.
pub(super) fn chances(left: &[PublicHand<'_>], unseen: CardSet) -> (Vec<f64>, f64) {
    let known = left.iter().filter_map(|hand| hand.hole).filter(|hole| hole.is_spade()).max();
    let unknown = left.iter().filter(|hand| hand.hole.is_none()).count();
    let none = none_above(known, unseen, unknown);
    let chance = |hand: &PublicHand<'_>| match hand.hole {
        None => (1.0 - none) / unknown as f64,
        Some(_) if hand.hole == known => none,
        Some(_) => 0.0,
    };
    (left.iter().map(chance).collect(), if known.is_none() { none } else { 0.0 })
}
