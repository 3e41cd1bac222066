//! A probability distribution over an unseen hole card.

use crate::cards::Card;

/// How likely each hole card of another player is: a weight for each card, of which only the ratios count.
///
/// A weight is the probability with which the player would have acted as it did with that card in the hole.
#[derive(Clone, Debug, PartialEq)]
pub struct HoleRange([f64; 52]);

const MIN_RATIO: f64 = 1e-15;

impl HoleRange {
    /// The range with this weight for each card, 0 or more.
    ///
    /// # Panics
    /// If a weight is negative or not finite, or all are 0.
    pub fn new(weight: impl Fn(Card) -> f64) -> HoleRange {
        let weights = Card::ALL.map(weight);
        assert!(weights.iter().all(|weight| weight.is_finite() && *weight >= 0.0), "a weight is no number");
        let greatest = weights.into_iter().fold(0.0, f64::max);
        assert!(greatest > 0.0, "no card is possible");
        let ratio = |weight: f64| if weight / greatest < MIN_RATIO { 0.0 } else { weight / greatest };
        HoleRange(weights.map(ratio))
    }

    /// The range in which all cards are alike.
    pub fn any() -> HoleRange {
        HoleRange([1.0; 52])
    }

    /// The weight of a card, from 0 to 1; the greatest of the range is 1.
    #[inline]
    pub fn weight(&self, hole: Card) -> f64 {
        self.0[hole.index()]
    }
}
