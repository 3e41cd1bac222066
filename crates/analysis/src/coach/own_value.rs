//! The value of a player's cards to itself, by which its habits are grouped.
//!
//! The house bot `solver` computes nearly the same for all hands, with the visible cards removed from the deck. Here fixed
//! tables are used, with no cards removed, because every second street of every rollout needs them.

use std::sync::OnceLock;

use casino_stud::cards::{Card, CardSet};
use casino_stud::stud::{Category, MAX_SEATS, Seat, SeatSet, Street, Strength};

use super::noted_round::Spot;

/// Number of kinds of own cards, and of classes of their value.
pub(super) const CARD_KINDS: usize = 5;
pub(super) const VALUE_CLASSES: usize = 7;

/// Lower bounds of the classes of value: in fair shares of the pot, where 1 is the average, or as a share of the whole
/// pot, which is more precise with few players.
const VALUE_CLASS_MINIMA: [(f32, f32); VALUE_CLASSES - 1] =
    [(0.5, 1.0), (0.8, 1.0), (1.2, 1.0), (1.5, 0.7), (2.2, 0.82), (3.5, 0.92)];

/// A player's view of its cards.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub(super) struct CardEquity {
    /// The share of the pot, from 0 to 1, if everyone on the board stays in and holds any cards.
    pub(super) share: f32,
    /// The class of the cards: a kind and a worth.
    pub(super) class: u8,
}

/// A strength for every rank in the hole, as numbers that compare as strengths do.
type ByHole = [u16; 13];

struct Tables {
    /// The strengths with each hole card, for two up cards of these ranks.
    by_ups: Vec<ByHole>,
    /// The probability of being below each strength, equal ones counting half, for one up card and two unknown ones.
    below: Vec<Vec<f32>>,
}

/// The number of different strengths there are is below this.
const STRENGTH_BOUND: usize = 456;

/// All strengths in order, so that they are numbered.
fn numbered() -> Vec<Strength> {
    let mut all = Vec::new();
    for a in 0..13 {
        for b in 0..13 {
            all.extend((0..13).map(|c| Strength::of_ranks([a, b, c])));
        }
    }
    all.sort_unstable();
    all.dedup();
    all
}

fn tables() -> &'static Tables {
    static TABLES: OnceLock<Tables> = OnceLock::new();
    TABLES.get_or_init(|| {
        let all = numbered();
        let number = |strength: Strength| all.binary_search(&strength).unwrap_or_default() as u16;
        let by_ups: Vec<ByHole> = (0..169)
            .map(|ups| std::array::from_fn(|hole| number(Strength::of_ranks([hole, ups / 13, ups % 13]))))
            .collect();
        let below = (0..13).map(|up| {
            let mut counts = vec![0.0f32; STRENGTH_BOUND];
            for second in 0..13 {
                by_ups[up * 13 + second]
                    .iter()
                    .for_each(|number| counts[usize::from(*number)] += 1.0 / 169.0);
            }
            let mut sum = 0.0;
            counts.iter_mut().for_each(|count| {
                let equal = *count;
                *count = sum + equal / 2.0;
                sum += equal;
            });
            counts
        });
        Tables { below: below.collect(), by_ups }
    })
}

/// The outlook of every seat with every hole card, where that does not change.
pub(super) type CardEquities = [[CardEquity; 52]; MAX_SEATS];

/// A board: the up cards of the players who were in when the street began, and all visible cards.
#[derive(Clone)]
pub(super) struct Board {
    street: Street,
    seats: SeatSet,
    ups: [[u8; 2]; MAX_SEATS],
    /// For each hole card: the chance of the high spade, or for other suits the chance that no spade is in the hole.
    spades: [f32; 52],
}

impl Board {
    pub(super) fn of(spot: &Spot) -> Board {
        let round = &spot.round;
        let mut ups = [[0; 2]; MAX_SEATS];
        for seat in spot.board {
            ups[seat.index()] = round.up(seat).map(|card| card.rank().index() as u8);
        }
        Board {
            street: round.street(),
            seats: spot.board,
            ups,
            spades: spades(spot.seen(), spot.board.len()),
        }
    }

    /// The outlook of a seat with a hole card of this rank: the chance of the best hand.
    fn hand(&self, seat: Seat, hole: usize) -> f32 {
        let tables = tables();
        let [first, second] = self.ups[seat.index()].map(usize::from);
        match self.street {
            Street::Second => {
                let mine = tables.by_ups[first * 13 + second][hole];
                let mut chance = 1.0;
                for other in self.seats.without(seat) {
                    let [first, second] = self.ups[other.index()].map(usize::from);
                    let theirs = &tables.by_ups[first * 13 + second];
                    let twice: u16 = theirs
                        .iter()
                        .map(|their| 2 * u16::from(*their < mine) + u16::from(*their == mine))
                        .sum();
                    chance *= f32::from(twice) / 26.0;
                }
                chance
            }
            Street::First => {
                let mut sum = 0.0;
                for number in tables.by_ups[first * 13 + hole] {
                    let mut chance = 1.0;
                    for other in self.seats.without(seat) {
                        let first = usize::from(self.ups[other.index()][0]);
                        chance *= tables.below[first][usize::from(number)];
                    }
                    sum += chance;
                }
                sum / 13.0
            }
        }
    }

    fn category(&self, seat: Seat, hole: usize) -> Category {
        let [first, second] = self.ups[seat.index()].map(usize::from);
        match self.street {
            Street::First if first == hole => Category::Pair,
            Street::First => Category::HighCard,
            Street::Second => Strength::of_ranks([hole, first, second]).category(),
        }
    }

    fn with(&self, seat: Seat, hole: Card, hand: f32) -> CardEquity {
        let spade = self.spades[hole.index()];
        let share = if hole.is_spade() { (hand + spade) / 2.0 } else { hand * (1.0 + spade) / 2.0 };
        let good_spade = hole.is_spade() && spade > 0.5;
        let kind = match (self.category(seat, hole.rank().index()), good_spade) {
            (Category::HighCard, false) => 0,
            (Category::HighCard, true) => 1,
            (Category::Pair, false) => 2,
            (Category::Pair, true) => 3,
            (Category::Trips, _) => 4,
        };
        let fair = share * self.seats.len() as f32;
        let worth =
            VALUE_CLASS_MINIMA.iter().filter(|(from, of_all)| fair >= *from || share >= *of_all).count();
        CardEquity { share, class: (kind * VALUE_CLASSES + worth) as u8 }
    }

    pub(super) fn equity(&self, seat: Seat, hole: Card) -> CardEquity {
        self.with(seat, hole, self.hand(seat, hole.rank().index()))
    }

    /// The outlooks of everyone on the board with every hole card.
    pub(super) fn equities(&self) -> Box<CardEquities> {
        let mut all = Box::new([[CardEquity::default(); 52]; MAX_SEATS]);
        for seat in self.seats {
            let hands: [f32; 13] = std::array::from_fn(|rank| self.hand(seat, rank));
            for card in Card::ALL {
                all[seat.index()][card.index()] = self.with(seat, card, hands[card.rank().index()]);
            }
        }
        all
    }
}

/// For a spade the chance that it is the highest in the hole; for every other card the chance that no other has a spade there.
fn spades(seen: CardSet, players: usize) -> [f32; 52] {
    let unseen = seen.others().len() as f32;
    let none = |known: Option<Card>| {
        let above = seen.others().spades_above(known) as f32;
        let mut chance = 1.0;
        for other in 1..players {
            // The player's own hole card is not among the unseen ones.
            let left = (unseen - other as f32).max(1.0);
            chance *= ((left - above) / left).max(0.0);
        }
        chance
    };
    let of_none = none(None);
    Card::ALL.map(|card| if card.is_spade() { none(Some(card)) } else { of_none })
}
