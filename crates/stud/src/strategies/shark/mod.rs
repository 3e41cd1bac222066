//! The house bot `shark`. `docs/shark.md` explains how it thinks.
//!
//! - [`memory`]: the round so far.
//! - [`apparent_strength`]: the apparent strength of a hand to its holder.
//! - [`others`]: the hole cards of the others, inferred from their bets.
//! - [`rollout`]: the value of each reply over random deals.
//! - [`knobs`]: the constants.
//!
//! Between two it replies as `solver` does, because a simple bot finds weaknesses in a model of others. It stakes less where chips
//! have to last.

mod apparent_strength;
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

use super::solver::{self, Recall};

use knobs::{MIN_EDGE_SHARE, RAISES, SMALL_STAKE_DIVISOR};
use memory::Remembered;
pub(super) use memory::SharkMemory;
use others::Others;
use rollout::{Prospect, Rollout};

pub(super) fn decide(
    question: &Question<'_>,
    memory: &mut SharkMemory,
    recall: &mut Recall,
    rng: &mut Stream,
) -> Reply {
    let Some(reply) = solver::decide(question, recall, rng) else {
        return decide_by_inference(question, memory, rng);
    };
    let remembered = memory.remembered();
    remembered.see(question);
    let reply = sparing(reply, question, (remembered, recall), rng);
    if let Reply::Bet(chips) = reply {
        remembered.answered(question, chips);
    }
    reply
}

/// The reply that earns most against the inferred hole cards of the others.
pub(super) fn decide_by_inference(
    question: &Question<'_>,
    memory: &mut SharkMemory,
    rng: &mut Stream,
) -> Reply {
    let remembered = memory.remembered();
    let round = remembered.see(question);
    let bounds = question.bounds;
    if bounds.most() < bounds.to_call {
        return Reply::Fold;
    }
    let certain = certain_share(question);
    // A certain loss is never paid for, and a certain win is never folded.
    if bounds.to_call > 0 && certain == Some(0.0) {
        return Reply::Fold;
    }
    let doubt = if certain == Some(1.0) { 0.0 } else { MIN_EDGE_SHARE };
    let others = Others::new(question, round);
    let raises: Vec<Chips> =
        RAISES.into_iter().filter(|more| bounds.to_call + more <= bounds.most()).collect();
    let prospects = Rollout::new(question, &others, doubt).prospects(&raises, rng);
    let paid = round.paid(bounds.stack);
    let is_bold = !remembered.has_history || certain == Some(1.0);
    let may = |more: Chips, prospect: &Prospect| {
        is_bold || more == 0 || is_affordable(paid, bounds.to_call + more, bounds.stack, prospect)
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

/// The same reply, or a call in place of a raise that stakes more than chips that have to last can bear.
fn sparing(
    reply: Reply,
    question: &Question<'_>,
    (remembered, recall): (&Remembered, &mut Recall),
    rng: &mut Stream,
) -> Reply {
    let bounds = question.bounds;
    let (Reply::Bet(chips), true, Some(round)) = (reply, remembered.has_history, &remembered.round) else {
        return reply;
    };
    let paid = round.paid(bounds.stack);
    if chips == bounds.to_call || (paid + chips) <= (paid + bounds.stack) / SMALL_STAKE_DIVISOR {
        return reply;
    }
    if certain_share(question) == Some(1.0) {
        return reply;
    }
    let others = Others::new(question, round);
    let more = chips - bounds.to_call;
    let prospects = Rollout::new(question, &others, MIN_EDGE_SHARE).prospects(&[more], rng);
    if prospects.iter().all(|prospect| is_affordable(paid, chips, bounds.stack, prospect)) {
        return reply;
    }
    let call = Reply::Bet(bounds.to_call);
    recall.replied_instead(question, call);
    call
}

/// Whether a raise stakes no more than Kelly's rule (1956) allows: the part of all chips that the player is ahead by. The chips
/// that it has put in during the round count in full, so that a raise is not followed by others until all is staked.
fn is_affordable(paid: Chips, chips: Chips, stack: Chips, prospect: &Prospect) -> bool {
    f64::from(paid + chips) <= prospect.edge() * f64::from(paid + stack)
}

/// The share of the pot by the exact odds, where they are quick to have: on the second street.
fn certain_share(question: &Question<'_>) -> Option<f64> {
    if question.street == Street::First {
        return None;
    }
    Situation::of(question).ok().map(|situation| situation.odds().share)
}
