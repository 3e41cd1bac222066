//! The best reply to `solver` on the first street, if nobody bets on the second: over all pairs of up cards, with as many
//! raises as one likes, and exact.
//!
//! It shares with the solver nothing but what it is to measure: replies come from questions, chips from the rules of the
//! table, and the worth of hole cards from going through all second up cards.

use super::asked_bot::{AskedBot, Memories};
use super::line::{Line, Next, SEATS, other};
use super::*;
use crate::cards::{Card, Deck};
use crate::strategies::{KINDS, Kind, Range};
use crate::stud::{Seat, Strength, Winners};

/// What of the bot's cards is too little to be followed, of 50 that it may hold.
const NOTHING: f64 = 1e-5;

/// How the adversary bets on the first street.
#[derive(Clone, Debug)]
struct Bets {
    /// What it raises by the first time, in chips.
    first: Vec<Chips>,
    /// And what it raises by later.
    later: Vec<Chips>,
    /// How often it raises again.
    again: u32,
}

/// A pair of up cards with the adversary in one of the seats.
struct Matchup<'a> {
    bets: &'a Bets,
    seat: Seat,
    bot: AskedBot,
    counts: Range,
    /// For each kind of the adversary's hole card what it wins of each chip that both have paid, for each of the bot's.
    shown: Vec<Range>,
}

impl Matchup<'_> {
    fn met(&self, mass: &Range) -> Range {
        std::array::from_fn(|mine| (0..KINDS).map(|theirs| self.beside(mine, theirs, mass)).sum())
    }

    /// The mass of a kind that the bot may hold when the adversary holds a card of kind `mine`.
    fn beside(&self, mine: usize, theirs: usize, mass: &Range) -> f64 {
        match self.counts[theirs] {
            count if mine == theirs && count > 0.0 => mass[theirs] * (count - 1.0) / count,
            _ => mass[theirs],
        }
    }

    /// What the adversary wins from here on with each hole card, times the mass of the bot's cards.
    fn value(&self, line: &Line, memory: &Memories, mass: &Range, raised: u32) -> Range {
        let paid = |seat: Seat| f64::from(line.paid(seat));
        match line.next() {
            Next::Folded(seat) if seat == self.seat => self.met(mass).map(|met| -paid(seat) * met),
            Next::Folded(seat) => self.met(mass).map(|met| paid(seat) * met),
            Next::SecondStreet | Next::Shown => std::array::from_fn(|mine| {
                let won = |theirs: usize| self.beside(mine, theirs, mass) * self.shown[mine][theirs];
                paid(self.seat) * (0..KINDS).map(won).sum::<f64>()
            }),
            Next::Ask(seat) if seat == self.seat => {
                let bounds = line.round().bounds(seat);
                let call = bounds.bet(bounds.to_call).ok();
                let sizes = if raised == 0 { &self.bets.first } else { &self.bets.later };
                let raises = sizes.iter().filter(|_| raised <= self.bets.again);
                let raises = raises.filter_map(|more| bounds.bet(bounds.to_call + more).ok());
                let fold = (bounds.to_call > 0).then_some(crate::stud::Action::FOLD);
                let options =
                    fold.into_iter().map(|fold| (fold, raised)).chain(call.map(|call| (call, raised)));
                let mut best = [f64::NEG_INFINITY; KINDS];
                for (action, raised) in options.chain(raises.map(|raise| (raise, raised + 1))) {
                    let value = self.value(&line.after(seat, action), memory, mass, raised);
                    best.iter_mut().zip(value).for_each(|(best, value)| *best = best.max(value));
                }
                best
            }
            Next::Ask(seat) => {
                let mut all = [0.0; KINDS];
                for branch in self.bot.aside(line, &[None; KINDS], memory) {
                    let mass: Range = std::array::from_fn(|kind| mass[kind] * branch.shares[kind]);
                    if mass.iter().sum::<f64>() > NOTHING {
                        let value =
                            self.value(&line.after(seat, branch.action), &branch.memory, &mass, raised);
                        all.iter_mut().zip(value).for_each(|(all, value)| *all += value);
                    }
                }
                all
            }
        }
    }
}

/// What each of the adversary's kinds of hole cards wins of a chip against each of the bot's, on average of all second up
/// cards. The up cards are the adversary's and the bot's.
fn shown(ups: [Card; 2], counts: &Range) -> Vec<Range> {
    let kinds: Vec<Kind> = Kind::all().collect();
    let strengths = |up: Card| -> Vec<Vec<Strength>> {
        let of =
            |hole: &Kind| kinds.iter().map(|second| Strength::of([hole.card(), up, second.card()])).collect();
        kinds.iter().map(of).collect()
    };
    let (mine, theirs) = (strengths(ups[0]), strengths(ups[1]));
    let won = |own: usize, bot: usize| -> f64 {
        let mut left = *counts;
        left[own] -= 1.0;
        left[bot] -= 1.0;
        let (mut sum, mut ways) = (0.0, 0.0);
        for first in (0..KINDS).filter(|first| left[*first] > 0.0) {
            for second in 0..KINDS {
                let pairs = left[first] * (left[second] - f64::from(u8::from(first == second)));
                if pairs <= 0.0 {
                    continue;
                }
                let mut winners = Winners::default();
                winners.add(SEATS[0], kinds[own].card(), mine[own][first]);
                winners.add(SEATS[1], kinds[bot].card(), theirs[bot][second]);
                sum += pairs * (winners.share(SEATS[0]) - winners.share(SEATS[1]));
                ways += pairs;
            }
        }
        sum / ways
    };
    let row = |own: usize| -> Range {
        let can = |bot: usize| counts[bot] - f64::from(u8::from(own == bot)) > 0.0 && counts[own] > 0.0;
        std::array::from_fn(|bot| if can(bot) { won(own, bot) } else { 0.0 })
    };
    (0..KINDS).map(row).collect()
}

/// What the best reply wins of the bot with these up cards, first that of the adversary, in chips a round.
fn won(bets: &Bets, ups: [Card; 2]) -> f64 {
    let seat = SEATS[0];
    let spare = Card::ALL.into_iter().filter(|card| !ups.contains(card));
    let [one, two] = [spare.clone().next().expect("50 are left"), spare.clone().nth(1).expect("50 are left")];
    let deck = Deck::beginning_with(&[one, two, ups[0], ups[1]]).expect("no card is there twice");
    let mut counts = [0.0; KINDS];
    spare.for_each(|card| counts[Kind::of(card).index()] += 1.0);
    let contest = AgainstBest::new(HouseBot::named("solver").expect("a house bot"), &Seed::chosen("war"), 2);
    let line = Line::new(contest.rules, contest.stack, &deck);
    let bot = AskedBot::new(&contest, 0, &line, other(seat), &[None; KINDS], one);
    let memory = bot.fresh(&line);
    let matchup = Matchup { bets, seat, bot, counts, shown: shown(ups, &counts) };
    let won = matchup.value(&line, &memory, &counts, 0);
    won.iter().zip(&counts).map(|(won, count)| won * count).sum::<f64>() / (50.0 * 49.0)
}

/// All pairs of up cards that differ, the adversary's first, each with how many pairs of cards it stands for: 663 of 2,652.
fn pairs() -> Vec<([Card; 2], f64)> {
    let mut pairs: Vec<([Card; 2], f64)> = Vec::new();
    for mine in Card::ALL {
        for theirs in Card::ALL.into_iter().filter(|theirs| *theirs != mine) {
            let kinds = |ups: [Card; 2]| ups.map(|card| Kind::of(card).index());
            match pairs.iter_mut().find(|(known, _)| kinds(*known) == kinds([mine, theirs])) {
                Some((_, count)) => *count += 1.0,
                None => pairs.push(([mine, theirs], 1.0)),
            }
        }
    }
    pairs
}

/// The mean over every so-manieth pair.
fn mean(bets: &Bets, step: usize) -> f64 {
    let pairs: Vec<_> = pairs().into_iter().step_by(step).collect();
    let all: f64 = pairs.iter().map(|(_, count)| count).sum();
    pairs.iter().map(|(ups, count)| count * won(bets, *ups)).sum::<f64>() / all
}

/// However often it raises again, it wins little more by it.
#[test]
fn a_war_with_the_solver_brings_little() {
    let card = |text: &str| text.parse::<Card>().expect("a card");
    let ups = [card("9H"), card("KD")];
    let won = [0, u32::MAX].map(|again| won(&Bets { first: vec![10], later: vec![10], again }, ups));
    assert!(won[1] >= won[0] - 1e-9 && won[1] - won[0] < 0.05, "{won:?}");
}

/// `STEP` in the environment says to take every so-manieth pair of up cards, `AGAIN` how often the adversary raises again.
#[test]
#[ignore = "minutes: what the best reply to the solver wins on the first street, for docs/solver.md"]
#[allow(clippy::print_stdout, reason = "the figures are printed")]
fn the_best_reply_on_the_first_street_wins_little() {
    let number = |name: &str| std::env::var(name).ok().and_then(|number| number.parse().ok());
    let again = number("AGAIN").map_or(vec![0, 2, 10, u32::MAX], |again| vec![again]);
    for (first, later) in [(vec![1, 4, 10], vec![10]), ((1..=10).collect(), vec![10])] {
        for again in again.iter().copied() {
            let started = std::time::Instant::now();
            let bets = Bets { first: first.clone(), later: later.clone(), again };
            let won = mean(&bets, number("STEP").unwrap_or(1) as usize);
            println!("{bets:?}: {won:.4} chips a round, {:.0?}", started.elapsed());
        }
    }
}
