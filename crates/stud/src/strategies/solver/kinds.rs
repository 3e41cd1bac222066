//! The hole cards of heads-up play that differ for the game: 26 kinds.
//!
//! Ranks decide the hand half, and only spades matter among the suits (R10). The three other suits of a rank are
//! therefore equivalent, and a range has one number for each of 13 spades and 13 ranks of other suits. This is an exact
//! symmetry of the game, except for the opener when two players show the same highest rank.

use crate::cards::{Card, Rank, Suit};

/// How many kinds of hole cards there are.
pub(super) const KINDS: usize = 26;

/// The length of a range in memory: a multiple of four, so that four kinds are computed at once.
pub(super) const LANES: usize = 28;

/// A number for each kind of hole card; those after the last kind are 0.
pub(super) type Lanes = [f32; LANES];

/// How many cards of each kind there are.
pub(super) type Pack = [u8; KINDS];

/// All 52 cards.
pub(super) const FULL_PACK: Pack = {
    let mut pack = [3; KINDS];
    let mut rank = 0;
    while rank < 13 {
        pack[13 + rank] = 1;
        rank += 1;
    }
    pack
};

/// A kind of card: a rank, and whether it is a spade.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Kind(u8);

impl Kind {
    /// All kinds: the 13 ranks of other suits, and then the 13 spades.
    pub(super) fn all() -> impl Iterator<Item = Kind> {
        (0..KINDS as u8).map(Kind)
    }

    pub(super) fn of(card: Card) -> Kind {
        Kind(card.rank().index() as u8 + if card.is_spade() { 13 } else { 0 })
    }

    pub(super) fn new(rank: usize, spade: bool) -> Kind {
        Kind(rank as u8 + if spade { 13 } else { 0 })
    }

    /// The kind's place, 0 to 25.
    pub(super) fn index(self) -> usize {
        usize::from(self.0)
    }

    /// The place of the kind's rank from the bottom, 0 to 12.
    pub(super) fn rank(self) -> usize {
        usize::from(self.0 % 13)
    }

    pub(super) fn is_spade(self) -> bool {
        self.0 >= 13
    }

    pub(super) fn card(self) -> Card {
        Card::new(Rank::ALL[self.rank()], if self.is_spade() { Suit::Spades } else { Suit::Hearts })
    }
}

/// The unseen cards, by kind.
#[derive(Clone, Debug)]
pub(super) struct Unseen {
    /// How many cards of each kind there are.
    pub(super) counts: Lanes,
    /// One over these numbers, and 0 where there are none.
    pub(super) inverses: Lanes,
    /// How many cards there are in all.
    pub(super) total: f32,
}

impl Unseen {
    /// The deck without these cards. `None` if they are not all in it.
    pub(super) fn without(mut pack: Pack, shown: &[Kind]) -> Option<Unseen> {
        for kind in shown {
            pack[kind.index()] = pack[kind.index()].checked_sub(1)?;
        }
        let (mut counts, mut inverses) = ([0.0; LANES], [0.0; LANES]);
        for (kind, count) in pack.into_iter().enumerate().filter(|(_, count)| *count > 0) {
            counts[kind] = f32::from(count);
            inverses[kind] = 1.0 / f32::from(count);
        }
        let total = pack.iter().map(|count| f32::from(*count)).sum();
        Some(Unseen { counts, inverses, total })
    }

    /// For each kind of one's own card, the mass of another's range `mass` without that card. Masses count
    /// cards: the probability of a kind times how many cards of it are unseen.
    #[inline]
    pub(super) fn met(&self, mass: &Lanes) -> Lanes {
        let total: f32 = sum(mass);
        let mut met = [0.0; LANES];
        for ((met, mass), inverse) in met.iter_mut().zip(mass).zip(&self.inverses) {
            *met = total - mass * inverse;
        }
        met
    }
}

/// The sum over all kinds, always in the same order.
#[inline]
pub(super) fn sum(lanes: &Lanes) -> f32 {
    let mut parts = [0.0f32; 4];
    for four in lanes.chunks_exact(4) {
        for (part, lane) in parts.iter_mut().zip(four) {
            *part += lane;
        }
    }
    (parts[0] + parts[1]) + (parts[2] + parts[3])
}

/// Product, kind by kind.
#[inline(never)]
pub(super) fn times(one: &Lanes, other: &Lanes) -> Lanes {
    let mut product = [0.0; LANES];
    for ((product, one), other) in product.iter_mut().zip(one).zip(other) {
        *product = one * other;
    }
    product
}

/// Adds a product to a range, kind by kind.
// Not inlined: the compiler vectorizes it only as a function of its own.
#[inline(never)]
pub(super) fn add_product(range: &mut Lanes, one: &Lanes, other: &Lanes) {
    for ((sum, one), other) in range.iter_mut().zip(one).zip(other) {
        *sum += one * other;
    }
}

/// Adds the difference of two ranges to a range of regrets, none of which falls below 0.
#[inline(never)]
pub(super) fn regret(regrets: &mut Lanes, gained: &Lanes, value: &Lanes) {
    for ((regret, gained), value) in regrets.iter_mut().zip(gained).zip(value) {
        let next = *regret + (gained - value);
        *regret = if next > 0.0 { next } else { 0.0 };
    }
}
