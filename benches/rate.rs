//! What ratings cost and what they are worth.
//!
//!     cargo bench --bench rate              rounds per second, beside a bare loop of the same rounds
//!     cargo bench --bench rate -- truth     a field of six: the true order, and how many rounds show it (`verdicts` has the rest)
//!
//! The bare loop plays the very same rounds: decks, circles, dice, stacks. That every bot ends with the same chips
//! in both is checked. Each figure is the best of several passes, and the two take turns, so that a machine that
//! changes its speed changes it for both.

#![allow(clippy::print_stdout, reason = "a benchmark prints")]

mod common;

use std::ops::ControlFlow;
use std::time::{Duration, Instant};

use casino_day::cards::Seed;
use casino_day::rating::{
    Contestant, Deals, HousePlayers, PartEnd, Plan, PlayedPart, RatingReport, Shard, play,
};

use common::{BareBot, BareCaller, BareRandom, bare_round};

fn main() {
    if std::env::args().any(|word| word == "truth") { truth() } else { speed() }
}

fn plan(bots: &[&str], seed: &str, deals: Deals, rounds: u64) -> Plan {
    let contestant = |(number, bot): (usize, &&str)| Contestant {
        // Names in this order, so that bot and number are the same.
        name: format!("{number:02}-{bot}"),
        player: format!("house {bot}"),
    };
    let bots = bots.iter().enumerate().map(contestant).collect();
    Plan::new(bots, 17, 500, &Seed::chosen(seed), deals, rounds, 0).expect("the plan can be played")
}

fn rate(plan: &Plan, jobs: usize) -> PlayedPart {
    let bots = plan.bots().iter().map(|bot| bot.house_bot().expect("all are house bots")).collect();
    let mut played = PlayedPart::new(plan, Shard::WHOLE);
    let mut fields = vec![HousePlayers::new(bots); jobs];
    let end =
        play(plan, Shard::WHOLE, &mut played, &mut fields, None, |_| ControlFlow::Continue(())).unwrap();
    assert_eq!(end, PartEnd::Played);
    played
}

const PASSES: usize = 7;

fn speed() {
    println!(
        "{:>6} {:>8} {:>16} {:>16} {:>7} {:>16} {:>7}",
        "seats", "bots", "rate rounds/s", "bare rounds/s", "ratio", "on 2 threads", "scaling"
    );
    for bot in ["caller", "random"] {
        for seats in [2, 6, 17] {
            let plan = plan(&vec![bot; seats], "bench", Deals::Equal, 400_000);
            let rounds = (plan.blocks() * plan.rounds_per_block()) as f64;
            let (mut one, mut two, mut bare) = (Duration::MAX, Duration::MAX, Duration::MAX);
            for _ in 0..PASSES {
                let (mut ours, mut theirs) = (Vec::new(), Vec::new());
                one = one.min(time(|| ours = chips(&rate(&plan, 1))));
                bare = bare.min(time(|| theirs = bare_rating(&plan, bot == "random")));
                two = two.min(time(|| drop(rate(&plan, 2))));
                assert_eq!(ours, theirs, "the bare loop plays the same rounds");
            }
            let rate = |best: Duration| rounds / best.as_secs_f64();
            println!(
                "{seats:>6} {bot:>8} {:>16.0} {:>16.0} {:>7.2} {:>16.0} {:>7.2}",
                rate(one),
                rate(bare),
                rate(one) / rate(bare),
                rate(two),
                rate(two) / rate(one),
            );
        }
    }
}

fn time(work: impl FnOnce()) -> Duration {
    let start = Instant::now();
    work();
    start.elapsed()
}

fn chips(played: &PlayedPart) -> Vec<i64> {
    let bots = played.tally().batches().next().map_or(0, |(chips, _)| chips.len());
    (0..bots).map(|bot| played.tally().chips(bot)).collect()
}

/// Each bot's chips after the same rounds in a bare loop.
fn bare_rating(plan: &Plan, random: bool) -> Vec<i64> {
    let seats = plan.seats();
    let mut bots: Vec<Box<dyn BareBot>> = (0..seats)
        .map(|_| -> Box<dyn BareBot> {
            if random { Box::new(BareRandom) } else { Box::new(BareCaller) }
        })
        .collect();
    let seed = plan.seed();
    let (mut shuffler, mut dice) = (seed.shuffler(1), seed.stream("rate"));
    let mut chips = vec![0; seats];
    for block in 1..=plan.blocks() {
        dice.seek(block);
        let mut lineup: Vec<usize> = (0..seats).collect();
        dice.shuffle(&mut lineup);
        let deck = shuffler.deck(block, 3 * seats);
        for _ in 0..seats {
            let mut stacks = [500; 17];
            bare_round(&lineup, &mut stacks, &mut bots, deck.cards(), &mut dice);
            for (bot, stack) in lineup.iter().zip(stacks) {
                chips[*bot] += i64::from(stack) - 500;
            }
            lineup.rotate_left(1);
        }
    }
    chips
}

const SIX: [&str; 6] = ["bold", "caller", "cautious", "reader", "simple", "spades"];
const LONG: u64 = 20_000_000;
const REPEATS: u64 = 400;
/// What may be spent on repeating one figure, in rounds; it is repeated 40 times at least.
const MOST_REPEATED: u64 = 10_000_000;

fn truth() {
    let long = plan(&SIX, "a very long run", Deals::Equal, LONG);
    let truth = RatingReport::new(&long, &rate(&long, 2), None);
    println!("the true order, from {} rounds", truth.rounds);
    for verdict in &truth.standings {
        let chips = verdict.chips_per_round;
        println!(
            "{:>3}. {:<12} {:+9.3} chips a round, ± {:.3}",
            verdict.place,
            verdict.name,
            chips.value,
            1.96 * chips.error
        );
    }
    println!(
        "\nrounds after which the 95% interval of a difference excludes 0 in half of all runs; foretold by the long \
         run, and the share of 40 to {REPEATS} runs of that length in which it did"
    );
    for pair in truth.neighbours() {
        let needed = pair.separation.expect("neighbours differ");
        let share = |deals, rounds: f64| {
            let repeats = (MOST_REPEATED / rounds as u64).clamp(40, REPEATS);
            let found = (0..repeats).filter(|repeat| {
                let seed = format!("{} over {} {repeat}", pair.first, pair.second);
                let plan = plan(&SIX, &seed, deals, rounds as u64);
                let report = RatingReport::new(&plan, &rate(&plan, 1), None);
                let found = report
                    .pairs
                    .iter()
                    .find(|other| (&other.first, &other.second) == (&pair.first, &pair.second));
                found.is_some_and(|found| found.difference.low.is_some_and(|low| low > 0.0))
            });
            found.count() as f64 / repeats as f64
        };
        println!(
            "{:<12} over {:<12} {:+7.3}: {:>8.0} with equal deals ({:.2}), {:>8.0} with plain deals ({:.2}), {:.2} times as many",
            pair.first,
            pair.second,
            pair.difference.value,
            needed.rounds,
            share(Deals::Equal, needed.rounds),
            needed.plain_rounds,
            share(Deals::Plain, needed.plain_rounds),
            needed.plain_rounds / needed.rounds,
        );
    }
}
