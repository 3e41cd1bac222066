//! The winnings of a best response against the learned strategy, in the tree of the training.
//!
//! This shares nothing with the learning but the trees and the notes: it walks over pairs of hole cards one
//! by one, in double precision, and reads the strength of hands where they are shown.

use casino_stud::stud::Strength;

use super::kinds::{KINDS, Kind, Lanes};
use super::showdown::{Ups, share};
use super::trainer::{ANTE, Trainer};
use super::tree::{EdgeTarget, Tree};

/// A number for each kind of hole card.
type Range = [f64; KINDS];

/// A street that is walked through, with the strategies that were learned in it.
struct Walk<'a, F> {
    tree: &'a Tree,
    sums: &'a [Lanes],
    adversary: usize,
    opener: usize,
    /// The adversary's winnings at a leaf, given the other's range.
    end: F,
}

impl<F: FnMut(EdgeTarget, &Range) -> Range> Walk<'_, F> {
    /// The adversary's winnings from a node on with each hole card. `range` is the mass of the other's cards.
    fn best(&mut self, next: EdgeTarget, range: &Range) -> Range {
        let node = match next {
            EdgeTarget::Node(node) => self.tree.node(node),
            EdgeTarget::Folded(player, paid) => {
                return (self.end)(EdgeTarget::Folded(player ^ self.opener, paid), range);
            }
            closed => return (self.end)(closed, range),
        };
        if node.player ^ self.opener == self.adversary {
            let mut best = [f64::NEG_INFINITY; KINDS];
            for (_, next) in &node.edges {
                let won = self.best(*next, range);
                for (best, won) in best.iter_mut().zip(won) {
                    *best = best.max(won);
                }
            }
            return best;
        }
        let mut all = [0.0; KINDS];
        for (edge, (_, next)) in node.edges.iter().enumerate() {
            let mut reached = *range;
            for (kind, mass) in reached.iter_mut().enumerate() {
                *mass *= played(self.sums, node.at, node.edges.len(), edge, kind);
            }
            let won = self.best(*next, &reached);
            for (all, won) in all.iter_mut().zip(won) {
                *all += won;
            }
        }
        all
    }
}

/// The average probability of an edge with a kind of card.
fn played(sums: &[Lanes], at: usize, edges: usize, edge: usize, kind: usize) -> f64 {
    let sum_of = |edge: usize| f64::from(sums[at + edge][kind]);
    let all: f64 = (0..edges).map(sum_of).sum();
    if all > 0.0 { sum_of(edge) / all } else { 1.0 / edges as f64 }
}

/// For each own card, the mass of the other's range without that card.
fn met(mass: &Range, counts: &Lanes) -> Range {
    let all: f64 = mass.iter().sum();
    std::array::from_fn(
        |kind| if counts[kind] > 0.0 { all - mass[kind] / f64::from(counts[kind]) } else { 0.0 },
    )
}

fn folded(chips: f64, range: &Range, counts: &Lanes) -> Range {
    met(range, counts).map(|met| chips * met)
}

/// The adversary's winnings at a showdown per chip, for each pair of kinds.
fn shares(ups: Ups, adversary: usize, counts: &Lanes) -> Vec<Range> {
    let hand = |player: usize, hole: Kind| {
        let [first, second] = ups[player].map(Kind::card);
        Strength::of([first, second, hole.card()])
    };
    let of_pair = |mine: Kind, other: Kind| {
        let count = f64::from(counts[other.index()]);
        let strengths = [hand(adversary, mine), hand(1 - adversary, other)];
        let share = f64::from(share([mine, other], strengths));
        // The other cannot hold the same card.
        if mine == other && count > 0.0 { share * (count - 1.0) / count } else { share }
    };
    Kind::all()
        .map(|mine| {
            let mut row = [0.0; KINDS];
            Kind::all().for_each(|other| row[other.index()] = of_pair(mine, other));
            row
        })
        .collect()
}

/// The winnings in chips per round of a best response in this position, 0 for the opener of the first street, against
/// the learned average strategies.
pub(super) fn best_response(trainer: &Trainer, adversary: usize) -> f64 {
    let tables: Vec<Vec<Range>> =
        trainer.boards.iter().map(|dealt| shares(dealt.ups, adversary, &dealt.board.unseen.counts)).collect();
    best_first_street(trainer, adversary, |closed, paid, range| {
        second_street(trainer, adversary, &tables, closed, paid, range)
    })
}

/// The same with `second` as the adversary's winnings after each end of the first street with this many chips from each
/// player.
fn best_first_street(
    trainer: &Trainer,
    adversary: usize,
    mut second: impl FnMut(usize, u32, &Range) -> Range,
) -> f64 {
    let counts = &trainer.unseen.counts;
    let end = |next: EdgeTarget, range: &Range| match next {
        EdgeTarget::Folded(player, paid) => {
            let chips = f64::from(ANTE + paid);
            folded(if player == adversary { -chips } else { chips }, range, counts)
        }
        EdgeTarget::Closed(closed, paid) => second(closed, ANTE + paid, range),
        EdgeTarget::Node(_) => unreachable!("a node is no end"),
    };
    let mut walk = Walk { tree: &trainer.first, sums: &trainer.sums, adversary, opener: 0, end };
    let range = std::array::from_fn(|kind| f64::from(counts[kind]));
    let won = walk.best(EdgeTarget::Node(0), &range);
    let sum: f64 = won.iter().zip(counts).map(|(won, count)| won * f64::from(*count)).sum();
    let total = f64::from(trainer.unseen.total);
    sum / (total * (total - 1.0))
}

/// The same from an end of the first street on, over all boards.
fn second_street(
    trainer: &Trainer,
    adversary: usize,
    tables: &[Vec<Range>],
    closed: usize,
    before: u32,
    range: &Range,
) -> Range {
    let total = f64::from(trainer.unseen.total);
    let mut all = [0.0; KINDS];
    for (at, dealt) in trainer.boards.iter().enumerate() {
        let counts = &dealt.board.unseen.counts;
        let left = |kind: usize| match trainer.unseen.counts[kind] {
            0.0 => 0.0,
            count => f64::from(counts[kind]) / f64::from(count),
        };
        let end = |next: EdgeTarget, range: &Range| match next {
            EdgeTarget::Folded(player, paid) => {
                let chips = f64::from(before + paid);
                folded(if player == adversary { -chips } else { chips }, range, counts)
            }
            EdgeTarget::Closed(_, paid) => std::array::from_fn(|mine| {
                let row = &tables[at][mine];
                let won: f64 = row.iter().zip(range).map(|(share, mass)| share * mass).sum();
                won * f64::from(before + paid)
            }),
            EdgeTarget::Node(_) => unreachable!("a node is no end"),
        };
        let sums = trainer.second_notes(at, closed);
        let mut walk = Walk { tree: &trainer.second, sums, adversary, opener: dealt.board.opener, end };
        let reached = std::array::from_fn(|kind| range[kind] * left(kind));
        let won = walk.best(EdgeTarget::Node(0), &reached);
        let weight = f64::from(dealt.pairs) / ((total - 2.0) * (total - 3.0));
        for (kind, won) in won.into_iter().enumerate() {
            all[kind] += weight * left(kind) * won;
        }
    }
    all
}
