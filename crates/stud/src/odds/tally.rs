//! Counts of the deals in which each player has the best hand.

use crate::cards::Card;
use crate::stud::MAX_SEATS;

/// In how many of all cases who takes the hand half.
pub(super) struct Tally {
    /// For each player: the cases in which it is among so many best hands.
    pub(super) among: Vec<[i128; MAX_SEATS + 1]>,
    pub(super) cases: i128,
}

impl Tally {
    pub(super) fn new(players: usize) -> Tally {
        Tally { among: vec![[0; MAX_SEATS + 1]; players], cases: 0 }
    }

    /// Adds cases in which these players have the best hands.
    pub(super) fn add(&mut self, best: impl Iterator<Item = usize> + Clone, cases: i128) {
        let sharers = best.clone().count();
        best.for_each(|player| self.among[player][sharers] += cases);
        self.cases += cases;
    }

    /// The share of each player. One who always wins has exactly 1.
    pub(super) fn shares(&self) -> Vec<f64> {
        let share = |among: &[i128; MAX_SEATS + 1]| {
            let wins: f64 = (1..=MAX_SEATS).map(|sharers| among[sharers] as f64 / sharers as f64).sum();
            wins / self.cases as f64
        };
        self.among.iter().map(share).collect()
    }
}

/// n × (n − 1) × …, `k` factors: in how many ways `k` players can be dealt a card each of `n`.
pub(super) fn falling(n: i128, k: i128) -> i128 {
    (0..k).map(|at| (n - at).max(0)).product()
}

pub(crate) fn by_rank(cards: impl IntoIterator<Item = Card>) -> [u8; 13] {
    let mut ranks = [0; 13];
    cards.into_iter().for_each(|card| ranks[card.rank().index()] += 1);
    ranks
}
