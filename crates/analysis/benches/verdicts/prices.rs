//! The cost of a result in rounds with `--until-sure`.

use casino_analysis::rating::{
    BotPlayers, PartTerms, PlayedPart, RatedBot, RatingReport, StoppingRule, play_on,
};

use crate::field::{Field, difference};
use crate::{Runs, line};

/// How many rounds the truth of a pair is taken from.
const TRUTH_ROUNDS: u64 = 4_000_000;

/// Neighbours on the ladder, and a pair whose order many rounds leave open.
const NEIGHBOURS: [[&str; 2]; 6] = [
    ["passive", "simple"],
    ["simple", "cautious"],
    ["cautious", "reader"],
    ["reader", "spades"],
    ["bold", "simple"],
    ["caller", "bold"],
];

/// The most rounds of a run of `sure`, and of one of two copies of a bot, which might never end.
const MAX_ROUNDS: u64 = 500_000;
const MAX_ROUNDS_OF_COPIES: u64 = 200_000;

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
        "\nof {} runs each until the ranking is settled, at an error rate of 5 %, at most {MAX_ROUNDS} rounds, \
         {MAX_ROUNDS_OF_COPIES} of copies",
        runs.count
    ));
    line(&format!(
        "{:<18} {:>8} {:>6} {:>6} {:>6} {:>6} {:>10} {:>9} {:>6} {:>9} {:>6}",
        "pair", "truth", "right", "wrong", "equal", "open", "median", "fixed", "ratio", "shown", "ratio"
    ));
    let pairs = NEIGHBOURS.into_iter().chain([["reader", "reader"], ["bold", "bold"]]);
    for pair in pairs.filter(|pair| runs.wants(&pair.join("–"))) {
        let field = Field::house(&pair, 2);
        let truth = field.report(&runs.seed("the truth"), TRUTH_ROUNDS);
        let want = if pair[0] == pair[1] { 0.0 } else { difference(&truth, 0, 1).value };
        let ends =
            runs.each(&pair.join("–"), |run| settled(&field, &runs.seed(&format!("sure {run}")), want));
        let count = |end| ends.iter().filter(|(other, _)| *other == end).count();
        let mut lengths: Vec<Option<u64>> =
            ends.iter().map(|(end, rounds)| (*end != End::Open).then_some(*rounds)).collect();
        lengths.sort_unstable_by_key(|length| (length.is_none(), *length));
        // Where half of the runs stay open there is no median.
        let median = lengths[lengths.len() / 2].map(|rounds| rounds as f64);
        let fixed = || truth.rounds as f64 * (1.96 * difference(&truth, 0, 1).error / want).powi(2);
        let fixed = (want != 0.0).then(fixed);
        let shown = fixed.map(|fixed| shown(&field, runs, fixed, want));
        let written = |number: Option<f64>, digits: usize| {
            number.map_or_else(|| "–".to_string(), |number| format!("{number:.digits$}"))
        };
        let ratio =
            |rounds: Option<f64>| written(median.zip(rounds).map(|(median, rounds)| median / rounds), 1);
        line(&format!(
            "{:<18} {want:>+8.3} {:>6} {:>6} {:>6} {:>6} {:>10} {:>9} {:>6} {:>9} {:>6}",
            pair.join("–"),
            count(End::Right),
            count(End::Wrong),
            count(End::Equal),
            count(End::Open),
            written(median, 0),
            written(fixed, 0),
            ratio(fixed),
            written(shown, 0),
            ratio(shown),
        ));
    }
}

/// One run until the ranking is settled: how it ended, and after how many rounds.
fn settled(field: &Field<'_>, seed: &str, want: f64) -> (End, u64) {
    let plan = field.plan(seed, if want == 0.0 { MAX_ROUNDS_OF_COPIES } else { MAX_ROUNDS });
    let bots = plan.bots().iter().filter_map(RatedBot::house_bot).collect();
    let (mut played, sure) = (PlayedPart::open_ended(&plan), StoppingRule::new(0.05, 0.02));
    let terms = PartTerms { sure: Some(&sure), ..PartTerms::default() };
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
        only: None,
        detailed: false,
    };
    // Fewer than a quarter of those which 1.96 standard errors take are not tried.
    let lengths =
        (12..).map(|half| 2f64.powf(f64::from(half) / 2.0)).skip_while(|rounds| 4.0 * rounds < fixed);
    for rounds in lengths.take_while(|rounds| *rounds <= 2.0 * MAX_ROUNDS as f64) {
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
