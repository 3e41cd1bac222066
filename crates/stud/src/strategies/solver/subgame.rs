//! Solving a second street while it is played.

use crate::cards::Card;
use crate::stud::Chips;

use super::cfr::{Notes, Pass, matching};
use super::kinds::{FULL_PACK, KINDS, Kind, LANES, Lanes, sum, times};
use super::showdown::{Payoffs, Showdowns};
use super::tree::{Act, AfterAct, Menu, Tree};

/// The raises that are looked at: the first bet, a raise, and a raise of that. What is really bet is looked
/// at too.
const SECOND_STREET: &Menu = &[&[1, 4, 10], &[4, 10], &[10]];

/// How often all is gone through. Never a time: the same question has the same answer on every machine.
const ITERATIONS: u32 = 150;

/// How much of a range is taken for any cards at all: what a player does who does not play as the blueprint
/// does.
const ANY_CARDS: f32 = 0.5;

/// A second street that two players are about to play.
#[derive(Clone, Debug)]
pub(super) struct Subgame {
    pub(super) board: Payoffs,
    /// The mass of each player's range.
    ranges: [Lanes; 2],
    /// What each has paid before, in chips.
    paid: f32,
    /// The largest raise, in chips.
    most: Chips,
}

impl Subgame {
    /// The street with these up cards. The players come with these ranges, up to a factor, and each has paid
    /// `paid` chips; raises are of `most` chips at most. `known` is the player whose range is certain.
    pub(super) fn new(
        ups: [[Card; 2]; 2],
        ranges: &[Lanes; 2],
        paid: f32,
        most: Chips,
        known: Option<usize>,
    ) -> Option<Subgame> {
        let highest = |up: [Card; 2]| up[0].max(up[1]);
        let opener = usize::from(highest(ups[1]) > highest(ups[0]));
        let board = Payoffs::new(FULL_PACK, ups.map(|up| up.map(Kind::of)), opener)?;
        let counts = &board.unseen.counts;
        let ranges = [0, 1].map(|player| {
            let mass = times(&ranges[player], counts);
            let all = sum(&mass);
            let any = if known == Some(player) { 1e-3 } else { ANY_CARDS };
            let (any, scale) = if all > 1e-20 { (any, (1.0 - any) / all) } else { (1.0, 0.0) };
            let mut range = [0.0; LANES];
            for ((range, mass), count) in range.iter_mut().zip(&mass).zip(counts) {
                *range = mass * scale + count * any / board.unseen.total;
            }
            range
        });
        Some(Subgame { board, ranges, paid, most })
    }

    /// What the player whose turn it is after `path` may do, and the probability with which it should, for
    /// each kind of hole card.
    pub(super) fn choices(&self, path: &[Act]) -> Vec<(Act, Lanes)> {
        let tree = Tree::around(SECOND_STREET, path, self.most);
        let (mut regrets, mut sums) = (vec![[0.0; LANES]; tree.edges()], vec![[0.0; LANES]; tree.edges()]);
        let inverses = &self.board.unseen.inverses;
        let mut ends = Showdowns { board: &self.board, paid: self.paid };
        for iteration in 1..=ITERATIONS {
            for player in 0..2 {
                let weight = (iteration * iteration) as f32;
                let pass = Pass { tree: &tree, player, opener: self.board.opener, weight, thrifty: false };
                let mut notes = Notes { regrets: &mut regrets, sums: &mut sums };
                let own = times(&self.ranges[player], inverses);
                pass.walk(0, &mut notes, &own, &self.ranges[1 - player], &mut ends);
            }
        }
        let mut at = 0;
        for act in path {
            let edge = tree.node(at).edges.iter().find(|(known, _)| known == act);
            match edge {
                Some((_, AfterAct::Node(next))) => at = *next,
                _ => return Vec::new(),
            }
        }
        let node = tree.node(at);
        let shares = matching(&sums[node.at..node.at + node.edges.len()]);
        let mut choices: Vec<(Act, Lanes)> =
            node.edges.iter().zip(shares).map(|((act, _), share)| (*act, share)).collect();
        for (_, share) in &mut choices {
            share[KINDS..].fill(0.0);
        }
        choices
    }
}
