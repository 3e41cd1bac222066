//! Casino Day deals, judges and shows card games between programs: three-card stud over TCP, Blackjack and Cribbage.
//!
//! The `casino` program is built on this library. This page leads from one round to a bot of your own in a rating;
//! `ARCHITECTURE.md` describes the whole, `docs/` the rules and the file formats, and `examples/` has the programs of
//! this page in full.
//!
//! # A round
//! A [`table::Table`] is a pure state machine that is fed with replies. It never waits and never reads a clock, a
//! socket or a file. Its driver asks [`table::Table::step`] what has to happen next, until the round is over:
//!
//! ```
//! use casino_stud::cards::Seed;
//! use casino_stud::table::{Reply, Step, Table, TableSettings};
//!
//! let mut table = Table::new(TableSettings::default(), &[500, 500, 500]);
//! let deck = Seed::chosen("monday").shuffler(1).deck(1, table.cards_needed()).clone();
//! table.deal(1, &deck);
//! loop {
//!     match table.step() {
//!         // A question is all that a player may see. These players always call.
//!         Step::Ask(seat) => {
//!             let to_call = table.question(seat).bounds.to_call;
//!             table.answer(Ok(Reply::Bet(to_call)));
//!         }
//!         // How the round ended: nobody here wants to know.
//!         Step::Tell(..) => {}
//!         Step::Over => break,
//!     }
//! }
//! // No chip came or went, and every change of the table is on record.
//! assert_eq!(table.stacks().iter().sum::<u32>(), 1500);
//! println!("{:?}", table.events());
//! ```
//!
//! The deck depends on the seed, the table's number and the round's number alone, so the same replies give the same
//! round again, on every machine.
//!
//! # A bot
//! A [`strategies::Bot`] answers questions. It sees what a program on the network is told, and nothing else. The cards
//! it holds are in [`table::Question`], and [`stud::Bounds`] says what it may bet. The house bots are bots too:
//!
//! ```
//! use casino_stud::cards::Seed;
//! use casino_stud::odds::chance_of_high_spade;
//! use casino_stud::strategies::{Bot, HouseBot};
//! use casino_stud::table::{Question, Reply};
//!
//! /// Raises with a good chance of the spade half of the pot, and otherwise stays in while that is cheap.
//! struct Spades;
//!
//! impl Bot for Spades {
//!     fn decide(&mut self, question: &Question<'_>) -> Reply {
//!         let bounds = question.bounds;
//!         if bounds.most() < bounds.to_call {
//!             Reply::Fold
//!         } else if chance_of_high_spade(question) > 0.6 && question.pot < 100 {
//!             Reply::Bet(bounds.most())
//!         } else if bounds.to_call <= 2 {
//!             Reply::Bet(bounds.to_call)
//!         } else {
//!             Reply::Fold
//!         }
//!     }
//! }
//!
//! let odds = HouseBot::named("odds").expect("there is a house bot of this name");
//! let bots: [Box<dyn Bot>; 2] = [Box::new(Spades), Box::new(odds.player(Seed::chosen("monday").stream("odds")))];
//! # let _ = bots;
//! ```
//!
//! # A rating
//! Chips won in a few rounds are mostly luck. A rating deals the same cards to everyone from every seat, and says how
//! certain its ranking is. A [`rating::Plan`] says what is played, a [`rating::Players`] who plays, and
//! [`rating::RatingReport`] what came of it:
//!
//! ```
//! use std::ops::ControlFlow;
//!
//! use casino_stud::cards::Seed;
//! use casino_stud::rating::{BotPlayers, Contestant, Deals, Plan, PlayedPart, RatingReport, Shard, play};
//! use casino_stud::strategies::{Bot, HOUSE};
//! use casino_stud::table::{Question, Reply};
//!
//! # fn main() -> Result<(), Box<dyn std::error::Error>> {
//! // Any function from a question to a reply is a bot as well.
//! let caller = |question: &Question<'_>| match question.bounds {
//!     bounds if bounds.most() < bounds.to_call => Reply::Fold,
//!     bounds => Reply::Bet(bounds.to_call),
//! };
//! let mut bots: Vec<Contestant> = HOUSE.iter().map(|bot| Contestant::house(bot.name, bot)).collect();
//! bots.push(Contestant::in_process("mine"));
//!
//! let (seats, stack, rounds, tournaments) = (6, 500, 500, 0);
//! let plan = Plan::new(bots, seats, stack, &Seed::chosen("monday"), Deals::Equal, rounds, tournaments)?;
//! let players = BotPlayers::new(&plan, |_name| Box::new(caller) as Box<dyn Bot>);
//! let mut played = PlayedPart::new(&plan, Shard::WHOLE);
//! play(&plan, Shard::WHOLE, &mut played, &mut [players], None, |_| ControlFlow::Continue(()))?;
//!
//! let report = RatingReport::new(&plan, &played, None);
//! for bot in &report.standings {
//!     let chips = bot.chips_per_round;
//!     println!("{:2}. {:10} {chips:.2}", bot.place, bot.name);
//! }
//! # assert!(report.standings.iter().any(|bot| bot.name == "mine"));
//! # Ok(())
//! # }
//! ```
//!
//! # Modules
//! Imports go one way, up this list; a test enforces it.
//!
//! | module | what it holds |
//! |---|---|
//! | [`cards`] | cards, decks, notations, and the seed from which everything random comes |
//! | [`stud`], [`blackjack`], [`cribbage`] | the rules of one game each |
//! | [`misreadings`] | where a wrong answer of Blackjack or Cribbage comes from |
//! | [`table`] | one table of stud: questions, replies, fouls, events |
//! | [`protocol`] | commands and replies as text, in frames |
//! | [`odds`] | exact chances and shares of the pot |
//! | [`strategies`] | the trait of all bots, and the house bots |
//! | [`tournament`] | events, their formats, and standings |
//! | [`rating`] | equal deals and their statistics |
//! | [`journal`] | the record of an event, written and read |
//! | [`replay`] | playing a record again: verifying, summaries, exports |
//! | [`parallel`] | work on several threads whose outcome does not depend on their number |
//! | [`coach`] | which decision cost the chips: proven mistakes and estimated ones |
//! | `server` | sockets, deadlines, and programs that are started |
//! | `sandbox` | running programs that nobody trusts |
//! | `scenario`, `check`, `grade` | scripted situations, the check of a program, and grading |
//!
//! # Features
//! Without its default features the library holds the modules down to [`coach`]: pure code that never waits. The
//! feature `programs` adds those that play with other people's programs, `server` to `grade`. The feature `cli`, on
//! by default, adds what only the `casino` program needs: its command line, its reports and its web page.

pub mod cards;
pub mod coach;
pub mod hex;
pub mod journal;
pub mod odds;
pub mod parallel;
pub mod protocol;
pub mod rating;
pub mod replay;
pub mod shown;
pub mod strategies;
pub mod stud;
pub mod table;
pub mod tournament;
