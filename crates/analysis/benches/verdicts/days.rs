//! Coverage of the printed figures on freeze-outs: shares of wins and mean places.

use casino_stud::cards::Seed;

use crate::coverage::CoverageCount;
use crate::field::{Days, Field, number};
use crate::{Runs, line};

const FIELDS: [(&[&str], usize); 5] = [
    (&["simple", "spades"], 2),
    (&["simple", "cautious", "reader", "spades"], 4),
    (&["bold", "caller", "cautious", "raiser", "reader", "spades"], 6),
    (
        &[
            "bold", "caller", "cautious", "passive", "raiser", "random", "reader", "simple", "spades",
            "folder",
        ],
        6,
    ),
    (
        &[
            "bold", "caller", "cautious", "passive", "raiser", "random", "reader", "simple", "spades",
            "folder",
        ],
        10,
    ),
];

/// How many groups of freeze-outs a field has to be drawn from.
const GROUPS: u64 = 1_000;

/// The freeze-outs of a rating.
const TOURNAMENTS: [u64; 3] = [40, 100, 600];

pub(crate) fn days(runs: &Runs) {
    line(&format!(
        "\nOf {} runs each, per cent that hold the truth: of all bots, and of the bot with the fewest; in brackets the per \
         cent of which nothing is said",
        runs.count
    ));
    line("| field | freeze-outs | wins | fewest | places | fewest |");
    line("|---|---|---|---|---|---|");
    for (bots, seats) in FIELDS {
        let field = Field::house(bots, seats);
        if !runs.wants(&field.name()) {
            continue;
        }
        let days = Days::new(&field, runs, GROUPS);
        for tournaments in TOURNAMENTS {
            row(&field, &days, runs, tournaments);
        }
    }
}

fn row(field: &Field<'_>, days: &Days, runs: &Runs, tournaments: u64) {
    let (truth, bots) = (days.truth(), field.bots.len());
    let groups = tournaments.div_ceil(bots as u64);
    let each = runs.each(&format!("{tournaments} freeze-outs of {}", field.name()), |run| {
        let mut dice = Seed::chosen(runs.seed(&format!("day {run} of {tournaments}"))).stream(&field.name());
        let report = days.report(groups, &mut dice);
        let mut found = vec![[CoverageCount::default(); 2]; bots];
        for verdict in &report.standings {
            let (bot, rating) = (number(&verdict.name), verdict.freeze_outs.expect("everyone played"));
            found[bot][0].note(rating.win_interval, truth[bot].0);
            found[bot][1].note(rating.place_interval, truth[bot].1);
        }
        found
    });
    let mut sums = vec![[CoverageCount::default(); 2]; bots];
    for found in &each {
        for (sums, found) in sums.iter_mut().zip(found) {
            sums.iter_mut().zip(found).for_each(|(sum, held)| sum.add(held));
        }
    }
    let words = [0, 1].map(|what| {
        let mut all = CoverageCount::default();
        sums.iter().for_each(|sums| all.add(&sums[what]));
        let fewest = sums.iter().min_by_key(|sums| sums[what].held()).expect("there are bots");
        format!("{} | {}", all.words(), fewest[what].words())
    });
    line(&format!("| {} | {} | {} |", field.name(), groups * bots as u64, words.join(" | ")));
    if runs.detailed {
        for (bot, sums) in sums.iter().enumerate() {
            let (name, (won, place)) = (field.bots[bot], truth[bot]);
            let (wins, places) = (sums[0].words(), sums[1].words());
            line(&format!("| – {name}: {:.1}% and {place:.2} | | {wins} | | {places} | |", 100.0 * won));
        }
    }
}
