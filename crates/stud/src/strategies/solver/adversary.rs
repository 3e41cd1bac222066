//! What an adversary wins from the bot as it really plays, with bets that it was not trained on.
//!
//! The adversary knows the bot's strategy and its own hole card, and looks for the best reply everywhere. On
//! the second street that is exact. Its choices on the first street would need all 2,450 second streets, and
//! see only some that are drawn: on those it chooses by, it wins a little more than the best reply can, and on
//! others a little less. So two halves are drawn, each is chosen by and each is tried, and the truth lies
//! between.

use crate::cards::{Card, Seed, Stream};
use crate::stud::Chips;

use super::best_response::met;
use super::blueprint::{Blueprint, FirstStreet, Own, SHIPPED_TABLE};
use super::kinds::{FULL_PACK, KINDS, Kind, Lanes, Range, Unseen};
use super::showdown::share;
use super::subgame::Subgame;
use super::trainer::ANTE;
use super::tree::Act;
use super::{TableError, settled};
use crate::stud::Strength;

/// What is won by choices that were made on one half of the boards, on the one half and on the other.
type Halves = [[Range; 2]; 2];

/// What of a range is too little to be followed: it cannot change a result by a thousandth of a chip.
const NOTHING: f64 = 1e-5;

/// The largest raise, in chips (R7).
const MOST_RAISE: Chips = 10;

/// The chips of each when a round begins.
const STACK: Chips = 500;

/// How an adversary bets, and on how many boards it is tried.
#[derive(Clone, Debug)]
struct Adversary {
    raises: Vec<Chips>,
    /// How often it raises on a street.
    raises_a_street: usize,
    /// How many second streets are drawn for each of the two halves.
    boards: usize,
}

/// A round, in the middle of a street.
#[derive(Clone, Copy)]
struct At {
    /// Whose turn it is, 0 for who opened the first street.
    turn: usize,
    to_call: Chips,
    paid: [Chips; 2],
    acts: usize,
    raises: [usize; 2],
}

impl At {
    fn after(self, act: Act) -> At {
        let mut paid = self.paid;
        paid[self.turn] += self.to_call;
        let (mut to_call, mut raises) = (0, self.raises);
        if let Act::Raise(more) = act {
            paid[self.turn] += more;
            to_call = more;
            raises[self.turn] += 1;
        }
        At { turn: 1 - self.turn, to_call, paid, acts: self.acts + 1, raises }
    }

    /// Whether a call ends the street.
    fn closes(self) -> bool {
        self.acts > 0
    }
}

/// One pair of up cards, with the adversary in one of the two places.
struct Matchup<'a> {
    settings: &'a Adversary,
    adversary: usize,
    ups: [Card; 2],
    unseen: Unseen,
    halves: [Vec<[Card; 2]>; 2],
}

impl Adversary {
    /// Draws a pair of up cards, and returns between which two numbers lies what the adversary wins of the bot
    /// that plays by this table, in chips a round, on average of both places.
    ///
    /// # Errors
    /// If the table is not whole.
    fn wins(&self, table: &[u8], rng: &mut Stream) -> Result<[f64; 2], TableError> {
        let blueprint = Blueprint::read(table)?;
        let mut deck = Card::ALL;
        rng.shuffle(&mut deck);
        let ups = [deck[0].max(deck[1]), deck[0].min(deck[1])];
        let halves = [0, 1].map(|_| {
            let board = |_| {
                rng.shuffle(&mut deck[2..]);
                [deck[2], deck[3]]
            };
            (0..self.boards).map(board).collect::<Vec<_>>()
        });
        let unseen = Unseen::without(FULL_PACK, &ups.map(Kind::of)).ok_or(TableError::Torn)?;
        let won = [0, 1].map(|adversary| {
            let (unseen, halves) = (unseen.clone(), halves.clone());
            Matchup { settings: self, adversary, ups, unseen, halves }.won(&blueprint)
        });
        Ok([0, 1].map(|bound| (won[0][bound] + won[1][bound]) / 2.0))
    }
}

impl Matchup<'_> {
    /// What the adversary wins on the boards by which it did not choose, and on those by which it did.
    fn won(&self, blueprint: &Blueprint<'_>) -> [f64; 2] {
        let own = Own { place: 1 - self.adversary, chips: STACK, most: MOST_RAISE };
        let street = FirstStreet::new(blueprint, self.ups.map(Kind::of), ANTE, own);
        let mass = std::array::from_fn(|kind| f64::from(self.unseen.counts[kind]));
        let at = At { turn: 0, to_call: 0, paid: [ANTE; 2], acts: 0, raises: [0; 2] };
        let halves = self.first(&street, at, &mass);
        let total = f64::from(self.unseen.total);
        let mean = |won: &Range| {
            let sum: f64 =
                won.iter().zip(&self.unseen.counts).map(|(won, count)| won * f64::from(*count)).sum();
            sum / (total * (total - 1.0))
        };
        let [[own, others], [other, others_own]] = &halves;
        [(mean(others) + mean(other)) / 2.0, (mean(own) + mean(others_own)) / 2.0]
    }

    fn options(&self, at: At) -> Vec<Act> {
        let mut acts = vec![Act::Call];
        if at.to_call > 0 {
            acts.push(Act::Fold);
        }
        if at.raises[self.adversary] < self.settings.raises_a_street {
            acts.extend(self.settings.raises.iter().map(|more| Act::Raise(*more)));
        }
        acts
    }

    fn first(&self, street: &FirstStreet<'_>, at: At, mass: &Range) -> Halves {
        let counts = &self.unseen.counts;
        let follow = |act: Act, mass: &Range| -> Halves {
            let next = at.after(act);
            let mut street = street.clone();
            street.follow(act, at.to_call);
            match act {
                Act::Call if at.closes() => {
                    [[0, 1].map(|half| self.dealt(&street, &self.halves[half], next.paid[0], mass)); 2]
                }
                _ => self.first(&street, next, mass),
            }
        };
        let mut all = [[[0.0; KINDS]; 2]; 2];
        if at.turn != self.adversary {
            for (act, mass) in replies(settled(street.choices()), mass) {
                let won = match act {
                    Act::Fold => [[self.kept(at, &mass, counts); 2]; 2],
                    act => follow(act, &mass),
                };
                for (all, won) in all.as_flattened_mut().iter_mut().zip(won.as_flattened()) {
                    all.iter_mut().zip(won).for_each(|(all, won)| *all += won);
                }
            }
            return all;
        }
        let options = self.options(at).into_iter().map(|act| match act {
            Act::Fold => [[self.given_up(at, mass, counts); 2]; 2],
            act => follow(act, mass),
        });
        let options: Vec<Halves> = options.collect();
        for chooser in 0..2 {
            for kind in 0..KINDS {
                let by = |won: &&Halves| won[chooser][chooser][kind];
                let best = options.iter().max_by(|one, other| by(one).total_cmp(&by(other)));
                let best = best.expect("there is always something to do");
                all[chooser][0][kind] = best[chooser][0][kind];
                all[chooser][1][kind] = best[chooser][1][kind];
            }
        }
        all
    }

    /// What the adversary wins by folding.
    fn given_up(&self, at: At, mass: &Range, counts: &Lanes) -> Range {
        met(mass, counts).map(|met| -f64::from(at.paid[self.adversary]) * met)
    }

    /// What it wins when the bot folds.
    fn kept(&self, at: At, mass: &Range, counts: &Lanes) -> Range {
        met(mass, counts).map(|met| f64::from(at.paid[1 - self.adversary]) * met)
    }

    fn dealt(&self, street: &FirstStreet<'_>, boards: &[[Card; 2]], paid: Chips, mass: &Range) -> Range {
        let total = f64::from(self.unseen.total);
        let weight = total * (total - 1.0) / ((total - 2.0) * (total - 3.0)) / boards.len() as f64;
        let mut all = [0.0; KINDS];
        for [first, second] in boards {
            let ups = [[self.ups[0], *first], [self.ups[1], *second]];
            let known = 1 - self.adversary;
            let Some(subgame) = Subgame::new(ups, &street.ranges(), paid as f32, MOST_RAISE, known) else {
                continue;
            };
            let counts = &subgame.board.unseen.counts;
            let left: Range = std::array::from_fn(|kind| match self.unseen.counts[kind] {
                0.0 => 0.0,
                count => f64::from(counts[kind]) / f64::from(count),
            });
            let mass = std::array::from_fn(|kind| mass[kind] * left[kind]);
            let at = At { turn: subgame.board.opener, to_call: 0, paid: [paid; 2], acts: 0, raises: [0; 2] };
            let won = self.second(&subgame, ups, &[], at, &mass);
            for kind in 0..KINDS {
                all[kind] += weight * left[kind] * won[kind];
            }
        }
        all
    }

    fn second(&self, subgame: &Subgame, ups: [[Card; 2]; 2], path: &[Act], at: At, mass: &Range) -> Range {
        let counts = &subgame.board.unseen.counts;
        let follow = |act: Act, mass: &Range| {
            let next = at.after(act);
            if act == Act::Call && at.closes() {
                return self.shown(ups, counts, next.paid[0], mass);
            }
            let mut path = path.to_vec();
            path.push(act);
            self.second(subgame, ups, &path, next, mass)
        };
        if at.turn != self.adversary {
            let mut all = [0.0; KINDS];
            for (act, mass) in replies(settled(subgame.choices(path)), mass) {
                let won = if act == Act::Fold { self.kept(at, &mass, counts) } else { follow(act, &mass) };
                all.iter_mut().zip(won).for_each(|(all, won)| *all += won);
            }
            return all;
        }
        let mut best = [f64::NEG_INFINITY; KINDS];
        for act in self.options(at) {
            let won = if act == Act::Fold { self.given_up(at, mass, counts) } else { follow(act, mass) };
            best.iter_mut().zip(won).for_each(|(best, won)| *best = best.max(won));
        }
        best
    }

    fn shown(&self, ups: [[Card; 2]; 2], counts: &Lanes, paid: Chips, mass: &Range) -> Range {
        let hand = |player: usize, hole: Kind| Strength::of([hole.card(), ups[player][0], ups[player][1]]);
        let mut won = [0.0; KINDS];
        for mine in Kind::all() {
            for other in Kind::all() {
                let mut mass = mass[other.index()];
                if mine == other && counts[other.index()] > 0.0 {
                    mass *= 1.0 - 1.0 / f64::from(counts[other.index()]);
                }
                let strengths = [hand(self.adversary, mine), hand(1 - self.adversary, other)];
                won[mine.index()] += f64::from(paid) * mass * f64::from(share([mine, other], strengths));
            }
        }
        won
    }
}

/// What the bot does with the cards it may have, and the mass of them with which it does it.
fn replies(choices: Vec<(Act, Lanes)>, mass: &Range) -> impl Iterator<Item = (Act, Range)> {
    let replies = choices.into_iter().map(|(act, shares)| {
        let mass: Range = std::array::from_fn(|kind| mass[kind] * f64::from(shares[kind]));
        (act, mass)
    });
    replies.filter(|(_, mass)| mass.iter().sum::<f64>() > NOTHING)
}

/// `SPOTS` in the environment says on how many pairs of up cards, `BOARDS` on how many second streets for each, and `TABLE`
/// names another table than that of the program.
#[test]
#[ignore = "minutes, in a release build: what the best reply to the solver wins, for docs/solver.md"]
#[allow(clippy::print_stdout, reason = "the figures are printed")]
fn the_best_reply_to_the_solver_wins_little() {
    let number = |name: &str| std::env::var(name).ok().and_then(|number| number.parse().ok()).unwrap_or(2);
    let (spots, boards) = (number("SPOTS"), number("BOARDS"));
    let table = std::env::var("TABLE").ok();
    let table = table.map_or(SHIPPED_TABLE.to_vec(), |path| std::fs::read(path).unwrap());
    for raises in [vec![1, 4, 10], vec![1, 2, 4, 7, 10]] {
        let adversary = Adversary { raises, raises_a_street: 1, boards };
        let mut rng = Seed::chosen("adversary").stream("solver");
        let won: Vec<[f64; 2]> = (0..spots).map(|_| adversary.wins(&table, &mut rng).unwrap()).collect();
        let [low, high] = [0, 1].map(|bound| {
            let mean = won.iter().map(|won| won[bound]).sum::<f64>() / spots as f64;
            let spread = won.iter().map(|won| (won[bound] - mean).powi(2)).sum::<f64>();
            (mean, 1.96 * (spread / (spots - 1).max(1) as f64 / spots as f64).sqrt())
        });
        assert!(low.0 < 2.0, "{low:?}");
        println!(
            "The best reply with raises {:?} wins {:.3} ± {:.3} to {:.3} ± {:.3} chips a round, over {spots} pairs of up \
             cards with twice {boards} second streets each",
            adversary.raises, low.0, low.1, high.0, high.1
        );
    }
}
