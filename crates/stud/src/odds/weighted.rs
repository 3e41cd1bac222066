//! Hole cards that are not all alike: each other player has a weight for each card.
//!
//! The weight of a deal is the product of the weights of the hole cards in it, and what is wanted are sums over all deals
//! in which no card is held twice. The cards are taken one after the other; each goes to one of the players who have none
//! yet, or to nobody. For each set of players who have a card, only the sum so far is kept: 2^16 numbers for 16 players. No
//! number is ever subtracted, so the sums are as exact as an `f64` can be.
//!
//! Spades come last and in order, so that the sums on the way are those without any spade, and those without a higher
//! one.

use crate::cards::Card;
use crate::stud::{MAX_SEATS, Strength};

use super::Situation;
use super::enumeration::Outcomes;
use super::exact::SpadeChances;

/// What a card does for a player: its weight, and by how many ties the player's hand adds to those of the asker; `None`
/// if it would be ahead.
struct Holder {
    weight: f64,
    ties: Option<usize>,
}

/// Sums over deals: for each set of players who have a hole card, a bit for each.
#[derive(Clone)]
struct Sums(Vec<f64>);

impl Sums {
    fn new(players: usize, start: f64) -> Sums {
        let mut sums = vec![0.0; 1 << players];
        sums[0] = start;
        Sums(sums)
    }

    fn all(&self) -> f64 {
        self.0[self.0.len() - 1]
    }

    /// Adds what comes of this card going to one more player than before, with these weights for the players.
    fn give(&mut self, before: &Sums, weights: &[f64]) {
        for (player, weight) in weights.iter().enumerate().filter(|(_, weight)| **weight > 0.0) {
            let half = 1 << player;
            // Sets without this player and those with it lie side by side.
            let sets = self.0.chunks_exact_mut(2 * half).zip(before.0.chunks_exact(2 * half));
            for (after, before) in sets {
                let pairs = after[half..].iter_mut().zip(&before[..half]);
                pairs.for_each(|(with, without)| *with += without * weight);
            }
        }
    }
}

/// The order in which cards are taken: spades last, deuce to ace.
fn in_order(situation: &Situation) -> Vec<Card> {
    let mut cards: Vec<Card> = situation.unseen().into_iter().collect();
    cards.sort_by_key(|card| (card.is_spade(), card.rank()));
    cards
}

fn weight(situation: &Situation, player: usize, card: Card) -> f64 {
    situation.opponents()[player].range.as_ref().map_or(1.0, |range| range.weight(card))
}

pub(super) fn second_street(situation: &Situation) -> (Outcomes, SpadeChances) {
    let mine = Strength::of([situation.hole(), situation.up()[0], situation.up()[1]]);
    let holder = |player: usize, card: Card| {
        let up = &situation.opponents()[player].up;
        let strength = Strength::of([card, up[0], up[1]]);
        let ties = (strength <= mine).then_some(usize::from(strength == mine));
        Holder { weight: weight(situation, player, card), ties }
    };
    walk(situation, Some(&holder))
}

/// The chances of the high spade alone, on either street.
pub(super) fn spades(situation: &Situation) -> SpadeChances {
    walk(situation, None).1
}

type HolderOf<'a> = &'a dyn Fn(usize, Card) -> Holder;

fn walk(situation: &Situation, holder: Option<HolderOf<'_>>) -> (Outcomes, SpadeChances) {
    let players = situation.others().len();
    let cards = in_order(situation);
    let mut any = Sums::new(players, 1.0);
    let mut before = any.clone();
    // The deals in which nobody is ahead, with no tie, with one, ...: as many as there may be.
    let may_tie = |player: &usize| {
        holder.is_some_and(|holder| {
            cards
                .iter()
                .map(|card| holder(*player, *card))
                .any(|held| held.ties == Some(1) && held.weight > 0.0)
        })
    };
    let most_ties = (0..players).filter(may_tie).count();
    let mut best: Vec<Sums> = match holder {
        Some(_) => (0..=most_ties).map(|ties| Sums::new(players, f64::from(u8::from(ties == 0)))).collect(),
        None => Vec::new(),
    };
    let bests = |best: &[Sums]| {
        let mut counts = [0.0; MAX_SEATS];
        counts.iter_mut().zip(best).for_each(|(count, sums)| *count = sums.all());
        counts
    };
    let own = Some(situation.hole()).filter(|hole| hole.is_spade());
    let mut without_spade = None;
    let mut none_above = None;
    for card in &cards {
        if card.is_spade() {
            without_spade.get_or_insert_with(|| (any.all(), bests(&best)));
            if own.is_some_and(|own| *card > own) {
                none_above.get_or_insert_with(|| any.all());
            }
        }
        let weights: Vec<f64> = (0..players).map(|player| weight(situation, player, *card)).collect();
        if let Some(holder) = holder {
            let part = |ties: usize| -> Vec<f64> {
                let held = (0..players).map(|player| holder(player, *card));
                held.map(|held| if held.ties == Some(ties) { held.weight } else { 0.0 }).collect()
            };
            let (below, equal) = (part(0), part(1));
            for ties in (0..best.len()).rev() {
                let (fewer, rest) = best.split_at_mut(ties);
                before.clone_from(&rest[0]);
                rest[0].give(&before, &below);
                if let Some(fewer) = fewer.last() {
                    rest[0].give(fewer, &equal);
                }
            }
        }
        before.clone_from(&any);
        any.give(&before, &weights);
    }
    let all = any.all();
    let (none, best_without_spade) = without_spade.unwrap_or_else(|| (all, bests(&best)));
    let spades = match own {
        Some(_) => SpadeChances { spade: none_above.unwrap_or(all) / all, no_spade: 0.0 },
        None => SpadeChances { spade: 0.0, no_spade: none / all },
    };
    let best_without_spade = if own.is_some() { [0.0; MAX_SEATS] } else { best_without_spade };
    (Outcomes { best: bests(&best), best_without_spade, all }, spades)
}
