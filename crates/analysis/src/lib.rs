//! Statistics on rounds of stud: ratings of bots, and the cost of their decisions.
//!
//! # A rating
//! Chips won in a few rounds are mostly luck. A rating deals the same cards to everyone from every seat, and says how
//! certain its ranking is. A [`rating::RatingPlan`] has the bots and the numbers, [`rating::Players`] answer for the bots, and
//! [`rating::play`] plays it on several threads; [`rating::play_on`] plays parts of it, or until its ranking is settled.
//! `examples/rate_my_bot.rs` has it in full.
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
