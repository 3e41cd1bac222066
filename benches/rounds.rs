//! Rounds per second in one process, one core, beside a bare loop of the same game.
//!
//!     cargo bench --bench rounds
//!
//! Each figure is the best of several passes; table and bare loop take turns, so that a machine that changes
//! its speed changes it for both. The bare loop plays by the same rules with the same shuffle and the same
//! dice, but has no events, no checks, no fouls, no views: it is what the game itself costs.

#![allow(clippy::print_stdout)]

use std::time::{Duration, Instant};

use casino_day::cards::{Card, Seed, Shuffler, Stream};
use casino_day::strategies::{Bot, HouseBot};
use casino_day::stud::Strength;
use casino_day::table::{Conduct, Question, Reply, Step, Table};

const ROUNDS: u64 = 200_000;
const PASSES: usize = 9;

fn main() {
    println!("{:>6} {:>8} {:>16} {:>16} {:>7}", "seats", "bots", "table rounds/s", "bare rounds/s", "ratio");
    for (seats, random) in [(6, false), (6, true), (2, false), (2, true), (17, false), (17, true)] {
        let (mut table_best, mut bare_best) = (Duration::MAX, Duration::MAX);
        for _ in 0..PASSES {
            table_best = table_best.min(time(|| through_the_table(seats, random)));
            bare_best = bare_best.min(time(|| bare(seats, random)));
        }
        let rate = |best: Duration| ROUNDS as f64 / best.as_secs_f64();
        println!(
            "{seats:>6} {:>8} {:>16.0} {:>16.0} {:>7.2}",
            if random { "random" } else { "call" },
            rate(table_best),
            rate(bare_best),
            rate(table_best) / rate(bare_best),
        );
    }
}

fn time(work: impl FnOnce() -> u64) -> Duration {
    let start = Instant::now();
    std::hint::black_box(work());
    start.elapsed()
}

fn call(question: &Question<'_>) -> Reply {
    Reply::Bet(question.bounds.to_call)
}

/// The real table with bots behind `dyn Bot`. Stacks are so deep that nobody leaves.
fn through_the_table(seats: usize, random: bool) -> u64 {
    let seed = Seed::chosen("bench");
    let house = HouseBot::named("random").expect("there is a random bot");
    let mut bots: Vec<Box<dyn Bot>> = (0..seats)
        .map(|seat| -> Box<dyn Bot> {
            match random {
                true => Box::new(house.player(seed.stream(&format!("bot {seat}")))),
                false => Box::new(call),
            }
        })
        .collect();
    let mut shuffler = seed.shuffler(1);
    let mut table = Table::new(Conduct::default(), &vec![100_000_000; seats]);
    for round in 1..=ROUNDS {
        let deck = shuffler.deck(round, table.cards_needed());
        table.deal(round, &deck);
        loop {
            match table.step() {
                Step::Ask(seat) => {
                    let reply = bots[seat.index()].decide(&table.question(seat));
                    table.answer(Ok(reply));
                }
                Step::Tell(seat, _) => {
                    std::hint::black_box(seat);
                }
                Step::Over => break,
            }
        }
    }
    u64::from(table.stacks()[0])
}

/// What a bot of the bare loop is told.
struct BareView<'a> {
    stack: u32,
    to_call: u32,
    pot: u32,
    board: &'a [Card],
}

trait BareBot {
    fn decide(&mut self, view: &BareView<'_>) -> Option<u32>;
}

struct BareCaller;

impl BareBot for BareCaller {
    fn decide(&mut self, view: &BareView<'_>) -> Option<u32> {
        std::hint::black_box((view.pot, view.board.len()));
        Some(view.to_call)
    }
}

struct BareRandom(Stream);

impl BareBot for BareRandom {
    fn decide(&mut self, view: &BareView<'_>) -> Option<u32> {
        let most = view.stack.min(view.to_call + 10);
        match self.0.below(most + 2 - view.to_call) {
            0 => None,
            pick => Some(view.to_call + pick - 1),
        }
    }
}

fn bare(seats: usize, random: bool) -> u64 {
    let seed = Seed::chosen("bench");
    let mut bots: Vec<Box<dyn BareBot>> = (0..seats)
        .map(|seat| -> Box<dyn BareBot> {
            if random {
                Box::new(BareRandom(seed.stream(&format!("bot {seat}"))))
            } else {
                Box::new(BareCaller)
            }
        })
        .collect();
    let mut shuffler = seed.shuffler(1);
    let mut stacks = [100_000_000u32; 17];
    for round in 1..=ROUNDS {
        bare_round(seats, &mut stacks, &mut bots, &mut shuffler, round);
    }
    u64::from(stacks[0])
}

fn bare_round(
    seats: usize,
    stacks: &mut [u32; 17],
    bots: &mut [Box<dyn BareBot>],
    shuffler: &mut Shuffler,
    round: u64,
) {
    let deck = shuffler.deck(round, 3 * seats);
    let cards = deck.cards();
    let mut folded = [false; 17];
    let mut live = seats;
    let mut pot = seats as u32;
    for stack in &mut stacks[..seats] {
        *stack -= 1;
    }
    let mut opener = 0;
    for street in 0..2 {
        let mut board = [cards[0]; 34];
        let mut shown = 0;
        let mut best = None;
        for seat in (0..seats).filter(|seat| !folded[*seat]) {
            for up in 0..=street {
                let card = cards[(1 + up) * seats + seat];
                board[shown] = card;
                shown += 1;
                if Some(card) > best {
                    best = Some(card);
                    opener = seat;
                }
            }
        }
        let (mut put_in, mut level) = ([0u32; 17], 0);
        let (mut seat, mut to_act) = (opener, live);
        while to_act > 0 && live > 1 {
            if !folded[seat] {
                to_act -= 1;
                let to_call = level - put_in[seat];
                let view = BareView { stack: stacks[seat], to_call, pot, board: &board[..shown] };
                match bots[seat].decide(&view) {
                    None => {
                        folded[seat] = true;
                        live -= 1;
                    }
                    Some(chips) => {
                        stacks[seat] -= chips;
                        pot += chips;
                        put_in[seat] += chips;
                        if put_in[seat] > level {
                            level = put_in[seat];
                            to_act = live - 1;
                        }
                    }
                }
            }
            seat = if seat + 1 == seats { 0 } else { seat + 1 };
        }
    }
    if live == 1 {
        let winner = (0..seats).find(|seat| !folded[*seat]).expect("one is left");
        stacks[winner] += pot;
        return;
    }
    let (mut best, mut tied, mut spade) = (None, 0u32, None);
    for seat in (0..seats).filter(|seat| !folded[*seat]) {
        let hole = cards[seat];
        let strength = Some(Strength::of([hole, cards[seats + seat], cards[2 * seats + seat]]));
        if strength > best {
            best = strength;
            tied = 0;
        }
        if strength == best {
            tied |= 1 << seat;
        }
        if hole.is_spade() && spade.is_none_or(|(card, _)| hole > card) {
            spade = Some((hole, seat));
        }
    }
    let mut hand_half = pot;
    if let Some((_, seat)) = spade {
        stacks[seat] += pot / 2;
        hand_half -= pot / 2;
    }
    let share = hand_half / tied.count_ones();
    let mut odd = hand_half % tied.count_ones();
    for at in 0..seats {
        let seat = (opener + at) % seats;
        if tied >> seat & 1 == 1 {
            stacks[seat] += share + odd.min(1);
            odd = odd.saturating_sub(1);
        }
    }
}
