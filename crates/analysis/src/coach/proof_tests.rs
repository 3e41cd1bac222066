//! Every proven mistake of small tables, against all cards and all continuations.
#![allow(clippy::unwrap_used, reason = "a test")]

use std::collections::HashMap;

use casino_stud::cards::{Card, Deck, Seed, Stream};
use casino_stud::stud::{Action, Chips, MAX_SEATS, Round, Rules, Seat, SeatSet, ShortStack, Street};
use casino_stud::table::Reply;

use super::noted_round::Spot;
use super::proof::{ProofKind, prove};

/// A table of few chips and low raises, so that everything that may happen can be gone through.
fn spot(rng: &mut Stream, players: usize, favour: bool) -> Spot {
    let rules = Rules { ante: 1, raise_cap: 2, short_stack: ShortStack::Fold };
    let mut stacks = [0; MAX_SEATS];
    stacks[..players].iter_mut().for_each(|stack| *stack = 1 + rng.below(7));
    let mut cards = Card::ALL;
    rng.shuffle(&mut cards);
    if favour {
        // High spades and pairs come often, so that there is something to be proved.
        cards[..3 * players].sort_unstable_by_key(|card| u8::from(!card.is_spade()));
        rng.shuffle(&mut cards[players..3 * players]);
    }
    let mut round = Round::new(rules, stacks);
    round.deal(SeatSet::first_seats(players), &Deck::beginning_with(&cards[..3 * players]).unwrap());
    let opener = round.opener_of(Street::First);
    let mut spot = Spot::new(round);
    spot.open(Street::First, opener);
    spot
}

fn actions(spot: &Spot, seat: Seat) -> Vec<Action> {
    let bounds = spot.round.bounds(seat);
    let bets = (bounds.to_call..=bounds.most()).map(|chips| bounds.bet(chips).unwrap());
    [Action::FOLD].into_iter().chain(bets).collect()
}

/// The cards that the player cannot see, dealt in every way: the hole cards of the others who are in, and on the first
/// street too many to go through, a sample of them.
fn worlds(spot: &Spot, me: Seat, rng: &mut Stream) -> Vec<Round> {
    let round = &spot.round;
    let dealt = round.dealt();
    let mut seen: Vec<Card> = vec![round.hole(me)];
    seen.extend(dealt.into_iter().flat_map(|seat| spot.shown(seat).to_vec()));
    let unseen: Vec<Card> = Card::ALL.into_iter().filter(|card| !seen.contains(card)).collect();
    let others: Vec<Seat> = round.live().without(me).into_iter().collect();
    let mut worlds = Vec::new();
    let mut make = |holes: &[Card], rng: &mut Stream| {
        let mut rest: Vec<Card> = unseen.iter().copied().filter(|card| !holes.contains(card)).collect();
        rng.shuffle(&mut rest);
        let mut next = rest.into_iter();
        let mut cards = Vec::new();
        for seat in dealt {
            let known = if seat == me { Some(round.hole(me)) } else { None };
            let given = others.iter().position(|other| *other == seat).map(|at| holes[at]);
            cards.push(known.or(given).unwrap_or_else(|| next.next().unwrap()));
        }
        for up in 0..2 {
            for seat in dealt {
                cards.push(spot.shown(seat).get(up).copied().unwrap_or_else(|| next.next().unwrap()));
            }
        }
        let mut world = round.clone();
        world.redeal(&Deck::beginning_with(&cards).unwrap());
        worlds.push(world);
    };
    match others[..] {
        [_] => unseen.iter().for_each(|hole| make(&[*hole], rng)),
        [_, _] => {
            for one in &unseen {
                unseen.iter().filter(|two| one != *two).for_each(|two| make(&[*one, *two], rng));
            }
        }
        _ => unreachable!("tables of two and three"),
    }
    worlds
}

#[derive(Clone, Copy, PartialEq)]
enum Plan {
    /// Stays in for nothing, and folds as soon as that costs something.
    WhileFree,
    Call,
}

/// The possible layouts of the cards, and cached results for them.
struct Worlds {
    all: Vec<Round>,
    ends: HashMap<(SeatSet, Chips, Seat), (i64, i64)>,
}

impl Worlds {
    fn new(all: Vec<Round>) -> Worlds {
        Worlds { all, ends: HashMap::new() }
    }

    /// The least and the most that the player takes of the pot at the end of this round, over all worlds.
    fn extremes(&mut self, end: &Round, me: Seat) -> (i64, i64) {
        *self.ends.entry((end.live(), end.pot(), end.opener())).or_insert_with(|| {
            let results = self.all.iter().map(|world| {
                let mut end = end.clone();
                let dealt = end.dealt();
                let cards = (0..3).flat_map(|card| dealt.into_iter().map(move |seat| world.hand(seat)[card]));
                end.redeal(&Deck::beginning_with(&cards.collect::<Vec<Card>>()).unwrap());
                i64::from(end.showdown().won(me))
            });
            results.fold((i64::MAX, i64::MIN), |(least, most), won| (least.min(won), most.max(won)))
        })
    }
}

/// The minimum and maximum of the player's share of the pot less its further payments, over all actions of the others
/// and over these worlds, which differ only in cards.
fn extremes(spot: &Spot, me: Seat, plan: Plan, worlds: &mut Worlds) -> (i64, i64) {
    let mut spot = spot.clone();
    let asked = spot.run_on();
    let round = &spot.round;
    if !round.live().contains(me) {
        return (0, 0);
    }
    let Some(seat) = asked else { return worlds.extremes(round, me) };
    let bounds = round.bounds(seat);
    let choices = match (seat == me, plan) {
        (false, _) => actions(&spot, seat),
        (true, Plan::WhileFree) if bounds.to_call > 0 => vec![Action::FOLD],
        (true, _) => vec![bounds.bet(bounds.to_call).unwrap()],
    };
    let mut both = (i64::MAX, i64::MIN);
    for action in choices {
        let mut next = spot.clone();
        next.round.act(seat, action);
        let paid = if seat == me { i64::from(action.chips().unwrap_or(0)) } else { 0 };
        let (least, most) = extremes(&next, me, plan, worlds);
        both = (both.0.min(least - paid), both.1.max(most - paid));
    }
    both
}

fn after(spot: &Spot, seat: Seat, action: Action) -> Spot {
    let mut next = spot.clone();
    next.round.act(seat, action);
    next
}

/// Plays random small rounds, and checks each reported mistake. The openers of the second street depend on cards not
/// dealt yet; the test uses those of the round.
fn check(seed: &str, players: usize, rounds: u32) -> [u32; 5] {
    let mut rng = Seed::chosen(seed).stream("proofs");
    let mut found = [0; 5];
    for number in 0..rounds {
        let mut spot = spot(&mut rng, players, number % 2 == 0);
        while let Some(seat) = spot.run_on() {
            for action in actions(&spot, seat) {
                let Some(proof) = prove(&spot, seat, action) else { continue };
                found[proof.kind as usize] += 1;
                let bounds = spot.round.bounds(seat);
                let mut worlds = Worlds::new(worlds(&spot, seat, &mut rng));
                let call = bounds.bet(bounds.to_call).unwrap();
                let at_least = i64::from(proof.at_least);
                let paid = i64::from(bounds.to_call);
                if proof.kind == ProofKind::LostCall {
                    assert_eq!((action, proof.better), (call, Reply::Fold));
                    let given = extremes(&after(&spot, seat, call), seat, Plan::Call, &mut worlds);
                    // Nothing is won in any world with any actions: folding saves the call.
                    assert_eq!((given, at_least), ((0, 0), paid), "{spot:?}");
                    continue;
                }
                assert_eq!((action, proof.better), (Action::FOLD, Reply::from(call)));
                let plan = if proof.kind == ProofKind::FreeFold { Plan::WhileFree } else { Plan::Call };
                let (least, most) = extremes(&after(&spot, seat, call), seat, plan, &mut worlds);
                assert!(least - paid >= at_least, "{proof:?}: {least} of {spot:?}");
                assert!(most - paid > 0, "never better: {proof:?} of {spot:?}");
            }
            let actions = actions(&spot, seat);
            // Folds are rare, so that rounds go on.
            let pick = if rng.one_in(6) { 0 } else { 1 + rng.below(actions.len() as u32 - 1) };
            spot.round.act(seat, actions[pick as usize]);
        }
    }
    found
}

#[test]
fn heads_up_proofs_hold_in_every_deal_and_for_any_opponent() {
    let found = check("two", 2, 600);
    assert!(found.iter().all(|count| *count >= 5), "too few to say anything: {found:?}");
}

#[test]
fn three_player_proofs_hold_in_every_deal_and_for_any_opponents() {
    let found = check("three", 3, 60);
    assert!(found[..3].iter().all(|count| *count >= 3), "too few to say anything: {found:?}");
}

/// A proof may not need more than the player could see: other cards in the hands of the others change nothing.
#[test]
fn proofs_do_not_depend_on_hidden_cards() {
    let mut rng = Seed::chosen("hidden").stream("proofs");
    let mut called = 0;
    for number in 0..40 {
        let mut spot = spot(&mut rng, 3, number % 2 == 0);
        while let Some(seat) = spot.run_on() {
            let worlds = worlds(&spot, seat, &mut rng);
            for action in actions(&spot, seat) {
                let proof = prove(&spot, seat, action);
                called += u32::from(proof.is_some());
                for world in worlds.iter().step_by(97) {
                    let mut other = spot.clone();
                    other.round = world.clone();
                    assert_eq!(prove(&other, seat, action), proof);
                }
            }
            let actions = actions(&spot, seat);
            let pick = rng.below(actions.len() as u32);
            spot.round.act(seat, actions[pick as usize]);
        }
    }
    assert!(called > 20);
}

fn played(cards: &str, stacks: [Chips; 3], line: &[(usize, Option<Chips>)]) -> Spot {
    let dealt: Vec<Card> = cards.split_whitespace().map(|card| card.parse().unwrap()).collect();
    let mut all = [0; MAX_SEATS];
    all[..3].copy_from_slice(&stacks);
    let mut round = Round::new(Rules::default(), all);
    round.deal(SeatSet::first_seats(3), &Deck::beginning_with(&dealt).unwrap());
    let opener = round.opener_of(Street::First);
    let mut spot = Spot::new(round);
    spot.open(Street::First, opener);
    for (seat, chips) in line {
        let seat = Seat::new(*seat);
        assert_eq!(spot.run_on(), Some(seat));
        let action = chips.map_or(Action::FOLD, |chips| spot.round.bounds(seat).bet(chips).unwrap());
        spot.round.act(seat, action);
    }
    spot
}

#[test]
fn ace_of_spades_is_half_the_pot_unless_it_can_be_driven_out() {
    // Seat 1 shows the king and bets 5, seat 2 holds the ace of spades.
    let cards = "4D AS 6C  KH 9D 8C  2D 3D 4C";
    let rich = played(cards, [300, 500, 300], &[(0, Some(5))]);
    let proof = prove(&rich, Seat::new(1), Action::FOLD).unwrap();
    // Pot 3 + 5, and 5 for the call: half of 13, less 5.
    assert_eq!((proof.kind, proof.at_least, proof.in_question), (ProofKind::CertainSpade, 1, false));
    let poor = played(cards, [500, 300, 500], &[(0, Some(5))]);
    assert_eq!(prove(&poor, Seat::new(1), Action::FOLD), None);
    // Against one opponent a second raise is impossible: 10 chips for the second street are enough.
    let alone = played(cards, [500, 16, 500], &[(0, Some(5)), (1, Some(5)), (2, Some(15)), (0, None)]);
    let proof = prove(&alone, Seat::new(1), Action::FOLD);
    assert_eq!(
        proof.map(|proof| proof.kind),
        None,
        "10 of 10 chips to call leave nothing for the second street"
    );
    let alone = played(cards, [500, 26, 500], &[(0, Some(5)), (1, Some(5)), (2, Some(15)), (0, None)]);
    assert_eq!(prove(&alone, Seat::new(1), Action::FOLD).unwrap().kind, ProofKind::CertainSpade);
}
