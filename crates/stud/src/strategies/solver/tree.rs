//! The betting of one street between two players as a tree.

use crate::stud::Chips;

pub(super) const MAX_EDGES: usize = 8;

/// A player's action at a node.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum NodeAction {
    /// Gives up. Only where there is something to call: to fold for nothing is never better than to stay in.
    Fold,
    /// Pays the amount to call, which may be 0.
    Call,
    /// Pays the amount to call and this many chips more.
    Raise(Chips),
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum EdgeTarget {
    Node(usize),
    /// This player folds, having paid this many chips on the street.
    Folded(usize, Chips),
    /// The street ends with so many chips from each; the number counts the ends of this kind in the tree.
    Closed(usize, Chips),
}

/// A place where a player acts.
#[derive(Clone, Debug)]
pub(super) struct Node {
    /// The player to act: 0 opens the street.
    pub(super) player: usize,
    /// How many edges all earlier nodes have.
    pub(super) at: usize,
    /// The player's actions and the nodes they lead to.
    pub(super) edges: Vec<(NodeAction, EdgeTarget)>,
}

/// The raises that a tree offers: those after no raise, after one, and so on; none after the last.
pub(super) type Menu = [&'static [Chips]];

#[derive(Clone, Debug)]
pub(super) struct Tree {
    nodes: Vec<Node>,
    edges: usize,
    closed: usize,
}

/// A place in the street while the tree grows.
#[derive(Clone, Copy)]
struct GrowingNode {
    player: usize,
    paid: [Chips; 2],
    raises: usize,
    acts: usize,
}

/// The sizes of raises, and the actions really taken.
#[derive(Clone, Copy)]
struct RaiseSizes<'a> {
    menu: &'a Menu,
    path: &'a [NodeAction],
    start: TreeRoot,
}

/// Where a tree begins, and how far it goes.
#[derive(Clone, Copy, Debug)]
pub(super) struct TreeRoot {
    /// The amount the first player to act has to call: more than 0 in the middle of a street.
    pub(super) to_call: Chips,
    /// The largest raise, in chips.
    pub(super) most: Chips,
    /// The chips each player can still pay.
    pub(super) stack: Chips,
}

impl TreeRoot {
    /// The beginning of a street on which chips last.
    pub(super) fn of_street(most: Chips) -> TreeRoot {
        TreeRoot { to_call: 0, most, stack: Chips::MAX }
    }
}

impl Tree {
    /// Everything that can happen with the raises of a menu.
    pub(super) fn new(menu: &Menu) -> Tree {
        Tree::around(menu, &[], TreeRoot::of_street(Chips::MAX))
    }

    /// The tree of a menu from `start`, limited to possible raises, with the actions so far even if they are not on the
    /// menu. It leaves room for at least the last two raises of the menu after them.
    pub(super) fn around(menu: &Menu, path: &[NodeAction], start: TreeRoot) -> Tree {
        let mut tree = Tree { nodes: Vec::new(), edges: 0, closed: 0 };
        let TreeRoot { to_call, .. } = start;
        let place = GrowingNode { player: 0, paid: [0, to_call], raises: 0, acts: usize::from(to_call > 0) };
        tree.grow(place, Some(0), 0, RaiseSizes { menu, path, start });
        tree
    }

    /// Adds the node of a place and all that follow. `on_path` is how many acts of the path led here, if only
    /// such did; `credit` is how many raises of the path do not count.
    fn grow(
        &mut self,
        place: GrowingNode,
        on_path: Option<usize>,
        mut credit: usize,
        offer: RaiseSizes<'_>,
    ) -> usize {
        let taken = on_path.and_then(|at| offer.path.get(at).copied());
        if on_path == Some(offer.path.len()) {
            credit = place.raises.saturating_sub(offer.menu.len().saturating_sub(2));
        }
        let to_call = place.paid[1 - place.player] - place.paid[place.player];
        let mut acts =
            if to_call > 0 { vec![NodeAction::Fold, NodeAction::Call] } else { vec![NodeAction::Call] };
        let sizes = offer.menu.get(place.raises - credit).copied().unwrap_or_default();
        let room = offer.start.most.min(offer.start.stack.saturating_sub(place.paid[1 - place.player]));
        acts.extend(sizes.iter().filter(|size| **size <= room).map(|size| NodeAction::Raise(*size)));
        if let Some(taken) = taken.filter(|taken| !acts.contains(taken)) {
            if let NodeAction::Fold = taken {
                acts.insert(0, taken);
            } else {
                acts.push(taken);
            }
        }
        acts.sort_by_key(|act| match act {
            NodeAction::Fold => 0,
            NodeAction::Call => 1,
            NodeAction::Raise(size) => 1 + size,
        });
        let index = self.nodes.len();
        self.nodes.push(Node { player: place.player, at: self.edges, edges: Vec::new() });
        self.edges += acts.len();
        let edges = acts.into_iter().map(|act| {
            let on_path = on_path.filter(|_| taken == Some(act)).map(|at| at + 1);
            (act, self.next(place, act, on_path, credit, offer))
        });
        let edges = edges.collect();
        self.nodes[index].edges = edges;
        index
    }

    fn next(
        &mut self,
        mut place: GrowingNode,
        act: NodeAction,
        on_path: Option<usize>,
        credit: usize,
        offer: RaiseSizes<'_>,
    ) -> EdgeTarget {
        let (me, called) = (place.player, place.paid[1 - place.player]);
        place.acts += 1;
        match act {
            NodeAction::Fold => return EdgeTarget::Folded(me, place.paid[me]),
            NodeAction::Call if place.acts > 1 => {
                self.closed += 1;
                return EdgeTarget::Closed(self.closed - 1, called);
            }
            NodeAction::Call => {}
            NodeAction::Raise(more) => {
                place.paid[me] = called + more;
                place.raises += 1;
            }
        }
        place.player = 1 - me;
        EdgeTarget::Node(self.grow(place, on_path, credit, offer))
    }

    /// A node; 0 is where the street begins.
    pub(super) fn node(&self, index: usize) -> &Node {
        &self.nodes[index]
    }

    /// All nodes, each after the one that leads to it.
    #[allow(dead_code, reason = "tools/train-solver calls it")]
    pub(super) fn nodes(&self) -> &[Node] {
        &self.nodes
    }

    pub(super) fn edges(&self) -> usize {
        self.edges
    }

    /// The number of ends of the street with both players in.
    #[allow(dead_code, reason = "tools/train-solver calls it")]
    pub(super) fn closed(&self) -> usize {
        self.closed
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_tree_of_one_bet_is_that_of_kuhn_poker() {
        let tree = Tree::new(&[&[1]]);
        assert_eq!((tree.nodes().len(), tree.edges(), tree.closed()), (4, 8, 3));
        assert_eq!(
            tree.node(0).edges,
            [(NodeAction::Call, EdgeTarget::Node(1)), (NodeAction::Raise(1), EdgeTarget::Node(3))]
        );
        assert_eq!(
            tree.node(1).edges,
            [(NodeAction::Call, EdgeTarget::Closed(0, 0)), (NodeAction::Raise(1), EdgeTarget::Node(2))]
        );
        assert_eq!(
            tree.node(2).edges,
            [(NodeAction::Fold, EdgeTarget::Folded(0, 0)), (NodeAction::Call, EdgeTarget::Closed(1, 1))]
        );
        assert_eq!(
            tree.node(3).edges,
            [(NodeAction::Fold, EdgeTarget::Folded(1, 0)), (NodeAction::Call, EdgeTarget::Closed(2, 1))]
        );
    }

    #[test]
    fn actual_bets_are_in_the_tree_and_can_be_raised() {
        let menu: &Menu = &[&[4, 10], &[10], &[10]];
        let path = [NodeAction::Raise(7), NodeAction::Raise(3), NodeAction::Raise(10), NodeAction::Raise(1)];
        let tree = Tree::around(menu, &path, TreeRoot::of_street(10));
        let mut node = 0;
        for act in path {
            let next = tree.node(node).edges.iter().find(|(of, _)| *of == act).unwrap().1;
            let EdgeTarget::Node(next) = next else { panic!("{next:?}") };
            node = next;
        }
        let acts: Vec<NodeAction> = tree.node(node).edges.iter().map(|(act, _)| *act).collect();
        assert_eq!(acts, [NodeAction::Fold, NodeAction::Call, NodeAction::Raise(10)]);
        assert!(matches!(tree.node(node).edges[1].1, EdgeTarget::Closed(_, 21)));
        // A raise has to be affordable: of 25 chips 12 are called and 10 more are raised once.
        let start = TreeRoot { to_call: 12, most: 10, stack: 25 };
        let war = Tree::around(&[&[10], &[10], &[10]], &[], start);
        assert_eq!(war.node(0).edges[0], (NodeAction::Fold, EdgeTarget::Folded(0, 0)));
        assert_eq!(war.node(0).edges[1], (NodeAction::Call, EdgeTarget::Closed(0, 12)));
        assert_eq!((war.nodes().len(), war.node(1).edges.len()), (2, 2));
        // A stack of three chips cannot raise four.
        assert_eq!(Tree::around(menu, &[], TreeRoot::of_street(3)).node(0).edges.len(), 1);
    }
}
