//! Whether the verdicts of ratings are true, measured from outside: nothing here knows how an interval is made.
//!
//!     cargo bench --bench verdicts -- coverage     how often the printed intervals hold the long-run truth, two bots alone
//!     cargo bench --bench verdicts -- fields       the same with four, six and twelve seats
//!     cargo bench --bench verdicts -- gain         what stand-ins are worth, in rounds and in seconds
//!     cargo bench --bench verdicts -- sure         how often `--until-sure` is wrong, and what it costs
//!
//! A number among the words is how many runs each figure is made of, 400 if there is none; `make verdicts` does
//! everything. Seeds are fixed: the figures are the same each time, but for times.

#![allow(clippy::print_stdout, reason = "a benchmark prints")]

use std::ops::ControlFlow;
use std::time::Instant;

use casino_day::cards::Seed;
use casino_day::rating::{
    BotPlayers, Contestant, Deals, Estimate, HousePlayers, Plan, PlayedPart, RatingReport, Shard, Sure, play,
};
use casino_day::strategies::{Bot, HouseBot};

/// The ladder: house bots that think fast.
const LADDER: [&str; 7] = ["passive", "caller", "simple", "cautious", "bold", "reader", "spades"];

fn main() {
    let words: Vec<String> = std::env::args().skip(1).collect();
    let is_wanted = |name: &str| {
        words.iter().any(|word| word == name)
            || !words.iter().any(|word| word.chars().all(char::is_alphabetic))
    };
    let runs = words.iter().find_map(|word| word.parse().ok()).unwrap_or(400);
    if is_wanted("coverage") {
        coverage(runs);
    }
    if is_wanted("fields") {
        fields(runs);
    }
    if is_wanted("gain") {
        gain(runs);
    }
    if is_wanted("sure") {
        sure(runs);
    }
}

/// A field of house bots. Those that are hidden are played like programs that nobody can look into.
struct Field<'a> {
    bots: &'a [&'a str],
    hidden: bool,
    stand_ins: &'a [&'a str],
}

impl Field<'_> {
    fn plan(&self, seed: &str, deals: Deals, rounds: u64) -> Plan {
        let contestant = |(number, bot): (usize, &&str)| {
            // Names in this order, so that bot and number are the same.
            let name = format!("{number:02}-{bot}");
            let player = if self.hidden { "in process".to_string() } else { format!("house {bot}") };
            Contestant { name, player }
        };
        let bots = self.bots.iter().enumerate().map(contestant).collect();
        let plan = Plan::new(bots, 17, 500, &Seed::chosen(seed), deals, rounds, 0);
        plan.and_then(|plan| plan.with_stand_ins(self.stand_ins)).expect("the plan can be played")
    }

    fn played(&self, plan: &Plan) -> PlayedPart {
        let mut played = PlayedPart::new(plan, Shard::WHOLE);
        let go_on = |_: &PlayedPart| ControlFlow::Continue(());
        if self.hidden {
            let bot = |name: &str| HouseBot::named(&name[3..]).expect("a house bot");
            let own = |name: &str| -> Box<dyn Bot> { Box::new(bot(name).player(plan.seed().stream(name))) };
            play(plan, Shard::WHOLE, &mut played, &mut [BotPlayers::new(plan, own)], None, go_on)
                .expect("in process");
        } else {
            let bots = plan.bots().iter().filter_map(Contestant::house_bot).collect();
            play(plan, Shard::WHOLE, &mut played, &mut [HousePlayers::new(bots)], None, go_on)
                .expect("in process");
        }
        played
    }

    fn report(&self, seed: &str, deals: Deals, rounds: u64) -> RatingReport {
        let plan = self.plan(seed, deals, rounds);
        RatingReport::new(&plan, &self.played(&plan), None)
    }
}

/// The chips of each bot of a report, by number.
fn chips(report: &RatingReport) -> Vec<Estimate> {
    let mut standings: Vec<_> = report.standings.iter().collect();
    standings.sort_by(|one, other| one.name.cmp(&other.name));
    standings.iter().map(|verdict| verdict.chips_per_round).collect()
}

/// The difference of two bots, by number, the first less the second.
fn difference(report: &RatingReport, one: usize, other: usize) -> Estimate {
    let (one, other) = (format!("{one:02}-"), format!("{other:02}-"));
    for pair in &report.pairs {
        if pair.first.starts_with(&one) && pair.second.starts_with(&other) {
            return pair.difference;
        }
        if pair.second.starts_with(&one) && pair.first.starts_with(&other) {
            let Estimate { value, low, high, .. } = pair.difference;
            let (low, high) = (high.map(|high| -high), low.map(|low| -low));
            return Estimate { value: -value, low, high, ..pair.difference };
        }
    }
    panic!("every pair is there")
}

/// How many intervals there were, and how many of them held the truth.
#[derive(Clone, Copy, Default)]
struct Held {
    runs: u64,
    given: u64,
    held: u64,
}

impl Held {
    fn note(&mut self, estimate: &Estimate, truth: f64) {
        self.runs += 1;
        if let Some((low, high)) = estimate.interval() {
            self.given += 1;
            self.held += u64::from((low..=high).contains(&truth));
        }
    }

    fn add(&mut self, other: &Held) {
        self.runs += other.runs;
        self.given += other.given;
        self.held += other.held;
    }

    fn words(&self) -> String {
        let none = 100.0 * (self.runs - self.given) as f64 / self.runs as f64;
        match self.given {
            0 => format!("   –  ({none:3.0}% none)"),
            given => format!("{:5.1} ({none:3.0}% none)", 100.0 * self.held as f64 / given as f64),
        }
    }
}

const LENGTHS: [u64; 3] = [600, 1_200, 6_000];
const LONG: u64 = 4_000_000;

fn coverage(runs: u64) {
    println!("of {runs} runs each, per cent of the given intervals that hold the truth of {LONG} rounds");
    println!("{:<22} {:>20} {:>20} {:>20}", "two seats: difference", LENGTHS[0], LENGTHS[1], LENGTHS[2]);
    let mut all = [Held::default(); 3];
    for (at, one) in LADDER.iter().enumerate() {
        for other in &LADDER[at + 1..] {
            let field = Field { bots: &[one, other], hidden: false, stand_ins: &[] };
            let held = covered(&field, runs).map(|held| held.1);
            println!(
                "{:<22} {:>20} {:>20} {:>20}",
                format!("{one}–{other}"),
                held[0].words(),
                held[1].words(),
                held[2].words()
            );
            all.iter_mut().zip(&held).for_each(|(all, held)| all.add(held));
        }
    }
    println!("{:<22} {:>20} {:>20} {:>20}", "together", all[0].words(), all[1].words(), all[2].words());
}

/// The same for tables of more seats.
fn fields(runs: u64) {
    println!(
        "\nof {runs} runs each, per cent of the given intervals that hold the truth of {} rounds",
        LONG / 4
    );
    let fields: [&[&str]; 3] = [
        &["simple", "cautious", "reader", "spades"],
        &["bold", "caller", "cautious", "reader", "simple", "spades"],
        &[
            "folder", "passive", "caller", "raiser", "random", "simple", "cautious", "bold", "reader",
            "spades", "simple", "reader",
        ],
    ];
    for bots in fields {
        let held = covered(&Field { bots, hidden: false, stand_ins: &[] }, runs);
        let line = |name: &str, pick: &dyn Fn(&(Held, Held)) -> Held| {
            let words: Vec<String> = held.iter().map(|held| pick(held).words()).collect();
            println!("{:<22} {:>20} {:>20} {:>20}", name, words[0], words[1], words[2]);
        };
        line(&format!("{} seats: chips", bots.len()), &|held| held.0);
        line("         differences", &|held| held.1);
    }
}

/// How often the intervals of each length hold the truth: those of the chips, and those of the differences.
fn covered(field: &Field<'_>, runs: u64) -> [(Held, Held); 3] {
    // Rounds of many seats take longer, and each has more results.
    let long = if field.bots.len() > 2 { LONG / 4 } else { LONG };
    let truth = field.report("the truth", Deals::Equal, long);
    let (bots, truths) = (field.bots.len(), chips(&truth));
    LENGTHS.map(|rounds| {
        let mut held = (Held::default(), Held::default());
        for run in 0..runs {
            let report = field.report(&format!("run {run}"), Deals::Equal, rounds);
            for (estimate, truth) in chips(&report).iter().zip(&truths) {
                held.0.note(estimate, truth.value);
            }
            for one in 0..bots {
                for other in one + 1..bots {
                    held.1.note(&difference(&report, one, other), difference(&truth, one, other).value);
                }
            }
        }
        held
    })
}

/// Neighbours on the ladder, and a pair whose order many rounds leave open.
const NEIGHBOURS: [[&str; 2]; 6] = [
    ["passive", "simple"],
    ["simple", "cautious"],
    ["cautious", "reader"],
    ["reader", "spades"],
    ["bold", "simple"],
    ["caller", "bold"],
];

/// How many rounds each run of `gain` has.
const SHORT: u64 = 1_200;

/// What stand-ins are worth for two bots that nobody can look into. Neither of the two is among its stand-ins.
fn gain(runs: u64) {
    println!(
        "\nhidden pairs: the variance of {runs} runs of {SHORT} rounds against that of plain and of equal deals"
    );
    println!(
        "{:<18} {:>8} {:>18} {:>12} {:>12} {:>9} {:>9} {:>8} {:>20}",
        "pair",
        "truth",
        "mean of runs",
        "plain/ours",
        "equal/ours",
        "µs plain",
        "µs ours",
        "gain in s",
        "coverage"
    );
    let mut gains = Vec::new();
    for pair in NEIGHBOURS {
        let stand_ins: Vec<&str> =
            ["raiser"].iter().chain(&LADDER).copied().filter(|name| !pair.contains(name)).collect();
        let hidden = |stand_ins| Field { bots: &pair, hidden: true, stand_ins };
        let truth = Field { hidden: false, ..hidden(&[]) }.report("the truth", Deals::Equal, LONG);
        let want = difference(&truth, 0, 1);
        let equal = want.error.powi(2) * truth.rounds as f64;
        let plain = equal * truth.plain_deals_need.unwrap_or(1.0);
        let start = Instant::now();
        hidden(&[]).report("time", Deals::Equal, 200_000);
        let plain_time = start.elapsed().as_secs_f64() / 200_000.0;
        let start = Instant::now();
        let (mut held, mut found) = (Held::default(), Vec::new());
        for run in 0..runs {
            let report = hidden(&stand_ins).report(&format!("run {run}"), Deals::Equal, SHORT);
            let estimate = difference(&report, 0, 1);
            held.note(&estimate, want.value);
            found.push(estimate.value);
        }
        let time = start.elapsed().as_secs_f64() / (runs * SHORT) as f64;
        let mean = found.iter().sum::<f64>() / runs as f64;
        let spread = found.iter().map(|value| (value - mean).powi(2)).sum::<f64>() / (runs as f64 - 1.0);
        let ours = spread * SHORT as f64;
        // What a program takes for its part of a round: a few replies over a socket.
        let seconds = plain * (plain_time + PROGRAM) / (ours * (time + PROGRAM));
        gains.push(plain / ours);
        println!(
            "{:<18} {:>+8.3} {:>+8.3} ± {:>7.3} {:>12.1} {:>12.1} {:>9.1} {:>9.1} {:>8.1} {:>20}",
            pair.join("–"),
            want.value,
            mean,
            1.96 * (spread / runs as f64).sqrt(),
            plain / ours,
            equal / ours,
            1e6 * plain_time,
            1e6 * time,
            seconds,
            held.words(),
        );
    }
    gains.sort_by(f64::total_cmp);
    println!("median {:.1}, least {:.1}", gains[gains.len() / 2], gains[0]);
}

/// The seconds that a round with two programs takes, which `cargo bench --bench wire` measures.
const PROGRAM: f64 = 200e-6;

/// The most rounds of a run of `sure`.
const MOST: u64 = 500_000;

/// How often a ranking is called settled wrongly, after how many rounds, against the rounds of a fixed design: so many
/// that half of all runs show the difference at 1.96 standard errors.
fn sure(runs: u64) {
    println!("\nof {runs} runs each until the ranking is settled, at an error rate of 5 %");
    println!(
        "{:<20} {:>8} {:>7} {:>7} {:>7} {:>12} {:>10} {:>7}",
        "pair", "truth", "right", "wrong", "equal", "median", "fixed", "ratio"
    );
    let pairs = NEIGHBOURS.into_iter().chain([["reader", "reader"], ["bold", "bold"]]);
    for pair in pairs {
        let field = Field { bots: &pair, hidden: false, stand_ins: &[] };
        let truth = field.report("the truth", Deals::Equal, LONG);
        let want = if pair[0] == pair[1] { 0.0 } else { difference(&truth, 0, 1).value };
        let fixed = truth.rounds as f64 * (1.96 * difference(&truth, 0, 1).error / want).powi(2);
        let fixed = if fixed.is_finite() { fixed } else { 0.0 };
        let (mut right, mut wrong, mut equal, mut lengths) = (0, 0, 0, Vec::new());
        for run in 0..runs {
            let plan = field.plan(&format!("sure {run}"), Deals::Equal, MOST);
            let bots = plan.bots().iter().filter_map(Contestant::house_bot).collect();
            let (mut played, mut sure) = (PlayedPart::open_ended(&plan), Sure::new(0.05, 0.02));
            let go_on = |_: &PlayedPart| ControlFlow::Continue(());
            play(&plan, Shard::WHOLE, &mut played, &mut [HousePlayers::new(bots)], Some(&mut sure), go_on)
                .expect("in process");
            let report = RatingReport::new(&plan, &played, Some(&sure));
            let verdict = report.sure.as_ref().expect("there was a test");
            if !verdict.settled {
                continue;
            }
            lengths.push(report.rounds);
            let found = difference(&report, 0, 1).value;
            match verdict.equal.first() {
                Some(pair) if want.abs() <= pair.within => equal += 1,
                None if found * want > 0.0 => right += 1,
                _ => wrong += 1,
            }
        }
        lengths.sort_unstable();
        let median = lengths.get(lengths.len() / 2).copied().unwrap_or(0);
        println!(
            "{:<20} {want:>+8.3} {right:>7} {wrong:>7} {equal:>7} {median:>12} {fixed:>10.0} {:>7.1}",
            pair.join("–"),
            if fixed > 0.0 { median as f64 / fixed } else { 0.0 }
        );
    }
}
