//! Rounds per second in one process, one core, beside a bare loop of the same game.
//!
//!     cargo bench --bench rounds
//!
//! Each figure is the best of several passes; table and bare loop take turns, so that a machine that changes
//! its speed changes it for both.

#![allow(clippy::print_stdout, reason = "a benchmark prints")]

mod common;

use std::time::{Duration, Instant};

use casino_day::cards::Seed;
use casino_day::strategies::{Bot, HouseBot};
use casino_day::table::{Question, Reply, Step, Table, TableSettings};

use common::{BareBot, BareCaller, BareRandom, bare_round};

const ROUNDS: u64 = 200_000;
const PASSES: usize = 9;

fn main() {
    println!("{:>6} {:>8} {:>16} {:>16} {:>7}", "seats", "bots", "table rounds/s", "bare rounds/s", "ratio");
    for (seats, random) in [(6, false), (6, true), (2, false), (2, true), (17, false), (17, true)] {
        let (mut table_best, mut bare_best) = (Duration::MAX, Duration::MAX);
        for _ in 0..PASSES {
            table_best = table_best.min(time(|| through_the_table(seats, random)));
            bare_best = bare_best.min(time(|| bare(seats, random)));
        }
        let rate = |best: Duration| ROUNDS as f64 / best.as_secs_f64();
        println!(
            "{seats:>6} {:>8} {:>16.0} {:>16.0} {:>7.2}",
            if random { "random" } else { "call" },
            rate(table_best),
            rate(bare_best),
            rate(table_best) / rate(bare_best),
        );
    }
}

fn time(work: impl FnOnce() -> u64) -> Duration {
    let start = Instant::now();
    std::hint::black_box(work());
    start.elapsed()
}

fn call(question: &Question<'_>) -> Reply {
    Reply::Bet(question.bounds.to_call)
}

/// The real table with bots behind `dyn Bot`. Stacks are so deep that nobody leaves.
fn through_the_table(seats: usize, random: bool) -> u64 {
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
        table.deal(round, &deck);
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
    u64::from(table.stacks()[0])
}

fn bare(seats: usize, random: bool) -> u64 {
    let seed = Seed::chosen("bench");
    let mut bots: Vec<Box<dyn BareBot>> = (0..seats)
        .map(|_| -> Box<dyn BareBot> {
            if random { Box::new(BareRandom) } else { Box::new(BareCaller) }
        })
        .collect();
    let (mut shuffler, mut dice) = (seed.shuffler(1), seed.stream("bots"));
    let lineup: Vec<usize> = (0..seats).collect();
    let mut stacks = [100_000_000u32; 17];
    for round in 1..=ROUNDS {
        let deck = shuffler.deck(round, 3 * seats);
        bare_round(&lineup, &mut stacks, &mut bots, deck.cards(), &mut dice);
    }
    u64::from(stacks[0])
}
