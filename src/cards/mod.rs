//! Cards, decks and where their order comes from. Every game stands on this and on nothing else.

mod card;
pub mod notation;
mod seed;
mod shuffle;
mod stream;

pub use card::{Card, Rank, Suit};
pub use notation::{Notation, ParseCardError};
pub use seed::Seed;
pub use shuffle::{Deck, Shuffler};
pub use stream::Stream;
