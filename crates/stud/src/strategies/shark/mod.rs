//! The house bot `shark`. `docs/shark.md` explains how it thinks.
//!
//! - [`memory`]: what it has seen of the round, and how often each of the others stayed in.
//! - [`hand_worth`]: what a hand is worth in the eyes of who holds it.
//! - [`others`]: what the others may hold, from what they paid.
//! - [`rollout`]: what each reply would earn, over random deals.
//! - [`knobs`]: the constants of all that.
//!
//! Between two it plays as `solver` does until it knows the other: a model of a stranger has weaknesses that a simple bot finds.

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

use super::solver::{self, Recall};

use knobs::{KNOBS, Knobs, STRANGERS};
use memory::Remembered;
pub(super) use memory::SharkMemory;
use others::Others;
use rollout::{Prospect, Rollout};

/// The raises that are thought about, in chips.
const RAISES: [Chips; 5] = [0, 1, 3, 6, 10];

/// Which part of a stack may be staked without a look at whether the player is ahead, where chips have to last: a round between two
/// seldom costs as much, and bluffs are part of it.
const SMALL_STAKE: Chips = 8;

pub(super) fn decide(
    question: &Question<'_>,
    memory: &mut SharkMemory,
    recall: &mut Recall,
    rng: &mut Stream,
) -> Reply {
    let remembered = memory.remembered();
    remembered.see(question);
    if remembered.is_with_a_stranger(&KNOBS)
        && let Some(reply) = solver::decide(question, recall, rng)
    {
        let reply = sparing(reply, question, (remembered, recall), rng);
        if let Reply::Bet(chips) = reply {
            remembered.answered(question, chips);
        }
        return reply;
    }
    reckon(question, remembered, &KNOBS, rng)
}

/// What the shark would reply if it had met nobody at the table yet, however long it has sat there.
pub(super) fn decide_among_strangers(
    question: &Question<'_>,
    memory: &mut SharkMemory,
    rng: &mut Stream,
) -> Reply {
    let remembered = memory.remembered();
    remembered.see(question);
    reckon(question, remembered, &STRANGERS, rng)
}

/// The reply that earns most against what is inferred of the others.
fn reckon(question: &Question<'_>, remembered: &mut Remembered, knobs: &Knobs, rng: &mut Stream) -> Reply {
    let bounds = question.bounds;
    if bounds.most() < bounds.to_call {
        return Reply::Fold;
    }
    let certain = certain_share(question);
    // What is lost for certain is not paid for, and what is won for certain leaves no doubt.
    if bounds.to_call > 0 && certain == Some(0.0) {
        return Reply::Fold;
    }
    let knobs = Knobs { doubt: if certain == Some(1.0) { 0.0 } else { knobs.doubt }, ..*knobs };
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

/// The same reply, or a call in place of a raise that stakes more than chips that have to last can bear.
fn sparing(
    reply: Reply,
    question: &Question<'_>,
    (remembered, recall): (&Remembered, &mut Recall),
    rng: &mut Stream,
) -> Reply {
    let bounds = question.bounds;
    let (Reply::Bet(chips), true) = (reply, remembered.has_history) else { return reply };
    let paid = remembered.round.as_ref().map_or(0, |round| round.paid(bounds.stack));
    if chips == bounds.to_call || (paid + chips) <= (paid + bounds.stack) / SMALL_STAKE {
        return reply;
    }
    if certain_share(question) == Some(1.0) {
        return reply;
    }
    let others = Others::new(question, remembered, &KNOBS);
    let more = chips - bounds.to_call;
    let prospects = Rollout::new(question, &others, &KNOBS).prospects(&[more], rng);
    if prospects.iter().all(|prospect| is_affordable(paid, chips, bounds.stack, prospect, &KNOBS)) {
        return reply;
    }
    let call = Reply::Bet(bounds.to_call);
    recall.replied_instead(question, call);
    call
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
