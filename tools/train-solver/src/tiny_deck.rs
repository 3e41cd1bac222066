//! A game of seven cards, which another solver solves too.

use std::collections::HashMap;

use casino_stud::cards::Seed;
use casino_stud::stud::Strength;

use super::best_response::best_response;
use super::kinds::{KINDS, Kind, Pack};
use super::trainer::{Lesson, Trainer, opener};
use super::tree::Menu;

const FIRST: &Menu = &[&[1, 3]];
const SECOND: &Menu = &[&[2]];

/// Seven cards: an ace, two kings and a queen of other suits, and the spades of these ranks.
fn tiny() -> (Pack, [Kind; 2]) {
    let mut pack = [0; KINDS];
    for (kind, count) in [(12, 1), (11, 2), (10, 1), (25, 1), (24, 1), (23, 1)] {
        pack[kind] = count;
    }
    (pack, [Kind::new(12, false), Kind::new(11, false)])
}

/// A simple solver without ranges, trees or kinds: every deal one by one, every situation a text.
struct Plain {
    /// The regrets of each situation, and their changes in this iteration.
    nodes: HashMap<String, (Vec<f64>, Vec<f64>)>,
    iteration: f64,
}

#[derive(Clone)]
struct Deal {
    holes: [usize; 2],
    ups: [usize; 2],
    seconds: [usize; 2],
}

#[derive(Clone)]
struct Betting {
    street: usize,
    turn: usize,
    paid: [i32; 2],
    raises: usize,
    acts: usize,
    text: String,
}

fn kind(card: usize) -> Kind {
    Kind::all().nth(card).unwrap()
}

impl Plain {
    fn showdown(deal: &Deal) -> f64 {
        let hand = |player: usize| {
            let cards = [deal.holes[player], deal.ups[player], deal.seconds[player]];
            Strength::of(cards.map(|card| kind(card).card()))
        };
        let hands = f64::from(hand(0).cmp(&hand(1)) as i8);
        match deal.holes.map(|hole| hole >= 13) {
            [false, false] => hands,
            [true, false] => 0.5 * hands + 0.5,
            [false, true] => 0.5 * hands - 0.5,
            [true, true] => 0.5 * hands + if deal.holes[0] > deal.holes[1] { 0.5 } else { -0.5 },
        }
    }

    /// Returns the first player's winnings from here on; updates the regrets of `learner` on the way.
    fn play(&mut self, deal: &Deal, at: &Betting, reach: [f64; 2], learner: usize) -> f64 {
        let to_call = at.paid[1 - at.turn] - at.paid[at.turn];
        let menu = if at.street == 0 { FIRST } else { SECOND };
        let mut acts = vec![0];
        if to_call > 0 {
            acts.insert(0, -1);
        }
        acts.extend(menu.get(at.raises).copied().unwrap_or_default().iter().map(|size| *size as i32));
        let seen = if at.street == 0 { String::new() } else { format!("{:?}", deal.seconds) };
        let key = format!("{} {} {seen} {}", at.turn, deal.holes[at.turn], at.text);
        let node = self.nodes.entry(key.clone()).or_insert((vec![0.0; acts.len()], vec![0.0; acts.len()]));
        let all: f64 = node.0.iter().sum();
        let even = 1.0 / acts.len() as f64;
        let strategy: Vec<f64> =
            node.0.iter().map(|regret| if all > 0.0 { regret / all } else { even }).collect();
        let me = at.turn;
        let values: Vec<f64> = acts
            .iter()
            .zip(&strategy)
            .map(|(act, share)| {
                let mut reach = reach;
                reach[me] *= share;
                self.after(deal, at, *act, reach, learner)
            })
            .collect();
        let value: f64 = values.iter().zip(&strategy).map(|(value, share)| value * share).sum();
        if me == learner {
            let sign = if me == 0 { 1.0 } else { -1.0 };
            let node = self.nodes.get_mut(&key).unwrap();
            for (edge, of_edge) in values.iter().enumerate() {
                node.1[edge] += reach[1 - me] * sign * (of_edge - value);
            }
        }
        value
    }

    fn after(&mut self, deal: &Deal, at: &Betting, act: i32, reach: [f64; 2], learner: usize) -> f64 {
        let (me, other) = (at.turn, 1 - at.turn);
        if act < 0 {
            return if me == 0 { -f64::from(at.paid[0]) } else { f64::from(at.paid[1]) };
        }
        let mut next = at.clone();
        next.paid[me] = at.paid[other] + act;
        next.turn = other;
        next.acts += 1;
        next.raises += usize::from(act > 0);
        next.text += &format!("{act},");
        if act == 0 && at.acts > 0 {
            if at.street == 1 {
                return f64::from(next.paid[0]) * Plain::showdown(deal);
            }
            let shown = |player: usize| [kind(deal.ups[player]), kind(deal.seconds[player])];
            let turn = opener([shown(0), shown(1)]);
            next = Betting { street: 1, turn, raises: 0, acts: 0, text: next.text + "/", ..next };
        }
        self.play(deal, &next, reach, learner)
    }

    /// An iteration over all deals. Regrets below 0 are set to 0 after it. Returns the first player's winnings.
    fn iterate(&mut self, deals: &[Deal]) -> f64 {
        self.iteration += 1.0;
        let mut won = 0.0;
        let start = Betting { street: 0, turn: 0, paid: [1, 1], raises: 0, acts: 0, text: String::new() };
        for learner in 0..2 {
            won = deals.iter().map(|deal| self.play(deal, &start, [1.0, 1.0], learner)).sum::<f64>();
            for (regrets, added) in self.nodes.values_mut() {
                for (regret, added) in regrets.iter_mut().zip(added) {
                    *regret = (*regret + std::mem::take(added)).max(0.0);
                }
            }
        }
        won / deals.len() as f64
    }
}

/// All deals of the cards that are left, as often as there are cards.
fn deals(pack: Pack, ups: [Kind; 2]) -> Vec<Deal> {
    let mut left = Vec::new();
    for (card, count) in pack.iter().enumerate() {
        let shown = ups.iter().filter(|up| up.index() == card).count();
        left.extend(vec![card; usize::from(*count) - shown]);
    }
    let mut deals = Vec::new();
    let count = left.len();
    for order in 0..count.pow(4) {
        let at = [order % count, order / count % count, order / count / count % count, order / count.pow(3)];
        let mut sorted = at;
        sorted.sort_unstable();
        if sorted.windows(2).any(|pair| pair[0] == pair[1]) {
            continue;
        }
        let [a, b, c, d] = at.map(|at| left[at]);
        deals.push(Deal { holes: [a, b], ups: ups.map(Kind::index), seconds: [c, d] });
    }
    deals
}

/// Our own game with seven cards: the two solvers, which share nothing but the strength of hands, find the
/// same value.
#[test]
fn a_tiny_deck_is_worth_the_same_to_another_solver() {
    let (pack, ups) = tiny();
    let mut trainer = Trainer::new(Lesson { pack, ups, first: FIRST, second: SECOND }).unwrap();
    let mut rng = Seed::chosen("tiny").stream("solver");
    for _ in 0..1_500 {
        trainer.iterate(None, &mut rng);
    }
    let (most, least) = (best_response(&trainer, 0), -best_response(&trainer, 1));
    assert!(most >= least - 1e-6 && most - least < 0.01, "the value is from {least} to {most}");
    let deals = deals(pack, ups);
    assert_eq!(deals.len(), 5 * 4 * 3 * 2);
    let mut plain = Plain { nodes: HashMap::new(), iteration: 0.0 };
    let (mut sum, mut weights) = (0.0, 0.0);
    for _ in 0..200 {
        let won = plain.iterate(&deals);
        sum += plain.iteration * won;
        weights += plain.iteration;
    }
    let value = sum / weights;
    assert!(value > least - 0.02 && value < most + 0.02, "{value}, and not from {least} to {most}");
}

/// With drawn boards the same is learned as with all of them.
#[test]
fn drawn_boards_lead_to_the_same_value() {
    let (pack, ups) = tiny();
    let mut trainer = Trainer::new(Lesson { pack, ups, first: FIRST, second: SECOND }).unwrap();
    let mut rng = Seed::chosen("tiny").stream("solver");
    for _ in 0..6_000 {
        trainer.iterate(Some(4), &mut rng);
    }
    let gap = best_response(&trainer, 0) + best_response(&trainer, 1);
    assert!((-1e-6..0.05).contains(&gap), "{gap}");
}
