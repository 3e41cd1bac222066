//! The cost of a result in rounds: control variates and `--until-sure`.

use std::time::Instant;

use casino_analysis::rating::{
    BotPlayers, Contestant, Dealer, PartTerms, PlayedPart, RatingReport, StoppingRule, play_on,
};

use crate::coverage::{CONTROL_VARIATES, Held};
use crate::field::{Field, difference};
use crate::{Runs, line};

/// How many rounds the truth of a pair is taken from.
const LONG: u64 = 4_000_000;

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

/// The bots of `gain`: each with each.
const PAIRED: [&str; 12] = [
    "folder", "passive", "caller", "raiser", "random", "simple", "cautious", "bold", "reader", "spades",
    "bluffer", "odds",
];

/// The gain of control variates for two opaque bots, for each pair of twelve. Neither of the two is among the bots of
/// the control variates.
pub(crate) fn gain(runs: &Runs) {
    line(&format!(
        "\nTwo as programs, with control variates: how many times the rounds it would take without, from the variance of {} \
         runs of {SHORT} rounds, and the same in seconds, if two programs take {:.0} µs for a round",
        runs.count,
        1e6 * PROGRAM
    ));
    line("| pair | truth | mean of the runs | without / with | µs without | µs with | in seconds | held |");
    line("|---|---|---|---|---|---|---|---|");
    let (mut gains, mut seconds) = (Vec::new(), Vec::new());
    for (at, one) in PAIRED.iter().enumerate() {
        for other in PAIRED[at + 1..].iter().filter(|other| runs.wants(&format!("{one}–{other}"))) {
            if let Some((gain, in_seconds)) = gain_of(&[one, other], runs) {
                gains.push(gain);
                seconds.push(in_seconds);
            }
        }
    }
    if !gains.is_empty() {
        line(&format!("{} pairs: {} in rounds, {} in seconds", gains.len(), middle(gains), middle(seconds)));
    }
}

/// The least, the quartiles and the most.
fn middle(mut numbers: Vec<f64>) -> String {
    numbers.sort_by(f64::total_cmp);
    let at = |part: usize| numbers[(numbers.len() - 1) * part / 4];
    format!("{:.1} to {:.1}, quartiles {:.1}, {:.1} and {:.1}", at(0), at(4), at(1), at(2), at(3))
}

/// The mean of the first bot less the second in a round, and the variance of a round's part of it, over so many rounds.
fn spread_of(field: &Field<'_>, seed: &str, rounds: u64) -> (f64, f64) {
    let plan = field.plan(seed, rounds);
    let mut dealer = Dealer::new(&plan);
    let (mut players, mut tally) = (field.house_players(), plan.tally(0, 1));
    let (mut sum, mut squares, blocks) = (0.0, 0.0, rounds / 2);
    for block in 0..blocks {
        let chips = dealer.block(block, &mut players, &mut tally).unwrap_or_else(|no| match no {});
        let difference = (chips[0] - chips[1]) as f64 / 2.0;
        sum += difference;
        squares += difference * difference;
    }
    let mean = sum / blocks as f64;
    (mean, 2.0 * (squares / blocks as f64 - mean * mean))
}

/// One line of `gain`; nothing where two bots never differ.
fn gain_of(pair: &[&str; 2], runs: &Runs) -> Option<(f64, f64)> {
    let control_variates: Vec<&str> =
        CONTROL_VARIATES.into_iter().filter(|name| !pair.contains(name)).collect();
    let hidden = |control_variates| Field { bots: pair, seats: 2, hidden: true, control_variates };
    let open = Field::house(pair, 2);
    let (want, equal) = spread_of(&open, &runs.seed("the truth"), LONG / 8);
    if equal == 0.0 {
        return None;
    }
    // Times are taken on one thread, and the first runs are done for nothing.
    let time = |control_variates, rounds: u64| {
        let field = hidden(control_variates);
        let once = || {
            let start = Instant::now();
            field.played(&field.plan("time", rounds));
            start.elapsed().as_secs_f64() / rounds as f64
        };
        once();
        (0..3).map(|_| once()).fold(f64::INFINITY, f64::min)
    };
    let (plain_time, our_time) = (time(&[], 4_000), time(&control_variates, 600));
    let estimates = runs.each(&pair.join("–"), |run| {
        let report = hidden(&control_variates).report(&runs.seed(&format!("run {run}")), SHORT);
        difference(&report, 0, 1)
    });
    let mut held = Held::default();
    estimates.iter().for_each(|estimate| held.note(estimate.interval(), want));
    let count = runs.count as f64;
    let mean = estimates.iter().map(|estimate| estimate.value).sum::<f64>() / count;
    let squares = estimates.iter().map(|estimate| (estimate.value - mean).powi(2));
    let spread = squares.sum::<f64>() / (count - 1.0);
    let ours = spread * SHORT as f64;
    let seconds = equal * (plain_time + PROGRAM) / (ours * (our_time + PROGRAM));
    line(&format!(
        "| {} | {want:+.3} | {mean:+.3} ± {:.3} | {:.1} | {:.1} | {:.1} | {seconds:.1} | {} |",
        pair.join("–"),
        1.96 * (spread / count).sqrt(),
        equal / ours,
        1e6 * plain_time,
        1e6 * our_time,
        held.words(),
    ));
    Some((equal / ours, seconds)).filter(|_| ours > 0.0)
}

/// The seconds that a round with two programs takes, which `cargo bench --bench wire` measures.
const PROGRAM: f64 = 200e-6;

/// The most rounds of a run of `sure`, and of one of two copies of a bot, which might never end.
const MOST: u64 = 500_000;
const MOST_OF_COPIES: u64 = 200_000;

/// The outcome of a run until the ranking is decided.
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
pub(crate) fn sure(runs: &Runs) {
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
        let field = Field::house(&pair, 2);
        let truth = field.report(&runs.seed("the truth"), LONG);
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
    let plan = field.plan(seed, if want == 0.0 { MOST_OF_COPIES } else { MOST });
    let bots = plan.bots().iter().filter_map(Contestant::house_bot).collect();
    let (mut played, mut sure) = (PlayedPart::open_ended(&plan), StoppingRule::new(0.05, 0.02));
    let terms = PartTerms { sure: Some(&mut sure), ..PartTerms::default() };
    play_on(&plan, &mut [BotPlayers::house(bots)], &mut played, terms).expect("in process");
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
    let few = Runs {
        count: (runs.count / 10).max(10),
        seed: format!("{}shown ", runs.seed),
        only: String::new(),
        detailed: false,
    };
    // Fewer than a quarter of those which 1.96 standard errors take are not tried.
    let lengths =
        (12..).map(|half| 2f64.powf(f64::from(half) / 2.0)).skip_while(|rounds| 4.0 * rounds < fixed);
    for rounds in lengths.take_while(|rounds| *rounds <= 2.0 * MOST as f64) {
        let sides = few.each(&format!("{:.0} rounds of {}", rounds, field.bots.join("–")), |run| {
            let report = field.report(&few.seed(&format!("run {run}")), rounds as u64);
            let ends = difference(&report, 0, 1).interval();
            ends.is_some_and(|(low, high)| low * want > 0.0 && high * want > 0.0)
        });
        if 2 * sides.iter().filter(|is_shown| **is_shown).count() as u64 >= few.count {
            return rounds;
        }
    }
    f64::INFINITY
}
