//! Exact chances and shares of the pot. `docs/odds.md` explains the method and proves it.
//!
//! [`Situation`] is a player's knowledge, and [`Odds`] are its chances. [`PublicChances`] are the chances of every
//! player, from the cards the room sees.
//!
//! All unseen cards form one stub, wherever they lie: the hole card of a player who folded is as unknown as the rest of
//! the deck.
//!
//! - The high spade needs no counting: all unknown hole cards have the same chance (`spades`).
//! - The best hand, where each player left has at most one unknown card, as on the second street: `counting` counts
//!   all ways the cards can lie, without dealing them one by one.
//! - Where a player has two unknown cards, as on the first street: `enumeration` deals every case for a player who
//!   knows its own hole card, `dealing` for the room, if there are few cases; otherwise `dealer` deals random ones from
//!   the `stub`.

mod counting;
mod dealer;
mod dealing;
mod enumeration;
mod exact;
mod hole_range;
mod public;
#[cfg(test)]
mod public_tests;
mod question;
mod sampler;
mod situation;
#[cfg(test)]
mod situation_tests;
mod spades;
mod stub;
mod tally;

pub use exact::Odds;
pub use hole_range::HoleRange;
pub use public::{PlayerChances, PublicChances, PublicHand};
pub(crate) use question::unseen;
pub use question::{chance_of_high_spade, equity};
pub use situation::{ImpossibleSituation, Situation};
pub(crate) use spades::none_of;
pub(crate) use stub::Stub;
pub(crate) use tally::by_rank;
