//! Cards, how they are written, and the seed from which every deck and every other random choice comes.

mod card;
mod card_set;
mod deck_words;
pub mod notation;
mod seed;
mod shuffle;
mod stream;

pub use card::{Card, Rank, Suit};
pub use card_set::CardSet;
pub use notation::{Notation, ParseCardError};
pub use seed::Seed;
pub use shuffle::{Deck, DuplicateCard, Shuffler};
pub use stream::Stream;
