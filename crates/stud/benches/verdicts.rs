//! Whether the verdicts of ratings are true, measured from outside: nothing here knows how an interval is made.
//!
//!     cargo bench --bench verdicts -- coverage     how often the printed intervals hold the long-run truth, two bots alone
//!     cargo bench --bench verdicts -- fields       the same with four, six and twelve seats
//!     cargo bench --bench verdicts -- deals        what equal deals are worth, two bots alone and in fields
//!     cargo bench --bench verdicts -- gain         what stand-ins are worth, in rounds and in seconds
//!     cargo bench --bench verdicts -- sure         how often `--until-sure` is wrong, and what it costs
//!
//! A number among the words is how many runs each figure is made of, 400 if there is none, and 1,000 for `sure`. Seeds are
//! fixed: the figures are the same each time, but for times, and whatever the number of processors. `seed=WORD` takes other
//! seeds, and `only=caller–bold` nothing but the line of that name. `make verdicts` does everything.

#![allow(clippy::print_stdout, clippy::print_stderr, reason = "a benchmark prints")]

use std::convert::Infallible;
use std::io::{IsTerminal, Write};
use std::ops::ControlFlow;
use std::time::Instant;

use casino_stud::cards::Seed;
use casino_stud::parallel::{cores, in_order};
use casino_stud::rating::{
    BotPlayers, Contestant, Deals, Estimate, HousePlayers, PartTerms, Plan, PlanTerms, PlayedPart,
    RatingReport, Sure, play, play_on,
};
use casino_stud::strategies::{Bot, HouseBot};

/// The ladder: house bots that think fast.
const LADDER: [&str; 7] = ["passive", "caller", "simple", "cautious", "bold", "reader", "spades"];

/// A table: its name, what prints it, and how often everything in it is usually repeated.
type Table = (&'static str, fn(&Runs), u64);

fn main() {
    let words: Vec<String> = std::env::args().skip(1).collect();
    let tables: [Table; 5] = [
        ("coverage", coverage, 400),
        ("fields", fields, 400),
        ("deals", deals, 1),
        ("gain", gain, 400),
        ("sure", sure, 1_000),
    ];
    let is_named = |name: &str| words.iter().any(|word| word == name);
    let all = !tables.iter().any(|(name, ..)| is_named(name));
    let count = words.iter().find_map(|word| word.parse().ok());
    let of = |key: &str| words.iter().find_map(|word| word.strip_prefix(key)).unwrap_or_default().to_string();
    let (seed, only) = (of("seed="), of("only="));
    for (name, table, usual) in tables {
        if all || is_named(name) {
            table(&Runs { count: count.unwrap_or(usual), seed: seed.clone(), only: only.clone() });
        }
    }
}

/// How often everything is repeated, and with which seeds.
struct Runs {
    count: u64,
    seed: String,
    /// The only line that is wanted; empty if all are.
    only: String,
}

impl Runs {
    fn seed(&self, name: &str) -> String {
        format!("{}{name}", self.seed)
    }

    fn wants(&self, line: &str) -> bool {
        self.only.is_empty() || self.only == line
    }

    /// The outcomes of all runs, in their order, from as many threads as there are processors. On a terminal it is said how far
    /// they are.
    fn each<T: Send>(&self, of: &str, run: impl Fn(u64) -> T + Sync) -> Vec<T> {
        let threads = cores().get();
        let is_seen = std::io::stderr().is_terminal();
        let mut outcomes = Vec::new();
        let work = |(): &mut (), runs: std::ops::Range<u64>| Ok::<T, Infallible>(run(runs.start));
        let take = |_, outcome| {
            outcomes.push(outcome);
            if is_seen {
                eprint!("\r\x1b[K{of}: run {} of {}", outcomes.len(), self.count);
            }
            ControlFlow::Continue(())
        };
        in_order(&mut vec![(); threads], 0..self.count, 1, work, take).unwrap_or_else(|no| match no {});
        if is_seen {
            eprint!("\r\x1b[K");
        }
        outcomes
    }
}

fn line(text: &str) {
    println!("{text}");
    std::io::stdout().flush().expect("standard output takes a line");
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
        let plan = Plan::new(
            bots,
            PlanTerms {
                seats: 17,
                stack: 500,
                seed: Seed::chosen(seed),
                deals,
                rounds,
                ..PlanTerms::default()
            },
        );
        plan.and_then(|plan| plan.with_stand_ins(self.stand_ins)).expect("the plan can be played")
    }

    fn played(&self, plan: &Plan) -> PlayedPart {
        if self.hidden {
            let bot = |name: &str| HouseBot::named(&name[3..]).expect("a house bot");
            let own = |name: &str| -> Box<dyn Bot> { Box::new(bot(name).player(plan.seed().stream(name))) };
            play(plan, &mut [BotPlayers::new(plan, own)]).expect("in process")
        } else {
            let bots = plan.bots().iter().filter_map(Contestant::house_bot).collect();
            play(plan, &mut [HousePlayers::new(bots)]).expect("in process")
        }
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

fn row(name: &str, held: &[Held]) {
    let words: String = held.iter().map(|held| format!(" {:>20}", held.words())).collect();
    line(&format!("{name:<22}{words}"));
}

fn coverage(runs: &Runs) {
    line(&format!(
        "of {} runs each, per cent of the given intervals that hold the truth of {LONG} rounds",
        runs.count
    ));
    line(&format!(
        "{:<22} {:>20} {:>20} {:>20}",
        "two seats: difference", LENGTHS[0], LENGTHS[1], LENGTHS[2]
    ));
    let mut all = [Held::default(); 3];
    for (at, one) in LADDER.iter().enumerate() {
        for other in LADDER[at + 1..].iter().filter(|other| runs.wants(&format!("{one}–{other}"))) {
            let field = Field { bots: &[one, other], hidden: false, stand_ins: &[] };
            let held = covered(&field, runs).map(|held| held.1);
            row(&format!("{one}–{other}"), &held);
            all.iter_mut().zip(&held).for_each(|(all, held)| all.add(held));
        }
    }
    if runs.only.is_empty() {
        row("together", &all);
    }
}

/// How many times the rounds plain deals would need: two bots alone, and fields of bots.
fn deals(runs: &Runs) {
    line(&format!("\nhow many times the rounds plain deals would need, from {} rounds each", LONG / 4));
    let need = |bots: &[&str]| {
        let field = Field { bots, hidden: false, stand_ins: &[] };
        field.report(&runs.seed("deals"), Deals::Equal, LONG / 4).plain_deals_need
    };
    let mut gains = Vec::new();
    for (at, one) in LADDER.iter().enumerate() {
        for other in &LADDER[at + 1..] {
            let Some(gain) = need(&[one, other]) else { continue };
            line(&format!("{:<22} {gain:>6.2}", format!("{one}–{other}")));
            gains.push(gain);
        }
    }
    gains.sort_by(f64::total_cmp);
    let median = (gains[(gains.len() - 1) / 2] + gains[gains.len() / 2]) / 2.0;
    line(&format!(
        "{} pairs: {:.2} to {:.2}, median {median:.2}",
        gains.len(),
        gains[0],
        gains[gains.len() - 1]
    ));
    for bots in FIELDS {
        line(&format!("{:<22} {:>6.2}", format!("{} seats", bots.len()), need(bots).unwrap_or(1.0)));
    }
}

/// The fields of four, six and twelve bots.
const FIELDS: [&[&str]; 3] = [
    &["simple", "cautious", "reader", "spades"],
    &["bold", "caller", "cautious", "reader", "simple", "spades"],
    &[
        "folder", "passive", "caller", "raiser", "random", "simple", "cautious", "bold", "reader", "spades",
        "simple", "reader",
    ],
];

/// The same for tables of more seats.
fn fields(runs: &Runs) {
    line(&format!(
        "\nof {} runs each, per cent of the given intervals that hold the truth of {} rounds",
        runs.count,
        LONG / 4
    ));
    for bots in FIELDS.into_iter().filter(|bots| runs.wants(&format!("{} seats", bots.len()))) {
        let held = covered(&Field { bots, hidden: false, stand_ins: &[] }, runs);
        row(&format!("{} seats: chips", bots.len()), &held.map(|held| held.0));
        row("         differences", &held.map(|held| held.1));
    }
}

/// How often the intervals of each length hold the truth: those of the chips, and those of the differences.
fn covered(field: &Field<'_>, runs: &Runs) -> [(Held, Held); 3] {
    // Rounds of many seats take longer, and each has more results.
    let long = if field.bots.len() > 2 { LONG / 4 } else { LONG };
    let truth = field.report(&runs.seed("the truth"), Deals::Equal, long);
    let (bots, truths) = (field.bots.len(), chips(&truth));
    LENGTHS.map(|rounds| {
        let held = runs.each(&format!("{} rounds of {}", rounds, field.bots.join(", ")), |run| {
            let mut held = (Held::default(), Held::default());
            let report = field.report(&runs.seed(&format!("run {run}")), Deals::Equal, rounds);
            for (estimate, truth) in chips(&report).iter().zip(&truths) {
                held.0.note(estimate, truth.value);
            }
            for one in 0..bots {
                for other in one + 1..bots {
                    held.1.note(&difference(&report, one, other), difference(&truth, one, other).value);
                }
            }
            held
        });
        let mut all = (Held::default(), Held::default());
        for (chips, differences) in &held {
            all.0.add(chips);
            all.1.add(differences);
        }
        all
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
fn gain(runs: &Runs) {
    line(&format!(
        "\nhidden pairs: the variance of {} runs of {SHORT} rounds against that of plain and of equal deals",
        runs.count
    ));
    line(&format!(
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
    ));
    let mut gains = Vec::new();
    for pair in NEIGHBOURS.into_iter().filter(|pair| runs.wants(&pair.join("–"))) {
        let stand_ins: Vec<&str> =
            ["raiser"].iter().chain(&LADDER).copied().filter(|name| !pair.contains(name)).collect();
        let hidden = |stand_ins| Field { bots: &pair, hidden: true, stand_ins };
        let truth =
            Field { hidden: false, ..hidden(&[]) }.report(&runs.seed("the truth"), Deals::Equal, LONG);
        let want = difference(&truth, 0, 1);
        let equal = want.error.powi(2) * truth.rounds as f64;
        let plain = equal * truth.plain_deals_need.unwrap_or(1.0);
        // Times are taken on one thread, and the first runs are done for nothing.
        let time = |stand_ins, rounds: u64| {
            let field = hidden(stand_ins);
            let once = || {
                let start = Instant::now();
                field.played(&field.plan("time", Deals::Equal, rounds));
                start.elapsed().as_secs_f64() / rounds as f64
            };
            once();
            (0..5).map(|_| once()).fold(f64::INFINITY, f64::min)
        };
        let (plain_time, our_time) = (time(&[], 40_000), time(&stand_ins, 2_000));
        let estimates = runs.each(&pair.join("–"), |run| {
            let report = hidden(&stand_ins).report(&runs.seed(&format!("run {run}")), Deals::Equal, SHORT);
            difference(&report, 0, 1)
        });
        let mut held = Held::default();
        estimates.iter().for_each(|estimate| held.note(estimate, want.value));
        let count = runs.count as f64;
        let mean = estimates.iter().map(|estimate| estimate.value).sum::<f64>() / count;
        let squares = estimates.iter().map(|estimate| (estimate.value - mean).powi(2));
        let spread = squares.sum::<f64>() / (count - 1.0);
        let ours = spread * SHORT as f64;
        let seconds = plain * (plain_time + PROGRAM) / (ours * (our_time + PROGRAM));
        gains.push(plain / ours);
        line(&format!(
            "{:<18} {:>+8.3} {:>+8.3} ± {:>7.3} {:>12.1} {:>12.1} {:>9.1} {:>9.1} {:>8.1} {:>20}",
            pair.join("–"),
            want.value,
            mean,
            1.96 * (spread / count).sqrt(),
            plain / ours,
            equal / ours,
            1e6 * plain_time,
            1e6 * our_time,
            seconds,
            held.words(),
        ));
    }
    gains.sort_by(f64::total_cmp);
    if let Some(least) = gains.first() {
        let median = (gains[(gains.len() - 1) / 2] + gains[gains.len() / 2]) / 2.0;
        line(&format!("median {median:.1}, least {least:.1}"));
    }
}

/// The seconds that a round with two programs takes, which `cargo bench --bench wire` measures.
const PROGRAM: f64 = 200e-6;

/// The most rounds of a run of `sure`, and of one of two copies of a bot, which might never end.
const MOST: u64 = 500_000;
const MOST_OF_COPIES: u64 = 200_000;

/// What became of a run until the ranking is settled.
#[derive(Clone, Copy, PartialEq)]
enum End {
    Right,
    Wrong,
    Equal,
    Open,
}

/// How often a ranking is called settled wrongly, after how many rounds, against the rounds of a fixed design: so many
/// that half of all runs show the difference at 1.96 standard errors, and so many that half of all runs are given an interval
/// without 0.
fn sure(runs: &Runs) {
    line(&format!(
        "\nof {} runs each until the ranking is settled, at an error rate of 5 %, at most {MOST} rounds, \
         {MOST_OF_COPIES} of copies",
        runs.count
    ));
    line(&format!(
        "{:<18} {:>8} {:>6} {:>6} {:>6} {:>6} {:>10} {:>9} {:>6} {:>9} {:>6}",
        "pair", "truth", "right", "wrong", "equal", "open", "median", "fixed", "ratio", "shown", "ratio"
    ));
    let pairs = NEIGHBOURS.into_iter().chain([["reader", "reader"], ["bold", "bold"]]);
    for pair in pairs.filter(|pair| runs.wants(&pair.join("–"))) {
        let field = Field { bots: &pair, hidden: false, stand_ins: &[] };
        let truth = field.report(&runs.seed("the truth"), Deals::Equal, LONG);
        let want = if pair[0] == pair[1] { 0.0 } else { difference(&truth, 0, 1).value };
        let ends =
            runs.each(&pair.join("–"), |run| settled(&field, &runs.seed(&format!("sure {run}")), want));
        let count = |end| ends.iter().filter(|(other, _)| *other == end).count();
        let mut lengths: Vec<u64> =
            ends.iter().map(|(end, rounds)| if *end == End::Open { u64::MAX } else { *rounds }).collect();
        lengths.sort_unstable();
        let median = lengths[lengths.len() / 2];
        let fixed = truth.rounds as f64 * (1.96 * difference(&truth, 0, 1).error / want).powi(2);
        let fixed = if want == 0.0 { 0.0 } else { fixed };
        let shown = if want == 0.0 { 0.0 } else { shown(&field, runs, fixed, want) };
        // Where half of the runs stay open there is no median.
        let median = if median == u64::MAX { 0 } else { median };
        let ratio = |rounds: f64| if rounds > 0.0 { median as f64 / rounds } else { 0.0 };
        line(&format!(
            "{:<18} {want:>+8.3} {:>6} {:>6} {:>6} {:>6} {median:>10} {fixed:>9.0} {:>6.1} {shown:>9.0} {:>6.1}",
            pair.join("–"),
            count(End::Right),
            count(End::Wrong),
            count(End::Equal),
            count(End::Open),
            ratio(fixed),
            ratio(shown),
        ));
    }
}

/// One run until the ranking is settled: how it ended, and after how many rounds.
fn settled(field: &Field<'_>, seed: &str, want: f64) -> (End, u64) {
    let plan = field.plan(seed, Deals::Equal, if want == 0.0 { MOST_OF_COPIES } else { MOST });
    let bots = plan.bots().iter().filter_map(Contestant::house_bot).collect();
    let (mut played, mut sure) = (PlayedPart::open_ended(&plan), Sure::new(0.05, 0.02));
    let terms = PartTerms { sure: Some(&mut sure), ..PartTerms::default() };
    play_on(&plan, &mut [HousePlayers::new(bots)], &mut played, terms).expect("in process");
    let report = RatingReport::new(&plan, &played, Some(&sure));
    let verdict = report.sure.as_ref().expect("there was a test");
    let found = difference(&report, 0, 1).value;
    let end = match verdict.equal.first() {
        _ if !verdict.settled => End::Open,
        Some(pair) if want.abs() <= pair.within => End::Equal,
        None if found * want > 0.0 => End::Right,
        _ => End::Wrong,
    };
    (end, report.rounds)
}

/// After how many rounds half of the runs of exactly that length are given an interval on the right side of 0: the first
/// of 64, 91, 128, 181 …, a tenth of the runs at each.
fn shown(field: &Field<'_>, runs: &Runs, fixed: f64, want: f64) -> f64 {
    let few = Runs { count: (runs.count / 10).max(10), seed: runs.seed("shown "), only: String::new() };
    // Fewer than a quarter of those which 1.96 standard errors take are not tried.
    let lengths =
        (12..).map(|half| 2f64.powf(f64::from(half) / 2.0)).skip_while(|rounds| 4.0 * rounds < fixed);
    for rounds in lengths.take_while(|rounds| *rounds <= 2.0 * MOST as f64) {
        let sides = few.each(&format!("{:.0} rounds of {}", rounds, field.bots.join("–")), |run| {
            let report = field.report(&few.seed(&format!("run {run}")), Deals::Equal, rounds as u64);
            let ends = difference(&report, 0, 1).interval();
            ends.is_some_and(|(low, high)| low * want > 0.0 && high * want > 0.0)
        });
        if 2 * sides.iter().filter(|is_shown| **is_shown).count() as u64 >= few.count {
            return rounds;
        }
    }
    f64::INFINITY
}
