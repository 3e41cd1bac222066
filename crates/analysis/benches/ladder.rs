//! The ladder of the house: how strong the house bots are at tables of 2, 6 and 17.
//!
//!     cargo bench --bench ladder -- FILE PAGE     writes the figures to the file and the rows to the page; `make ladder` runs it
//!
//! The fields are those of docs/bots.md: all house bots, two or six of them at a table at a time, and at a table of 17
//! all of them, some with two seats. Without names it prints the figures and the rows. Seeds are fixed, so the figures are
//! the same each time.

#![allow(clippy::print_stdout, reason = "a benchmark prints")]

use std::fmt::Write as _;
use std::time::Instant;

use casino_analysis::rating::{BotPlayers, PlanTerms, RatedBot, RatingPlan, RatingReport, play};
use casino_stud::cards::Seed;
use casino_stud::strategies::{HOUSE, LADDER_SEATS, LadderFigure};

/// The rounds that are played in each of the fields.
const ROUNDS: [u64; 3] = [56_000, 28_000, 6_800];

/// The largest table, at which all house bots sit.
const LARGEST_TABLE: usize = 17;

/// The bots that fill the largest table with a second seat each, as many as seats are left over.
const SEATED_TWICE: [&str; 4] = ["simple", "cautious", "reader", "bold"];

fn seated_twice() -> &'static [&'static str] {
    &SEATED_TWICE[..LARGEST_TABLE - HOUSE.len()]
}

/// The starting stack of every round, in chips.
const STACK: u32 = 500;

const HEAD: &str = "//! Winnings per round of the house bots in the fields of docs/bots.md. Written by `make ladder`; do not edit.

use super::ladder::LadderFigure;

const fn figure(chips: f64, low: f64, high: f64) -> LadderFigure {
    LadderFigure { chips, interval: Some((low, high)) }
}

/// Where too few deals decided for an interval.
#[allow(dead_code, reason = \"perhaps there is none\")]
const fn unsure(chips: f64) -> LadderFigure {
    LadderFigure { chips, interval: None }
}

/// For each house bot its figures at tables of 2, 6 and 17 seats.
#[rustfmt::skip]
";

fn main() {
    let mut files = std::env::args().skip(1).filter(|word| word != "--bench");
    let (figures, rows) = fields();
    match files.next() {
        Some(file) => std::fs::write(&file, figures).expect("the file can be written"),
        None => print!("{figures}"),
    }
    match files.next() {
        Some(page) => write_rows(&page, &rows),
        None => print!("{rows}"),
    }
}

/// Puts the rows of the house bots into the place of those of a page.
fn write_rows(page: &str, rows: &str) {
    let text = std::fs::read_to_string(page).expect("the page can be read");
    let is_row = |line: &&str| line.starts_with("| `");
    let lines: Vec<&str> = text.split_inclusive('\n').collect();
    let first = lines.iter().position(is_row).expect("the page has rows of house bots");
    let after = lines[first..].iter().take_while(|line| is_row(line)).count() + first;
    let text = [&lines[..first].concat(), rows, &lines[after..].concat()].concat();
    std::fs::write(page, text).expect("the page can be written");
}

/// The figures as Rust, and the rows of docs/bots.md.
fn fields() -> (String, String) {
    let columns: Vec<Vec<LadderFigure>> =
        LADDER_SEATS.iter().zip(ROUNDS).map(|(seats, rounds)| column(*seats, rounds)).collect();
    let mut text =
        format!("{HEAD}pub(super) const FIGURES: [(&str, [LadderFigure; 3]); {}] = [\n", HOUSE.len());
    for (place, bot) in HOUSE.iter().enumerate() {
        let cells: Vec<String> = columns.iter().map(|column| cell(&column[place])).collect();
        let _ = writeln!(text, "    ({:?}, [{}]),", bot.name, cells.join(", "));
    }
    text.push_str("];\n");
    // The strongest at tables of six first.
    let mut rungs: Vec<usize> = (0..HOUSE.len()).collect();
    rungs.sort_by(|one, other| columns[1][*other].chips.total_cmp(&columns[1][*one].chips));
    let mut page = String::new();
    for place in rungs {
        let [two, six, seventeen] = [0, 1, 2].map(|field| columns[field][place]);
        let _ = writeln!(page, "| `{}` | {two} | {six} | {seventeen} |", HOUSE[place].name);
    }
    (text, page)
}

/// A figure as it stands in the file.
fn cell(figure: &LadderFigure) -> String {
    let LadderFigure { chips, interval } = figure;
    match interval {
        Some((low, high)) => format!("figure({chips:.3}, {low:.3}, {high:.3})"),
        None => format!("unsure({chips:.3})"),
    }
}

/// Winnings per round of each house bot at tables of this size, rounded to a thousandth of a chip, which is finer than
/// their error.
fn column(seats: usize, rounds: u64) -> Vec<LadderFigure> {
    let started = Instant::now();
    // The names are those that `casino rate` gives to several of a kind.
    let field =
        HOUSE.iter().flat_map(|bot| match seats == LARGEST_TABLE && seated_twice().contains(&bot.name) {
            true => vec![(format!("{}-1", bot.name), bot), (format!("{}-2", bot.name), bot)],
            false => vec![(bot.name.to_string(), bot)],
        });
    let bots: Vec<RatedBot> = field.map(|(name, bot)| RatedBot::house(&name, bot)).collect();
    let names: Vec<String> = bots.iter().map(|bot| bot.name.clone()).collect();
    let figures = figures(bots, seats, (rounds, "ladder"));
    eprintln!("{rounds} rounds at tables of {seats}: {:.0} s", started.elapsed().as_secs_f64());
    let figure = |name: &str| {
        let first = format!("{name}-1");
        let place = names.iter().position(|other| other == name || *other == first);
        figures[place.expect("every house bot has played")]
    };
    HOUSE.iter().map(|bot| figure(bot.name)).collect()
}

/// Winnings per round of these bots over that many rounds with this seed.
fn figures(bots: Vec<RatedBot>, seats: usize, (rounds, seed): (u64, &str)) -> Vec<LadderFigure> {
    let names: Vec<String> = bots.iter().map(|bot| bot.name.clone()).collect();
    let terms = PlanTerms { seats, stack: STACK, seed: Seed::chosen(seed), rounds, ..PlanTerms::default() };
    let plan = RatingPlan::new(bots, terms).expect("the plan is sound");
    let house = plan.bots().iter().filter_map(RatedBot::house_bot).collect();
    let played = play(&plan, &mut [BotPlayers::house(house)]).expect("house bots never fail");
    let report = RatingReport::new(&plan, &played, None);
    let figure = |name: &String| {
        let line = report.standings.iter().find(|line| line.name == *name);
        let chips = line.expect("every bot has played").chips_per_round;
        let cut = |chips: f64| (1_000.0 * chips).round() / 1_000.0;
        let interval = chips.interval().map(|(low, high)| (cut(low), cut(high)));
        LadderFigure { chips: cut(chips.value), interval }
    };
    names.iter().map(figure).collect()
}
