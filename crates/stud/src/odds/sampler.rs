//! Odds from random deals.

use crate::cards::{Seed, Stream};
use crate::stud::Seat;

use super::dealer::StubDealer;
use super::exact::SpadeChances;
use super::{Odds, PublicHand, Situation};

/// The standard error at which a sample ends.
const STANDARD_ERROR: f64 = 0.001;

const OWN_SEAT: Seat = Seat::new(0);

const DEALS_PER_STEP: u64 = 1_000;

/// Odds that become more precise the more random deals are looked at.
pub(super) struct Sampler<'a> {
    dealer: StubDealer<'a>,
    rng: Stream,
    spades: SpadeChances,
    sums: SampleSums,
}

/// Sums over the deals.
#[derive(Default)]
struct SampleSums {
    deals: u64,
    hand: f64,
    sole: f64,
    tied: f64,
    whole: f64,
    /// The share that is sampled, and its square, for the standard error.
    sampled: f64,
    squares: f64,
}

impl<'a> Sampler<'a> {
    /// A sampler that has not dealt yet.
    pub(super) fn new(situation: &'a Situation, seed: &Seed) -> Sampler<'a> {
        let own = PublicHand::shown(situation.up()).with_hole(situation.hole());
        let others = situation.others().map(PublicHand::shown);
        Sampler {
            dealer: StubDealer::new([own].into_iter().chain(others).collect(), situation.unseen()),
            rng: seed.stream("odds"),
            spades: situation.spade_chances(),
            sums: SampleSums::default(),
        }
    }

    /// Looks at so many more deals.
    pub(super) fn deal(&mut self, deals: u64) {
        for _ in 0..deals {
            let winners = self.dealer.deal(&mut self.rng);
            let SampleSums { hand, sole, tied, whole, sampled, squares, .. } = &mut self.sums;
            let share = winners.hand_share(OWN_SEAT);
            if share > 0.0 {
                *hand += share;
                *(if winners.tied().len() == 1 { sole } else { tied }) += 1.0;
                let mut of_deal = share / 2.0;
                if winners.spade().is_none() {
                    *whole += share;
                    of_deal = share;
                }
                *sampled += of_deal;
                *squares += of_deal * of_deal;
            }
        }
        self.sums.deals += deals;
    }

    /// Deals until the standard error is small, and returns the odds.
    pub(super) fn usual(mut self) -> Odds {
        while self.standard_error() > STANDARD_ERROR {
            self.deal(DEALS_PER_STEP);
        }
        self.odds()
    }

    /// The odds so far. Without any deal, everything that is sampled is 0 and the standard error infinite.
    pub(super) fn odds(&self) -> Odds {
        let SpadeChances { spade, no_spade } = self.spades;
        let SampleSums { deals, hand, sole, tied, whole, .. } = self.sums;
        let mean = |sum: f64| if deals > 0 { sum / deals as f64 } else { 0.0 };
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
    fn standard_error(&self) -> f64 {
        let SampleSums { deals, hand, whole, sampled, squares, .. } = self.sums;
        if deals == 0 {
            return f64::INFINITY;
        }
        let count = deals as f64;
        let mean = (hand + whole) / (2.0 * count);
        let sum = squares - 2.0 * mean * sampled + mean * mean * count;
        (sum.max(0.0).sqrt() / count).max(1.0 / count)
    }
}
