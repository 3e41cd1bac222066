//! Statistics on rounds of stud: ratings of bots, and the cost of their decisions.
//!
//! ```toml
//! [dependencies]
//! casino-analysis = "0.1"
//! casino-stud = "0.1"
//! ```
//!
//! # A rating
//! Chips won in a few rounds are mostly luck. A rating deals the same cards to everyone from every seat, and says how
//! certain its ranking is. A [`rating::RatingPlan`] has the bots and the numbers, [`rating::Players`] answer for the bots, and
//! [`rating::play`] plays it on several threads; [`rating::play_on`] plays parts of it, or until its ranking is settled. A bot
//! of your own against two house bots:
//!
//! ```
//! use casino_analysis::rating::{BotPlayers, PlanTerms, RatedBot, RatingPlan, RatingReport, play};
//! use casino_stud::cards::{Rank, Seed};
//! use casino_stud::strategies::{Bot, HouseBot};
//! use casino_stud::table::{Question, Reply};
//!
//! /// Calls with a queen or better in the hole, and folds otherwise.
//! fn my_bot(question: &Question<'_>) -> Reply {
//!     let bounds = question.bounds;
//!     let is_high = question.hole.rank() >= Rank::Queen;
//!     (if is_high || bounds.to_call == 0 { bounds.call() } else { bounds.fold() }).into()
//! }
//!
//! let mut bots = vec![RatedBot::in_process("mine")];
//! for name in ["cautious", "odds"] {
//!     bots.push(RatedBot::house(name, HouseBot::named(name).expect("a house bot")));
//! }
//! let seed = Seed::chosen("monday");
//! let terms = PlanTerms { seats: 3, stack: 500, seed, rounds: 2_000, tournaments: 0 };
//! let plan = RatingPlan::new(bots, terms)?;
//! let players = BotPlayers::new(&plan, |_name| Box::new(my_bot) as Box<dyn Bot>);
//! // One entry of the slice is one thread.
//! let played = play(&plan, &mut [players])?;
//! println!("{}", RatingReport::new(&plan, &played, None));
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```
//!
//! `examples/rate_my_bot.rs` has one with a memory, and freeze-outs.
//!
//! # A coach
//! [`coach`] says which decisions of recorded rounds cost chips:
//!
//! ```
//! use std::num::NonZero;
//!
//! use casino_analysis::coach::{Coach, NotedRound};
//! use casino_stud::cards::Seed;
//! use casino_stud::strategies::{HouseBot, HousePlayer};
//! use casino_stud::table::{TableSettings, play_round};
//! use casino_stud::tournament::TableGame;
//!
//! let seed = Seed::chosen("monday");
//! let names = ["cautious", "caller", "odds"];
//! let seated = |name: &str| HouseBot::named(name).expect("a house bot").seated(name, &seed);
//! let mut bots: Vec<HousePlayer> = names.map(seated).into();
//! let mut game = TableGame::new(TableSettings::default(), &seed, bots.len(), 200, 5);
//! let mut rounds = Vec::new();
//! while game.deal() {
//!     let Ok(()) = play_round(&mut game, &mut bots[..]);
//!     rounds.push(NotedRound::of(&game));
//! }
//!
//! let coach = Coach::new(names.map(String::from).into(), &rounds);
//! let analysis = coach.analyse_all(&rounds, NonZero::<usize>::MIN, |_done, _of| {});
//! for player in &analysis.players {
//!     println!("{}: {} mistakes proven", player.name, player.proven_mistakes);
//! }
//! # assert_eq!(analysis.rounds, 5);
//! ```
//!
//! # Modules
//!
//! | module | content |
//! |---|---|
//! | [`rating`] | equal deals and their statistics |
//! | [`coach`] | which decision cost the chips: proven mistakes and estimated ones |

pub mod coach;
pub mod rating;
