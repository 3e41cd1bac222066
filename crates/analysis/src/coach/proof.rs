//! Mistakes that are proven without assumptions about the opponents. `docs/coach.md` has the proofs.

use casino_stud::cards::Card;
use casino_stud::odds::Situation;
use casino_stud::stud::{Action, Chips, Seat, SeatSet, Street, Strength, Turn};
use casino_stud::table::Reply;

use super::noted_round::Spot;

/// The reason why a reply is worse than another for all unseen cards and all actions.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum ProofKind {
    /// The player folded where staying in cost nothing.
    FreeFold,
    /// The player called, no player could act after it, and both halves of the pot were certainly lost.
    LostCall,
    /// The player folded, and the half of the pot for the highest spade was certain.
    CertainSpade,
    /// The player folded, and the half of the pot for the best hand was certain.
    CertainHand,
    /// The player folded, and the whole pot was certain.
    CertainPot,
}

/// The proof of a mistake.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Proof {
    /// Why it is one.
    pub kind: ProofKind,
    /// Minimum gain of the better reply in chips, for all cards and actions. 0 for a reply that is never worse and may
    /// be better.
    pub at_least: Chips,
    /// Whether the player could conclude it from its messages. If not, it depends on facts that the room sees and a
    /// question does not contain: the folds on this street, and the chips of the others.
    pub in_question: bool,
    /// The better reply.
    pub better: Reply,
}

/// The proof that this action of this player is a mistake, if there is one.
pub(super) fn prove(spot: &Spot, seat: Seat, action: Action) -> Option<Proof> {
    let bounds = spot.round.bounds(seat);
    let free = bounds.to_call == 0;
    match action.chips() {
        None if bounds.stack < bounds.to_call => None,
        None => certain_share(spot, seat).or_else(|| {
            let better = Reply::Bet(0);
            let proof = Proof { kind: ProofKind::FreeFold, at_least: 0, in_question: true, better };
            (free && !is_lost(spot, seat, OpponentReaction::AllFold)).then_some(proof)
        }),
        Some(chips) if chips == bounds.to_call && !free => lost_call(spot, seat),
        Some(_) => None,
    }
}

/// The player's knowledge of the cards: the board, the cards shown by players who folded, its own.
pub(super) fn knows(spot: &Spot, seat: Seat, others: SeatSet) -> Option<Situation> {
    let round = &spot.round;
    let ups = round.street().up_cards();
    let own: Vec<Card> = round.hand(seat)[..=ups].to_vec();
    let shown: Vec<&[Card]> = others.into_iter().map(|other| &round.up(other)[..ups]).collect();
    let folded = round.dealt().into_iter().filter(|other| *other != seat && !others.contains(*other));
    let gone: Vec<Card> = folded.flat_map(|other| spot.shown(other).to_vec()).collect();
    Situation::new(&own, &shown, &gone).ok()
}

/// The actions of the players asked on this street after a call.
#[derive(Clone, Copy, PartialEq)]
pub(super) enum OpponentReaction {
    Nobody,
    AllFold,
}

/// The players left when the street closes after the player's call, including the player; `None` if no opponent is
/// left, or one that must not act is asked.
pub(super) fn left_after_call(spot: &Spot, seat: Seat, asked: OpponentReaction) -> Option<SeatSet> {
    let mut round = spot.round.clone();
    let bounds = round.bounds(seat);
    round.act(seat, bounds.bet(bounds.to_call).ok()?);
    loop {
        match round.settle() {
            Turn::Ask(other) if asked == OpponentReaction::AllFold => round.fold(other),
            Turn::StreetClosed => return Some(round.live()),
            _ => return None,
        }
    }
}

/// Whether the player gets nothing of the pot against the players left after a call on the last street, for all of
/// their cards.
fn is_lost(spot: &Spot, seat: Seat, asked: OpponentReaction) -> bool {
    if spot.round.street() == Street::First {
        return false;
    }
    let left = left_after_call(spot, seat, asked);
    let odds = left.and_then(|left| knows(spot, seat, left.without(seat))?.exact_odds());
    odds.is_some_and(|odds| odds.exact && odds.hand == 0.0 && odds.spade == 0.0)
}

/// The call is the last action of the betting, and it is lost.
fn lost_call(spot: &Spot, seat: Seat) -> Option<Proof> {
    is_lost(spot, seat, OpponentReaction::Nobody).then(|| Proof {
        kind: ProofKind::LostCall,
        at_least: spot.round.bounds(seat).to_call,
        in_question: spot.board.len() == 2,
        better: Reply::Fold,
    })
}

/// A part of the pot is certainly the player's, no opponent can force it out, and the part is larger than its cost.
fn certain_share(spot: &Spot, seat: Seat) -> Option<Proof> {
    let round = &spot.round;
    let others = round.live().without(seat);
    let knows = knows(spot, seat, others)?;
    let hole = knows.hole();
    let spade = hole.is_spade() && !knows.unseen().into_iter().any(|card| card.is_spade() && card > hole);
    let hand = round.street() == Street::Second
        && is_ahead_of_each(&knows)
        && knows.exact_odds().is_some_and(|odds| odds.sole == 1.0);
    let bounds = round.bounds(seat);
    let needed = later_cost_bounds(spot, seat, others);
    if !(spade || hand)
        || i64::from(bounds.stack - bounds.to_call) < needed.by_raise_cap.min(needed.by_stacks)
    {
        return None;
    }
    let pot = round.pot() + bounds.to_call;
    let (kind, sure) = match (spade, hand) {
        (true, true) => (ProofKind::CertainPot, pot),
        (true, false) => (ProofKind::CertainSpade, pot / 2),
        _ => (ProofKind::CertainHand, pot - pot / 2),
    };
    let at_least = sure.checked_sub(bounds.to_call).filter(|chips| *chips > 0)?;
    let left = i64::from(bounds.stack - bounds.to_call);
    let in_question = bounds.to_call == 0 || (spot.board.len() == 2 && left >= needed.by_raise_cap);
    Some(Proof { kind, at_least, in_question, better: Reply::Bet(bounds.to_call) })
}

/// Whether none of the others, taken one by one, can have an equally good hand: necessary for a certain hand half, and
/// fast to check.
fn is_ahead_of_each(knows: &Situation) -> bool {
    let [first, second] = *knows.up() else { return false };
    let mine = Strength::of([knows.hole(), first, second]);
    let unseen = knows.unseen();
    let is_behind = |up: &[Card]| unseen.into_iter().all(|hole| Strength::of([hole, up[0], up[1]]) < mine);
    knows.others().all(is_behind)
}

/// Bounds of the chips that a player may have to add later, after a call now, if it never raises.
struct LaterCostBounds {
    /// Because the raiser has to pay a raise. Negative if no player can raise.
    by_stacks: i64,
    /// Because one other player alone can raise once a street; the greatest number there is if there are more.
    by_raise_cap: i64,
}

fn later_cost_bounds(spot: &Spot, seat: Seat, others: SeatSet) -> LaterCostBounds {
    let round = &spot.round;
    let cap = i64::from(round.rules().raise_cap);
    // How far above the level of this street each of the others can go.
    let mut reach: Vec<i64> = others
        .into_iter()
        .map(|other| round.bounds(other))
        .map(|bounds| i64::from(bounds.stack) - i64::from(bounds.to_call))
        .collect();
    reach.sort_unstable_by(|one, other| other.cmp(one));
    let most = reach.first().copied().unwrap_or(0).max(0);
    let second = reach.get(1).copied().unwrap_or(0).max(0);
    let closes = left_after_call(spot, seat, OpponentReaction::Nobody).is_some();
    // The richest can go at most one raise above another's raise: a player who only calls leaves it nothing to raise.
    let here = if closes { 0 } else { most.min(second + cap) };
    let both = most.min(second.max(here) + cap);
    let first = round.street() == Street::First;
    let streets = i64::from(!closes) + i64::from(first);
    LaterCostBounds {
        by_stacks: if first { both } else { here },
        by_raise_cap: if others.len() == 1 { streets * cap } else { i64::MAX },
    }
}
