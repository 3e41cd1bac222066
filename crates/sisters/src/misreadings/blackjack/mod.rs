//! What is wrong with transcripts of Blackjack.
//!
//! Every game is followed hand by hand (`followed`), and each rule looked at by itself (`decisions`, `procedure`): what a program decides is held against what it has shown
//! itself, so that one slip is one difference. For each rule the known misreadings (`bets`, `decks`, `draws`,
//! `faulty_hand`, `money`) are held against all observations of it, and one is named only if it explains every single one.

mod bets;
mod decisions;
mod decks;
mod draws;
mod faulty_deck;
mod faulty_hand;
mod findings;
mod followed;
mod inspection;
mod lesson;
mod money;
mod procedure;
mod said;
mod transcript;
mod written;

pub use bets::{
    BetReading, BettingWay, Bettor, COUNTING, SIMPLE, SIMPLE_THEME, SIMPLE_WRONG, THEME as BETS_THEME,
    WRONG_BETS,
};
pub use draws::{DrawDecision, DrawRule, THEME as DRAWS_THEME, WRONG as WRONG_DRAWS};
pub use faulty_deck::{DECK_FAULTS, DealtCard, DeckFault, FaultyDeck};
pub use faulty_hand::{FaultyHand, HAND_FAULTS, HandFault};
pub use inspection::{Inspection, TranscriptParts};
pub use written::{AskedGame, FirstDifference, TranscriptDifference, WrittenGame};
