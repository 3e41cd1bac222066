//! The pairs of up cards with which a round for two begins: 338 that differ.

use super::kinds::Kind;
use super::table::SPOTS;

/// A pair of up cards, first that of the player who opens.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Spot {
    /// The up cards, first that of the player who opens.
    pub(super) ups: [Kind; 2],
    /// How many pairs of cards are such a pair, of 1,326.
    pub(super) pairs: u32,
}

/// All pairs that differ, in the order of their [`super::table::place`].
pub(super) fn spots() -> Vec<Spot> {
    let mut spots = Vec::with_capacity(SPOTS);
    for high in 0..13 {
        for low in 0..=high {
            for (high_spade, low_spade) in [(false, false), (true, false), (false, true), (true, true)] {
                // Of two cards of a rank the spade opens, and there is only one (R6).
                if high == low && low_spade {
                    continue;
                }
                let ups = [Kind::new(high, high_spade), Kind::new(low, low_spade)];
                let cards = |spade: bool| if spade { 1 } else { 3 };
                let pairs = match (high == low, high_spade) {
                    (true, false) => 3,
                    _ => cards(high_spade) * cards(low_spade),
                };
                spots.push(Spot { ups, pairs });
            }
        }
    }
    spots
}

#[cfg(test)]
mod tests {
    use super::super::table::place;
    use super::*;
    use casino_stud::cards::Card;

    #[test]
    fn every_pair_of_up_cards_is_a_spot() {
        let all = spots();
        assert_eq!(all.len(), SPOTS);
        for (at, spot) in all.iter().enumerate() {
            assert_eq!(place(spot.ups), at);
        }
        let mut counts = vec![0; SPOTS];
        for (at, low) in Card::ALL.into_iter().enumerate() {
            for high in &Card::ALL[at + 1..] {
                counts[place([Kind::of(*high), Kind::of(low)])] += 1;
            }
        }
        assert_eq!(counts, all.iter().map(|spot| spot.pairs).collect::<Vec<u32>>());
    }
}
