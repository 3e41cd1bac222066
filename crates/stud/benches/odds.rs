//! How long the odds of a player take, on one core.
//!
//!     cargo bench --bench odds
//!
//! The situations are dealt at random from a fixed seed, and no player has folded. The best of several passes counts,
//! which leaves out the load of the machine; shown are the mean, the 99th percentile and the slowest situation.

#![allow(clippy::print_stdout, reason = "a benchmark prints")]

use std::time::{Duration, Instant};

use casino_stud::cards::{Card, Seed, Stream};
use casino_stud::odds::{Odds, Situation};

const OTHERS: [usize; 6] = [1, 3, 5, 8, 11, 16];
const PASSES: usize = 5;

fn main() {
    println!("{:<44} {:>6} {:>10} {:>10} {:>10}", "", "others", "mean µs", "99 % µs", "worst µs");
    for others in OTHERS {
        report("second street", others, 1_000, &situation(2), &|situation| exact(situation));
    }
    for (others, situations) in [(1, 1_000), (2, 200), (3, 10), (4, 1)] {
        report("first street, exact", others, situations, &situation(1), &|situation| exact(situation));
    }
    for others in OTHERS.into_iter().skip(1) {
        report("first street, a sample", others, 20, &situation(1), &Situation::odds);
    }
    for others in OTHERS {
        let everyone = |situation: &Situation| {
            std::hint::black_box(situation.chances());
            exact(situation)
        };
        report("second street, everyone's chances as well", others, 200, &situation(2), &everyone);
    }
    for others in OTHERS {
        report("first street, everyone's chances", others, 20, &situation(1), &Situation::chances);
    }
}

fn exact(situation: &Situation) -> Odds {
    situation.exact_odds().expect("it can be had exactly")
}

/// Deals a situation with so many up cards for each player.
fn situation(ups: usize) -> impl Fn(&mut Stream, usize) -> Situation {
    move |rng, others| {
        let mut deck = Card::ALL;
        rng.shuffle(&mut deck);
        let (own, rest) = deck.split_at(1 + ups);
        let others: Vec<&[Card]> = rest.chunks(ups).take(others).collect();
        Situation::new(own, &others, &[]).expect("the cards are different")
    }
}

fn report<T>(
    what: &str,
    others: usize,
    situations: usize,
    deal: &dyn Fn(&mut Stream, usize) -> Situation,
    odds: &dyn Fn(&Situation) -> T,
) {
    let mut rng = Seed::chosen("bench").stream(what);
    let mut times: Vec<Duration> = (0..situations)
        .map(|_| {
            let situation = deal(&mut rng, others);
            (0..PASSES).map(|_| time(|| odds(&situation))).min().expect("there are passes")
        })
        .collect();
    times.sort_unstable();
    let micros = |time: Duration| time.as_secs_f64() * 1e6;
    let mean = micros(times.iter().sum::<Duration>()) / times.len() as f64;
    println!(
        "{what:<44} {others:>6} {mean:>10.1} {:>10.1} {:>10.1}",
        micros(times[(times.len() * 99 / 100).min(times.len() - 1)]),
        micros(times[times.len() - 1]),
    );
}

fn time<T>(work: impl FnOnce() -> T) -> Duration {
    let start = Instant::now();
    std::hint::black_box(work());
    start.elapsed()
}
