//! How to play: the only file you need to edit.

use crate::{Card, Question, Reply};

// Your login, without colons. The avatar is your public name.
pub const GITHUB_ID: &str = "starter-rust";
pub const AVATAR: &str = "Rust Starter";

/// A bet means a better hand than average, so a call must promise this many times its price.
const CAUTION: f64 = 1.5;
/// Raise when we can expect this many times the share of an average player.
const EDGE: f64 = 1.3;

/// One value plays the whole game, so its fields keep their values from round to round.
#[derive(Default)]
pub struct Strategy {}

impl Strategy {
    /// Answers with `question.fold()`, `question.call()` or `question.raise_by(chips)`.
    ///
    /// The fields of a question are listed in main.rs at `struct Question`.
    pub fn decide(&mut self, question: &Question) -> Reply {
        let share = expected_share(question);
        let (pot, price) = (question.pot as f64, question.to_call as f64);
        if share * (pot + price) < CAUTION * price {
            return question.fold();
        }
        let average_share = 1.0 / (question.others.len() + 1) as f64;
        if share > EDGE * average_share {
            // Half the pot is a raise that worse hands still pay, a tenth of the stack one we can afford to lose.
            return question.raise_by((question.pot / 2).min(question.stack / 10));
        }
        question.call()
    }

    /// Called after each round. A place to learn from, which this strategy does not.
    pub fn round_over(&mut self, _won: bool, _winning_hand: &[Card]) {}
}

/// Our average share of the pot if all hands were compared now, without any folds.
pub fn expected_share(question: &Question) -> f64 {
    let unseen = question.unseen();
    let best_hand = chance_of_best_hand(question, &unseen);
    let no_better_spade = chance_of_no_better_spade(question, &unseen);
    let spade_half = match question.hole.suit {
        'S' => no_better_spade,
        _ => no_better_spade * best_hand, // with no spade in any hole, the best hand takes it all
    };
    (best_hand + spade_half) / 2.0
}

/// Tries every unseen card as the hole card of each other player.
fn chance_of_best_hand(question: &Question, unseen: &[Card]) -> f64 {
    let ours = hand_value(question.hole, &question.up);
    let against = |open_cards: &Vec<Card>| {
        let theirs: Vec<_> = unseen.iter().map(|&hole| hand_value(hole, open_cards)).collect();
        let beaten = theirs.iter().filter(|&value| *value < ours).count() as f64;
        let tied = theirs.iter().filter(|&value| *value == ours).count() as f64;
        (beaten + tied / 2.0) / unseen.len() as f64
    };
    question.others.iter().map(against).product()
}

/// How likely it is that no other player has a spade in the hole that beats ours, if ours is one.
fn chance_of_no_better_spade(question: &Question, unseen: &[Card]) -> f64 {
    let to_beat = if question.hole.suit == 'S' { question.hole.rank } else { 0 };
    let better = unseen.iter().filter(|card| card.suit == 'S' && card.rank > to_beat).count();
    (1.0 - better as f64 / unseen.len() as f64).powi(question.others.len() as i32)
}

/// A larger value is a better hand: three of a kind, then a pair, then the high cards.
///
/// The first part tells how many cards match another; the ranks follow, matching ones first, then from high
/// to low.
pub fn hand_value(hole: Card, open_cards: &[Card]) -> (usize, Vec<u8>) {
    let mut ranks: Vec<u8> = open_cards.iter().map(|card| card.rank).collect();
    ranks.push(hole.rank);
    let dealt = ranks.clone();
    let times = |rank: u8| dealt.iter().filter(|&&other| other == rank).count();
    ranks.sort_by_key(|&rank| std::cmp::Reverse((times(rank), rank)));

    let mut different = ranks.clone();
    different.dedup();
    (ranks.len() - different.len(), ranks)
}
