//! What racing is worth: the rounds until a ranking is settled, with and without it.

use casino_stud::rating::{
    Contestant, Deals, HousePlayers, PartTerms, PlayedPart, RatingReport, Sure, play_on,
};

use crate::coverage::FIELDS;
use crate::field::{Field, number};
use crate::{Runs, line};

/// The most rounds of a run.
const MOST: u64 = 3_000_000;

/// How many rounds the truth of a field is taken from.
const LONG: u64 = 4_000_000;

/// Bots that differ by less than this many chips a round are equal.
const WITHIN: f64 = 0.5;

/// One run until the ranking is settled.
struct Race {
    rounds: f64,
    is_settled: bool,
    is_wrong: bool,
}

/// Rounds until the ranking is settled: of each run both with whole blocks to the end and with a race, from the same seed.
pub(crate) fn race(runs: &Runs) {
    line(&format!(
        "\nrounds until the ranking is settled at 5 %, equal within {WITHIN}, of {} runs with whole blocks and with a race, at most \
         {MOST} rounds: the median and what is settled and wrong, and how many times the rounds whole blocks take",
        runs.count
    ));
    line("| field | whole blocks | settled, wrong | race | settled, wrong | times the rounds |");
    line("|---|---|---|---|---|---|");
    for (bots, seats) in
        FIELDS.into_iter().filter(|field| [(6, 6), (12, 6), (30, 12)].contains(&(field.0.len(), field.1)))
    {
        let field = Field::house(bots, seats);
        if !runs.wants(&field.name()) {
            continue;
        }
        let truth = field.truth(&runs.seed("the truth of a race"), LONG);
        let ends = runs.each(&field.name(), |run| {
            let seed = runs.seed(&format!("race {run}"));
            let sure = || Sure::new(0.05, WITHIN);
            [sure().whole_blocks(), sure()].map(|sure| settled(&field, &seed, sure, &truth))
        });
        let told = [0, 1].map(|way| {
            let mut rounds: Vec<f64> = ends.iter().map(|ends| ends[way].rounds).collect();
            rounds.sort_by(f64::total_cmp);
            let count = |is: fn(&Race) -> bool| ends.iter().filter(|ends| is(&ends[way])).count();
            let (settled, wrong) = (count(|end| end.is_settled), count(|end| end.is_wrong));
            format!("{:.0} | {settled}, {wrong}", rounds[rounds.len() / 2])
        });
        // The geometric mean, with Student's interval of the logarithms.
        let ratios: Vec<f64> = ends.iter().map(|ends| (ends[0].rounds / ends[1].rounds).ln()).collect();
        let count = ratios.len() as f64;
        let mean = ratios.iter().sum::<f64>() / count;
        let spread = ratios.iter().map(|ratio| (ratio - mean).powi(2)).sum::<f64>() / (count - 1.0);
        let half = 2.1 * (spread / count).sqrt();
        let [low, mid, high] = [mean - half, mean, mean + half].map(f64::exp);
        line(&format!("| {} | {} | {mid:.2} [{low:.2}, {high:.2}] |", field.name(), told.join(" | ")));
    }
}

fn settled(field: &Field<'_>, seed: &str, mut sure: Sure, truth: &[f64]) -> Race {
    let plan = field.plan(seed, Deals::Equal, MOST);
    let bots = plan.bots().iter().filter_map(Contestant::house_bot).collect();
    let mut played = PlayedPart::open_ended(&plan);
    let terms = PartTerms { sure: Some(&mut sure), ..PartTerms::default() };
    play_on(&plan, &mut [HousePlayers::new(bots)], &mut played, terms).expect("in process");
    let report = RatingReport::new(&plan, &played, Some(&sure));
    let verdict = report.sure.as_ref().expect("there was a test");
    let is_wrong = report.neighbours().any(|pair| {
        let ends = [&pair.first, &pair.second].map(|name| truth[number(name)]);
        let names = [pair.first.clone(), pair.second.clone()];
        let within = verdict.equal.iter().find(|equal| equal.bots == names).map(|equal| equal.within);
        match within {
            Some(within) => (ends[0] - ends[1]).abs() > within,
            None => ends[0] < ends[1] && !verdict.open.contains(&names),
        }
    });
    Race { rounds: (report.rounds + played.race_rounds(&plan)) as f64, is_settled: verdict.settled, is_wrong }
}
