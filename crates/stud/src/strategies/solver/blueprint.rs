//! The strategy for the first street that comes with the program, and both players' ranges under it.

use std::sync::OnceLock;

use crate::stud::Chips;

use super::kinds::{KINDS, Kind, LANES, Lanes, add_product, times};
use super::subgame::Subgame;
use super::table::{FIRST_STREET, SPOTS, TableError, place, spot, strategies};
use super::tree::{EdgeTarget, Node, NodeAction, Tree, TreeRoot};

/// The table that comes with the program.
pub(super) static SHIPPED_TABLE: &[u8] = include_bytes!("heads_up.table");

/// The strategy of the first street for all pairs of up cards.
#[derive(Debug)]
pub(super) struct Blueprint<'a> {
    tree: Tree,
    /// Where each pair of up cards has its strategy.
    strategies: Vec<&'a [u8]>,
}

impl Blueprint<'static> {
    /// The one that comes with the program.
    pub(super) fn shipped() -> &'static Blueprint<'static> {
        static SHIPPED_BLUEPRINT: OnceLock<Blueprint<'static>> = OnceLock::new();
        SHIPPED_BLUEPRINT
            .get_or_init(|| Blueprint::read(SHIPPED_TABLE).expect("the table in the program is whole"))
    }
}

impl<'a> Blueprint<'a> {
    /// Reads a table in which every pair of up cards is learned.
    pub(super) fn read(bytes: &'a [u8]) -> Result<Blueprint<'a>, TableError> {
        let tree = Tree::new(FIRST_STREET);
        let mut by_place: Vec<&[u8]> = vec![&[]; SPOTS];
        let records = strategies(bytes, &tree)?;
        if records.len() != SPOTS {
            return Err(TableError::Torn);
        }
        for (number, record) in records.enumerate() {
            by_place[spot(number)] = record;
        }
        Ok(Blueprint { tree, strategies: by_place })
    }

    /// The probabilities of the edges of a node.
    fn strategy(&self, ups: [Kind; 2], node: &Node) -> Vec<Lanes> {
        let bytes = &self.strategies[place(ups)][node.at * KINDS..(node.at + node.edges.len()) * KINDS];
        let mut shares = vec![[0.0; LANES]; node.edges.len()];
        for kind in 0..KINDS {
            let of_edge = |edge: usize| f32::from(bytes[edge * KINDS + kind]);
            let all: f32 = (0..node.edges.len()).map(of_edge).sum();
            for (edge, shares) in shares.iter_mut().enumerate() {
                shares[kind] = of_edge(edge) / all;
            }
        }
        shares
    }
}

/// A first street as it went so far, seen through the eyes of the blueprint: a bet that it does not know is
/// taken for the next smaller and the next larger one, each with a share.
#[derive(Clone, Debug)]
pub(super) struct FirstStreet<'a> {
    blueprint: &'a Blueprint<'a>,
    ups: [Kind; 2],
    ante: Chips,
    pot: Chips,
    own: TreePosition,
    views: Vec<KnownPlay>,
    war: Option<War>,
}

/// A player's view of its place in a round.
#[derive(Clone, Copy, Debug)]
pub(super) struct TreePosition {
    /// 0 for the opener of the first street.
    pub(super) place: usize,
    /// Its chips when the round began, before the ante.
    pub(super) chips: Chips,
    /// The largest raise, in chips.
    pub(super) most: Chips,
}

/// A raising war: the actions after the last raise in the blueprint. It is solved during play, with the real pot and
/// stack, from the ranges of the blueprint.
#[derive(Clone, Debug)]
struct War {
    /// The player facing the last raise in the blueprint.
    player: usize,
    reaches: [Lanes; 2],
    /// The chips this player has paid in the round, and has to call.
    paid: Chips,
    to_call: Chips,
    acts: Vec<NodeAction>,
}

#[derive(Clone, Debug)]
struct KnownPlay {
    node: usize,
    share: f32,
    /// The probability of all of a player's actions so far for each kind of hole card; player 0 opens.
    reach: [Lanes; 2],
    /// The share of folds that turn into calls, because the amount to call is smaller than in the blueprint.
    ease: f32,
}

/// The most views of a street; a war of odd raises has no more.
const MAX_VIEWS: usize = 16;

impl<'a> FirstStreet<'a> {
    /// The beginning, with these up cards, first that of the player who opens. Each has paid `ante`.
    pub(super) fn new(
        blueprint: &'a Blueprint<'a>,
        ups: [Kind; 2],
        ante: Chips,
        own: TreePosition,
    ) -> FirstStreet<'a> {
        let mut all = [0.0; LANES];
        all[..KINDS].fill(1.0);
        let view = KnownPlay { node: 0, share: 1.0, reach: [all; 2], ease: 0.0 };
        let ante = ante.max(1);
        FirstStreet { blueprint, ups, ante, pot: 2 * ante, own, views: vec![view], war: None }
    }

    /// The actions of the player to act and their probabilities for each kind of hole card.
    pub(super) fn choices(&self) -> Vec<(NodeAction, Lanes)> {
        if let Some(war) = &self.war {
            return self.subgame(war).map_or_else(Vec::new, |subgame| subgame.choices(&war.acts));
        }
        let mut choices: Vec<(NodeAction, Lanes)> = Vec::new();
        let mut all = [0.0; LANES];
        for view in &self.views {
            let node = self.blueprint.tree.node(view.node);
            let mut weight = view.reach[node.player];
            weight.iter_mut().for_each(|weight| *weight = *weight * view.share + 1e-9);
            add_product(&mut all, &weight, &[1.0; LANES]);
            for ((act, _), shares) in node.edges.iter().zip(self.eased(view, node)) {
                let act = match act {
                    NodeAction::Raise(size) => NodeAction::Raise(size * self.ante),
                    other => *other,
                };
                match choices.iter_mut().find(|(known, _)| *known == act) {
                    Some((_, sum)) => add_product(sum, &weight, &shares),
                    None => choices.push((act, times(&weight, &shares))),
                }
            }
        }
        for (_, shares) in &mut choices {
            shares.iter_mut().zip(&all).for_each(|(share, all)| *share /= all);
        }
        choices
    }

    /// The strategy at the view's node, with smaller bets called more often.
    fn eased(&self, view: &KnownPlay, node: &Node) -> Vec<Lanes> {
        let mut shares = self.blueprint.strategy(self.ups, node);
        if let (Some((NodeAction::Fold, _)), true) = (node.edges.first(), view.ease > 0.0) {
            let moved = shares[0].map(|folds| view.ease * folds);
            add_product(&mut shares[0], &moved, &[-1.0; LANES]);
            add_product(&mut shares[1], &moved, &[1.0; LANES]);
        }
        shares
    }

    /// Continues after the real action of the player to act, other than a fold. Raises are in chips.
    pub(super) fn follow(&mut self, act: NodeAction, to_call: Chips) {
        if let Some(war) = &mut self.war {
            war.acts.push(act);
            return;
        }
        if matches!(act, NodeAction::Raise(_)) && !self.knows_a_raise() {
            self.begin_war(act, to_call);
            return;
        }
        let views = std::mem::take(&mut self.views);
        self.pot += to_call;
        for view in &views {
            match act {
                NodeAction::Raise(more) => self.raised(view, more),
                _ => self.called(view),
            }
        }
        if let NodeAction::Raise(more) = act {
            self.pot += more;
        }
        // The likeliest first; between equals, in the order in which they arose.
        self.views.sort_by(|one, other| other.share.total_cmp(&one.share));
        self.views.truncate(MAX_VIEWS);
    }

    /// Whether the blueprint knows any raise of the player whose turn it is. All views have as many raises behind them.
    fn knows_a_raise(&self) -> bool {
        let raises = |view: &KnownPlay| {
            self.blueprint
                .tree
                .node(view.node)
                .edges
                .iter()
                .any(|(act, _)| matches!(act, NodeAction::Raise(_)))
        };
        self.views.iter().any(raises)
    }

    fn begin_war(&mut self, act: NodeAction, to_call: Chips) {
        let Some(view) = self.views.first() else { return };
        let player = self.blueprint.tree.node(view.node).player;
        let paid = (self.pot - to_call) / 2;
        self.war = Some(War { player, reaches: self.ranges(), paid, to_call, acts: vec![act] });
    }

    fn subgame(&self, war: &War) -> Option<Subgame> {
        let TreePosition { place, chips, most } = self.own;
        let start = TreeRoot { to_call: war.to_call, most, stack: chips.saturating_sub(war.paid) };
        Subgame::war(self.ups, &war.reaches, war.paid as f32, start, [war.player, place])
    }

    fn called(&mut self, view: &KnownPlay) {
        let node = self.blueprint.tree.node(view.node);
        let shares = self.eased(view, node);
        let Some(edge) = node.edges.iter().position(|(act, _)| *act == NodeAction::Call) else { return };
        self.follow_edge(view, edge, &shares[edge], 1.0, 0.0);
    }

    fn raised(&mut self, view: &KnownPlay, more: Chips) {
        let blueprint = self.blueprint;
        let node = blueprint.tree.node(view.node);
        let shares = self.eased(view, node);
        let sizes: Vec<(usize, f32)> = node
            .edges
            .iter()
            .enumerate()
            .filter_map(|(edge, (act, _))| match act {
                NodeAction::Raise(size) => Some((edge, (size * self.ante) as f32 / self.pot as f32)),
                _ => None,
            })
            .collect();
        let more = more as f32 / self.pot as f32;
        let Some(upper) = sizes.iter().position(|(_, size)| *size >= more) else {
            if let Some((edge, _)) = sizes.last() {
                self.follow_edge(view, *edge, &shares[*edge], 1.0, 0.0);
            }
            return;
        };
        let (edge, size) = sizes[upper];
        if upper == 0 {
            self.follow_edge(view, edge, &shares[edge], 1.0, lower_share(0.0, size, more));
            return;
        }
        let (lower_edge, lower) = sizes[upper - 1];
        let share = lower_share(lower, size, more);
        self.follow_edge(view, lower_edge, &shares[lower_edge], share, 0.0);
        self.follow_edge(view, edge, &shares[edge], 1.0 - share, 0.0);
    }

    fn follow_edge(&mut self, view: &KnownPlay, edge: usize, shares: &Lanes, share: f32, ease: f32) {
        if share <= 0.0 {
            return;
        }
        let node = self.blueprint.tree.node(view.node);
        let mut view = view.clone();
        view.reach[node.player] = times(&view.reach[node.player], shares);
        view.share *= share;
        view.ease = ease;
        if let EdgeTarget::Node(next) = node.edges[edge].1 {
            view.node = next;
        }
        self.views.push(view);
    }

    /// For each player and kind of hole card the probability with which it came here, up to a factor.
    pub(super) fn ranges(&self) -> [Lanes; 2] {
        if let Some(war) = &self.war
            && let Some(subgame) = self.subgame(war)
        {
            return subgame.reaches(&war.acts);
        }
        [0, 1].map(|player| {
            let mut range = [0.0; LANES];
            for view in &self.views {
                add_product(&mut range, &view.reach[player], &[view.share; LANES]);
            }
            range
        })
    }
}

/// The weight of the smaller of two known bets for a bet of `more`, all as parts of the pot, chosen so that a bet in
/// between gains least (pseudo-harmonic mapping).
fn lower_share(lower: f32, upper: f32, more: f32) -> f32 {
    (upper - more) * (1.0 + lower) / ((upper - lower) * (1.0 + more))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn street(acts: &[(NodeAction, Chips)]) -> FirstStreet<'static> {
        let ups = [Kind::new(9, false), Kind::new(5, false)];
        let mut street =
            FirstStreet::new(Blueprint::shipped(), ups, 1, TreePosition { place: 0, chips: 500, most: 10 });
        for (act, to_call) in acts {
            street.follow(*act, *to_call);
        }
        street
    }

    fn share_of(act: NodeAction, choices: &[(NodeAction, Lanes)], kind: usize) -> f32 {
        choices.iter().find(|(known, _)| *known == act).map_or(0.0, |(_, shares)| shares[kind])
    }

    #[test]
    fn choices_are_probabilities_at_every_node() {
        for acts in [
            vec![],
            vec![(NodeAction::Call, 0)],
            vec![(NodeAction::Raise(1), 0)],
            vec![(NodeAction::Raise(2), 0), (NodeAction::Raise(1), 2)],
            vec![
                (NodeAction::Call, 0),
                (NodeAction::Raise(7), 0),
                (NodeAction::Raise(9), 7),
                (NodeAction::Raise(10), 9),
                (NodeAction::Raise(3), 10),
            ],
            vec![(NodeAction::Raise(10), 0); 9],
        ] {
            let choices = street(&acts).choices();
            for kind in 0..KINDS {
                let all: f32 = choices.iter().map(|(_, shares)| shares[kind]).sum();
                assert!((all - 1.0).abs() < 1e-3, "{acts:?} {kind}: {all}");
            }
        }
    }

    #[test]
    fn a_bet_in_between_is_taken_for_both_of_its_neighbours() {
        let known = street(&[(NodeAction::Raise(4), 0)]);
        assert_eq!(known.views.len(), 1);
        let between = street(&[(NodeAction::Raise(2), 0)]);
        let shares: Vec<f32> = between.views.iter().map(|view| view.share).collect();
        assert!(shares.len() == 2 && (shares.iter().sum::<f32>() - 1.0).abs() < 1e-6, "{shares:?}");
        // A player folds less often to two chips than to four, and more often than to one.
        let folds = |more: Chips| {
            let choices = street(&[(NodeAction::Raise(more), 0)]).choices();
            (0..KINDS).map(|kind| share_of(NodeAction::Fold, &choices, kind)).sum::<f32>()
        };
        assert!(folds(1) < folds(2) && folds(2) < folds(4), "{} {} {}", folds(1), folds(2), folds(4));
        assert!((lower_share(0.5, 2.0, 0.5) - 1.0).abs() < 1e-6 && lower_share(0.5, 2.0, 2.0).abs() < 1e-6);
    }

    /// With the king or queen of spades the bot does not raise three more times after the blueprint's three raises;
    /// with the ace it may.
    #[test]
    fn raise_wars_are_continued_only_with_the_best_cards() {
        let raises = |count: usize, kind: usize| {
            let choices = street(
                &[&[(NodeAction::Raise(10), 0)][..], &vec![(NodeAction::Raise(10), 10); count - 1]].concat(),
            )
            .choices();
            share_of(NodeAction::Raise(10), &choices, kind)
        };
        for spade in [23, 24] {
            let again: f32 = [4, 6, 8].map(|count| raises(count, spade)).iter().product();
            assert!(again < 0.05, "{spade}: {again}");
        }
        assert!(raises(6, 25) > 0.9);
    }

    /// Forty-nine raises of ten are all that 500 chips allow.
    #[test]
    fn a_war_ends_with_the_chips() {
        let acts = [&[(NodeAction::Raise(10), 0)][..], &[(NodeAction::Raise(10), 10); 48]].concat();
        assert_eq!(share_of(NodeAction::Raise(10), &street(&acts).choices(), 25), 0.0);
    }

    #[test]
    fn a_raise_below_all_that_are_known_is_called_more() {
        let folds = |more: Chips| {
            let choices = street(&[(NodeAction::Raise(1), 0), (NodeAction::Raise(more), 1)]).choices();
            (0..KINDS).map(|kind| share_of(NodeAction::Fold, &choices, kind)).sum::<f32>()
        };
        assert!(folds(1) < 0.7 * folds(4), "{} {}", folds(1), folds(4));
    }

    #[test]
    fn only_a_whole_table_is_read() {
        let tree = Tree::new(FIRST_STREET);
        let count = |bytes: &[u8]| strategies(bytes, &tree).map(|strategies| strategies.len());
        assert_eq!(count(SHIPPED_TABLE), Ok(SPOTS));
        assert_eq!(count(b"{}"), Err(TableError::NotATable));
        let lengths = [16, 32, 1_000, SHIPPED_TABLE.len() - 1];
        for length in lengths {
            assert_eq!(count(&SHIPPED_TABLE[..length]), Err(TableError::Torn), "{length}");
        }
        assert_eq!(count(&[SHIPPED_TABLE, b"x"].concat()), Err(TableError::Torn));
    }
}
