//! Whether the coach's advice gains chips, with bots and an engine that the coach does not know.
//!
//!     cargo bench --package casino-analysis --bench advice -- called     mistakes played again, as in docs/benchmarks.md
//!     cargo bench --package casino-analysis --bench advice -- tuning     the same with other limits of the coach
//!     cargo bench --package casino-analysis --bench advice -- orders     orders of a tournament's bots against their ratings
//!
//! `-- called --help` has the flags of each.

#![allow(clippy::print_stdout, reason = "a benchmark prints")]

#[path = "../tests/rooms/coach/engine.rs"]
#[allow(dead_code, reason = "the tests use more of it")]
mod engine;
#[path = "../tests/rooms/coach/field.rs"]
mod field;
#[path = "../tests/rooms/coach/played_again.rs"]
#[allow(dead_code, reason = "the tests use more of it")]
mod played_again;
#[path = "../tests/rooms/coach/sums.rs"]
#[allow(dead_code, reason = "the tests use more of it")]
mod sums;

use std::collections::BTreeMap;
use std::num::NonZero;

use clap::{Parser, Subcommand, ValueEnum};

use casino_analysis::coach::{Caution, Coach, NotedRound};
use casino_stud::cards::Seed;
use casino_stud::strategies::{HOUSE, HouseBot, HousePlayer, ladder};
use casino_stud::table::{TableSettings, play_round};
use casino_stud::tournament::TableGame;

use engine::Dice;
use field::{FAULTY, Habits, SENSIBLE, habits};
use sums::{Replay, text_of};

/// How often each mistake is played again.
const DEALS: u32 = 300;

#[derive(Parser)]
struct Flags {
    #[command(subcommand)]
    part: Part,
    /// Cargo passes it to every benchmark.
    #[arg(long, hide = true, global = true)]
    bench: bool,
}

#[derive(Subcommand)]
enum Part {
    /// Play reported mistakes again
    Called {
        /// Number of mistakes
        #[arg(long, default_value_t = 500)]
        called: usize,
        /// Number of the first tournament
        #[arg(long, default_value_t = 100_000)]
        from: u64,
        /// The only field
        #[arg(long)]
        field: Option<FieldName>,
        /// The only kind of reply: Fold, Call or Raise
        #[arg(long)]
        reply: Option<String>,
        /// Number of tournaments of house bots whose mistakes are counted
        #[arg(long, default_value_t = 30)]
        house: u64,
    },
    /// Try other limits of the coach
    Tuning {
        /// Number of mistakes for each pair of limits
        #[arg(long, default_value_t = 500)]
        called: usize,
        /// Number of the first tournament
        #[arg(long, default_value_t = 100_000)]
        from: u64,
    },
    /// Compare orders of the bots of a tournament with their ratings
    Orders {
        /// Number of tournaments
        #[arg(long, default_value_t = 40, value_parser = clap::value_parser!(u64).range(2..))]
        tournaments: u64,
    },
}

#[derive(Clone, Copy, PartialEq, Eq, ValueEnum)]
enum FieldName {
    Sensible,
    Mixed,
}

fn main() {
    match Flags::parse().part {
        Part::Called { called, from, field, reply, house } => {
            called_of_the_house(from, house);
            let replay = Replay { caution: Caution::default(), from, wanted: called, deals: DEALS, reply };
            let mixed: Vec<Habits> = SENSIBLE.into_iter().chain(FAULTY).collect();
            let fields =
                [("sensible", FieldName::Sensible, &SENSIBLE[..]), ("mixed", FieldName::Mixed, &mixed[..])];
            let is_wanted = |name: &FieldName| field.is_none_or(|field| field == *name);
            for (what, _, bots) in fields.into_iter().filter(|(_, name, _)| is_wanted(name)) {
                println!("{what} fields\n{}", text_of(&replay.play_again(bots)));
            }
        }
        Part::Tuning { called, from } => tuning(called, from),
        Part::Orders { tournaments } => orders(tournaments),
    }
}

/// Bots with habits that are drawn: with them the coach's constants were chosen, and nothing is shown of it.
fn drawn(dice: &mut Dice) -> Habits {
    let mut between = |from: f64, to: f64| from + (to - from) * dice.unit();
    let is_sensible = between(0.0, 1.0) < 0.6;
    let (raises, stays) = if is_sensible { ((1.1, 2.0), (0.8, 1.3)) } else { ((0.0, 5.0), (0.0, 2.5)) };
    let faults = if is_sensible { 0.05 } else { 0.3 };
    habits(
        if is_sensible { "sensible" } else { "faulty" },
        (between(raises.0, raises.1), between(stays.0, stays.1)),
        between(1.0, 11.0) as u32,
        (between(0.0, faults), between(0.01, faults)),
        between(10.0, if is_sensible { 30.0 } else { 300.0 }) as u32,
    )
}

/// Mistakes of drawn bots, by nine pairs of limits.
fn tuning(called: usize, from: u64) {
    let bots: Vec<Habits> = (0..200).map(|number| drawn(&mut Dice(number))).collect();
    let (sensible, faulty): (Vec<Habits>, _) = bots.into_iter().partition(|bot| bot.name == "sensible");
    for (what, bots) in [("sensible", sensible), ("faulty", faulty)] {
        for (standard_errors, shift) in
            [5.0, 10.0, 20.0].map(|errors| [0.25, 0.5, 0.75].map(|shift| (errors, shift))).concat()
        {
            let caution = Caution { standard_errors, shift };
            let replay = Replay { caution, from, wanted: called, deals: DEALS, reply: None };
            print!("tuning, {caution:?}, {}", replay.play_again(&bots)["all"].line(what));
        }
    }
}

/// The share of each house bot's decisions reported as mistakes, in this many tournaments of six of them.
fn called_of_the_house(from: u64, tournaments: u64) {
    let mut called: BTreeMap<&str, (u32, u32)> = BTreeMap::new();
    for number in from..from + tournaments {
        let (bots, rounds) = house_tournament(number, 100);
        let coach = Coach::new(house_names(&bots), &rounds);
        for decision in rounds.iter().flat_map(|round| coach.analyse(round)) {
            let (mistakes, all) = called.entry(bots[decision.player].name).or_default();
            *mistakes += u32::from(decision.judgement.is_mistake());
            *all += 1;
        }
    }
    for (name, (mistakes, all)) in called {
        println!(
            "{name}: {mistakes} of {all} decisions called, {:.1} %",
            100.0 * f64::from(mistakes) / f64::from(all)
        );
    }
}

/// A tournament of six house bots drawn from all of them.
fn house_tournament(number: u64, most: u64) -> (Vec<&'static HouseBot>, Vec<NotedRound>) {
    let seed = Seed::chosen(format!("the house {number}"));
    let mut bots: Vec<&HouseBot> = HOUSE.iter().collect();
    seed.stream("field").shuffle(&mut bots);
    bots.truncate(6);
    let mut players: Vec<HousePlayer> = bots.iter().map(|bot| bot.seated(bot.name, &seed)).collect();
    let mut game = TableGame::new(TableSettings::default(), &seed, bots.len(), 500, most);
    let mut rounds = Vec::new();
    while game.deal() {
        let Ok(()) = play_round(&mut game, &mut players[..]);
        rounds.push(NotedRound::of(&game));
    }
    (bots, rounds)
}

fn house_names(bots: &[&HouseBot]) -> Vec<String> {
    bots.iter().map(|bot| bot.name.to_string()).collect()
}

fn rank_correlation(one: &[f64], other: &[f64]) -> f64 {
    let ranks = |values: &[f64]| -> Vec<f64> {
        let rank = |value: &f64| values.iter().filter(|other| *other < value).count() as f64;
        values.iter().map(rank).collect()
    };
    let squares: f64 = ranks(one).iter().zip(ranks(other)).map(|(one, other)| (one - other).powi(2)).sum();
    let count = one.len() as f64;
    1.0 - 6.0 * squares / (count * (count * count - 1.0))
}

/// Compares three orders of the bots of one tournament with their ratings: by chips, by chips without luck, and by the
/// price of their mistakes.
fn orders(tournaments: u64) {
    let ratings = ladder();
    for most in [100, 300, 1_000] {
        let mut sums = [[0.0; 2]; 3];
        for number in 0..tournaments {
            let (bots, rounds) = house_tournament(500_000 + number, most);
            // About 40 rounds are drawn; luck is of all.
            let coach = Coach::new(house_names(&bots), &rounds).valuing(1_000);
            let all = coach.analyse_all(&rounds, NonZero::<usize>::MIN, |_, _| ());
            let rated: Vec<f64> = bots
                .iter()
                .filter_map(|bot| ratings.iter().find(|rung| rung.bot.name == bot.name))
                .map(|rung| rung.figures[1].chips)
                .collect();
            let chips: Vec<f64> = all.players.iter().map(|player| player.chips as f64).collect();
            let less_luck: Vec<f64> =
                all.players.iter().map(|player| player.chips as f64 - player.luck).collect();
            let given: Vec<f64> = all.players.iter().map(|player| -player.given_away.chips).collect();
            for (sums, values) in sums.iter_mut().zip([chips, less_luck, given]) {
                let correlation = rank_correlation(&values, &rated);
                sums[0] += correlation;
                sums[1] += correlation * correlation;
            }
        }
        for (what, [sum, squares]) in ["chips", "chips less luck", "given away"].iter().zip(sums) {
            let mean = sum / tournaments as f64;
            let error = ((squares / tournaments as f64 - mean * mean) / (tournaments - 1) as f64).sqrt();
            println!(
                "{tournaments} tournaments of at most {most} rounds, {what}: {mean:.3} ± {:.3}",
                1.96 * error
            );
        }
    }
}
