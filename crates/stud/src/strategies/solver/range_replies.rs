//! What the solver would answer with every hole card it may hold: for who measures how much can be won from it.

use crate::table::{Question, Reply};

use super::blueprint::Blueprint;
use super::kinds::{Lanes, Range};
use super::recall::Recall;
use super::{choices, reply};

/// The replies that may come to this question, and the probability of each for every kind of hole card. The hole card in the
/// question serves for nothing but to recognise the round. `None` if other than two play, or nothing is known of the round.
pub(in crate::strategies) fn range_replies(
    question: &Question<'_>,
    recall: &mut Recall,
) -> Option<Vec<(Reply, Range)>> {
    let round = recall.asked(question)?;
    let choices = choices(Blueprint::shipped(), round, question);
    let shares = |lanes: Lanes| std::array::from_fn(|kind| f64::from(lanes[kind]));
    Some(choices.into_iter().map(|(act, lanes)| (reply(act, &question.bounds), shares(lanes))).collect())
}
