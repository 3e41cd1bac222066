//! `solver` among more than two players: replies by inference. `docs/solver.md` explains it.
//!
//! - [`observed_round`]: the round so far.
//! - [`apparent_strength`]: the apparent strength of a hand to its holder.
//! - [`others`]: the hole cards of the others, inferred from their bets.
//! - [`rollout`]: the value of each reply over random deals.

mod apparent_strength;
mod observed_round;
mod others;
mod rollout;
#[cfg(test)]
mod tests;

use crate::cards::Stream;
use crate::odds::Situation;
use crate::stud::{Chips, Street};
use crate::table::{Question, Reply};

pub(super) use observed_round::RoundMemory;
use others::Others;
use rollout::Rollout;

/// The raises that are considered, in chips.
const RAISES: [Chips; 5] = [0, 1, 3, 6, 10];

/// The reply that earns most against the inferred hole cards of the others.
pub(super) fn decide(question: &Question<'_>, memory: &mut RoundMemory, rng: &mut Stream) -> Reply {
    let round = memory.see(question);
    let bounds = question.bounds;
    if bounds.most() < bounds.to_call {
        return Reply::Fold;
    }
    let certain = certain_share(question);
    // A certain loss is never paid for, and a certain win is never folded.
    if bounds.to_call > 0 && certain == Some(0.0) {
        return Reply::Fold;
    }
    let others = Others::new(question, round);
    let doubt = if certain == Some(1.0) { 0.0 } else { others.knobs.min_edge };
    let raises: Vec<Chips> =
        RAISES.into_iter().filter(|more| bounds.to_call + more <= bounds.most()).collect();
    let gains = Rollout::new(question, &others, doubt).gains(&raises, rng);
    let mut best = (Reply::Fold, if bounds.to_call == 0 { f64::NEG_INFINITY } else { 0.0 });
    for (more, gain) in raises.iter().zip(gains) {
        if gain > best.1 {
            best = (Reply::Bet(bounds.to_call + more), gain);
        }
    }
    if let Reply::Bet(chips) = best.0 {
        round.answered(question, chips);
    }
    best.0
}

/// The share of the pot by the exact odds, where they are quick to have: on the second street.
fn certain_share(question: &Question<'_>) -> Option<f64> {
    if question.street == Street::First {
        return None;
    }
    Situation::of(question).ok().map(|situation| situation.odds().share)
}
