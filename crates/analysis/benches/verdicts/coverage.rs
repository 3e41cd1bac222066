//! Coverage of the printed figures on chips: intervals, probabilities and places, from the shortest ratings on.

use casino_analysis::rating::RatingReport;
use casino_stud::cards::Seed;

use crate::field::{Field, LADDER, Pool, chips, number};
use crate::{Runs, line};

/// The rounds of a rating.
const LENGTHS: [u64; 7] = [12, 200, 300, 600, 1_200, 6_000, 24_000];

/// The fields of more than two. The bots of those at smaller tables are not all of a kind: some throw chips about.
pub(crate) const FIELDS: [(&[&str], usize); 8] = [
    (&["simple", "cautious", "reader", "spades"], 4),
    (&["bold", "caller", "cautious", "reader", "simple", "spades"], 6),
    (&TWELVE, 12),
    (&TWELVE, 6),
    (&WILD, 6),
    (&WILD, 12),
    (&SEVENTEEN, 6),
    (&THIRTY, 12),
];

const TWELVE: [&str; 12] = [
    "folder", "passive", "caller", "raiser", "random", "simple", "cautious", "bold", "reader", "spades",
    "simple", "reader",
];

/// Tight bots among wild ones: hardly any of their rounds is as dear as those that decide.
const WILD: [&str; 12] = [
    "random", "random", "random", "caller", "caller", "caller", "cautious", "cautious", "raiser", "raiser",
    "simple", "simple",
];

const SEVENTEEN: [&str; 17] = [
    "folder", "passive", "caller", "raiser", "random", "simple", "cautious", "bold", "reader", "spades",
    "simple", "reader", "cautious", "caller", "bold", "random", "passive",
];

const THIRTY: [&str; 30] = [
    "folder", "passive", "caller", "raiser", "random", "simple", "cautious", "bold", "reader", "spades",
    "simple", "reader", "cautious", "caller", "bold", "random", "passive", "spades", "simple", "cautious",
    "folder", "caller", "reader", "bold", "random", "simple", "cautious", "passive", "spades", "raiser",
];

/// Two copies of a randomizing bot: any statement about their order is wrong.
const TWINS: [[&str; 2]; 2] = [["random", "random"], ["bold", "bold"]];

/// How many there were, and how many of them were true.
#[derive(Clone, Copy, Default)]
pub(crate) struct CoverageCount {
    all: u64,
    given: u64,
    held: u64,
}

impl CoverageCount {
    pub(crate) fn note(&mut self, ends: Option<(f64, f64)>, truth: f64) {
        self.count(ends.map(|(low, high)| (low..=high).contains(&truth)));
    }

    pub(crate) fn count(&mut self, is_true: Option<bool>) {
        self.all += 1;
        self.given += u64::from(is_true.is_some());
        self.held += u64::from(is_true == Some(true));
    }

    pub(crate) fn held(&self) -> u64 {
        self.held
    }

    pub(crate) fn add(&mut self, other: &CoverageCount) {
        self.all += other.all;
        self.given += other.given;
        self.held += other.held;
    }

    /// The per cent that held, and in brackets the per cent of which nothing was said.
    pub(crate) fn words(&self) -> String {
        let none = 100.0 * (self.all - self.given) as f64 / self.all.max(1) as f64;
        match self.given {
            0 => format!("– ({none:.0})"),
            given => format!("{:.1} ({none:.0})", 100.0 * self.held as f64 / given as f64),
        }
    }

    /// The per cent that held, and how many there were.
    fn of_given(&self) -> String {
        match self.given {
            0 => "–".to_string(),
            given => format!("{:.1} of {given}", 100.0 * self.held as f64 / given as f64),
        }
    }
}

/// The ratings of one field and length.
#[derive(Clone, Copy, Default)]
struct Found {
    chips: CoverageCount,
    differences: CoverageCount,
    places: CoverageCount,
    /// The pairs that are told apart.
    orders: CoverageCount,
}

impl Found {
    fn note(&mut self, report: &RatingReport, truth: &[f64]) {
        for (bot, estimate) in chips(report).iter().enumerate() {
            self.chips.note(estimate.interval(), truth[bot]);
        }
        for pair in &report.pairs {
            let want = truth[number(&pair.first)] - truth[number(&pair.second)];
            self.differences.note(pair.difference.interval(), want);
            self.orders.count(pair.is_told_apart().filter(|is| *is).map(|_| want > 0.0));
        }
        for verdict in &report.standings {
            let ours = truth[number(&verdict.name)];
            let best = 1 + truth.iter().filter(|other| **other > ours).count();
            let worst = truth.iter().filter(|other| **other >= ours).count();
            let range = verdict.best_place.zip(verdict.worst_place);
            self.places.count(range.map(|(from, to)| from <= worst && best <= to));
        }
    }

    fn add(&mut self, other: &Found) {
        self.chips.add(&other.chips);
        self.differences.add(&other.differences);
        self.places.add(&other.places);
        self.orders.add(&other.orders);
    }

    fn row(&self, name: &str, rounds: u64) {
        line(&format!(
            "| {name} | {rounds} | {} | {} | {} | {} |",
            self.chips.words(),
            self.differences.words(),
            self.places.words(),
            self.orders.of_given(),
        ));
    }
}

pub(crate) fn coverage(runs: &Runs) {
    line(&format!(
        "\nOf {} runs each, per cent that hold the truth; in brackets the per cent of which nothing is said",
        runs.count
    ));
    line("| field | rounds | chips | differences | places | told apart rightly |");
    line("|---|---|---|---|---|---|");
    let pairs =
        || LADDER.iter().enumerate().flat_map(|(at, one)| LADDER[at + 1..].iter().map(|two| [*one, *two]));
    let mut all = [Found::default(); LENGTHS.len()];
    for pair in pairs() {
        let found = measured(&Field::house(&pair, 2), runs, 60_000);
        all.iter_mut().zip(&found).for_each(|(all, found)| all.add(found));
        if runs.detailed {
            rows(&pair.join("–"), &found);
        }
    }
    rows("21 pairs", &all);
    for pair in TWINS.iter().filter(|pair| runs.wants(&pair.join("–"))) {
        twins(&Field::house(pair, 2), runs);
    }
    for (bots, seats) in FIELDS {
        let field = Field::house(bots, seats);
        if runs.wants(&field.name()) {
            rows(&field.name(), &measured(&field, runs, 240_000 / bots.len() as u64));
        }
    }
    programs(runs);
}

fn rows(name: &str, found: &[Found]) {
    LENGTHS.iter().zip(found).for_each(|(rounds, found)| found.row(name, *rounds));
}

/// The results of runs of each length, drawn from that many blocks.
fn measured(field: &Field<'_>, runs: &Runs, blocks: u64) -> [Found; LENGTHS.len()] {
    if !runs.wants(&field.name()) {
        return Default::default();
    }
    let pool = field.blocks(runs, blocks);
    let truth = pool.truth();
    LENGTHS.map(|rounds| drawn(&pool, &truth, field, runs, rounds))
}

fn drawn(pool: &Pool, truth: &[f64], field: &Field<'_>, runs: &Runs, rounds: u64) -> Found {
    let each = runs.each(&format!("{rounds} rounds of {}", field.name()), |run| {
        let mut dice = Seed::chosen(runs.seed(&format!("draw {run} of {rounds}"))).stream(&field.name());
        let mut found = Found::default();
        found.note(&pool.report(rounds, &mut dice), truth);
        found
    });
    let mut all = Found::default();
    each.iter().for_each(|found| all.add(found));
    all
}

/// Two copies: the truth is 0.
fn twins(field: &Field<'_>, runs: &Runs) {
    for rounds in LENGTHS {
        let said = runs.each(&format!("{rounds} rounds of {}", field.name()), |run| {
            let seed = runs.seed(&format!("twins {run}"));
            field.report(&seed, rounds).pairs[0].is_told_apart()
        });
        let mut middle = CoverageCount::default();
        for said in &said {
            middle.count(said.map(|said| !said));
        }
        line(&format!("| {}: not told apart | {rounds} | – | {} | – | |", field.name(), middle.words(),));
    }
}

/// Opaque bots. The truth is a long run with other seeds.
fn programs(runs: &Runs) {
    let fields: [&[&str]; 3] = [&["caller", "bold"], &["cautious", "reader"], &["bold", "simple", "caller"]];
    for bots in fields {
        let field = Field { bots, seats: bots.len(), hidden: true };
        if !runs.wants(&field.name()) {
            continue;
        }
        let truth = Field { hidden: false, ..field }.truth(&runs.seed("the truth"), 4_000_000);
        let pool = field.blocks(runs, 30_000);
        for rounds in [12, 200, 300, 600, 1_200] {
            drawn(&pool, &truth, &field, runs, rounds).row(&field.name(), rounds);
        }
    }
}
