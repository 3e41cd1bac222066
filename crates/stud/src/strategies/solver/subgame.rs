//! Solving a second street, or a war of raises on the first, while it is played.

use crate::cards::Card;
use crate::stud::Chips;

use super::cfr::{Notes, Pass, matching};
use super::kinds::{FULL_PACK, KINDS, Kind, LANES, Lanes, sum, times};
use super::showdown::{Payoffs, Showdowns};
use super::tree::{EdgeTarget, Menu, NodeAction, Tree, TreeRoot};

/// The raises in the search: the first bet, a raise, and a re-raise. The real bet is added.
const SECOND_STREET: &Menu = &[&[1, 4, 10], &[4, 10], &[10]];

const WAR_RAISES: &[Chips] = &[10];

/// The raises of a war, as far as chips last.
const WAR: &Menu = &[WAR_RAISES; 48];

/// How often all is gone through. Never a time: the same question has the same answer on every machine.
const ITERATIONS: u32 = 150;

/// The part of a range replaced by uniform cards, for a player who does not follow the blueprint.
const UNIFORM_RANGE_SHARE: f32 = 0.5;

/// A part of a round that two players are about to play, followed by the showdown: a second street, or a raising war on
/// the first street, after which no more bets are assumed.
#[derive(Clone, Debug)]
pub(super) struct Subgame {
    pub(super) board: Payoffs,
    /// How probably each player came here, for each kind of hole card, up to a factor.
    reaches: [Lanes; 2],
    /// The mass of each player's range.
    ranges: [Lanes; 2],
    /// The chips paid before by the first player to act.
    paid: f32,
    start: TreeRoot,
    menu: &'static Menu,
}

impl Subgame {
    /// The street with these up cards. The players come with these ranges, up to a factor, and each has paid
    /// `paid` chips; raises are of `most` chips at most. `known` is the player whose range is certain.
    pub(super) fn new(
        ups: [[Card; 2]; 2],
        ranges: &[Lanes; 2],
        paid: f32,
        most: Chips,
        known: usize,
    ) -> Option<Subgame> {
        let highest = |up: [Card; 2]| up[0].max(up[1]);
        let opener = usize::from(highest(ups[1]) > highest(ups[0]));
        let board = Payoffs::new(FULL_PACK, ups.map(|up| up.map(Kind::of)), opener)?;
        Some(Subgame::of(board, (ranges, known), paid, TreeRoot::of_street(most), SECOND_STREET))
    }

    /// A war on the first street, in which `player` has to answer a raise. The others are as in [`Subgame::new`].
    pub(super) fn war(
        ups: [Kind; 2],
        ranges: &[Lanes; 2],
        paid: f32,
        start: TreeRoot,
        [player, known]: [usize; 2],
    ) -> Option<Subgame> {
        let board = Payoffs::of_any_board(FULL_PACK, ups, player)?;
        Some(Subgame::of(board, (ranges, known), paid, start, WAR))
    }

    fn of(
        board: Payoffs,
        (reaches, known): (&[Lanes; 2], usize),
        paid: f32,
        start: TreeRoot,
        menu: &'static Menu,
    ) -> Subgame {
        let counts = &board.unseen.counts;
        let ranges = [0, 1].map(|player| {
            let mass = times(&reaches[player], counts);
            let all = sum(&mass);
            let any = if known == player { 1e-3 } else { UNIFORM_RANGE_SHARE };
            let (any, scale) = if all > 1e-20 { (any, (1.0 - any) / all) } else { (1.0, 0.0) };
            let mut range = [0.0; LANES];
            for ((range, mass), count) in range.iter_mut().zip(&mass).zip(counts) {
                *range = mass * scale + count * any / board.unseen.total;
            }
            range
        });
        Subgame { board, reaches: *reaches, ranges, paid, start, menu }
    }

    /// The actions of the player to act after `path` and their probabilities for each kind of hole card.
    pub(super) fn choices(&self, path: &[NodeAction]) -> Vec<(NodeAction, Lanes)> {
        self.along(path).pop().unwrap_or_default()
    }

    /// For each player and kind of hole card the probability with which it came to the end of `path`, up to a factor.
    pub(super) fn reaches(&self, path: &[NodeAction]) -> [Lanes; 2] {
        let mut reaches = self.reaches;
        for (turn, (act, choices)) in path.iter().zip(self.along(path)).enumerate() {
            let taken = choices.iter().find(|(known, _)| known == act);
            let player = (turn + self.board.opener) % 2;
            if let Some((_, shares)) = taken {
                reaches[player] = times(&reaches[player], shares);
            }
        }
        reaches
    }

    /// The strategy at each point of a path, and after it if the street continues.
    fn along(&self, path: &[NodeAction]) -> Vec<Vec<(NodeAction, Lanes)>> {
        let tree = Tree::around(self.menu, path, self.start);
        let sums = self.solved(&tree);
        let (mut at, mut all) = (0, Vec::new());
        for place in 0..=path.len() {
            let node = tree.node(at);
            let shares = matching(&sums[node.at..node.at + node.edges.len()]);
            let mut choices: Vec<(NodeAction, Lanes)> =
                node.edges.iter().zip(shares).map(|((act, _), share)| (*act, share)).collect();
            for (_, share) in &mut choices {
                share[KINDS..].fill(0.0);
            }
            all.push(choices);
            let taken = path.get(place).and_then(|act| node.edges.iter().find(|(known, _)| known == act));
            match taken {
                Some((_, EdgeTarget::Node(next))) => at = *next,
                _ => break,
            }
        }
        all
    }

    /// The weighted sums of all strategies that were gone through in a tree.
    fn solved(&self, tree: &Tree) -> Vec<Lanes> {
        let (mut regrets, mut sums) = (vec![[0.0; LANES]; tree.edges()], vec![[0.0; LANES]; tree.edges()]);
        let inverses = &self.board.unseen.inverses;
        let mut ends = Showdowns { board: &self.board, paid: self.paid };
        for iteration in 1..=ITERATIONS {
            for player in 0..2 {
                let weight = (iteration * iteration) as f32;
                let pass = Pass { tree, player, opener: self.board.opener, weight, thrifty: false };
                let mut notes = Notes { regrets: &mut regrets, sums: &mut sums };
                let own = times(&self.ranges[player], inverses);
                pass.walk(0, &mut notes, &own, &self.ranges[1 - player], &mut ends);
            }
        }
        sums
    }
}
