//! The house bot `shark`. `docs/shark.md` explains how it thinks.
//!
//! - [`memory`]: what it has seen of the round, and how often each of the others stayed in.
//! - [`hand_worth`]: what a hand is worth in the eyes of who holds it.
//! - [`others`]: what the others may hold, from what they paid.
//! - [`rollout`]: what each reply would earn, over random deals.
//! - [`knobs`]: the constants of all that.

mod hand_worth;
mod knobs;
mod memory;
mod others;
mod rollout;
#[cfg(test)]
mod tests;

use crate::cards::Stream;
use crate::odds::Situation;
use crate::stud::{Chips, Street};
use crate::table::{Question, Reply};

use knobs::{KNOBS, Knobs};
pub(super) use memory::SharkMemory;
use others::Others;
use rollout::{Prospect, Rollout};

/// The raises that are thought about, in chips.
const RAISES: [Chips; 5] = [0, 1, 3, 6, 10];

pub(super) fn shark(question: &Question<'_>, memory: &mut SharkMemory, rng: &mut Stream) -> Reply {
    let bounds = question.bounds;
    let remembered = memory.remembered();
    remembered.see(question);
    if bounds.most() < bounds.to_call {
        return Reply::Fold;
    }
    let certain = certain_share(question);
    // What is lost for certain is not paid for, and what is won for certain leaves no doubt.
    if bounds.to_call > 0 && certain == Some(0.0) {
        return Reply::Fold;
    }
    let knobs = Knobs { doubt: if certain == Some(1.0) { 0.0 } else { KNOBS.doubt }, ..KNOBS };
    let others = Others::new(question, remembered, &knobs);
    let raises: Vec<Chips> =
        RAISES.into_iter().filter(|more| bounds.to_call + more <= bounds.most()).collect();
    let prospects = Rollout::new(question, &others, &knobs).prospects(&raises, rng);
    let is_bold = !remembered.has_history || certain == Some(1.0);
    let paid = remembered.round.as_ref().map_or(0, |round| round.paid(bounds.stack));
    let may = |more: Chips, prospect: &Prospect| {
        is_bold || more == 0 || is_affordable(paid, bounds.to_call + more, bounds.stack, prospect, &knobs)
    };
    let mut best = (Reply::Fold, if bounds.to_call == 0 { f64::NEG_INFINITY } else { 0.0 });
    for (more, prospect) in raises.iter().zip(&prospects) {
        if prospect.gain > best.1 && may(*more, prospect) {
            best = (Reply::Bet(bounds.to_call + more), prospect.gain);
        }
    }
    if let Reply::Bet(chips) = best.0 {
        remembered.answered(question, chips);
    }
    best.0
}

/// Whether a raise leaves no more at stake than Kelly's rule allows: the part of all chips that the player is ahead by. What
/// it has put in during the round counts in full, so a raise is not followed by another one until all is staked.
fn is_affordable(paid: Chips, chips: Chips, stack: Chips, prospect: &Prospect, knobs: &Knobs) -> bool {
    f64::from(paid + chips) <= knobs.stake * prospect.edge() * f64::from(paid + stack)
}

/// The share of the pot by the exact odds, where they are quick to have: on the second street.
fn certain_share(question: &Question<'_>) -> Option<f64> {
    if question.street == Street::First {
        return None;
    }
    Situation::of(question).ok().map(|situation| situation.odds().share)
}
