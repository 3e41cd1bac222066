//! Exact chances and shares of the pot. `docs/odds.md` explains the method.
//!
//! Cards that nobody has shown are one heap, whoever holds them: what a player who folded had in the hole is as
//! unknown as the rest of the deck, and so is part of the heap.
//!
//! - The high spade needs no counting: all unknown hole cards have the same chance ([`spades`]).
//! - The best hand, where each player left has at most one unknown card, as on the second street: [`counting`] counts
//!   all ways the cards can lie, without dealing them one by one.
//! - Where somebody has two unknown cards, as on the first street: [`dealing`] deals every case if they are few, and
//!   otherwise as many random ones as take a few milliseconds.

mod counting;
mod dealing;
mod public;
#[cfg(test)]
mod public_tests;
mod question;
mod spades;
mod tally;

pub use public::{PlayerChances, PublicChances, PublicHand};
pub use question::{chance_of_high_spade, equity};
