//! The best hand where a player has two unknown cards: an enumeration by rank, or a random sample.

use crate::cards::{Card, CardSet, Rank, Seed, Suit};
use crate::stud::{Seat, Strength};

use super::PublicHand;
use super::dealer::StubDealer;
use super::public::Shares;
use super::tally::{Tally, by_rank, falling};

/// The most cases that are dealt: below a millisecond or two.
pub(super) const MAX_DEALT_CASES: usize = 120_000;

/// How many cards are dealt in all cases of a sample together, and how many cases there are at most: some milliseconds.
const MAX_SAMPLE_CARDS: usize = 500_000;
const MAX_SAMPLE_CASES: usize = 50_000;

/// How many cases there are at most, suits apart: 13 ranks of one unknown card, 91 pairs of ranks of two.
pub(super) fn cases(left: &[PublicHand<'_>]) -> usize {
    let of_player = |hand: &PublicHand<'_>| [1, 13, 91][hand.missing()];
    left.iter().map(of_player).fold(1, usize::saturating_mul)
}

/// In how many of all cases who has the best hand.
pub(super) fn tally(left: &[PublicHand<'_>], unseen: CardSet) -> Tally {
    let mut dealing =
        CaseDealer { left, ranks: by_rank(unseen), strengths: Vec::new(), tally: Tally::new(left.len()) };
    dealing.deal(1);
    dealing.tally
}

/// All cases, dealt player by player.
struct CaseDealer<'a> {
    left: &'a [PublicHand<'a>],
    /// The cards of each rank that are not dealt.
    ranks: [u8; 13],
    /// The hands of the players who have all their cards.
    strengths: Vec<Strength>,
    tally: Tally,
}

impl CaseDealer<'_> {
    /// Deals to the next player in every way. The players before have their cards in so many ways.
    fn deal(&mut self, ways: i128) {
        let Some(hand) = self.left.get(self.strengths.len()) else {
            let best = self.strengths.iter().max().copied();
            let strengths = &self.strengths;
            let winners = (0..strengths.len()).filter(move |player| Some(strengths[*player]) == best);
            self.tally.add(winners, ways);
            return;
        };
        let known: Vec<Card> = hand.known().collect();
        match known[..] {
            [one, two, three] => self.deal_next([one, two, three], ways),
            [one, two] => {
                for rank in 0..13 {
                    self.with(&[rank], ways, |this, ways| this.deal_next([one, two, of(rank)], ways));
                }
            }
            [one] => {
                for first in 0..13 {
                    for second in first..13 {
                        // Either card of a different rank may come first.
                        let orders = if first == second { 1 } else { 2 };
                        let hand = [one, of(first), of(second)];
                        self.with(&[first, second], ways * orders, |this, ways| this.deal_next(hand, ways));
                    }
                }
            }
            _ => unreachable!("a player has an up card, and three cards"),
        }
    }

    fn deal_next(&mut self, hand: [Card; 3], ways: i128) {
        self.strengths.push(Strength::of(hand));
        self.deal(ways);
        self.strengths.pop();
    }

    /// Continues with cards of these ranks dealt, if there are any.
    fn with(&mut self, ranks: &[usize], ways: i128, go_on: impl FnOnce(&mut Self, i128)) {
        let before = self.ranks;
        let mut ways = ways;
        for rank in ranks {
            ways *= falling(i128::from(self.ranks[*rank]), 1);
            self.ranks[*rank] = self.ranks[*rank].saturating_sub(1);
        }
        if ways > 0 {
            go_on(self, ways);
        }
        self.ranks = before;
    }
}

/// A card of this rank; suits do not count.
pub(super) fn of(rank: usize) -> Card {
    Card::new(Rank::ALL[rank], Suit::Clubs)
}

/// The average over random cases, always the same ones for the same cards.
pub(super) fn sample(left: &[PublicHand<'_>], unseen: CardSet) -> Shares {
    let mut dealer = StubDealer::new(left.to_vec(), unseen);
    let samples = (MAX_SAMPLE_CARDS / dealer.drawn()).min(MAX_SAMPLE_CASES);
    let mut rng = Seed::chosen("the chances of the first street").stream("sample");
    let mut sums = vec![(0.0, 0.0); left.len()];
    for _ in 0..samples {
        let winners = dealer.deal(&mut rng);
        for (player, (sum, squares)) in sums.iter_mut().enumerate() {
            let share = winners.hand_share(Seat::new(player));
            *sum += share;
            *squares += share * share;
        }
    }
    let samples = samples as f64;
    let variance = |(sum, squares): &(f64, f64)| (squares / samples - (sum / samples).powi(2)).max(0.0);
    let greatest = sums.iter().map(variance).fold(0.0, f64::max);
    // A case that never came may still come: the error is never said to be 0.
    let standard_error = (greatest / samples).sqrt().max(1.0 / samples);
    Shares { hand: sums.iter().map(|(sum, _)| sum / samples).collect(), standard_error }
}
