//! What simple bots win from a house bot: a search over 960 of them, which have no memory and no dice.
//!
//!     cargo bench --package casino-stud --bench simple_bots -- shark 2 100    against shark at tables of two
//!
//! The words are the house bot, the seats of a table, of which one is the simple bot's, and the rounds that each of the 960 plays at
//! first. The best 24 play ten times as many, and the best three of these a hundred times as many of another seed: what is printed of
//! them was not chosen for being large. Seeds are fixed, so the figures are the same each time.
//!
//!     cargo bench --package casino-stud --bench simple_bots -- shark 2 200 1.5,1,0,9,1
//!
//! plays one simple bot alone in place of the search: the share from which it goes on, its bet and the share from which it makes it, the
//! share from which it raises, and by how much.

#![allow(clippy::print_stdout, reason = "a benchmark prints")]

use std::collections::HashMap;
use std::sync::{Arc, Mutex, PoisonError};

use casino_stud::cards::{Card, Seed};
use casino_stud::odds::Situation;
use casino_stud::rating::{BotPlayers, Contestant, Estimate, Plan, PlanTerms, RatingReport, play};
use casino_stud::strategies::{Bot, HouseBot};
use casino_stud::stud::Chips;
use casino_stud::table::{Question, Reply};

const STACK: Chips = 500;
const KEPT: [usize; 2] = [24, 3];

/// What a simple bot does. Shares are in fair shares of the pot: 1 is what everyone has on average.
#[derive(Clone, Copy, Debug)]
struct Simple {
    /// The share from which it goes on where something is to call.
    stays: f64,
    /// What it bets where nothing is to call, and the share from which it does.
    bet: Chips,
    bets: f64,
    /// The share from which it raises, and by how much.
    raises: f64,
    raise: Chips,
}

impl Simple {
    fn of(text: &str) -> Option<Simple> {
        let numbers: Vec<f64> = text.split(',').map(|number| number.parse().ok()).collect::<Option<_>>()?;
        let &[stays, bet, bets, raises, raise] = numbers.as_slice() else { return None };
        Some(Simple { stays, bet: bet as Chips, bets, raises, raise: raise as Chips })
    }
}

/// The shares that were worked out, by the cards that are seen.
type Shares = Arc<Mutex<HashMap<Vec<Card>, f64>>>;

struct Seated {
    simple: Simple,
    shares: Shares,
}

impl Seated {
    fn fair_shares(&self, question: &Question<'_>) -> f64 {
        let own = [question.hole].into_iter().chain(question.up.iter().copied());
        let cards: Vec<Card> = own.chain(question.board.iter().copied()).collect();
        let players = question.players_shown() as f64;
        let worked_out = || Situation::of(question).map_or(0.0, |situation| situation.odds().share * players);
        *self.shares.lock().unwrap_or_else(PoisonError::into_inner).entry(cards).or_insert_with(worked_out)
    }
}

impl Bot for Seated {
    fn decide(&mut self, question: &Question<'_>) -> Reply {
        let bounds = question.bounds;
        if bounds.most() < bounds.to_call {
            return Reply::Fold;
        }
        let (share, simple) = (self.fair_shares(question), self.simple);
        let more = match bounds.to_call {
            _ if share >= simple.raises => simple.raise,
            0 if share >= simple.bets => simple.bet,
            to_call if to_call == 0 || share >= simple.stays => 0,
            _ => return Reply::Fold,
        };
        Reply::Bet((bounds.to_call + more).min(bounds.most()))
    }
}

fn all() -> Vec<Simple> {
    let mut all = Vec::new();
    for stays in [0.0, 0.7, 0.9, 1.0, 1.1, 1.2, 1.35, 1.5] {
        for (bet, bets) in [(0, 9.0), (1, 0.0), (1, 0.8), (3, 0.0), (3, 1.0), (10, 0.0), (10, 0.8), (10, 1.1)]
        {
            for raises in [1.1, 1.25, 1.4, 1.6, 9.0] {
                for raise in [1, 4, 10] {
                    all.push(Simple { stays, bet, bets, raises, raise });
                }
            }
        }
    }
    all
}

/// What a simple bot wins a round at a table that is else full of this house bot.
fn wins(
    simple: Simple,
    house: &'static HouseBot,
    seats: usize,
    (rounds, seed): (u64, &str),
    shares: &Shares,
) -> Estimate {
    let others = (1..seats).map(|number| Contestant::house(&format!("{}-{number}", house.name), house));
    let bots = others.chain([Contestant::in_process("simple bot")]).collect();
    let terms = PlanTerms { seats, stack: STACK, seed: Seed::chosen(seed), rounds, ..PlanTerms::default() };
    let plan = Plan::new(bots, terms).expect("the plan is sound");
    let own = |_: &str| Box::new(Seated { simple, shares: shares.clone() }) as Box<dyn Bot>;
    let players = BotPlayers::new(&plan, own);
    let Ok(played) = play(&plan, &mut [players]);
    let report = RatingReport::new(&plan, &played, None);
    let line = report.standings.iter().find(|line| line.name == "simple bot");
    line.expect("it has played").chips_per_round
}

fn main() {
    let words: Vec<String> = std::env::args().skip(1).filter(|word| word != "--bench").collect();
    let name = words.first().map_or("shark", String::as_str);
    let number = |at: usize, usual| words.get(at).map_or(usual, |word| word.parse().expect("a number"));
    let (seats, rounds) = (number(1, 2) as usize, number(2, 100));
    let house = HouseBot::named(name).expect("a house bot");
    let shares = Shares::default();
    let alone = words.get(3).map(|word| Simple::of(word).expect("five numbers with commas between"));
    let mut bots = alone.map_or_else(all, |simple| vec![simple]);
    println!("{} simple bots against {name} at tables of {seats}", bots.len());
    for (stage, kept) in KEPT.into_iter().enumerate().filter(|_| alone.is_none()) {
        let rounds = rounds * [1, 10][stage];
        let chips = |simple: &Simple| wins(*simple, house, seats, (rounds, "simple bots"), &shares).value;
        let mut tried: Vec<(f64, Simple)> = bots.iter().map(|simple| (chips(simple), *simple)).collect();
        tried.sort_by(|one, other| other.0.total_cmp(&one.0));
        bots = tried.into_iter().take(kept).map(|(_, simple)| simple).collect();
    }
    let fresh = Shares::default();
    for simple in bots {
        let chips = wins(simple, house, seats, (100 * rounds, "simple bots again"), &fresh);
        println!(
            "{chips:.3} chips a round, 95 %: {:?}, of {} rounds: {simple:?}",
            chips.interval(),
            100 * rounds
        );
    }
}
