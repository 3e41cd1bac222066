//! How strong the house bot `solver` is, and how long it thinks: the figures of docs/solver.md.
//!
//!     cargo bench --bench solver -- duels 100000    against all others, and who always bets 1
//!     cargo bench --bench solver -- times 2000      how long it takes to answer
//!
//! The number is that of rounds a duel and of rounds; `against=NAME` after it says one opponent alone. Seeds are fixed:
//! the figures are the same each time, but for times. What the best reply to it wins is measured by a test of
//! `strategies/solver/adversary.rs`, because no program needs it.

#![allow(clippy::print_stdout, reason = "a benchmark prints")]

use std::time::{Duration, Instant};

use casino_stud::cards::Seed;
use casino_stud::rating::{BotPlayers, Contestant, Plan, PlanTerms, RatingReport, play};
use casino_stud::strategies::{Bot, HOUSE, HouseBot, Memory};
use casino_stud::table::{Question, Reply, Step, Table, TableSettings};

/// The chips that everybody has at the beginning of a round.
const STACK: u32 = 500;

fn main() {
    let words: Vec<String> = std::env::args().skip(1).filter(|word| word != "--bench").collect();
    let count = words.iter().find_map(|word| word.parse().ok());
    let value = |name: &str| words.iter().find_map(|word| word.strip_prefix(name)?.strip_prefix('='));
    let is_wanted = |name: &str| words.iter().any(|word| word == name) || words.is_empty();
    if is_wanted("duels") {
        duels(count.unwrap_or(2_000), value("against"));
    }
    if is_wanted("times") {
        times(count.unwrap_or(200));
    }
}

/// The fifteen-line bot that nobody of the house but `solver` beats: it bets one chip, and calls whatever is
/// bet.
fn minimum(question: &Question<'_>) -> Reply {
    let bounds = &question.bounds;
    if bounds.most() < bounds.to_call {
        Reply::Fold
    } else if bounds.to_call == 0 {
        Reply::Bet(bounds.most().min(1))
    } else {
        Reply::Bet(bounds.to_call)
    }
}

fn duels(rounds: u64, only: Option<&str>) {
    println!("Chips that solver wins a round, over {rounds} rounds of equal deals, with 95 % intervals:");
    let house = HOUSE.iter().map(|bot| bot.name).filter(|name| *name != "solver");
    for name in house.chain(["minimum"]).filter(|name| only.is_none_or(|only| only == *name)) {
        let started = Instant::now();
        let contestant = |name: &str| match HouseBot::named(name) {
            Some(bot) => Contestant::house(name, bot),
            None => Contestant::in_process(name),
        };
        let bots = vec![contestant("solver"), contestant(name)];
        let plan = Plan::new(
            bots,
            PlanTerms { seats: 2, stack: STACK, seed: Seed::chosen("duels"), rounds, ..PlanTerms::default() },
        )
        .expect("the plan is sound");
        let players = &mut [BotPlayers::new(&plan, |_| Box::new(minimum) as Box<dyn Bot>)];
        let played = play(&plan, players).expect("nobody fails");
        let report = RatingReport::new(&plan, &played, None);
        let won = report.standings.iter().find(|bot| bot.name == "solver").expect("it has played");
        let seconds = started.elapsed().as_secs_f64();
        println!("{name:<10} {:+.3}   {seconds:.0} s", won.chips_per_round);
    }
}

/// Plays against `bluffer`, and counts the time of each reply.
fn times(rounds: u64) {
    let seed = Seed::chosen("times");
    let mut shuffler = seed.shuffler(1);
    let mut rng = seed.stream("solver");
    let bots = ["solver", "bluffer"].map(|name| HouseBot::named(name).expect("it is one of the house"));
    let mut memories = [Memory::default(), Memory::default()];
    let mut table = Table::new(TableSettings::default(), &[STACK; 2]);
    let mut taken: Vec<Duration> = Vec::new();
    for round in 1..=rounds {
        let cards = table.cards_needed();
        table.restart(STACK);
        table.deal(round, shuffler.deck(round, cards));
        loop {
            match table.step() {
                Step::Ask(seat) => {
                    let bot = seat.index();
                    let started = Instant::now();
                    let reply = bots[bot].decide(&table.question(seat), &mut memories[bot], &mut rng);
                    if bot == 0 {
                        taken.push(started.elapsed());
                    }
                    table.answer(Ok(reply));
                }
                Step::Tell(..) => {}
                Step::Over => break,
            }
        }
    }
    taken.sort_unstable();
    let at = |share: f64| taken[((taken.len() - 1) as f64 * share) as usize];
    println!(
        "{} replies: half within {:.1?}, 99 of 100 within {:.1?}, the longest {:.1?}",
        taken.len(),
        at(0.5),
        at(0.99),
        at(1.0)
    );
}
