//! Predictions from the hands of a deck before they are played.
//!
//! In a block of equal deals each player holds every hand of the deck once, so the remaining luck is how much a deck
//! brings out the differences between bots: most where the two best hands are both worth a bet, little where the pot is
//! split between the best hand and the highest spade. A regression on features of the two best hands estimates it.

use casino_stud::cards::{Card, Deck, Suit};
use casino_stud::stud::Strength;

const FEATURES_PER_HAND: usize = 8;

/// How many numbers there are for both hands: their own, the squares and products of these.
const FEATURES_OF_BOTH_HANDS: usize = 5 * FEATURES_PER_HAND;

/// How many numbers there are for a deck: those of both hands where the best one takes the whole pot, the plain ones where
/// it does not, and whether it does.
pub(super) const DECK_FEATURES: usize = FEATURES_OF_BOTH_HANDS + 2 * FEATURES_PER_HAND + 1;

/// Appends the numbers for the hands that this deck gives to so many seats (R4). They depend on nothing but the cards.
pub(super) fn add_features(deck: &Deck, seats: usize, features: &mut Vec<f64>) {
    let cards = deck.cards();
    let hand = |seat: usize| [cards[seat], cards[seats + seat], cards[2 * seats + seat]];
    let (mut best, mut next) = (0, 1);
    for seat in 1..seats {
        if Strength::of(hand(seat)) > Strength::of(hand(best)) {
            (best, next) = (seat, best);
        } else if seat != next && Strength::of(hand(seat)) > Strength::of(hand(next)) {
            next = seat;
        }
    }
    let spade = cards[..seats].iter().copied().filter(|card| card.suit() == Suit::Spades).max();
    let is_alone = Strength::of(hand(best)) > Strength::of(hand(next));
    let takes_all = is_alone && spade.is_none_or(|spade| spade == cards[best]);
    let (best, next) = (of_hand(hand(best)), of_hand(hand(next)));
    let plain = best.into_iter().chain(next);
    let products =
        best.into_iter().zip(next).flat_map(|(one, other)| [one * one, other * other, one * other]);
    let (all, shared) = if takes_all { (1.0, 0.0) } else { (0.0, 1.0) };
    features.extend(plain.clone().chain(products).map(|number| all * number));
    features.extend(plain.map(|number| shared * number));
    features.push(all);
}

/// The three ranks from the highest on, whether two are equal, the rank of the hole card and of the higher up card, and
/// whether the pair is in sight or not.
fn of_hand([hole, first, second]: [Card; 3]) -> [f64; FEATURES_PER_HAND] {
    let rank = |card: Card| card.rank().index() as f64;
    let mut ranks = [hole, first, second].map(rank);
    ranks.sort_by(f64::total_cmp);
    let is = |it: bool| if it { 1.0 } else { 0.0 };
    let [low, middle, high] = ranks;
    [
        high,
        middle,
        low,
        is(low == middle || middle == high),
        rank(hole),
        rank(first).max(rank(second)),
        is(first.rank() == second.rank()),
        is(hole.rank() == first.rank() || hole.rank() == second.rank()),
    ]
}

#[cfg(test)]
mod tests {
    use super::*;
    use casino_stud::cards::Seed;

    fn deck(cards: &str) -> Deck {
        let top: Vec<Card> = cards.split(' ').map(|card| card.parse().unwrap()).collect();
        Deck::beginning_with(&top).unwrap()
    }

    #[test]
    fn the_two_best_hands_and_the_pot_winner_are_found() {
        let mut features = Vec::new();
        // Three seats: holes, first up cards, second up cards. Seat 2 has kings, seat 3 has nines, seat 1 nothing.
        add_features(&deck("2H KD 9C 5C KH 9D 7D 3C JH"), 3, &mut features);
        assert_eq!(features.len(), DECK_FEATURES);
        let kings = [11.0, 11.0, 1.0, 1.0, 11.0, 11.0, 0.0, 1.0];
        let nines = [9.0, 7.0, 7.0, 1.0, 7.0, 9.0, 0.0, 1.0];
        assert_eq!((&features[..8], &features[8..16]), (&kings[..], &nines[..]));
        assert_eq!(
            (features[16], features[17], features[18], features[DECK_FEATURES - 1]),
            (121.0, 81.0, 99.0, 1.0)
        );
        features.clear();
        // An opponent has the only spade in the hole: the pot is shared.
        add_features(&deck("2S KD 9C 5C KH 9D 7D 3C JH"), 3, &mut features);
        assert!(features[..FEATURES_OF_BOTH_HANDS].iter().all(|number| *number == 0.0));
        assert_eq!(
            (&features[FEATURES_OF_BOTH_HANDS..FEATURES_OF_BOTH_HANDS + 8], features[DECK_FEATURES - 1]),
            (&kings[..], 0.0)
        );
    }

    #[test]
    fn every_number_takes_more_than_one_value() {
        let mut shuffler = Seed::chosen("signs").shuffler(1);
        let decks: Vec<Vec<f64>> = (1..300)
            .map(|number| {
                let mut features = Vec::new();
                add_features(shuffler.deck(number, 12), 4, &mut features);
                features
            })
            .collect();
        for at in 0..DECK_FEATURES {
            assert!(decks.iter().any(|features| features[at] != decks[0][at]), "number {at}");
        }
    }
}
