//! Casino Day: the dealer, the judge and the show for card-game bots.
//!
//! Everything stands on one idea: a table is a pure state machine that is fed with replies. It never waits and
//! never reads a clock, a socket or a file; whoever drives it does. Bots in this process, programs on sockets,
//! a recorded journal and a scripted scenario all run the same few lines:
//!
//! ```
//! use casino_day::cards::Seed;
//! use casino_day::strategies::{Bot, HouseBot};
//! use casino_day::table::{Conduct, Step};
//! use casino_day::tournament::Freezeout;
//!
//! let seed = Seed::chosen("casino");
//! let house = |name| HouseBot::named(name).unwrap().player(seed.stream(name));
//! let mut bots = [house("cautious"), house("bold"), house("odds")];
//! let mut tournament = Freezeout::new(Conduct::default(), &seed, bots.len(), 500, 1);
//!
//! tournament.deal();
//! let table = tournament.table_mut();
//! loop {
//!     match table.step() {
//!         Step::Ask(seat) => {
//!             let reply = bots[seat.index()].decide(&table.question(seat));
//!             table.answer(Ok(reply));
//!         }
//!         Step::Tell(..) => {}
//!         Step::Over => break,
//!     }
//! }
//! assert_eq!(table.stacks().iter().sum::<u32>(), 1500);
//! ```
//!
//! # Layers
//! Imports go one way, down this list; a test enforces it. `ARCHITECTURE.md` says more.
//!
//! | layer | what it knows |
//! |---|---|
//! | [`cli`] | a file for each subcommand |
//! | [`web`] | the room's page and the teacher's console |
//! | [`grade`] | judging programs: cases, reports, running them under limits |
//! | [`server`] | the network: lobby, connections, deadlines, started programs |
//! | [`journal`] | the record of a tournament |
//! | [`tournament`] | who plays, who sits where, how long, who came where |
//! | [`strategies`] | the trait of all bots, and the house bots |
//! | [`protocol`] | commands and replies as text, in frames |
//! | [`table`] | one table: questions, replies, fouls, events |
//! | [`stud`], [`blackjack`], [`cribbage`] | the rules of one game each |
//! | [`cards`] | cards, decks, notations, the seed |
//!
//! # Invariants
//! - Chips are conserved: stacks, pot and forfeited chips add up to the same number after every event, in every
//!   build.
//! - A deck is a function of (seed, table, round) and of nothing else.
//! - Nothing is announced that is not recorded.
//! - A bot gets a view, never the state.

pub mod blackjack;
pub mod cards;
pub mod check;
pub mod cli;
pub mod cribbage;
pub mod grade;
pub mod journal;
pub mod protocol;
pub mod rating;
pub mod replay;
pub mod report;
pub mod sandbox;
pub mod scenario;
pub mod server;
pub mod session;
pub mod strategies;
pub mod stud;
pub mod table;
pub mod tournament;
pub mod web;
