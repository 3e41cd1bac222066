//! Casino Day: the dealer, the judge and the show for card-game bots.

pub mod blackjack;
pub mod cards;
pub mod cli;
pub mod cribbage;
pub mod grade;
