//! Measures the cost of ratings and their efficiency.
//!
//!     cargo bench --no-default-features --bench rate              rounds per second, beside a loop of the same rounds
//!     cargo bench --no-default-features --bench rate -- rate 2 call    one pass alone, for a profiler; or `loop`
//!     cargo bench --no-default-features --bench rate -- truth     a field of six: the true order, and how many rounds show it (`verdicts` has the rest)
//!
//! The baseline shares no code with the library, plays exactly the same rounds (decks, rotations, random numbers,
//! stacks) and keeps the same statistics: chips by batch, variances of blocks, and stakes. All of
//! them are compared. Each ratio is the median of several pairs in which the two alternate, so that changes in the
//! machine's speed affect both; it uses processor time on Linux. A last column compares the rating with the loop of
//! `rounds`, which keeps no statistics and deals each round anew.

#![allow(clippy::print_stdout, reason = "a benchmark prints")]

#[path = "../../stud/benches/common/mod.rs"]
mod common;

use casino_analysis::rating::{
    BotPlayers, PlanTerms, PlayedPart, RatedBot, RatingPlan, RatingReport, Shard, play,
};
use casino_stud::cards::Seed;
use casino_stud::strategies::HouseBot;

use common::{Dice, Pairs, Shuffle, bare_bots, bare_round, bare_rounds};

fn main() {
    let words: Vec<String> = std::env::args().skip(1).filter(|word| !word.starts_with('-')).collect();
    match &words.iter().map(String::as_str).collect::<Vec<_>>()[..] {
        [] => speed(),
        ["truth"] => truth(),
        [side @ ("rate" | "loop"), seats, bots @ ("call" | "random")] => {
            let plan = speed_plan(seats.parse().expect("a number of seats"), *bots == "random");
            println!("{:?}", if *side == "rate" { Found::by_rate(&plan, 1) } else { Found::by_loop(&plan) });
        }
        _ => panic!("say nothing, `truth`, or `rate` or `loop`, a number of seats, and `call` or `random`"),
    }
}

fn plan(bots: &[&str], seed: &str, rounds: u64) -> RatingPlan {
    let rated = |(number, bot): (usize, &&str)| {
        // Names in this order, so that bot and number are the same.
        RatedBot::house(&format!("{number:02}-{bot}"), HouseBot::named(bot).expect("it is a house bot"))
    };
    let bots = bots.iter().enumerate().map(rated).collect();
    RatingPlan::new(
        bots,
        PlanTerms { seats: 17, stack: 500, seed: Seed::chosen(seed), rounds, ..PlanTerms::default() },
    )
    .expect("the plan can be played")
}

fn rate(plan: &RatingPlan, jobs: usize) -> PlayedPart {
    let bots: Vec<_> = plan.bots().iter().map(|bot| bot.house_bot().expect("all are house bots")).collect();
    let mut players: Vec<BotPlayers> = (0..jobs).map(|_| BotPlayers::house(bots.clone())).collect();
    play(plan, &mut players).unwrap()
}

const PAIRS: usize = 7;
const ROUNDS: u64 = 400_000;
const STACK: u32 = 500;

fn speed_plan(seats: usize, random: bool) -> RatingPlan {
    plan(&vec![if random { "random" } else { "caller" }; seats], "bench", ROUNDS)
}

fn speed() {
    println!(
        "{:>6} {:>8} {:>16} {:>16} {:>7} {:>33} {:>25}",
        "seats",
        "bots",
        "rate rounds/s",
        "loop rounds/s",
        "ratio",
        "two threads to one",
        "to one without statistics"
    );
    for random in [false, true] {
        for seats in [2, 6, 17] {
            let plan = speed_plan(seats, random);
            let rounds = plan.blocks() * plan.rounds_per_block();
            let one = || Found::by_rate(&plan, 1);
            let pairs = Pairs::measure(PAIRS, one, || Found::by_loop(&plan));
            let threads = Pairs::by_the_clock(PAIRS, || Found::by_rate(&plan, 2), one);
            let rated = || drop(std::hint::black_box(one()));
            let bare = Pairs::measure(PAIRS, rated, || {
                drop(std::hint::black_box(bare_rounds(seats, random, rounds)))
            });
            println!(
                "{seats:>6} {:>8} {:>16.0} {:>16.0} {} {:>14} {:>14}",
                if random { "random" } else { "call" },
                rounds as f64 / pairs.ours(),
                rounds as f64 / pairs.theirs(),
                pairs.ratio(),
                threads.ratio(),
                bare.ratio(),
            );
        }
    }
}

/// The results of a rating: whole numbers, and fractions to nine digits.
#[derive(Debug, PartialEq)]
struct Found {
    /// Each bot's chips, batch by batch.
    batches: Vec<Vec<i64>>,
    /// The variance of each bot's chips for a round.
    variances: Vec<String>,
    /// The most chips that were at stake for each bot in any block.
    swings: Vec<u64>,
}

impl Found {
    fn by_rate(plan: &RatingPlan, jobs: usize) -> Found {
        let played = rate(plan, jobs);
        let tally = played.tally();
        let bots = 0..plan.bot_count();
        Found {
            batches: tally.batches().map(|(chips, _)| chips.to_vec()).collect(),
            variances: bots.clone().map(|bot| digits(tally.variance(bot))).collect(),
            swings: bots.map(|bot| tally.max_at_stake(bot) as u64).collect(),
        }
    }

    /// The same rounds and sums in a loop. All bots sit at one table.
    fn by_loop(plan: &RatingPlan) -> Found {
        let seats = plan.seats();
        let random = plan.bots()[0].house_bot().is_some_and(|bot| bot.name == "random");
        let mut bots = bare_bots(seats, random);
        let mut shuffle = Shuffle::new("bench", 1);
        let mut dice = [Dice::new("bench", "rate")];
        let mut sums = Sums::new(seats, PlayedPart::new(plan, Shard::WHOLE).tally().batch_len());
        let mut lineup = Vec::with_capacity(seats);
        for block in 1..=plan.blocks() {
            dice[0].seek(block);
            lineup.clear();
            lineup.extend(0..seats);
            dice[0].shuffle(&mut lineup);
            let deck = shuffle.deck(block, 3 * seats);
            for _ in 0..seats {
                let mut stacks = [STACK; 17];
                let put_in = bare_round(&lineup, &mut stacks, &mut bots, deck, &mut dice);
                sums.add_round(&lineup, &stacks, put_in);
                lineup.rotate_left(1);
            }
            sums.end_block(block - 1);
        }
        sums.found(plan.blocks())
    }
}

fn digits(number: f64) -> String {
    format!("{number:.8e}")
}

/// The sums behind the statistics: of the block in play, and of all blocks.
struct Sums {
    batch_len: u64,
    chips: Vec<i64>,
    at_stake: Vec<i64>,
    squares: Vec<i64>,
    batches: Vec<Vec<i64>>,
    /// The sums of products of two bots' chips in blocks, 0·0, 1·0, 1·1, 2·0, …
    of_blocks: Vec<i128>,
    swings: Vec<i64>,
}

impl Sums {
    fn new(bots: usize, batch_len: u64) -> Sums {
        let products = vec![0; bots * (bots + 1) / 2];
        Sums {
            batch_len,
            chips: vec![0; bots],
            at_stake: vec![0; bots],
            squares: vec![0; bots],
            batches: Vec::new(),
            of_blocks: products,
            swings: vec![0; bots],
        }
    }

    #[inline]
    fn add_round(&mut self, lineup: &[usize], stacks: &[u32; 17], put_in: [u32; 17]) {
        let (mut most, mut next) = (0, 0);
        for chips in &put_in[..lineup.len()] {
            next = next.max(most.min(*chips));
            most = most.max(*chips);
        }
        for ((bot, stack), put_in) in lineup.iter().zip(stacks).zip(put_in) {
            let won = i64::from(*stack) - i64::from(STACK);
            // Its loss if it had not won.
            let at_stake = won.abs().max(i64::from(put_in.min(next)));
            self.chips[*bot] += won;
            self.at_stake[*bot] += at_stake;
            self.squares[*bot] += at_stake * at_stake;
        }
    }

    fn end_block(&mut self, block: u64) {
        if block.is_multiple_of(self.batch_len) {
            self.batches.push(vec![0; self.chips.len()]);
        }
        let batch = self.batches.last_mut().expect("block 0 begins one");
        add_products(&mut self.of_blocks, &self.chips);
        for (bot, chips) in self.chips.iter().enumerate() {
            batch[bot] += chips;
            let (mut at_stake, squares) = (self.at_stake[bot], self.squares[bot]);
            if at_stake * at_stake > 2 * squares {
                at_stake = at_stake.min((2.0 * squares as f64).sqrt().ceil() as i64);
            }
            self.swings[bot] = self.swings[bot].max(at_stake);
        }
        self.chips.fill(0);
        self.at_stake.fill(0);
        self.squares.fill(0);
    }

    fn found(self, blocks: u64) -> Found {
        let (bots, blocks) = (self.chips.len(), blocks as f64);
        let rounds = blocks * bots as f64;
        let variances = (0..bots).map(|bot| {
            let sum = self.batches.iter().map(|batch| batch[bot]).sum::<i64>() as f64;
            let square = |sums: &[i128]| sums[bot * (bot + 1) / 2 + bot] as f64;
            let of_block = (square(&self.of_blocks) - sum * sum / blocks) / (blocks - 1.0);
            digits(of_block * blocks / (rounds * rounds))
        });
        Found {
            variances: variances.collect(),
            swings: self.swings.iter().map(|chips| *chips as u64).collect(),
            batches: self.batches,
        }
    }
}

fn add_products(sums: &mut [i128], chips: &[i64]) {
    let mut sums = sums.iter_mut();
    for (bot, one) in chips.iter().enumerate() {
        for (other, sum) in chips[..=bot].iter().zip(&mut sums) {
            *sum += i128::from(one * other);
        }
    }
}

const RATED_BOTS: [&str; 6] = ["bold", "caller", "cautious", "reader", "simple", "spades"];
const TRUTH_ROUNDS: u64 = 20_000_000;
const REPEATS: u64 = 400;
/// Budget for repeating one figure, in rounds; it is repeated at least 40 times.
const MOST_REPEATED: u64 = 10_000_000;

fn truth() {
    let long = plan(&RATED_BOTS, "a very long run", TRUTH_ROUNDS);
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
        let needed = pair.rounds_to_tell_apart.expect("neighbours differ");
        let share = |rounds: f64| {
            let repeats = (MOST_REPEATED / rounds as u64).clamp(40, REPEATS);
            let found = (0..repeats).filter(|repeat| {
                let seed = format!("{} over {} {repeat}", pair.first, pair.second);
                let plan = plan(&RATED_BOTS, &seed, rounds as u64);
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
            "{:<12} over {:<12} {:+7.3}: {needed:>8.0} ({:.2})",
            pair.first,
            pair.second,
            pair.difference.value,
            share(needed),
        );
    }
}
