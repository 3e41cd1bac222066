//! Rounds per second in one process, one core, beside a loop of the same game that shares no code with the library.
//!
//!     cargo bench --no-default-features --bench rounds
//!     cargo bench --no-default-features --bench rounds -- table 2 call     one pass alone, for a profiler; or `loop`
//!
//! The two take turns, and each ratio is the median of several pairs, with the least and the greatest: a machine that
//! changes its speed changes it for both. Times are processor times where the system tells them (Linux). Decks are compared before, and every player's chips after each pass.

#![allow(clippy::print_stdout, reason = "a benchmark prints")]

#[allow(dead_code, reason = "ratings need more of it")]
mod common;

use casino_stud::cards::Seed;
use casino_stud::strategies::{Bot, HouseBot};
use casino_stud::table::{Question, Reply, Step, Table, TableSettings};

use common::{Pairs, Shuffle, bare_rounds};

const ROUNDS: u64 = 200_000;
const PAIRS: usize = 9;

fn main() {
    let words: Vec<String> = std::env::args().skip(1).filter(|word| !word.starts_with('-')).collect();
    match &words.iter().map(String::as_str).collect::<Vec<_>>()[..] {
        [] => compare(),
        [side @ ("table" | "loop"), seats, bots @ ("call" | "random")] => {
            let seats = seats.parse().expect("a number of seats");
            let random = *bots == "random";
            let (_, seconds) = match *side {
                "table" => Pairs::timed(|| through_the_table(seats, random)),
                _ => Pairs::timed(|| bare_rounds(seats, random, ROUNDS)),
            };
            println!("{ROUNDS} rounds in {seconds:.6} s");
        }
        _ => panic!("say nothing, or `table` or `loop`, a number of seats, and `call` or `random`"),
    }
}

fn compare() {
    check_decks();
    println!("{:>6} {:>8} {:>16} {:>16} {:>7}", "seats", "bots", "table rounds/s", "loop rounds/s", "ratio");
    for (seats, random) in [(2, false), (2, true), (6, false), (6, true), (17, false), (17, true)] {
        let pairs =
            Pairs::measure(PAIRS, || through_the_table(seats, random), || bare_rounds(seats, random, ROUNDS));
        println!(
            "{seats:>6} {:>8} {:>16.0} {:>16.0} {}",
            if random { "random" } else { "call" },
            ROUNDS as f64 / pairs.ours(),
            ROUNDS as f64 / pairs.theirs(),
            pairs.ratio(),
        );
    }
}

fn check_decks() {
    for seed in ["bench", "casino"] {
        let (mut shuffler, mut shuffle) = (Seed::chosen(seed).shuffler(3), Shuffle::new(seed, 3));
        for round in (1..1_000).chain([1 << 31, 1 << 40]) {
            let ours = shuffler.deck(round, 52).cards().map(|card| card.index() as u8);
            assert_eq!(ours, shuffle.deck(round, 52)[..52], "the loop deals the same decks");
        }
    }
}

fn call(question: &Question<'_>) -> Reply {
    Reply::Bet(question.bounds.to_call)
}

/// The real table with bots behind `dyn Bot`. Stacks are deep enough that no player busts.
fn through_the_table(seats: usize, random: bool) -> Vec<u32> {
    let seed = Seed::chosen("bench");
    let house = HouseBot::named("random").expect("there is a random bot");
    let mut bots: Vec<Box<dyn Bot>> = (0..seats)
        .map(|seat| -> Box<dyn Bot> {
            match random {
                true => Box::new(house.player(seed.stream(&format!("bot {seat}")))),
                false => Box::new(call),
            }
        })
        .collect();
    let mut shuffler = seed.shuffler(1);
    let mut table = Table::new(TableSettings::default(), &vec![100_000_000; seats]);
    for round in 1..=ROUNDS {
        let deck = shuffler.deck(round, table.cards_needed());
        table.deal(round, deck);
        loop {
            match table.step() {
                Step::Ask(seat) => {
                    let reply = bots[seat.index()].decide(&table.question(seat));
                    table.answer(Ok(reply));
                }
                Step::Tell(seat, _) => {
                    std::hint::black_box(seat);
                }
                Step::Over => break,
            }
        }
    }
    table.stacks().to_vec()
}
