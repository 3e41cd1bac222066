//! The best hand where each player left has at most one unknown card: counting all ways in which the unseen cards can
//! lie, exactly and in whole numbers. `docs/odds.md` derives it.
//!
//! For each strength that may be the best one, every player must have a lower one, or this one, and so a card of
//! certain ranks. How many ways there are to deal such cards is a sum over choices: a player is put on a rank, or is
//! free to take any card, which counts too many ways, less those on which the player is put on a forbidden rank. The
//! players are taken one after the other, and only how many were put on each rank is remembered; a rank that
//! concerns no further player is forgotten. So 17 players take a few hundred numbers instead of 10^15 cases.

use std::collections::BTreeSet;

use crate::cards::{Card, CardSet};
use crate::stud::{MAX_SEATS, Strength};

use super::PublicHand;
use super::dealing::of;
use super::tally::{Tally, by_rank, falling};

type Ranks = u16;

/// A player with one unknown card.
struct OneUnknownCard {
    player: usize,
    /// The strength with a card of each rank.
    strengths: [Strength; 13],
}

/// In how many of all ways to deal the unknown cards who has the best hand.
pub(super) fn tally(left: &[PublicHand<'_>], unseen: CardSet) -> Tally {
    let ranks = by_rank(unseen);
    let mut open = Vec::new();
    let mut fixed = Vec::new();
    for (player, hand) in left.iter().enumerate() {
        let known: Vec<Card> = hand.known().collect();
        match known[..] {
            [one, two] => {
                let strengths = std::array::from_fn(|rank| Strength::of([one, two, of(rank)]));
                open.push(OneUnknownCard { player, strengths });
            }
            [one, two, three] => fixed.push((player, Strength::of([one, two, three]))),
            _ => unreachable!("a player has at most one unknown card"),
        }
    }
    let there = |rank: &usize| ranks[*rank] > 0;
    let mut levels: BTreeSet<Strength> = fixed.iter().map(|(_, strength)| *strength).collect();
    levels.extend(open.iter().flat_map(|open| (0..13).filter(there).map(|rank| open.strengths[rank])));
    let least = |open: &OneUnknownCard| (0..13).filter(there).map(|rank| open.strengths[rank]).min();
    let floor =
        open.iter().map(least).chain(fixed.iter().map(|(_, strength)| Some(*strength))).max().flatten();
    let mut tally = Tally::new(left.len());
    for level in levels.into_iter().filter(|level| Some(*level) >= floor) {
        let tied = fixed.iter().filter(|(_, strength)| *strength == level).map(|(player, _)| *player);
        let tied: Vec<usize> = tied.collect();
        BestStrength::new(level, &open, ranks).tally(&open, &tied, &mut tally);
    }
    tally
}

/// In how many ways a player with this hand has the best one alone, together with one other player, with two, and so
/// on, if the others show these cards, and so many cards of each rank are unseen.
pub(super) fn wins(mine: Strength, others: &[[Card; 2]], ranks: [u8; 13]) -> [i128; MAX_SEATS] {
    let open = |(player, [one, two]): (usize, &[Card; 2])| OneUnknownCard {
        player,
        strengths: std::array::from_fn(|rank| Strength::of([*one, *two, of(rank)])),
    };
    let open: Vec<OneUnknownCard> = others.iter().enumerate().map(open).collect();
    let me = others.len();
    let mut tally = Tally::new(me + 1);
    BestStrength::new(mine, &open, ranks).tally(&open, &[me], &mut tally);
    std::array::from_fn(|others| tally.among[me][others + 1])
}

/// The deals open to a player if a given strength is the best, as a factor of the summed product.
struct Factor {
    /// How the player is free: within the ranks of the level, or within its low ranks; or not at all.
    free: Option<Free>,
    /// The ranks the player is put on, with the sign of these ways.
    terms: Vec<Term>,
    ranks: Ranks,
}

#[derive(Clone, Copy, PartialEq, Eq)]
enum Free {
    InAll,
    InLow,
}

struct Term {
    rank: usize,
    sign: i128,
    /// The bit of the player among those who may have the best strength, if it has it then; else 0.
    mark: u64,
}

/// All ways in which one strength is the best.
struct BestStrength {
    ranks: [u8; 13],
    all: Ranks,
    /// The ranks of a player who may have few, as it has nearly the best strength already.
    low: Ranks,
    /// The players, in the order in which they are taken.
    factors: Vec<Factor>,
    /// The players who may have the best strength, in the order of the marks.
    may_be_best: Vec<usize>,
}

/// Where in the key of a state its numbers are: three bits for each rank first.
const PLACED: u32 = 39;
const PLACED_LOW: u32 = 44;
const FREE_LOW: u32 = 49;
const MARKS: u32 = 54;

impl BestStrength {
    fn new(level: Strength, open: &[OneUnknownCard], ranks: [u8; 13]) -> BestStrength {
        let set = |has: &dyn Fn(usize) -> bool| -> Ranks {
            (0..13).filter(|rank| ranks[*rank] > 0 && has(*rank)).map(|rank| 1 << rank).sum()
        };
        let below: Vec<Ranks> = open.iter().map(|open| set(&|rank| open.strengths[rank] < level)).collect();
        let at: Vec<Ranks> = open.iter().map(|open| set(&|rank| open.strengths[rank] == level)).collect();
        let all = below.iter().chain(&at).fold(0, |all, ranks| all | ranks);
        // Every rank that a player is put on costs time: the low ranks are those with which there are fewest.
        let terms = |low: Ranks| -> u32 {
            below.iter().map(|below| RankPlacement::of(*below, all, low).terms()).sum()
        };
        let low = below.iter().copied().min_by_key(|low| terms(*low)).unwrap_or(all);
        let may_be_best: Vec<usize> = (0..open.len()).filter(|index| at[*index] != 0).collect();
        let mark = |index: usize| {
            may_be_best.iter().position(|other| *other == index).map(|bit| 1 << (MARKS as usize + bit))
        };
        let factors =
            (0..open.len()).map(|index| Factor::new(below[index], at[index], mark(index), all, low));
        let factors = in_good_order(factors.collect());
        BestStrength {
            ranks,
            all,
            low,
            factors,
            may_be_best: may_be_best.iter().map(|index| open[*index].player).collect(),
        }
    }

    /// Adds all deals in which one of these players has the strength and no player a higher one.
    fn tally(&self, open: &[OneUnknownCard], tied: &[usize], tally: &mut Tally) {
        if self.may_be_best.is_empty() && tied.is_empty() {
            return;
        }
        debug_assert!(self.factors.len() == open.len() && self.may_be_best.len() <= 10);
        let (cards, low_cards) = (self.cards(self.all), self.cards(self.low));
        for (key, ways) in self.states() {
            let [placed, placed_low, free_low] =
                [PLACED, PLACED_LOW, FREE_LOW].map(|shift| i128::from(key >> shift & 31));
            let free = self.factors.len() as i128 - placed - free_low;
            let ways =
                ways * falling(low_cards - placed_low, free_low) * falling(cards - placed - free_low, free);
            let marks = key >> MARKS;
            let marked = (0..self.may_be_best.len()).filter(|bit| marks >> bit & 1 == 1);
            let best = marked.map(|bit| self.may_be_best[bit]).chain(tied.iter().copied());
            if marks != 0 || !tied.is_empty() {
                tally.add(best, ways);
            }
        }
    }

    fn cards(&self, ranks: Ranks) -> i128 {
        (0..13).filter(|rank| ranks >> rank & 1 == 1).map(|rank| i128::from(self.ranks[rank])).sum()
    }

    /// The sum over all choices of all players: for each number of players who were put on cards, put on low cards, and are
    /// free in the low ones, and for each set of players with the best strength, in how many ways.
    fn states(&self) -> Vec<(u64, i128)> {
        let mut states = vec![(0, 1)];
        let mut next: Vec<(u64, i128)> = Vec::new();
        for (index, factor) in self.factors.iter().enumerate() {
            let later = self.factors[index + 1..].iter().fold(0, |ranks, factor| ranks | factor.ranks);
            let closing: Vec<usize> =
                (0..13).filter(|rank| (factor.ranks & !later) >> rank & 1 == 1).collect();
            for &(key, ways) in &states {
                match factor.free {
                    Some(Free::InAll) => next.push(self.close(&closing, key, ways)),
                    Some(Free::InLow) => next.push(self.close(&closing, key + (1 << FREE_LOW), ways)),
                    None => {}
                }
                for Term { rank, sign, mark } in &factor.terms {
                    if key >> (3 * rank) & 7 < u64::from(self.ranks[*rank]) {
                        let low = u64::from(self.low >> rank & 1);
                        let key = key + (1 << (3 * rank)) + (1 << PLACED) + (low << PLACED_LOW) + mark;
                        next.push(self.close(&closing, key, ways * sign));
                    }
                }
            }
            next.sort_unstable_by_key(|(key, _)| *key);
            states.clear();
            for (key, ways) in next.drain(..) {
                match states.last_mut() {
                    Some((last, sum)) if *last == key => *sum += ways,
                    _ => states.push((key, ways)),
                }
            }
        }
        states
    }

    /// Deals the cards of ranks that matter to no other player, and forgets their number.
    fn close(&self, closing: &[usize], mut key: u64, mut ways: i128) -> (u64, i128) {
        for rank in closing {
            let placed = key >> (3 * rank) & 7;
            ways *= falling(i128::from(self.ranks[*rank]), i128::from(placed));
            key -= placed << (3 * rank);
        }
        (key, ways)
    }
}

/// How the cards below the best strength are written for a player.
struct RankPlacement {
    free: Option<Free>,
    put: Ranks,
    sign: i128,
}

impl RankPlacement {
    /// The choice with the fewest ranks to be put on.
    fn of(below: Ranks, all: Ranks, low: Ranks) -> RankPlacement {
        let count = |ranks: Ranks| ranks.count_ones();
        if below & !low == 0 && count(low & !below) < count(all & !below) {
            RankPlacement { free: Some(Free::InLow), put: low & !below, sign: -1 }
        } else if count(below) < count(all & !below) {
            RankPlacement { free: None, put: below, sign: 1 }
        } else {
            RankPlacement { free: Some(Free::InAll), put: all & !below, sign: -1 }
        }
    }

    fn terms(&self) -> u32 {
        self.put.count_ones()
    }
}

impl Factor {
    /// The factor of a player who is below the best strength with cards of certain ranks, and at it with one of
    /// another, which is marked.
    fn new(below: Ranks, at: Ranks, mark: Option<u64>, all: Ranks, low: Ranks) -> Factor {
        let RankPlacement { free, put, sign } = RankPlacement::of(below, all, low);
        let on = |ranks: Ranks| (0..13).filter(move |rank| ranks >> rank & 1 == 1);
        let mut terms: Vec<Term> = on(put).map(|rank| Term { rank, sign, mark: 0 }).collect();
        if let Some(mark) = mark {
            terms.extend(on(at).map(|rank| Term { rank, sign: 1, mark }));
        }
        Factor {
            free,
            ranks: terms.iter().map(|term| 1 << term.rank).fold(0, |ranks, rank| ranks | rank),
            terms,
        }
    }
}

/// The factors in an order in which few ranks have to be remembered at a time.
fn in_good_order(mut factors: Vec<Factor>) -> Vec<Factor> {
    let mut ordered: Vec<Factor> = Vec::with_capacity(factors.len());
    let mut seen: Ranks = 0;
    while !factors.is_empty() {
        let cost = |index: &usize| {
            let others = (0..factors.len()).filter(|other| other != index);
            let later = others.fold(0, |ranks, other| ranks | factors[other].ranks);
            ((seen | factors[*index].ranks) & later).count_ones()
        };
        let next = (0..factors.len()).min_by_key(cost).expect("there are factors");
        let factor = factors.remove(next);
        seen |= factor.ranks;
        ordered.push(factor);
    }
    ordered
}
