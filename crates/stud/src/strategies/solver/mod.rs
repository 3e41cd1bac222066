//! `solver`: a strong opponent for two, trained by self-play. `house` describes its play against more players.
//!
//! The first street follows a [`blueprint`] from a [`table`] that `tools/train-solver` makes by counterfactual regret
//! minimisation over whole ranges ([`cfr`]). The second street is solved while it is played ([`subgame`]), from the ranges that
//! the first street left. `docs/solver.md` explains the method.

mod blueprint;
mod cfr;
mod kinds;
mod recall;
mod showdown;
mod subgame;
mod table;
#[cfg(test)]
mod table_tests;
#[cfg(test)]
mod tests;
mod tree;

use crate::cards::{Card, Stream};
use crate::stud::Bounds;
use crate::table::{Question, Reply};

use blueprint::{Blueprint, FirstStreet, TreePosition};
use kinds::{Kind, Lanes};
use recall::RecalledRound;
use subgame::Subgame;
use tree::NodeAction;

pub(super) use recall::Recall;

/// Probabilities below this are treated as remains of early training.
const NOISE_PROBABILITY: f32 = 0.02;

/// Answers a question of a round that was dealt to two. `None` if it was dealt to more, or its beginning is not known.
pub(super) fn decide(question: &Question<'_>, recall: &mut Recall, rng: &mut Stream) -> Option<Reply> {
    let round = recall.asked(question)?;
    let choices = choices(Blueprint::shipped(), round, question);
    let reply = reply(draw(&choices, Kind::of(question.hole), rng), &question.bounds);
    recall.replied(question, reply);
    Some(reply)
}

fn reply(act: NodeAction, bounds: &Bounds) -> Reply {
    let action = match act {
        NodeAction::Fold => bounds.fold(),
        NodeAction::Call => bounds.call(),
        NodeAction::Raise(more) => bounds.raise(more),
    };
    action.into()
}

/// The actions of the player asked and their probabilities for each kind of hole card.
fn choices(
    blueprint: &Blueprint<'_>,
    round: &RecalledRound,
    question: &Question<'_>,
) -> Vec<(NodeAction, Lanes)> {
    let me = usize::from(round.ups[0] < round.ups[1]);
    let opener_first = |mine: Card, other: Card| if me == 0 { [mine, other] } else { [other, mine] };
    let first = opener_first(round.ups[0], round.ups[1]);
    let even = question.pot.saturating_sub(question.bounds.to_call) / 2;
    let own = TreePosition {
        place: me,
        chips: question.bounds.stack.saturating_add(even),
        most: question.bounds.raise_cap,
    };
    let street =
        first_street(FirstStreet::new(blueprint, first.map(Kind::of), round.ante, own), &round.first);
    let Some((paid, acts)) = &round.second else { return settled(street.choices()) };
    let other = question.others().flatten().copied().find(|card| *card != round.ups[1]);
    let (Some(mine), Some(other)) = (question.up.get(1).copied(), other) else { return Vec::new() };
    let second = opener_first(mine, other);
    let ups = [[first[0], second[0]], [first[1], second[1]]];
    let most = question.bounds.raise_cap;
    let subgame = Subgame::new(ups, &street.ranges(), *paid as f32, most, me);
    subgame.map_or_else(Vec::new, |subgame| settled(subgame.choices(acts)))
}

/// A first street after these actions.
fn first_street<'a>(mut street: FirstStreet<'a>, acts: &[NodeAction]) -> FirstStreet<'a> {
    let mut to_call = 0;
    for act in acts {
        street.follow(*act, to_call);
        to_call = match act {
            NodeAction::Raise(more) => *more,
            _ => 0,
        };
    }
    street
}

/// The same without actions of negligible probability.
fn settled(mut choices: Vec<(NodeAction, Lanes)>) -> Vec<(NodeAction, Lanes)> {
    let mut all = [0.0; kinds::LANES];
    for (_, shares) in &mut choices {
        for (share, all) in shares.iter_mut().zip(&mut all) {
            *share = if *share < NOISE_PROBABILITY { 0.0 } else { *share };
            *all += *share;
        }
    }
    for (_, shares) in &mut choices {
        shares.iter_mut().zip(&all).for_each(|(share, all)| *share /= all.max(NOISE_PROBABILITY));
    }
    choices
}

/// Draws one of the choices for a hole card, by their probabilities.
fn draw(choices: &[(NodeAction, Lanes)], hole: Kind, rng: &mut Stream) -> NodeAction {
    const PROBABILITY_UNITS: u32 = 1 << 24;
    let mut point = rng.below(PROBABILITY_UNITS) as f32 / PROBABILITY_UNITS as f32;
    for (act, shares) in choices {
        point -= shares[hole.index()];
        if point < 0.0 {
            return *act;
        }
    }
    // The rounding error is added to the likeliest action.
    let likeliest = choices.iter().max_by(|one, other| one.1[hole.index()].total_cmp(&other.1[hole.index()]));
    likeliest.map_or(NodeAction::Call, |(act, _)| *act)
}
