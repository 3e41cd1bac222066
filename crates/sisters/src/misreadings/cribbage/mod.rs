//! What is wrong with answers about Cribbage: the values of hands (`readings`), and the choices of cards to keep.

mod flaws;
mod readings;
mod telling;

pub use flaws::{KeptCards, of_choices, of_values};
pub use readings::ScoredHand;
pub use telling::{telling_deals, telling_hands};
