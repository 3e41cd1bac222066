//! The value of a hand to its holder, ignoring all bets.

use crate::cards::{Card, CardSet, Rank};
use crate::odds::{by_rank, none_of};
use crate::stud::Strength;

/// For each card: the expected share of the pot with it in the hole, in fair shares, against random cards. 1 is the
/// average.
pub(super) type ApparentStrengths = [f64; 52];

/// The strengths that up cards can become, weakest first, each with the probability of a weaker one and half of that of an equal
/// one.
struct FinalStrengths(Vec<(Strength, f64)>);

impl FinalStrengths {
    fn new(up: &[Card], left: &[f64; 13]) -> FinalStrengths {
        let mut ways: Vec<(Strength, f64)> = Vec::with_capacity(169);
        for hole in 0..13 {
            match *up {
                [first] => {
                    for second in 0..13 {
                        let pairs = left[hole] * (left[second] - f64::from(u8::from(hole == second)));
                        ways.push((Strength::of_ranks([hole, first.rank().index(), second]), pairs.max(0.0)));
                    }
                }
                _ => ways.push((
                    Strength::of_ranks([hole, up[0].rank().index(), up[1].rank().index()]),
                    left[hole],
                )),
            }
        }
        ways.sort_unstable_by_key(|(strength, _)| *strength);
        ways.dedup_by(|next, kept| {
            next.0 == kept.0 && {
                kept.1 += next.1;
                true
            }
        });
        let all: f64 = ways.iter().map(|(_, ways)| ways).sum();
        let mut below = 0.0;
        for (_, ways) in &mut ways {
            let equal = *ways / all.max(1.0);
            *ways = below + equal / 2.0;
            below += equal;
        }
        FinalStrengths(ways)
    }

    /// The probability of being below this strength, equal ones counting half.
    fn below(&self, strength: Strength) -> f64 {
        match self.0.binary_search_by_key(&strength, |(strength, _)| *strength) {
            Ok(at) => self.0[at].1,
            Err(0) => 0.0,
            Err(at) if at == self.0.len() => 1.0,
            Err(at) => (self.0[at - 1].1 + self.0[at].1) / 2.0,
        }
    }
}

/// The hand values for every player who shows these cards, in the same order; all show one card or all show two.
pub(super) fn apparent_strengths(ups: &[&[Card]]) -> Vec<ApparentStrengths> {
    let unseen = ups.iter().copied().flatten().copied().collect::<CardSet>().others();
    let left = by_rank(unseen).map(f64::from);
    // Players who show the same ranks may become the same: each such kind is looked at once.
    let mut kinds: Vec<(Vec<Rank>, FinalStrengths, i32)> = Vec::new();
    let mut kind_of = Vec::with_capacity(ups.len());
    for up in ups {
        let mut ranks: Vec<Rank> = up.iter().map(|card| card.rank()).collect();
        ranks.sort_unstable();
        let at = kinds.iter().position(|(other, ..)| *other == ranks).unwrap_or_else(|| {
            kinds.push((ranks, FinalStrengths::new(up, &left), 0));
            kinds.len() - 1
        });
        kinds[at].2 += 1;
        kind_of.push(at);
    }
    let hands: Vec<[f64; 13]> = (0..kinds.len()).map(|kind| best_hand(&kinds, kind, &left)).collect();
    // For a spade, the chance that it is the highest in the hole; for any other card, the chance that no spade is in
    // the hole.
    let spades = Card::ALL.map(|card| {
        let above = unseen.spades_above(Some(card).filter(|card| card.is_spade()));
        none_of(above, unseen.len() - 1, ups.len() - 1)
    });
    let look = |kind: usize| {
        Card::ALL.map(|card| {
            let hand = hands[kind][card.rank().index()];
            let other = spades[card.index()];
            let share = if card.is_spade() { hand + other } else { hand * (1.0 + other) };
            share / 2.0 * ups.len() as f64
        })
    };
    kind_of.into_iter().map(look).collect()
}

/// The chance of the best hand with each rank in the hole, for a player of this kind.
fn best_hand(kinds: &[(Vec<Rank>, FinalStrengths, i32)], own: usize, left: &[f64; 13]) -> [f64; 13] {
    let beats_all = |strength: Strength| {
        let mut chance = 1.0;
        for (at, (_, becomes, players)) in kinds.iter().enumerate() {
            let below = becomes.below(strength);
            for _ in 0..players - i32::from(at == own) {
                chance *= below;
            }
        }
        chance
    };
    let ranks: Vec<usize> = kinds[own].0.iter().map(|rank| rank.index()).collect();
    std::array::from_fn(|hole| match *ranks.as_slice() {
        [first] => {
            let (mut sum, mut all) = (0.0, 0.0);
            for (second, cards) in left.iter().enumerate() {
                let ways = (cards - f64::from(u8::from(hole == second))).max(0.0);
                sum += ways * beats_all(Strength::of_ranks([hole, first, second]));
                all += ways;
            }
            sum / all
        }
        _ => beats_all(Strength::of_ranks([hole, ranks[0], ranks[1]])),
    })
}
