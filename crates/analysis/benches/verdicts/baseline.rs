//! How often `--baseline` gives a false alarm.

use casino_analysis::rating::{Contestant, Dealer, PlanTerms, RatingPlan, RatingReport, Regression};
use casino_stud::cards::Seed;

use crate::field::Field;
use crate::{Runs, line};

/// The rounds of a rating that is compared with a former one.
const ROUNDS: u64 = 12_000;

/// The name of the bot under test, for any strategy under it.
const OURS: &str = "02-ours";

/// The lineups of the table of three before and after; the last bot is under test.
const CHANGES: [([&str; 3], [&str; 3]); 5] = [
    (["bold", "simple", "random"], ["bold", "simple", "random"]),
    (["cautious", "reader", "spades"], ["cautious", "reader", "spades"]),
    (["cautious", "reader", "spades"], ["cautious", "reader", "simple"]),
    (["cautious", "bold", "spades"], ["cautious", "bold", "reader"]),
    (["caller", "bold", "simple"], ["caller", "bold", "reader"]),
];

pub(crate) fn baseline(runs: &Runs) {
    line(&format!(
        "\nOf {} comparisons of two ratings of {ROUNDS} rounds at 5 %: how often the last bot is called worse with other seeds \
         (none: nothing is said)",
        runs.count
    ));
    line("| then, now | true loss | worse (none) |");
    line("|---|---|---|");
    for (then, now) in CHANGES {
        let (then, now) = (Field::house(&then, 3), Field::house(&now, 3));
        let loss = truth(&then, &now, &runs.seed("the truth"));
        let looks = runs.each("one look", |run| one_look(&then, &now, runs, run));
        let [worse, none] = [Some(true), None].map(|want| looks.iter().filter(|look| **look == want).count());
        line(&format!("| {}, {} | {loss:+.3} | {worse} ({none}) |", then.bots[2], now.bots[2]));
    }
}

fn plan(field: &Field<'_>, seed: &str, rounds: u64) -> RatingPlan {
    let contestant = |(number, bot): (usize, &&str)| Contestant {
        name: if number == 2 { OURS.to_string() } else { format!("{number:02}-{bot}") },
        player: format!("house {bot}"),
    };
    let bots = field.bots.iter().enumerate().map(contestant).collect();
    let terms = PlanTerms { seats: 3, seed: Seed::chosen(seed), rounds, ..PlanTerms::default() };
    RatingPlan::new(bots, terms).expect("the plan can be played")
}

/// The bot's true loss per round.
fn truth(then: &Field<'_>, now: &Field<'_>, seed: &str) -> f64 {
    let plans = [plan(then, seed, 900_000), plan(now, seed, 900_000)];
    let [mut before, mut after] = plans.each_ref().map(Dealer::new);
    let (mut former, mut players) = (then.house_players(), now.house_players());
    let mut tallies = plans.each_ref().map(|plan| plan.tally(0, 1));
    let blocks = plans[0].blocks();
    let losses = (0..blocks).map(|block| {
        let was = before.block(block, &mut former, &mut tallies[0]).unwrap_or_else(|no| match no {})[2];
        let is = after.block(block, &mut players, &mut tallies[1]).unwrap_or_else(|no| match no {})[2];
        (was - is) as f64 / 3.0
    });
    losses.sum::<f64>() / blocks as f64
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
