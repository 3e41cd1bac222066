//! How often `--baseline` gives a false alarm, and how many rounds its test between margins takes.

use casino_stud::cards::Seed;
use casino_stud::rating::{
    Contestant, Dealer, MarginTest, MarginVerdict, Margins, PartTerms, Plan, PlanTerms, PlayedPart,
    RatingReport, Regression, Shard, play_on,
};

use crate::field::Field;
use crate::{Runs, line};

/// The rounds of a rating that is compared with a former one.
const ROUNDS: u64 = 12_000;

/// How far the margins are from each other, in chips a round.
const APART: f64 = 0.3;

/// The name of the bot that is watched, whatever plays under it.
const OURS: &str = "02-ours";

/// What plays at the table of three then and now; the last one is watched.
const CHANGES: [([&str; 3], [&str; 3]); 5] = [
    (["bold", "simple", "random"], ["bold", "simple", "random"]),
    (["cautious", "reader", "spades"], ["cautious", "reader", "spades"]),
    (["cautious", "reader", "spades"], ["cautious", "reader", "simple"]),
    (["cautious", "bold", "spades"], ["cautious", "bold", "reader"]),
    (["caller", "bold", "simple"], ["caller", "bold", "reader"]),
];

pub(crate) fn baseline(runs: &Runs) {
    line(&format!(
        "\nOf {} comparisons of two ratings of {ROUNDS} rounds at 5 %: how often the last bot is called worse in one look with other \
         seeds (none: nothing is said); and in the same deals with margins {APART} apart, where its true loss is just harmless, \
         and just harmful",
        runs.count
    ));
    line(
        "| then, now | true loss | one look: worse (none) | harmless: worse, not worse, open | rounds | harmful: worse, not worse, \
         open | rounds | one look with as rare errors |",
    );
    line("|---|---|---|---|---|---|---|---|");
    for (then, now) in CHANGES {
        let (then, now) = (Field::house(&then, 3), Field::house(&now, 3));
        let (loss, fixed) = truth(&then, &now, &runs.seed("the truth"));
        let looks = runs.each("one look", |run| one_look(&then, &now, runs, run));
        let [worse, none] = [Some(true), None].map(|want| looks.iter().filter(|look| **look == want).count());
        let [harmless, harmful] = [loss, loss - APART].map(|from| {
            let margins = Margins { harmless: from, harmful: from + APART };
            let ends = runs.each("margins", |run| between(&then, &now, margins, runs, run));
            words(&ends)
        });
        let names = format!("{}, {}", then.bots[2], now.bots[2]);
        line(&format!("| {names} | {loss:+.3} | {worse} ({none}) | {harmless} | {harmful} | {fixed:.0} |"));
    }
}

fn plan(field: &Field<'_>, seed: &str, rounds: u64) -> Plan {
    let contestant = |(number, bot): (usize, &&str)| Contestant {
        name: if number == 2 { OURS.to_string() } else { format!("{number:02}-{bot}") },
        player: format!("house {bot}"),
    };
    let bots = field.bots.iter().enumerate().map(contestant).collect();
    let terms = PlanTerms { seats: 3, seed: Seed::chosen(seed), rounds, ..PlanTerms::default() };
    Plan::new(bots, terms).expect("the plan can be played")
}

/// What the bot really loses in a round, and after how many rounds of the same deals one look errs as rarely, either way, as the
/// test between margins promises.
fn truth(then: &Field<'_>, now: &Field<'_>, seed: &str) -> (f64, f64) {
    let plans = [plan(then, seed, 900_000), plan(now, seed, 900_000)];
    let [mut before, mut after] = plans.each_ref().map(Dealer::new);
    let (mut former, mut players) = (then.house_players(), now.house_players());
    let mut tallies = plans.each_ref().map(|plan| plan.tally(0, 1));
    let (mut sum, mut squares, blocks) = (0.0, 0.0, plans[0].blocks());
    for block in 0..blocks {
        let was = before.block(block, &mut former, &mut tallies[0]).unwrap_or_else(|no| match no {})[2];
        let is = after.block(block, &mut players, &mut tallies[1]).unwrap_or_else(|no| match no {})[2];
        let loss = (was - is) as f64 / 3.0;
        sum += loss;
        squares += loss * loss;
    }
    let mean = sum / blocks as f64;
    let variance = squares / blocks as f64 - mean * mean;
    // Twice the point above which a normal number is in 5 % of all cases.
    (mean, 3.0 * variance * (2.0 * 1.645 / APART).powi(2))
}

fn one_look(then: &Field<'_>, now: &Field<'_>, runs: &Runs, run: u64) -> Option<bool> {
    let report = |field: &Field<'_>, seed: &str| {
        let plan = plan(field, &runs.seed(&format!("{seed} {run}")), ROUNDS);
        RatingReport::new(&plan, &field.played(&plan), None)
    };
    let (former, report) = (report(then, "then"), report(now, "now"));
    let test = Regression::new(&former, &report, &[OURS.to_string()], 0.05).expect("the same game");
    test.changes[0].trusted.then_some(test.is_worse())
}

fn between(
    then: &Field<'_>,
    now: &Field<'_>,
    margins: Margins,
    runs: &Runs,
    run: u64,
) -> (MarginVerdict, u64) {
    let seed = runs.seed(&format!("between {run}"));
    let (was, is) = (plan(then, &seed, ROUNDS), plan(now, &seed, ROUNDS));
    let former = RatingReport::new(&was, &then.played(&was), None);
    let mut test = MarginTest::new(&former, &is, &[OURS.to_string()], margins, 0.05).expect("the same deals");
    let mut played = PlayedPart::new(&is, Shard::WHOLE);
    let terms = PartTerms { margins: Some(&mut test), ..PartTerms::default() };
    play_on(&is, &mut [now.house_players()], &mut played, terms).unwrap_or_else(|no| match no {});
    (test.changes()[0].verdict, 3 * played.tally().blocks())
}

/// How many ended how, and the mean of their rounds.
fn words(ends: &[(MarginVerdict, u64)]) -> String {
    let count = |verdict| ends.iter().filter(|(other, _)| *other == verdict).count();
    let rounds = ends.iter().map(|(_, rounds)| rounds).sum::<u64>() / ends.len() as u64;
    let [worse, not_worse, open] =
        [MarginVerdict::Worse, MarginVerdict::NotWorse, MarginVerdict::Open].map(count);
    format!("{worse}, {not_worse}, {open} | {rounds}")
}
