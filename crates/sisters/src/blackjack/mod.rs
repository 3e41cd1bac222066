//! Blackjack as the Blackjack document plays it: one deck, cut shuffles, a player against a dealer.
//!
//! [`play`] passes each [`BlackjackLine`] to the caller's function. Cuts are an iterator; nothing here reads a file or a
//! clock. [`play`] plays by the document's rules;
//! `Game` plays by any `PlayedRules`, so that a misread rule is a changed field.
//!
//! ```
//! use casino_sisters::blackjack::{CourseCuts, Simple, play};
//! let mut transcript = String::new();
//! let closing = play(100, 3, Simple, CourseCuts::new(), |event| transcript += &format!("{event}\n"))?;
//! assert!(transcript.starts_with("Shuffling the deck\ncut at 39\ncut at 22\n"));
//! assert_eq!(closing.hands, 3);
//! # Ok::<(), casino_sisters::blackjack::CutsRanOut>(())
//! ```

mod cuts;
mod deck;
mod event;
mod game;
mod hand;
mod player;
mod rules;

pub use cuts::{CourseCuts, Cut, SeededCuts};
pub use deck::{DeckEmpty, FACTORY_ORDER, Shoe};
pub use event::BlackjackLine;
pub use game::{Closing, CutsRanOut, play};
pub(crate) use game::{Game, GameStop};
pub(crate) use hand::AceWay;
pub use hand::{BlackjackHand, HandValue};
pub use player::{BlackjackPlayer, Counting, Simple};
pub use rules::MINIMUM_BET;
pub(crate) use rules::{CUTS, PlayedRules, RESHUFFLE_BELOW};
