//! Counterfactual regret minimisation over a street of betting, for whole ranges at once.
//!
//! For each action and kind of hole card, a node stores how much better the action would have been so far: its regret,
//! never below 0 (CFR+). The strategy follows the regrets; the result is the average of all strategies, weighted
//! towards later ones.

use super::kinds::{LANES, Lanes, add_product, regret, times};
use super::tree::{EdgeTarget, MAX_EDGES, Tree};

/// Storage for the regrets and sums of a tree's nodes: a range for each edge.
#[derive(Debug)]
pub(super) struct Notes<'a> {
    /// The regrets, never below 0.
    pub(super) regrets: &'a mut [Lanes],
    /// The sums of the strategies played, weighted.
    pub(super) sums: &'a mut [Lanes],
}

pub(super) trait StreetOutcome {
    /// `player`'s average winnings with each kind of hole card, in chips, times the mass of the opponent's range `met`
    /// that is consistent with it. `own` is the probability with which the player itself reaches this node.
    fn value(&mut self, end: EdgeTarget, player: usize, own: &Lanes, met: &Lanes) -> Lanes;
}

/// One walk through a tree, in which one player learns.
#[derive(Clone, Copy, Debug)]
pub(super) struct Pass<'a> {
    /// The street that is walked through.
    pub(super) tree: &'a Tree,
    /// The learning player, 0 or 1.
    pub(super) player: usize,
    pub(super) opener: usize,
    /// How much the strategy counts in the average.
    pub(super) weight: f32,
    /// Whether to skip actions the opponent never takes: they cannot change the regrets, but the average needs them.
    pub(super) thrifty: bool,
}

impl Pass<'_> {
    /// Traverses the tree below a node and returns the learning player's winnings with each kind of card, like
    /// [`StreetOutcome::value`].
    pub(super) fn walk<E: StreetOutcome>(
        &self,
        node: usize,
        notes: &mut Notes<'_>,
        own: &Lanes,
        met: &Lanes,
        ends: &mut E,
    ) -> Lanes {
        let node = self.tree.node(node);
        let of_node = node.at..node.at + node.edges.len();
        let strategy = matching(&notes.regrets[of_node.clone()]);
        let mut value = [0.0; LANES];
        if node.player ^ self.opener != self.player {
            for ((_, next), played) in node.edges.iter().zip(&strategy) {
                if self.thrifty && played.iter().all(|share| *share == 0.0) {
                    continue;
                }
                let gained = self.follow(*next, notes, own, &times(met, played), ends);
                for (value, gained) in value.iter_mut().zip(&gained) {
                    *value += gained;
                }
            }
            return value;
        }
        if self.thrifty && met.iter().all(|mass| *mass == 0.0) {
            return value;
        }
        let mut gains = [[0.0; LANES]; MAX_EDGES];
        for (((_, next), played), gained) in node.edges.iter().zip(&strategy).zip(&mut gains) {
            *gained = self.follow(*next, notes, &times(own, played), met, ends);
            add_product(&mut value, gained, played);
        }
        for (regrets, gained) in notes.regrets[of_node.clone()].iter_mut().zip(&gains) {
            regret(regrets, gained, &value);
        }
        let mut weighted = *own;
        weighted.iter_mut().for_each(|own| *own *= self.weight);
        for (sums, played) in notes.sums[of_node].iter_mut().zip(&strategy) {
            add_product(sums, &weighted, played);
        }
        value
    }

    #[inline]
    fn follow<E: StreetOutcome>(
        &self,
        next: EdgeTarget,
        notes: &mut Notes<'_>,
        own: &Lanes,
        met: &Lanes,
        ends: &mut E,
    ) -> Lanes {
        match next {
            EdgeTarget::Node(node) => self.walk(node, notes, own, met, ends),
            EdgeTarget::Folded(player, paid) => {
                ends.value(EdgeTarget::Folded(player ^ self.opener, paid), self.player, own, met)
            }
            closed @ EdgeTarget::Closed(..) => ends.value(closed, self.player, own, met),
        }
    }
}

/// A share of each of these numbers in their sum, kind by kind; all the same where they are all 0.
#[inline]
pub(super) fn matching(numbers: &[Lanes]) -> [Lanes; MAX_EDGES] {
    let even = 1.0 / numbers.len() as f32;
    let (mut scale, mut rest) = ([0.0f32; LANES], [0.0f32; LANES]);
    for numbers in numbers {
        for (scale, number) in scale.iter_mut().zip(numbers) {
            *scale += number;
        }
    }
    for (scale, rest) in scale.iter_mut().zip(&mut rest) {
        let some = *scale > 1e-12;
        *rest = if some { 0.0 } else { even };
        *scale = if some { 1.0 / *scale } else { 0.0 };
    }
    let mut shares = [[0.0; LANES]; MAX_EDGES];
    for (shares, numbers) in shares.iter_mut().zip(numbers) {
        for (((share, number), scale), rest) in shares.iter_mut().zip(numbers).zip(&scale).zip(&rest) {
            *share = number * scale + rest;
        }
    }
    shares
}
