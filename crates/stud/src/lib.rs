//! Three-card stud between programs, and everything about it that never waits: the game of Casino Day.
//!
//! The `casino` program is built on this library. This page leads from one round to a verified journal;
//! `ARCHITECTURE.md` describes the whole, `docs/` the rules and the file formats, and `examples/` has the programs of
//! this page in full.
//!
//! ```toml
//! [dependencies]
//! casino-stud = "0.1"
//! ```
//!
//! # A round
//! A [`table::Table`] is a pure state machine that is fed with replies. It never waits and never reads a clock, a
//! socket or a file. Its driver asks [`table::Table::step`] for the next step until the round is over:
//!
//! ```
//! use casino_stud::cards::Seed;
//! use casino_stud::table::{Step, Table, TableSettings};
//!
//! let mut table = Table::new(TableSettings::default(), &[500, 500, 500]);
//! let deck = Seed::chosen("monday").shuffler(1).deck(1, table.cards_needed()).clone();
//! table.deal(1, &deck);
//! loop {
//!     match table.step() {
//!         // A question is all that a player may see. These players always call.
//!         Step::Ask(seat) => {
//!             let call = table.question(seat).bounds.call();
//!             table.answer(Ok(call.into()));
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
//! A [`strategies::Bot`] answers questions, and every function from a question to a reply is one. It sees exactly the messages
//! that a program on the network receives. [`stud::Bounds`] makes its legal replies, and [`odds::Situation`] computes the
//! equity of its cards. This one plays against two house bots until one of them has all chips, or for 1,000 rounds:
//!
//! ```
//! use casino_stud::cards::Seed;
//! use casino_stud::strategies::{Bot, HouseBot};
//! use casino_stud::table::{Question, Reply, TableSettings, play_round};
//! use casino_stud::tournament::TableGame;
//!
//! /// Raises with a pair, calls small bets, and folds to others.
//! fn my_bot(question: &Question<'_>) -> Reply {
//!     let bounds = question.bounds;
//!     let has_pair = question.up.iter().any(|card| card.rank() == question.hole.rank());
//!     let action = match bounds.to_call {
//!         _ if has_pair && question.pot < 150 => bounds.raise(10),
//!         0..=5 => bounds.call(),
//!         _ => bounds.fold(),
//!     };
//!     action.into()
//! }
//!
//! let seed = Seed::chosen("monday");
//! let mut bots: Vec<Box<dyn Bot>> = vec![Box::new(my_bot)];
//! for name in ["bold", "odds"] {
//!     bots.push(Box::new(HouseBot::named(name).expect("a house bot").seated(name, &seed)));
//! }
//! let mut game = TableGame::new(TableSettings::default(), &seed, bots.len(), 500, 1_000);
//! while game.deal() {
//!     let Ok(()) = play_round(&mut game, &mut bots[..]);
//! }
//! println!("{:?}", game.table().stacks());
//! # assert_eq!(game.table().stacks().iter().sum::<u32>(), 1500);
//! ```
//!
//! `casino-analysis` says how good it is, and `casino-host` plays with programs on the network.
//!
//! # Table, TableGame, Event
//! [`table::Table`] plays one round with the deck that you hand it, and knows nothing of seeds: for single situations.
//! [`tournament::TableGame`] deals one table from a seed, round after round, until one player is left or the rounds are over:
//! for a game of your own bots. [`tournament::Event`] makes the tables of a whole tournament in any format and ranks its
//! players: for everything that is recorded, verified or hosted, also at a single table.
//!
//! # A journal
//! An event writes everything that happens into a journal. [`replay::verify`] deals and plays it again from its seed and its
//! replies and compares every line.
//!
//! [`journal::record_table`] plays a table and writes its journal, and the front page of `casino-host` shows how an event is
//! hosted with one over the network; one is verified like this:
//!
//! ```
//! use casino_stud::replay::verify;
//!
//! # let path = concat!(env!("CARGO_MANIFEST_DIR"), "/../../tests/data/golden/journals/play-one.jsonl");
//! let journal = std::io::BufReader::new(std::fs::File::open(path)?);
//! let verified = verify(journal, |_bytes_done| {})?;
//! println!("{} rounds follow from the seed and the replies", verified.rounds);
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```
//!
//! # Modules
//! Imports go one way, up this list; a test enforces it. This package never waits for a socket, a clock or a person;
//! the packages `casino-host` and `casino-judge` do. `casino-analysis` rates bots and finds mistakes, and
//! `casino-sisters` has the games of the sister courses.
//!
//! | module | what it holds |
//! |---|---|
//! | [`cards`] | cards, decks, notations, and the seed from which everything random comes |
//! | [`stud`] | the rules of three-card stud |
//! | [`table`] | one table of stud: questions, replies, fouls, events |
//! | [`protocol`] | commands and replies as text, in frames |
//! | [`odds`] | exact chances and shares of the pot |
//! | [`strategies`] | the trait of all bots, and the house bots |
//! | [`tournament`] | events, their formats, and standings |
//! | [`journal`] | the record of an event, written and read |
//! | [`replay`] | playing a record again: verifying, summaries, exports |
//! | [`parallel`], [`hex`], [`shown`], [`json_error`] | work on several threads, bytes as text, text made harmless, what is wrong with a JSON file |

pub mod cards;
pub mod hex;
pub mod journal;
pub mod json_error;
pub mod odds;
pub mod parallel;
pub mod protocol;
pub mod replay;
pub mod sealed;
pub mod shown;
pub mod strategies;
pub mod stud;
pub mod table;
pub mod tournament;
