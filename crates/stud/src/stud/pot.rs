//! How a pot is shared out (R9–R11).

use serde::{Deserialize, Serialize};

use crate::cards::Card;

use super::{Chips, Seat, SeatSet, Strength};

/// Which part of the pot a payout comes from.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum Half {
    /// The whole pot, because all others folded (R9) or no hole card was a spade (R10).
    Whole,
    /// The half that goes to the best hand.
    Hand,
    /// The half that goes to the highest spade in the hole.
    Spade,
}

/// Chips that go from the pot to a player.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Payout {
    /// The seat of the player who gets the chips.
    pub seat: Seat,
    /// The part of the pot that they come from.
    pub half: Half,
    /// The number of chips, never 0.
    pub chips: Chips,
}

/// The winners of a showdown: the seats that tie for the best hand, and the one with the highest spade in the hole
/// (R10).
#[derive(Clone, Copy, Debug)]
pub struct Winners {
    strongest: Strength,
    tied: SeatSet,
    /// The highest spade in the hole, 1-based, and its seat below it, as one number; 0 without one.
    spade: usize,
}

impl Default for Winners {
    fn default() -> Winners {
        Winners { strongest: Strength::NONE, tied: SeatSet::EMPTY, spade: 0 }
    }
}

impl Winners {
    /// Compares one more player, with this card and a hand of this strength. It is branchless, because the winner is
    /// unpredictable.
    #[inline]
    pub fn add(&mut self, seat: Seat, hole: Card, strength: Strength) {
        let as_good = SeatSet::only(seat).if_true(strength >= self.strongest);
        self.tied = self.tied.if_true(strength <= self.strongest).or(as_good);
        self.strongest = self.strongest.max(strength);
        let spade = ((hole.index() + 1) << 8 | seat.index()) * usize::from(hole.is_spade());
        self.spade = self.spade.max(spade);
    }

    /// The seats with the best hand.
    #[inline]
    pub fn tied(&self) -> SeatSet {
        self.tied
    }

    /// The seat with the highest spade in the hole.
    #[inline]
    pub fn spade(&self) -> Option<Seat> {
        (self.spade > 0).then(|| Seat::new(self.spade & 0xFF))
    }

    /// The seat's share of the hand half, from 0 to 1 (R11).
    #[inline]
    pub fn hand_share(&self, seat: Seat) -> f64 {
        if self.tied.contains(seat) { 1.0 / self.tied.len() as f64 } else { 0.0 }
    }

    /// The seat's part of a pot that can be divided as one likes, from 0 to 1 (R10, R11).
    #[inline]
    pub fn share(&self, seat: Seat) -> f64 {
        let hand = self.hand_share(seat);
        self.spade().map_or(hand, |spade| (hand + f64::from(u8::from(spade == seat))) / 2.0)
    }
}

/// How a pot is shared out. The payouts add up to the pot.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Showdown {
    /// The seats with the best hand: one, or several that tie.
    tied: SeatSet,
    /// The opener of the last street played; action order starts there.
    opener: Seat,
    /// The chips that the best hands share.
    hand_half: Chips,
    /// The seat with the highest spade in the hole, and the chips it takes.
    spade: Option<(Seat, Chips)>,
}

impl Showdown {
    /// Gives the whole pot to the last player left (R9).
    pub(super) fn uncontested(seat: Seat, pot: Chips) -> Showdown {
        Showdown { tied: SeatSet::only(seat), opener: seat, hand_half: pot, spade: None }
    }

    /// Shares the pot between the players still in, in order of action from `opener`, the opener of the last street
    /// played. `hand` returns a seat's three cards, hole card first.
    pub(super) fn between(
        live: SeatSet,
        opener: Seat,
        pot: Chips,
        hand: impl Fn(Seat) -> [Card; 3],
    ) -> Showdown {
        let mut winners = Winners::default();
        for seat in live {
            let cards = hand(seat);
            winners.add(seat, cards[0], Strength::of(cards));
        }
        // R11: the odd chip of the pot stays with the hand half.
        let spade = winners.spade().map(|seat| (seat, pot / 2));
        let hand_half = pot - spade.map_or(0, |(_, chips)| chips);
        Showdown { tied: winners.tied(), opener, hand_half, spade }
    }

    /// The player whose hand is shown to everyone: the first of the best hands in order of action (R14).
    pub fn shown(&self) -> Seat {
        self.tied.first_from(self.opener).expect("a showdown has a best hand")
    }

    /// The chips that a seat takes, 0 if it takes none.
    pub fn won(&self, seat: Seat) -> Chips {
        self.payouts().filter(|payout| payout.seat == seat).map(|payout| payout.chips).sum()
    }

    /// The payouts: those for the best hands in order of action, then the one for the spade.
    pub fn payouts(&self) -> impl Iterator<Item = Payout> + use<> {
        let (half, shares) = match self.spade {
            Some(_) => (Half::Hand, self.tied.len() as Chips),
            None => (Half::Whole, self.tied.len() as Chips),
        };
        // Nearly always one hand is the best, and a division takes as long as all else here.
        let (share, odd) = match shares {
            1 => (self.hand_half, 0),
            shares => (self.hand_half / shares, self.hand_half % shares),
        };
        let hands = self.tied.iter_from(self.opener).zip(0..).map(move |(seat, place)| Payout {
            seat,
            half,
            // R11: the remainder goes to the winners in action order, one chip each.
            chips: share + Chips::from(place < odd),
        });
        let spade = self.spade.map(|(seat, chips)| Payout { seat, half: Half::Spade, chips });
        hands.chain(spade).filter(|payout| payout.chips > 0)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    fn cards_of(hands: &[&str]) -> Vec<[Card; 3]> {
        let cards = |hand: &&str| hand.split(' ').map(|card| card.parse().unwrap()).collect::<Vec<Card>>();
        hands.iter().map(|hand| cards(hand).try_into().unwrap()).collect()
    }

    fn share(hands: &[&str], opener: usize, pot: Chips) -> (usize, Vec<(usize, Half, Chips)>) {
        let hands = cards_of(hands);
        let showdown = Showdown::between(SeatSet::first_seats(hands.len()), Seat::new(opener), pot, |seat| {
            hands[seat.index()]
        });
        let payouts = showdown.payouts().map(|p| (p.seat.index(), p.half, p.chips)).collect();
        (showdown.shown().index(), payouts)
    }

    #[test]
    fn half_for_the_hand_and_half_for_the_high_spade_in_the_hole() {
        let hands = ["KH KD 2C", "QS 3D 4C", "JS 5D 7C"];
        assert_eq!(share(&hands, 0, 20), (0, vec![(0, Half::Hand, 10), (1, Half::Spade, 10)]));
        // R11: the odd chip goes to the hand half.
        assert_eq!(share(&hands, 0, 21), (0, vec![(0, Half::Hand, 11), (1, Half::Spade, 10)]));
    }

    /// Each hand's part of the best hand, of a pot that can be divided as one likes, and of a pot of 21 chips.
    fn parts(hands: &[&str]) -> Vec<(f64, f64, Chips)> {
        let hands = cards_of(hands);
        let seats = SeatSet::first_seats(hands.len());
        let mut winners = Winners::default();
        for (seat, cards) in seats.into_iter().zip(&hands) {
            winners.add(seat, cards[0], Strength::of(*cards));
        }
        let showdown = Showdown::between(seats, Seat::new(0), 21, |seat| hands[seat.index()]);
        let part = |seat| (winners.hand_share(seat), winners.share(seat), showdown.won(seat));
        seats.into_iter().map(part).collect()
    }

    #[test]
    fn a_seat_gets_its_share_and_half_if_a_spade_wins_the_rest() {
        assert_eq!(parts(&["KH KD 2C", "QS 3D 4C"]), [(1.0, 0.5, 11), (0.0, 0.5, 10)]);
        assert_eq!(parts(&["KS KD 2C", "QS 3D 4C"]), [(1.0, 1.0, 21), (0.0, 0.0, 0)]);
        assert_eq!(parts(&["KH KD 2C", "QD 3S AS"]), [(1.0, 1.0, 21), (0.0, 0.0, 0)]);
        let tied = ["KH KD 2C", "KS KC 2D", "3H 4D 5C"];
        assert_eq!(parts(&tied), [(0.5, 0.25, 6), (0.5, 0.75, 15), (0.0, 0.0, 0)]);
    }

    #[test]
    fn no_spade_in_the_hole_and_the_hand_takes_all() {
        // Spades among the up cards count for nothing.
        assert_eq!(share(&["KH KS 2C", "QD 3S AS"], 0, 21), (0, vec![(0, Half::Whole, 21)]));
    }

    #[test]
    fn one_player_can_take_both_halves() {
        assert_eq!(
            share(&["KS KD 2C", "QS 3D 4C"], 0, 9),
            (0, vec![(0, Half::Hand, 5), (0, Half::Spade, 4)])
        );
    }

    #[test]
    fn tied_hands_split_and_odd_chips_follow_the_action_order() {
        let hands = ["AH KD 9C", "AD KH 9D", "AC KC 9H", "2S 3C 4D"];
        assert_eq!(
            share(&hands, 1, 17),
            (1, vec![(1, Half::Hand, 3), (2, Half::Hand, 3), (0, Half::Hand, 3), (3, Half::Spade, 8)])
        );
        assert_eq!(
            share(&hands, 2, 16),
            (2, vec![(2, Half::Hand, 3), (0, Half::Hand, 3), (1, Half::Hand, 2), (3, Half::Spade, 8)])
        );
        // A hand half of two chips among three: the last in action order gets nothing and is not paid.
        assert_eq!(
            share(&hands, 3, 4),
            (0, vec![(0, Half::Hand, 1), (1, Half::Hand, 1), (3, Half::Spade, 2)])
        );
    }

    proptest! {
        #[test]
        fn payouts_add_up_to_the_pot(seed in any::<u64>(), players in 2..=17usize, opener in 0..17usize, pot in 2..100_000u32) {
            let deck = crate::cards::Seed::chosen(seed.to_string()).shuffler(1).deck(1, 51).clone();
            let hand = |seat: Seat| [0, players, 2 * players].map(|slot| deck.cards()[slot + seat.index()]);
            let opener = Seat::new(opener % players);
            let showdown = Showdown::between(SeatSet::first_seats(players), opener, pot, hand);
            prop_assert_eq!(showdown.payouts().map(|p| p.chips).sum::<Chips>(), pot);
            prop_assert!(showdown.payouts().all(|p| p.chips > 0));
        }
    }
}
