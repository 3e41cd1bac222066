//! Casino Day: the dealer, the judge and the show for card-game bots.

pub mod cards;
pub mod cli;
pub mod journal;
pub mod protocol;
pub mod server;
pub mod strategies;
pub mod stud;
pub mod table;
pub mod tournament;
pub mod web;
