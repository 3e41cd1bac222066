//! Many rounds of random legal bots at tables of 2 to 17 seats in turn: nothing may panic, and no chip may come
//! or go.
//!
//!     cargo run --release --example soak -- 10000000
//!
//! The table itself stops everything when the chips do not add up after any event (R12). This example adds them up
//! again from the outside after every round, and prints a summary at the end.

#![allow(clippy::print_stdout)]

use std::process::ExitCode;
use std::time::Instant;

use casino_stud::cards::Seed;
use casino_stud::strategies::{Bot, HouseBot};
use casino_stud::stud::{Chips, Rules, ShortStack};
use casino_stud::table::{Notice, Step, TableSettings};
use casino_stud::tournament::TableGame;
use indicatif::{ProgressBar, ProgressStyle};

/// Initial stacks, assigned in turn: from a few antes to more than can be lost.
const STACKS: [Chips; 4] = [20, 500, 5_000, 1_000_000];

/// Rounds after which a tournament ends, for the next one.
const LONGEST: u64 = 2_000;

fn main() -> ExitCode {
    let wanted = match std::env::args().nth(1).map(|text| text.parse::<u64>()) {
        None => 10_000_000,
        Some(Ok(rounds)) => rounds,
        Some(Err(error)) => {
            eprintln!("soak: the number of rounds cannot be read: {error}; say, for instance, 10000000");
            return ExitCode::from(2);
        }
    };
    let bar = ProgressBar::new(wanted).with_style(
        ProgressStyle::with_template("{wide_bar} {human_pos}/{human_len} rounds, {eta} left")
            .expect("the template is well-formed"),
    );
    let start = Instant::now();
    let (mut rounds, mut questions, mut tournaments, mut exits) = (0, 0, 0u64, 0);
    while rounds < wanted {
        let played = tournament(tournaments, wanted - rounds);
        rounds += played.rounds;
        questions += played.questions;
        exits += played.exits;
        tournaments += 1;
        bar.inc(played.rounds);
    }
    bar.finish_and_clear();
    let seconds = start.elapsed().as_secs_f64();
    println!(
        "{rounds} rounds in {tournaments} tournaments of 2 to 17 seats: {questions} questions, {exits} players \
         out of chips, no chip came or went. {seconds:.1} s, {:.0} rounds/s.",
        rounds as f64 / seconds
    );
    ExitCode::SUCCESS
}

struct Played {
    rounds: u64,
    questions: u64,
    exits: u64,
}

/// Plays the tournament of this number.
fn tournament(number: u64, most: u64) -> Played {
    let players = 2 + (number % 16) as usize;
    let stack = STACKS[(number / 16 % STACKS.len() as u64) as usize];
    let short_stack = if number.is_multiple_of(3) { ShortStack::Ask } else { ShortStack::Fold };
    let conduct =
        TableSettings { rules: Rules { short_stack, ..Rules::default() }, ..TableSettings::default() };
    let seed = Seed::chosen(format!("soak {number}"));
    let house = HouseBot::named("random").expect("there is a random bot");
    let mut bots: Vec<_> = (0..players).map(|bot| house.player(seed.stream(&format!("bot {bot}")))).collect();
    let all_chips = stack * players as Chips;
    let mut freezeout = TableGame::new(conduct, &seed, players, stack, most.min(LONGEST));
    let mut played = Played { rounds: 0, questions: 0, exits: 0 };
    while freezeout.deal() {
        let table = freezeout.table_mut();
        loop {
            match table.step() {
                Step::Ask(seat) => {
                    played.questions += 1;
                    let reply = bots[seat.index()].decide(&table.question(seat));
                    table.answer(Ok(reply));
                }
                Step::Tell(_, Notice::Status(_)) => {}
                Step::Tell(_, Notice::Done) => played.exits += 1,
                Step::Over => break,
            }
        }
        played.rounds += 1;
        let sum = table.stacks().iter().sum::<Chips>() + table.forfeited();
        assert!(
            sum == all_chips && table.round().pot() == 0,
            "R12: {all_chips} chips became {sum} in round {} of tournament {number}",
            played.rounds
        );
    }
    played
}
