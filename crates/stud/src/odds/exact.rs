//! The odds of a player, and the ways to have them exactly.

use serde::Serialize;

use crate::cards::Seed;
use crate::stud::{Chips, MAX_SEATS, Street, Strength};

use super::enumeration::{self, Outcomes};
use super::sampler::Sampler;
use super::tally::{by_rank, falling};
use super::{Situation, counting, spades};

/// A player's chances, from 0 to 1, if all opponents stay in.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct Odds {
    /// The expected share of the pot: half of [`hand`](Odds::hand) and half of [`spade`](Odds::spade), and without a
    /// spade in the hole the other half of the best hand's as well (R10). It assumes a pot that can be divided exactly;
    /// [`Odds::chips`] is for whole chips.
    pub share: f64,
    /// The share of the hand half that the player takes on average; tied best hands share it evenly (R11).
    pub hand: f64,
    /// The probability that the player alone has the best hand.
    pub sole: f64,
    /// The probability that the player ties for the best hand.
    pub tied: f64,
    /// The probability that the player has the highest spade in the hole. It is always exact.
    pub spade: f64,
    /// The probability that no player left has a spade in the hole. It is always exact.
    pub no_spade: f64,
    /// The part of [`hand`](Odds::hand) without a spade in the hole, where the best hand takes the whole pot.
    pub whole: f64,
    /// Whether all of these are exact up to the last digits of an `f64`. Then a chance of 0 or 1 is a certainty.
    pub exact: bool,
    /// The standard error of [`share`](Odds::share); 0 if it is exact.
    pub standard_error: f64,
    /// How many random deals were looked at; 0 if the odds are exact.
    pub samples: u64,
}

#[derive(Clone, Copy)]
pub(super) struct SpadeChances {
    pub(super) spade: f64,
    pub(super) no_spade: f64,
}

impl Odds {
    /// The chips of a pot that the player takes on average. An odd chip of the pot belongs to the hand half. Chips that
    /// cannot be shared evenly between tied hands are divided exactly here, while the rules give whole chips in order
    /// of action (R11), so with ties the true average may differ by less than one chip.
    pub fn chips(&self, pot: Chips) -> f64 {
        let spade_half = pot / 2;
        let hand_half = f64::from(pot - spade_half);
        self.whole * f64::from(pot)
            + (self.hand - self.whole) * hand_half
            + self.spade * f64::from(spade_half)
    }

    pub(super) fn of(outcomes: &Outcomes, SpadeChances { spade, no_spade }: SpadeChances) -> Odds {
        let among = |counts: &[f64], from: usize| counts[from..].iter().sum::<f64>() / outcomes.all;
        let shared = |counts: &[f64]| {
            let shares = counts.iter().enumerate().map(|(others, ways)| ways / (others + 1) as f64);
            shares.sum::<f64>() / outcomes.all
        };
        let (hand, whole) = (shared(&outcomes.best), shared(&outcomes.best_without_spade));
        Odds {
            share: (hand + whole + spade) / 2.0,
            hand,
            sole: outcomes.best[0] / outcomes.all,
            tied: among(&outcomes.best, 1),
            spade,
            no_spade,
            whole,
            exact: true,
            standard_error: 0.0,
            samples: 0,
        }
    }
}

impl Situation {
    /// The odds: exact on the second street, and on the first against one or two others; against more from a sample with a
    /// standard error of at most 0.001. The same situation always gives the same odds, to the last bit.
    pub fn odds(&self) -> Odds {
        let is_quick =
            self.street() == Street::Second || self.others().len() <= Situation::MAX_QUICK_OPPONENTS;
        let exact = if is_quick { self.exact_odds() } else { None };
        exact.unwrap_or_else(|| Sampler::new(self, &Seed::chosen("odds")).usual())
    }

    /// The exact odds, if they can be had in some seconds: on the second street always, on the first against up to
    /// [`Situation::MAX_EXACT_OPPONENTS`] others.
    pub fn exact_odds(&self) -> Option<Odds> {
        match self.street() {
            Street::Second => Some(self.counted()),
            Street::First if self.others().len() <= Situation::MAX_EXACT_OPPONENTS => {
                Some(Odds::of(&enumeration::first_street(self), self.spade_chances()))
            }
            Street::First => None,
        }
    }

    /// Against how many others the first street is dealt in all ways without being asked for it.
    const MAX_QUICK_OPPONENTS: usize = 2;

    /// Against how many others the first street can be dealt in all ways.
    pub const MAX_EXACT_OPPONENTS: usize = 4;

    /// The second street: all deals are counted, and then those without a spade in the hole.
    fn counted(&self) -> Odds {
        let mine = Strength::of([self.hole(), self.up()[0], self.up()[1]]);
        let others: Vec<[_; 2]> = self.others().map(|up| [up[0], up[1]]).collect();
        let unseen = self.unseen();
        let best = |ranks: [u8; 13]| counting::wins(mine, &others, ranks).map(|ways| ways as f64);
        let no_spades = unseen.into_iter().filter(|card| !card.is_spade());
        let outcomes = Outcomes {
            best: best(by_rank(unseen)),
            best_without_spade: match self.hole().is_spade() {
                true => [0.0; MAX_SEATS],
                false => best(by_rank(no_spades)),
            },
            all: falling(unseen.len() as i128, others.len() as i128) as f64,
        };
        Odds::of(&outcomes, self.spade_chances())
    }

    pub(super) fn spade_chances(&self) -> SpadeChances {
        let hole = self.hole();
        let known = Some(hole).filter(|hole| hole.is_spade());
        let none = spades::none_above(known, self.unseen(), self.others().len());
        match known {
            Some(_) => SpadeChances { spade: none, no_spade: 0.0 },
            None => SpadeChances { spade: 0.0, no_spade: none },
        }
    }
}
