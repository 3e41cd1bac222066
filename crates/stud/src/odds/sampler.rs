//! Odds from random deals.

use crate::cards::{Seed, Stream};
use crate::stud::Seat;

use super::dealer::Dealer;
use super::exact::SpadeChances;
use super::{Odds, PublicHand, Situation};

/// How much work a sample is worth.
#[derive(Clone, Debug)]
pub struct Effort {
    /// The standard error of the share of the pot at which there have been deals enough. 0 means that only the number of
    /// deals counts.
    pub precision: f64,
    /// After how many deals there is an end in any case, at least 1.
    pub samples: u64,
    /// What the random numbers come from: the same seed and situation give the same odds.
    pub seed: Seed,
}

impl Default for Effort {
    /// A standard error of 0.002, and at most 100,000 deals: a few hundredths of a second.
    fn default() -> Effort {
        Effort { precision: 0.002, samples: 100_000, seed: Seed::chosen("odds") }
    }
}

/// The seat at which a deal puts who asks.
const OWN: Seat = Seat::new(0);

/// How many deals there are at least, and between two looks at the precision.
const STEP: u64 = 1_000;

/// Odds that become more precise the more random deals are looked at.
///
/// ```
/// use casino_stud::cards::Seed;
/// use casino_stud::odds::{Sampler, Situation};
/// use casino_stud::protocol::Command;
///
/// let Command::Question(question) = Command::read("bet1:500:4:0:KS:10D:up:10D:AC:7H:7D", 10)? else { panic!() };
/// let situation = Situation::of(&question.as_question())?;
/// let mut sampler = Sampler::new(&situation, &Seed::chosen("monday"));
/// sampler.deal(2_000);
/// let rough = sampler.odds();
/// sampler.deal(30_000);
/// let fine = sampler.odds();
/// assert!(!fine.exact && fine.samples == 32_000 && fine.standard_error < rough.standard_error);
/// // What concerns the spade half is exact from the start.
/// assert_eq!((fine.spade, fine.no_spade), (rough.spade, rough.no_spade));
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
pub struct Sampler<'a> {
    dealer: Dealer<'a>,
    rng: Stream,
    spades: SpadeChances,
    sums: Sums,
}

/// Sums over the deals, each multiplied by its weight.
#[derive(Default)]
struct Sums {
    deals: u64,
    weight: f64,
    hand: f64,
    sole: f64,
    tied: f64,
    whole: f64,
    /// For the standard error: weights, squared, alone and with the share that is sampled and its square.
    squares: [f64; 3],
}

impl<'a> Sampler<'a> {
    /// A sampler that has not dealt yet.
    pub fn new(situation: &'a Situation, seed: &Seed) -> Sampler<'a> {
        let own = PublicHand::shown(situation.up()).with_hole(situation.hole());
        let others = situation.others().map(PublicHand::shown);
        let ranges = situation.opponents().iter().enumerate();
        let ranges = ranges.filter_map(|(at, other)| other.range.as_ref().map(|range| (at + 1, range)));
        Sampler {
            dealer: Dealer::new(
                [own].into_iter().chain(others).collect(),
                ranges.collect(),
                situation.unseen(),
            ),
            rng: seed.stream("odds"),
            spades: situation.spade_chances(),
            sums: Sums::default(),
        }
    }

    /// Looks at so many more deals.
    pub fn deal(&mut self, deals: u64) {
        for _ in 0..deals {
            let deal = self.dealer.deal(&mut self.rng);
            let Sums { weight, hand, sole, tied, whole, squares, .. } = &mut self.sums;
            *weight += deal.weight;
            squares[0] += deal.weight * deal.weight;
            let share = deal.winners.hand_share(OWN);
            if share > 0.0 {
                let weighted = deal.weight * share;
                *hand += weighted;
                *(if deal.winners.tied().len() == 1 { sole } else { tied }) += deal.weight;
                let mut sampled = share / 2.0;
                if deal.winners.spade().is_none() {
                    *whole += weighted;
                    sampled = share;
                }
                let square = deal.weight * deal.weight * sampled;
                squares[1] += square;
                squares[2] += square * sampled;
            }
        }
        self.sums.deals += deals;
    }

    /// Deals until the effort is made, and returns the odds.
    pub fn reach(mut self, effort: &Effort) -> Odds {
        let most = effort.samples.max(1);
        while self.sums.deals < most {
            self.deal(STEP.min(most - self.sums.deals));
            if self.standard_error() <= effort.precision {
                break;
            }
        }
        self.odds()
    }

    /// How many deals have been looked at.
    pub fn deals(&self) -> u64 {
        self.sums.deals
    }

    /// The odds so far. Without any deal, everything that is sampled is 0 and the standard error infinite.
    pub fn odds(&self) -> Odds {
        let SpadeChances { spade, no_spade } = self.spades;
        let Sums { deals, weight, hand, sole, tied, whole, .. } = self.sums;
        let mean = |sum: f64| if weight > 0.0 { sum / weight } else { 0.0 };
        Odds {
            share: (mean(hand) + mean(whole) + spade) / 2.0,
            hand: mean(hand),
            sole: mean(sole),
            tied: mean(tied),
            spade,
            no_spade,
            whole: mean(whole),
            exact: false,
            standard_error: self.standard_error(),
            samples: deals,
        }
    }

    /// The standard error of the share so far. A deal that never came may still come: the error is never said to be
    /// less than a deal's part of all.
    pub fn standard_error(&self) -> f64 {
        let Sums { deals, weight, hand, whole, squares, .. } = self.sums;
        if deals == 0 || weight == 0.0 {
            return f64::INFINITY;
        }
        let mean = (hand + whole) / (2.0 * weight);
        let sum = squares[2] - 2.0 * mean * squares[1] + mean * mean * squares[0];
        (sum.max(0.0).sqrt() / weight).max(1.0 / deals as f64)
    }
}
