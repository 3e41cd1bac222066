//! The first street, dealt in every way: the others' hole cards first, then the player's own second up card, then those of
//! the others, as long as none of them is ahead.
//!
//! Only ranks are dealt, each in as many ways as there are such cards. Hole cards come first because of them it has to be
//! known whether they are spades, and of up cards not: beside the number of all ways goes that of the ways in which no
//! hole card is a spade, and both are multiplied by the same number of up cards.

use crate::cards::Card;
use crate::stud::{MAX_SEATS, Strength};

use super::Situation;
use super::tally::by_rank;

/// In how many deals a player has the best hand. All numbers of deals are whole and far below 2^53,
/// so sums of them are exact.
pub(super) struct Outcomes {
    /// Alone, together with one other, with two, ...
    pub(super) best: [f64; MAX_SEATS],
    /// The same for deals without a spade in the hole.
    pub(super) best_without_spade: [f64; MAX_SEATS],
    /// The sums over all deals.
    pub(super) all: f64,
}

/// All deals on the first street.
pub(super) fn first_street(situation: &Situation) -> Outcomes {
    let unseen = situation.unseen();
    let no_spades = unseen.into_iter().filter(|card| !card.is_spade());
    let others = situation.others().map(|up| hole_strengths(up[0])).collect();
    let strengths =
        |ranks: [usize; 2]| std::array::from_fn(|up| Strength::of_ranks([ranks[0], ranks[1], up]));
    let mut dealing = HoleEnumeration {
        mine: strengths([situation.hole(), situation.up()[0]].map(|card| card.rank().index())),
        others,
        left: by_rank(unseen).map(f64::from),
        without_spade: by_rank(no_spades).map(f64::from),
        cards: unseen.len(),
        hands: Vec::new(),
        outcomes: Outcomes { best: [0.0; MAX_SEATS], best_without_spade: [0.0; MAX_SEATS], all: 0.0 },
        lost: 0.0,
    };
    let without_spade = if situation.hole().is_spade() { 0.0 } else { 1.0 };
    dealing.deal_holes(Ways { all: 1.0, without_spade });
    let HoleEnumeration { mut outcomes, lost, .. } = dealing;
    // A hand that never lost has certainly won: the sums are equal.
    outcomes.all = outcomes.best.iter().sum::<f64>() + lost;
    outcomes
}

/// In how many ways the cards so far can have been dealt.
#[derive(Clone, Copy)]
struct Ways {
    all: f64,
    without_spade: f64,
}

impl Ways {
    fn times(self, cards: f64) -> Ways {
        Ways { all: self.all * cards, without_spade: self.without_spade * cards }
    }
}

/// The strength of a player's hand with each rank in the hole and each as second up card.
type HoleStrengths = [[Strength; 13]; 13];

fn hole_strengths(shown: Card) -> HoleStrengths {
    let shown = shown.rank().index();
    std::array::from_fn(|hole| std::array::from_fn(|up| Strength::of_ranks([shown, hole, up])))
}

struct HoleEnumeration {
    /// The player's own strength with each second up card.
    mine: [Strength; 13],
    others: Vec<HoleStrengths>,
    /// The cards of each rank that are not dealt, and those of them that are no spades: as long as hole cards are dealt, they are
    /// taken from both.
    left: [f64; 13],
    without_spade: [f64; 13],
    cards: usize,
    /// The strengths of the others with each second up card, the hole cards dealt.
    hands: Vec<[Strength; 13]>,
    outcomes: Outcomes,
    lost: f64,
}

impl HoleEnumeration {
    fn deal_holes(&mut self, ways: Ways) {
        let Some(strengths) = self.others.get(self.hands.len()).copied() else { return self.deal_own(ways) };
        for (rank, hand) in strengths.into_iter().enumerate() {
            let holes = Ways { all: self.left[rank], without_spade: self.without_spade[rank] };
            if holes.all > 0.0 {
                let before = self.without_spade[rank];
                self.left[rank] -= 1.0;
                self.without_spade[rank] = (before - 1.0).max(0.0);
                self.cards -= 1;
                self.hands.push(hand);
                self.deal_holes(Ways {
                    all: ways.all * holes.all,
                    without_spade: ways.without_spade * holes.without_spade,
                });
                self.hands.pop();
                self.cards += 1;
                self.left[rank] += 1.0;
                self.without_spade[rank] = before;
            }
        }
    }

    fn deal_own(&mut self, ways: Ways) {
        for rank in 0..13 {
            if self.left[rank] > 0.0 {
                let ways = ways.times(self.left[rank]);
                self.left[rank] -= 1.0;
                self.cards -= 1;
                self.deal_up(0, self.mine[rank], 0, ways);
                self.cards += 1;
                self.left[rank] += 1.0;
            }
        }
    }

    /// Deals the second up cards of the others from this one on, so many of those before having tied.
    fn deal_up(&mut self, other: usize, mine: Strength, tied: usize, ways: Ways) {
        let hand = self.hands[other];
        if other + 1 == self.hands.len() {
            return self.count_last(&hand, mine, tied, ways);
        }
        let mut not_ahead = 0.0;
        for (rank, strength) in hand.into_iter().enumerate() {
            let cards = self.left[rank];
            if cards > 0.0 && strength <= mine {
                not_ahead += cards;
                self.left[rank] -= 1.0;
                self.cards -= 1;
                self.deal_up(other + 1, mine, tied + usize::from(strength == mine), ways.times(cards));
                self.cards += 1;
                self.left[rank] += 1.0;
            }
        }
        // Where this one is ahead, the cards of the rest are any of those left.
        let rest = self.hands.len() - other - 1;
        let rest: f64 = (1..=rest).map(|dealt| (self.cards - dealt) as f64).product();
        self.lost += ways.all * (self.cards as f64 - not_ahead) * rest;
    }

    /// Counts the second up cards of the last player by the hand they give the player itself.
    fn count_last(&mut self, hand: &[Strength; 13], mine: Strength, tied: usize, ways: Ways) {
        let (mut below, mut equal) = (0.0, 0.0);
        for (strength, cards) in hand.iter().zip(self.left) {
            below += if *strength < mine { cards } else { 0.0 };
            equal += if *strength == mine { cards } else { 0.0 };
        }
        self.outcomes.best[tied] += ways.all * below;
        self.outcomes.best[tied + 1] += ways.all * equal;
        self.outcomes.best_without_spade[tied] += ways.without_spade * below;
        self.outcomes.best_without_spade[tied + 1] += ways.without_spade * equal;
        self.lost += ways.all * (self.cards as f64 - below - equal);
    }
}
