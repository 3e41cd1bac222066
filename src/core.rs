//! The lower half of Casino Day: cards, games, tables, tournaments, ratings, journals and replays. Pure code that never
//! waits and never reads a clock or a socket; only the room for systems, `system`, does, for the rooms above.
//!
//! `casino_day` gives all of it out again, and its page leads through it. Whoever wants to deal, play or rate without
//! programs, sockets and pages can do with this package alone.

// Without the upper rooms, some of what the lower ones keep for them has no user.
#![cfg_attr(not(feature = "cli"), allow(dead_code, unused_imports))]

pub mod blackjack;
pub mod cards;
pub mod coach;
pub mod cribbage;
pub mod journal;
pub mod misreadings;
pub mod odds;
pub mod protocol;
pub mod rating;
pub mod replay;
pub mod strategies;
pub mod stud;
/// The room for systems, which is not part of the library's interface.
#[doc(hidden)]
pub mod system;
pub mod table;
pub mod tournament;
