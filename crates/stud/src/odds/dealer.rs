//! Random deals of the cards that are unknown.

use crate::cards::{Card, Stream};
use crate::stud::{MAX_SEATS, Strength};

use super::HoleRange;

/// A player's three cards, as far as they are known.
#[derive(Clone, Copy)]
pub(super) struct Known<'a> {
    pub(super) hole: Option<Card>,
    pub(super) up: &'a [Card],
}

/// Deals the unknown cards at random, as often as one likes.
pub(super) struct Dealer<'a> {
    players: Vec<Known<'a>>,
    /// The players whose hole card is drawn by weight.
    ranges: Vec<(usize, &'a HoleRange)>,
    /// The unseen cards first, in any order.
    cards: [Card; 52],
    count: usize,
    /// How many unknown cards are dealt one after the other, all alike.
    hidden: usize,
}

#[derive(Clone, Copy)]
pub(super) struct Deal {
    /// The players with the best hand, a bit for each.
    best: u32,
    /// The player with the highest spade in the hole.
    pub(super) spade: Option<usize>,
    /// How much the deal counts: 1 without ranges.
    pub(super) weight: f64,
}

impl Deal {
    /// How many players share the best hand.
    #[inline]
    pub(super) fn sharers(self) -> u32 {
        self.best.count_ones()
    }

    /// The player's share of the hand half.
    #[inline]
    pub(super) fn share(self, player: usize) -> f64 {
        if self.best >> player & 1 == 1 { 1.0 / f64::from(self.sharers()) } else { 0.0 }
    }
}

impl<'a> Dealer<'a> {
    /// A dealer of these unseen cards. Players with ranges are named with them, in ascending order.
    pub(super) fn new(
        players: Vec<Known<'a>>,
        ranges: Vec<(usize, &'a HoleRange)>,
        unseen: &[Card],
    ) -> Dealer<'a> {
        assert!(players.len() <= MAX_SEATS, "a table has {MAX_SEATS} seats");
        let missing = |known: &Known<'_>| 3 - known.up.len() - usize::from(known.hole.is_some());
        let hidden = players.iter().map(missing).sum::<usize>() - ranges.len();
        let mut cards = Card::ALL;
        cards[..unseen.len()].copy_from_slice(unseen);
        Dealer { players, ranges, cards, count: unseen.len(), hidden }
    }

    /// How many cards are drawn for a deal.
    pub(super) fn drawn(&self) -> usize {
        self.hidden + self.ranges.len()
    }

    /// Deals once: to each player in turn the hole card, if it is unknown, and then the second up card.
    #[inline]
    pub(super) fn deal(&mut self, rng: &mut Stream) -> Deal {
        let mut weight = 1.0;
        for at in 0..self.ranges.len() {
            weight *= self.draw_hole(at, rng);
        }
        let from = self.ranges.len();
        for at in from..from + self.hidden {
            let left = (self.count - at) as u32;
            self.cards.swap(at, at + rng.below(left) as usize);
        }
        self.look(weight)
    }

    /// Draws the hole card of a player with a range by its weights from the cards that are left. What they weigh together is
    /// how much more or less often this deal should have come, so it is the weight of the deal.
    fn draw_hole(&mut self, at: usize, rng: &mut Stream) -> f64 {
        let range = self.ranges[at].1;
        let left = at..self.count;
        let total: f64 = self.cards[left.clone()].iter().map(|card| range.weight(*card)).sum();
        // 52 random bits, as many as a number below 1 holds.
        let random = f64::from(rng.below(1 << 26)) + f64::from(rng.below(1 << 26)) / f64::from(1 << 26);
        let mut rest = random / f64::from(1 << 26) * total;
        let mut drawn = at;
        for place in left {
            let weight = range.weight(self.cards[place]);
            if weight > 0.0 {
                drawn = place;
                if rest < weight {
                    break;
                }
                rest -= weight;
            }
        }
        self.cards.swap(at, drawn);
        total
    }

    #[inline]
    fn look(&self, weight: f64) -> Deal {
        let mut by_weight = self.ranges.iter().enumerate().peekable();
        let mut next = self.cards[self.ranges.len()..self.count].iter().copied();
        let mut draw = || next.next().expect("there are cards for everyone");
        let (mut best, mut strongest) = (0, None);
        let mut spade: Option<(Card, usize)> = None;
        for (player, known) in self.players.iter().enumerate() {
            let hole = match known.hole {
                Some(hole) => hole,
                None => match by_weight.next_if(|(_, (owner, _))| *owner == player) {
                    Some((at, _)) => self.cards[at],
                    None => draw(),
                },
            };
            let second = known.up.get(1).copied().unwrap_or_else(&mut draw);
            let strength = Some(Strength::of([hole, known.up[0], second]));
            if strength > strongest {
                (best, strongest) = (0, strength);
            }
            if strength == strongest {
                best |= 1 << player;
            }
            if hole.is_spade() && spade.is_none_or(|(card, _)| hole > card) {
                spade = Some((hole, player));
            }
        }
        Deal { best, spade: spade.map(|(_, player)| player), weight }
    }
}
