//! The games of two sister courses: [`blackjack`] as a simulator plays it, [`cribbage`] as a hand is valued and chosen, and
//! [`misreadings`], which finds where a program's wrong answer comes from. They share the cards of `casino_stud` and nothing
//! else: no turns, no table.
//!
//! ```toml
//! [dependencies]
//! casino-sisters = "0.1"
//! ```

pub mod blackjack;
pub mod cribbage;
pub mod misreadings;
