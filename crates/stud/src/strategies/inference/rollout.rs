//! The winnings of each reply, over random deals of the unseen cards.

use crate::cards::{Card, Stream};
use crate::odds::{Stub, unseen};
use crate::stud::{Chips, MAX_SEATS, Seat, Street, Strength, Winners};
use crate::table::Question;

use super::others::Others;

/// The random deals for each reply.
const DEALS_PER_REPLY: u32 = 160;

const MAX_REDRAWS: u32 = 10;

pub(super) struct Rollout<'a> {
    question: &'a Question<'a>,
    others: &'a Others<'a>,
    doubt: f64,
    stub: Stub,
}

/// Another player's cards in a deal.
#[derive(Clone, Copy)]
struct OpponentHand {
    strength: Strength,
    hole: Card,
    /// Draws from 0 to 1 for whether it is in and whether it pays.
    fate: [f64; 2],
}

impl<'a> Rollout<'a> {
    pub(super) fn new(question: &'a Question<'a>, others: &'a Others<'a>, doubt: f64) -> Rollout<'a> {
        Rollout { question, others, doubt, stub: Stub::new(unseen(question)) }
    }

    /// The mean winnings of raising by each of these amounts, in chips; a raise of 0 is a call, and folding earns 0.
    pub(super) fn gains(mut self, raises: &[Chips], rng: &mut Stream) -> Vec<f64> {
        let mut gains = vec![0.0; raises.len()];
        let mut held = Vec::with_capacity(MAX_SEATS);
        for _ in 0..DEALS_PER_REPLY {
            let mine = self.deal(&mut held, rng);
            for (sum, raise) in gains.iter_mut().zip(raises) {
                *sum += self.gain(*raise, mine, &held);
            }
        }
        for sum in &mut gains {
            *sum /= f64::from(DEALS_PER_REPLY);
        }
        gains
    }

    /// Deals to everyone, and returns the player's own strength.
    fn deal(&mut self, held: &mut Vec<OpponentHand>, rng: &mut Stream) -> Strength {
        held.clear();
        self.stub.gather();
        for other in &self.others.all {
            let hole = self.stub.draw_by_trying(&other.range, MAX_REDRAWS, rng);
            let fate = [(); 2].map(|()| f64::from(rng.below(1 << 16)) / 65_536.0);
            held.push(OpponentHand { strength: Strength::of([hole, other.up[0], hole]), hole, fate });
        }
        for (other, held) in self.others.all.iter().zip(held.iter_mut()) {
            let second = other.up.get(1).copied().unwrap_or_else(|| self.stub.draw(rng));
            held.strength = Strength::of([held.hole, other.up[0], second]);
        }
        let up = self.question.up;
        let second = up.get(1).copied().unwrap_or_else(|| self.stub.draw(rng));
        Strength::of([self.question.hole, up[0], second])
    }

    /// The winnings of this raise in a deal.
    fn gain(&self, raise: Chips, mine: Strength, held: &[OpponentHand]) -> f64 {
        let Question { bounds, pot, hole, street, .. } = *self.question;
        let added = f64::from(bounds.to_call + raise);
        let costs = added * (1.0 + self.doubt);
        let mut pot = f64::from(pot) + added;
        let mut stay = 0;
        let (me, mut winners) = (Seat::new(0), Winners::default());
        winners.add(me, hole, mine);
        for ((seat, other), held) in (1..MAX_SEATS).map(Seat::new).zip(&self.others.all).zip(held) {
            let price = f64::from(if other.has_paid { raise } else { bounds.to_call + raise });
            let pays = || self.others.pays_more(other, held.hole, price);
            if held.fate[0] >= other.is_in || (price > 0.0 && held.fate[1] >= pays()) {
                continue;
            }
            pot += price;
            stay += 1;
            winners.add(seat, held.hole, held.strength);
        }
        if stay == 0 {
            return pot - costs;
        }
        let share = winners.share(me);
        let later = self.others.knobs.later[usize::from(street == Street::Second)];
        let won_later = later * (share * f64::from(stay + 1) - 1.0);
        share * pot - costs + won_later
    }
}
