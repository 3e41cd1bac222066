//! Writes a bot and rates it against five house bots.
//!
//!     cargo run --release --example rate_my_bot -- 100000

#![allow(clippy::print_stdout)]

use std::error::Error;

use casino_analysis::rating::{BotPlayers, PlanTerms, RatedBot, RatingPlan, RatingReport, play};
use casino_stud::cards::{Rank, Seed};
use casino_stud::strategies::{Bot, HouseBot};
use casino_stud::table::{Question, Reply, Status};

/// Raises with a high hole card of the same rank as an up card, calls with a high hole card, and otherwise folds. It
/// counts the rounds it won, as an example of a bot with a memory. All replies of [`Bounds`](casino_stud::stud::Bounds) are
/// legal, so it cannot foul.
#[derive(Default)]
struct MyBot {
    won: u64,
}

impl Bot for MyBot {
    fn decide(&mut self, question: &Question<'_>) -> Reply {
        let bounds = question.bounds;
        let pair = question.up.iter().any(|card| card.rank() == question.hole.rank());
        let action = match bounds.to_call {
            _ if pair && question.pot < 150 => bounds.raise(10),
            _ if pair => bounds.call(),
            1..=10 if question.hole.rank() >= Rank::Queen => bounds.call(),
            0 => bounds.call(),
            _ => bounds.fold(),
        };
        action.into()
    }

    fn hear(&mut self, status: &Status) {
        self.won += u64::from(status.won);
    }
}

fn main() -> Result<(), Box<dyn Error>> {
    let rounds = std::env::args().nth(1).map_or(Ok(10_000), |text| text.parse())?;
    let mut bots = vec![RatedBot::in_process("mine")];
    for name in ["cautious", "bold", "reader", "spades", "odds"] {
        bots.push(RatedBot::house(name, HouseBot::named(name).ok_or("there is no such house bot")?));
    }
    let plan = RatingPlan::new(
        bots,
        PlanTerms { seats: 6, stack: 500, seed: Seed::chosen("rate_my_bot"), rounds, tournaments: 10 },
    )?;

    let players = BotPlayers::new(&plan, |_name| Box::new(MyBot::default()) as Box<dyn Bot>);
    // One entry of the slice is one thread.
    let played = play(&plan, &mut [players])?;

    let report = RatingReport::new(&plan, &played, None);
    print!("{report}");
    Ok(())
}
