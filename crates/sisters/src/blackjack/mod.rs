//! Blackjack as the Blackjack document plays it: one deck, cut shuffles, a player against a dealer.
//!
//! A [`Game`] is played hand by hand and hands each [`BlackjackLine`] to the caller's function. Nothing here reads a file or
//! a clock: cuts are an iterator that the caller hands in.
//!
//! A line is formatted only where it is displayed. A hand never empties the deck: it takes at most 17 of the 20 cards or
//! more it begins with; the proof stands at `next_card`. Threads are in `cli`, through `parallel::in_order`, which keeps
//! the order of the runs, so that `--jobs` changes nothing.
//!
//! ```
//! use casino_sisters::blackjack::{CourseCuts, Simple, play};
//! let mut transcript = String::new();
//! let closing = play(100, 3, Simple, CourseCuts::new(), |event| transcript += &format!("{event}\n"))?;
//! assert!(transcript.starts_with("Shuffling the deck\ncut at 39\ncut at 22\n"));
//! assert_eq!(closing.hands, 3);
//! # Ok::<(), casino_sisters::blackjack::CutsRanOut>(())
//! ```

mod compare;
mod cuts;
mod deck;
mod event;
mod game;
mod hand;
mod player;

pub use compare::{BankrollEstimate, BankrollResult, BankrollSummary, PairedDifference, run};
pub use cuts::{CourseCuts, Cut, CutsError, SeededCuts, read_cuts};
pub use deck::{DeckEmpty, FACTORY_ORDER, Shoe};
pub use event::BlackjackLine;
pub use game::{Closing, CutsRanOut, Game, HandResult, MINIMUM_BET, play};
pub use hand::{BlackjackHand, HandValue};
pub(crate) use player::table_draws;
pub use player::{BlackjackPlayer, Counting, Simple};
