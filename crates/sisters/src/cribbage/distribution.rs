//! How often each value of a hand occurs.

use casino_stud::cards::Card;

use super::score::CribbageHand;

/// The number of hands with a start card: 270,725 hands of four cards with 48 start cards each.
pub const HANDS: u64 = 12_994_800;

/// How many of the 12,994,800 combinations of four cards in hand and a start card have each value, 0 to 29.
pub fn distribution() -> [u64; 30] {
    let mut counts = [0; 30];
    for a in 0..52 {
        for b in a + 1..52 {
            for c in b + 1..52 {
                for d in c + 1..52 {
                    let hand = CribbageHand::new([Card::ALL[a], Card::ALL[b], Card::ALL[c], Card::ALL[d]]);
                    let mut from = 0;
                    // The starts are the stretches between the four cards.
                    for until in [a, b, c, d, 52] {
                        for start in &Card::ALL[from..until] {
                            counts[usize::from(hand.value(*start))] += 1;
                        }
                        from = until + 1;
                    }
                }
            }
        }
    }
    counts
}

#[cfg(test)]
mod tests {
    use super::*;

    /// The published counts; their points add up to the published 61,974,180.
    #[test]
    fn all_hands_have_the_published_distribution() {
        let counts = distribution();
        assert_eq!(counts.iter().sum::<u64>(), HANDS);
        let points: u64 = counts.iter().zip(0..).map(|(count, value)| count * value).sum();
        assert_eq!(points, 61_974_180);
        assert_eq!(
            counts,
            [
                1_009_008, 99_792, 2_813_796, 505_008, 2_855_676, 697_508, 1_800_268, 751_324, 1_137_236,
                361_224, 388_740, 51_680, 317_340, 19_656, 90_100, 9_168, 58_248, 11_196, 2_708, 0, 8_068,
                2_496, 444, 356, 3_680, 0, 0, 0, 76, 4
            ]
        );
    }
}
