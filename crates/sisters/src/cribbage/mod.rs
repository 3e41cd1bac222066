//! Cribbage as far as the Cribbage documents go: the value of a hand, and which four cards to keep.
//!
//! This module owns its ace-low order. `points` is the one table (four ranks → 1,820 rows × start rank);
//! `CribbageHand` adds flush and nob. `explain` counts combination by combination as the documents do, and each checks
//! the other over all 12,994,800 hands. Averages are never rounded: totals over the same starts are compared.
//!
//! ```
//! use casino_sisters::cribbage::{DealtCards, hand_value, read_cards, select_hand};
//! let hand = read_cards("5H 5S 5C JD")?;
//! assert_eq!(hand_value([hand[0], hand[1], hand[2], hand[3]], "5D".parse()?), 29);
//! let dealt = DealtCards::new(&read_cards("5H KC 5S 9D 5C JD")?)?;
//! assert_eq!(select_hand(&dealt).kept().to_vec(), read_cards("5H 5S 5C JD")?);
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```

mod explain;
mod input;
mod points;
mod score;
mod select;

pub use explain::{Breakdown, Totals};
pub use input::{CardsError, check_distinct, check_number, read_cards, split_cards};
pub use score::{CribbageHand, distribution, hand_value};
pub use select::{DealtCards, Selection, choices, select_hand};
