//! A game whose solution is known, and the tree of the first street.

use super::cfr::{Notes, Pass, StreetOutcome, matching};
use super::kinds::{KINDS, LANES, Lanes, Unseen};
use super::table::FIRST_STREET;
use super::tree::{EdgeTarget, NodeAction, Tree};

/// Kuhn poker: three cards, the higher one wins, an ante of one and one bet of one.
struct Kuhn(Unseen);

impl StreetOutcome for Kuhn {
    fn value(&mut self, end: EdgeTarget, player: usize, _: &Lanes, met: &Lanes) -> Lanes {
        match end {
            EdgeTarget::Folded(folded, paid) => {
                let chips = 1.0 + paid as f32;
                self.0.met(met).map(|mass| mass * if folded == player { -chips } else { chips })
            }
            EdgeTarget::Closed(_, paid) => std::array::from_fn(|mine| {
                let lower: f32 = met[..mine].iter().sum();
                let higher: f32 = met[mine + 1..].iter().sum();
                (lower - higher) * (1.0 + paid as f32)
            }),
            EdgeTarget::Node(_) => unreachable!("a node is no end"),
        }
    }
}

#[test]
fn kuhn_poker_is_solved() {
    let tree = Tree::new(&[&[1]]);
    let mut pack = [0; KINDS];
    pack[..3].fill(1);
    let mut ends = Kuhn(Unseen::without(pack, &[]).unwrap());
    let (mut regrets, mut sums) = (vec![[0.0; LANES]; tree.edges()], vec![[0.0; LANES]; tree.edges()]);
    let counts = ends.0.counts;
    for iteration in 1..=4_000 {
        for player in 0..2 {
            let weight = iteration as f32;
            let pass = Pass { tree: &tree, player, opener: 0, weight, thrifty: false };
            let mut notes = Notes { regrets: &mut regrets, sums: &mut sums };
            pass.walk(0, &mut notes, &counts, &counts, &mut ends);
        }
    }
    // The value of the average strategies: they replace the regrets for one more pass.
    let mut average = sums.clone();
    for node in tree.nodes() {
        let shares = matching(&sums[node.at..node.at + node.edges.len()]);
        average[node.at..node.at + node.edges.len()].copy_from_slice(&shares[..node.edges.len()]);
    }
    let shares = |node: usize, edge: usize, card: usize| average[tree.node(node).at + edge][card];
    let (bluff, value) = (shares(0, 1, 0), shares(0, 1, 2));
    let (mut played, mut unused) = (average.clone(), sums.clone());
    let pass = Pass { tree: &tree, player: 0, opener: 0, weight: 0.0, thrifty: false };
    let mut notes = Notes { regrets: &mut played, sums: &mut unused };
    let won = pass.walk(0, &mut notes, &counts, &counts, &mut ends);
    let worth: f32 = won[..3].iter().sum::<f32>() / 6.0;
    assert!((worth + 1.0 / 18.0).abs() < 2e-3, "{worth}");
    // The equilibria of Kuhn poker: the first player bluffs with the lowest card at most a third of the time,
    // and bets the highest three times as often; the second bluffs and calls a third of the time.
    assert!(bluff < 0.35 && (value - 3.0 * bluff).abs() < 0.04, "{bluff} {value}");
    assert!(shares(0, 1, 1) < 0.02);
    let (answer, call) = (shares(1, 1, 0), shares(3, 1, 1));
    assert!((answer - 1.0 / 3.0).abs() < 0.03 && (call - 1.0 / 3.0).abs() < 0.03, "{answer} {call}");
}

#[test]
fn the_solver_never_folds_for_free() {
    let tree = Tree::new(FIRST_STREET);
    for (act, next) in tree.nodes().iter().flat_map(|node| &node.edges) {
        if let EdgeTarget::Node(next) = next {
            let folds = tree.node(*next).edges.iter().any(|(act, _)| *act == NodeAction::Fold);
            assert_eq!(folds, *act != NodeAction::Call);
        }
    }
}
