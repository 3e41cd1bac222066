//! Searches for a table of replies that wins chips from `solver`.
//!
//!     cargo bench --package casino-analysis --bench search -- 3            the best table found at three seats, and its winnings
//!     cargo bench --package casino-analysis --bench search -- 3 spades     the same against another house bot
//!
//! A table has a reply for each street, own hand, chance of the high spade, price, size of the pot, and for whether the player
//! opens. The search climbs: in random rounds one decision is replaced by another reply of the same deal, and a reply that was
//! better on average takes its place in the table. The last table is then played with fresh deals from every seat.

#![allow(clippy::print_stdout, reason = "a benchmark prints")]

use clap::Parser;

use casino_analysis::coach::ChipMean;
use casino_stud::cards::{Rank, Seed};
use casino_stud::odds::chance_of_high_spade;
use casino_stud::strategies::{Bot, HouseBot};
use casino_stud::stud::{Chips, Street};
use casino_stud::table::{Question, Reply, TableSettings, play_round};
use casino_stud::tournament::TableGame;

const STACK: Chips = 500;

/// The replies of a table: a fold, a call, and raises.
const RAISES: [Option<Chips>; 5] = [None, Some(0), Some(1), Some(4), Some(10)];

/// The numbers of kinds: streets, hands, chances of the high spade, prices, pots, and openers.
const SIZES: [usize; 6] = [2, 6, 4, 4, 5, 2];

/// The rounds between two changes of the table.
const ROUNDS_OF_A_STEP: u64 = 6_000;

/// The standard errors by which another reply has to be better.
const STANDARD_ERRORS: f64 = 1.0;

/// The part of what an earlier step saw that counts in a later one.
const MEMORY: f64 = 0.95;

/// A better hand has a higher number: nothing, the highest card, a pair that is beaten, another pair, a high one, three of a kind.
fn hand(question: &Question<'_>) -> usize {
    let own: Vec<Rank> = question.up.iter().chain([&question.hole]).map(|card| card.rank()).collect();
    let others: Vec<&[_]> = question.others().collect();
    let shown = others.iter().copied().flatten().map(|card| card.rank()).max().unwrap_or(Rank::Deuce);
    let shown_pair =
        others.iter().filter(|up| up.len() == 2 && up[0].rank() == up[1].rank()).map(|up| up[0].rank()).max();
    let pair = own.iter().enumerate().find(|(at, rank)| own[..*at].contains(rank)).map(|(_, rank)| *rank);
    match pair {
        Some(pair) if own.len() == 3 && own.iter().all(|rank| *rank == pair) => 5,
        Some(pair) if shown_pair.is_some_and(|shown| shown >= pair) => 2,
        Some(pair) if pair >= shown => 4,
        Some(_) => 3,
        None => usize::from(shown_pair.is_none() && question.hole.rank() >= shown),
    }
}

fn place(value: f64, limits: &[f64]) -> usize {
    limits.iter().filter(|limit| value > **limit).count()
}

fn cell(question: &Question<'_>) -> usize {
    let opens = question.board.iter().max() == question.up.iter().max();
    let players = question.players_shown() as f64;
    let kinds = [
        usize::from(question.street == Street::Second),
        hand(question),
        place(chance_of_high_spade(question), &[0.2, 0.5, 0.8]),
        place(f64::from(question.bounds.to_call), &[0.0, 4.0, 10.0]),
        place(f64::from(question.pot) / players, &[1.5, 4.0, 10.0, 30.0]),
        usize::from(opens),
    ];
    kinds.iter().zip(SIZES).fold(0, |at, (kind, size)| at * size + kind)
}

/// The opponents, and the number of seats.
struct Field {
    bot: &'static HouseBot,
    seats: usize,
}

type Seated<'a> = Box<dyn FnMut(&Question<'_>) -> Reply + Send + 'a>;

impl Field {
    /// The table's gain in a round from this seat, and the cells it was asked for. `other` is a reply to a question of this
    /// number in place of the table's.
    fn play(
        &self,
        name: &str,
        seat: usize,
        table: &[usize],
        other: Option<(usize, usize)>,
    ) -> (f64, Vec<usize>) {
        let seed = Seed::chosen(format!("search {name}"));
        let mut asked = Vec::new();
        let player = |question: &Question<'_>| -> Reply {
            let cell = cell(question);
            let here = other.filter(|(at, _)| *at == asked.len());
            asked.push(cell);
            match RAISES[here.map_or(table[cell], |(_, reply)| reply)] {
                None if question.bounds.to_call > 0 => Reply::Fold,
                more => question.bounds.raise(more.unwrap_or(0)).into(),
            }
        };
        let opponent = |at: usize| -> Seated<'_> {
            let mut bot = self.bot.seated(&at.to_string(), &seed);
            Box::new(move |question| bot.decide(question))
        };
        let mut bots: Vec<Seated<'_>> = (1..self.seats).map(opponent).collect();
        bots.insert(seat, Box::new(player));
        let mut game = TableGame::new(TableSettings::default(), &seed, self.seats, STACK, 1);
        assert!(game.deal(), "a first round");
        let Ok(()) = play_round(&mut game, &mut bots[..]);
        drop(bots);
        (f64::from(game.as_ref().stacks()[seat]) - f64::from(STACK), asked)
    }

    /// The mean gain of a table, from all seats of so many deals.
    fn mean(&self, name: &str, deals: u64, table: &[usize]) -> ChipMean {
        let (mut sum, mut squares) = (0.0, 0.0);
        for number in 0..deals {
            let gains =
                (0..self.seats).map(|seat| self.play(&format!("{name} {number}"), seat, table, None).0);
            let gain = gains.sum::<f64>() / self.seats as f64;
            sum += gain;
            squares += gain * gain;
        }
        ChipMean::of(deals, sum, squares)
    }
}

/// How much more another reply gained than that of the table.
#[derive(Clone, Copy, Default)]
struct More {
    count: f64,
    mean: f64,
    squares: f64,
}

impl More {
    fn add(&mut self, more: f64) {
        self.count += 1.0;
        let off = more - self.mean;
        self.mean += off / self.count;
        self.squares += off * (more - self.mean);
    }

    /// The smallest gain that is likely.
    fn least(&self) -> f64 {
        if self.count < 8.0 {
            f64::MIN
        } else {
            self.mean - STANDARD_ERRORS * self.squares.sqrt() / self.count
        }
    }
}

/// Calls for a little, raises with a pair, and folds to a bet with nothing.
fn first_table() -> Vec<usize> {
    let reply = |cell: usize| {
        let [price, spade, hand] = [cell / 10 % 4, cell / 40 % 4, cell / 160 % 6];
        match price {
            _ if hand >= 4 => 3,
            0 => 1,
            1 if hand + spade > 0 => 1,
            _ if hand >= 3 || spade >= 2 => 1,
            _ => 0,
        }
    };
    (0..SIZES.iter().product()).map(reply).collect()
}

/// The table after a search of so many steps.
fn search(field: &Field, steps: u64) -> Vec<usize> {
    let mut table = first_table();
    let mut seen = vec![[More::default(); RAISES.len()]; table.len()];
    let mut dice = Seed::chosen("search").stream("decisions");
    for step in 1..=steps {
        let mut sum = 0.0;
        for round in 0..ROUNDS_OF_A_STEP {
            let name = format!("{} {step} {round}", field.seats);
            let seat = dice.below(field.seats as u32) as usize;
            let (gain, asked) = field.play(&name, seat, &table, None);
            sum += gain;
            if asked.is_empty() {
                continue;
            }
            let at = dice.below(asked.len() as u32) as usize;
            let reply = dice.below(RAISES.len() as u32) as usize;
            if reply != table[asked[at]] {
                let other = field.play(&name, seat, &table, Some((at, reply))).0;
                seen[asked[at]][reply].add(other - gain);
            }
        }
        let mut changes = 0;
        for (reply, seen) in table.iter_mut().zip(&mut seen) {
            let best = (0..RAISES.len())
                .filter(|other| other != reply)
                .max_by(|a, b| seen[*a].least().total_cmp(&seen[*b].least()));
            if let Some(best) = best.filter(|best| seen[*best].least() > 0.0) {
                let by = seen[best];
                seen.iter_mut().for_each(|more| more.mean -= by.mean);
                seen[*reply] = More { mean: -by.mean, ..by };
                *reply = best;
                changes += 1;
            }
            for more in seen.iter_mut() {
                (more.count, more.squares) = (MEMORY * more.count, MEMORY * more.squares);
            }
        }
        let mean = sum / ROUNDS_OF_A_STEP as f64;
        eprintln!("step {step} of {steps}: {mean:+.2} chips a round, {changes} replies changed");
    }
    table
}

#[derive(Parser)]
struct Flags {
    /// Seats at the table
    #[arg(default_value_t = 3, value_parser = clap::value_parser!(u8).range(2..=17))]
    seats: u8,
    /// House bot against which a table is searched
    #[arg(default_value = "solver", value_parser = house_bot)]
    bot: &'static HouseBot,
    /// Length of the search
    #[arg(long, default_value_t = 30)]
    steps: u64,
    /// Number of fresh deals, played from every seat
    #[arg(long, default_value_t = 10_000)]
    fresh: u64,
    /// Cargo passes it to every benchmark.
    #[arg(long, hide = true)]
    bench: bool,
}

fn house_bot(name: &str) -> Result<&'static HouseBot, String> {
    HouseBot::named(name).ok_or_else(|| "there is no such house bot: see casino bots".to_string())
}

fn main() {
    let Flags { seats, bot, steps, fresh, bench: _ } = Flags::parse();
    let field = Field { bot, seats: usize::from(seats) };
    let table = search(&field, steps);
    let mean = field.mean("fresh", fresh, &table);
    println!(
        "{seats} seats: the table found takes {:+.2} ± {:.2} chips a round from {}",
        mean.chips,
        mean.half_interval(),
        bot.name
    );
}
