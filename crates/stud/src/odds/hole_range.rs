//! What somebody believes of a hole card that it does not see.

use crate::cards::Card;

/// How likely each hole card of another player is thought to be: a weight for each card, of which only the ratios count.
///
/// A weight says how often the player would have done what it did with that card in the hole, so the weight of a card that
/// can be seen elsewhere does not matter. A player without a range may hold any card, all alike.
///
/// ```
/// use casino_stud::cards::{Card, Rank};
/// use casino_stud::odds::HoleRange;
///
/// // This player raises with an ace or a king always, and with anything else one time in ten.
/// let raises = HoleRange::new(|card| if card.rank() >= Rank::King { 1.0 } else { 0.1 })?;
/// assert_eq!(raises.weight("AD".parse()?), 1.0);
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Clone, Debug, PartialEq)]
pub struct HoleRange([f64; 52]);

/// Ratios below this are nothing: so that no product of the weights of 16 players is too small for a number.
const LEAST: f64 = 1e-15;

impl HoleRange {
    /// The range with this weight for each card: 0 or more. Ratios below 1e-15 of the greatest weight count as 0.
    ///
    /// # Errors
    /// [`InvalidRange`] if a weight is negative or no finite number, or if all of them are 0.
    pub fn new(weight: impl Fn(Card) -> f64) -> Result<HoleRange, InvalidRange> {
        let weights = Card::ALL.map(weight);
        for (card, weight) in Card::ALL.into_iter().zip(weights) {
            if !(weight.is_finite() && weight >= 0.0) {
                return Err(InvalidRange::NoWeight { card, weight });
            }
        }
        let greatest = weights.into_iter().fold(0.0, f64::max);
        if greatest == 0.0 {
            return Err(InvalidRange::AllZero);
        }
        let ratio = |weight: f64| if weight / greatest < LEAST { 0.0 } else { weight / greatest };
        Ok(HoleRange(weights.map(ratio)))
    }

    /// The range of a player whose hole card is known.
    pub fn only(hole: Card) -> HoleRange {
        HoleRange(Card::ALL.map(|card| f64::from(u8::from(card == hole))))
    }

    /// The range of a player who may hold any card, all alike.
    pub fn any() -> HoleRange {
        HoleRange([1.0; 52])
    }

    /// The weight of a card, from 0 to 1; the greatest of the range is 1.
    #[inline]
    pub fn weight(&self, hole: Card) -> f64 {
        self.0[hole.index()]
    }
}

/// The error of weights that are no range.
#[derive(Clone, Copy, Debug, PartialEq, thiserror::Error)]
pub enum InvalidRange {
    /// A weight is negative or no finite number.
    #[error("{weight} is no weight for the {card}: give 0 or a positive number")]
    NoWeight {
        /// The card that was weighed.
        card: Card,
        /// What was given for it.
        weight: f64,
    },
    /// No card has a weight.
    #[error("every weight is 0: give at least one card a positive number")]
    AllZero,
}
