//! The luck of each player's cards. `docs/coach.md` defines it and proves that its mean is 0.

use std::collections::BTreeMap;

use casino_stud::cards::CardSet;
use casino_stud::stud::{MAX_SEATS, Seat, SeatSet, Strength, Winners};

use super::keyed_random::KeyedRandom;
use super::noted_round::NotedRound;
use super::rollout::draw_any;

const LUCK_SAMPLE_DEALS: u32 = 100;

/// The shares of the pot of everyone in a set of seats, by seat.
fn shares(seats: SeatSet, round: &NotedRound, strength: impl Fn(Seat) -> Strength) -> [f64; MAX_SEATS] {
    let mut winners = Winners::default();
    seats.into_iter().for_each(|seat| winners.add(seat, round.cards(seat)[0], strength(seat)));
    let mut shares = [0.0; MAX_SEATS];
    seats.into_iter().for_each(|seat| shares[seat.index()] = winners.share(seat));
    shares
}

/// The luck of each player in a round, in chips, by seat: the value of its first cards beyond a fair share of the
/// table's usual pot, and the change of its share of the pot through the second up cards.
pub(super) fn luck(round: &NotedRound, usual_pot: f64) -> [f64; MAX_SEATS] {
    let second = round.second_street();
    let left = second.as_ref().map_or(SeatSet::EMPTY, |spot| spot.round.live());
    let first: CardSet =
        round.seats().into_iter().flat_map(|seat| round.cards(seat).into_iter().take(2)).collect();
    let (mut of_all, mut of_left) = ([0.0; MAX_SEATS], [0.0; MAX_SEATS]);
    let mut random = KeyedRandom::new(&[u64::from(round.table), round.round, u64::MAX]);
    for _ in 0..LUCK_SAMPLE_DEALS {
        let mut taken = first;
        let mut strengths = [None; MAX_SEATS];
        for seat in round.seats() {
            let [hole, up, _] = round.cards(seat);
            let second = draw_any(&mut taken, &mut random);
            strengths[seat.index()] = Some(Strength::of([hole, up, second]));
        }
        let strength = |seat: Seat| strengths[seat.index()].expect("everyone was dealt a card");
        let add = |sums: &mut [f64; MAX_SEATS], seats| {
            sums.iter_mut().zip(shares(seats, round, strength)).for_each(|(sum, share)| *sum += share);
        };
        add(&mut of_all, round.seats());
        add(&mut of_left, left);
    }
    let deals = f64::from(LUCK_SAMPLE_DEALS);
    let fair = 1.0 / round.seats().len() as f64;
    let mut luck = [0.0; MAX_SEATS];
    for seat in round.seats() {
        luck[seat.index()] = usual_pot * (of_all[seat.index()] / deals - fair);
    }
    if let Some(spot) = second {
        let pot = f64::from(spot.round.pot());
        let now = shares(left, round, |seat| Strength::of(round.cards(seat)));
        for seat in left {
            luck[seat.index()] += pot * (now[seat.index()] - of_left[seat.index()] / deals);
        }
    }
    luck
}

/// The usual pot before each of these rounds, in chips: the mean of the earlier rounds of its table, or the antes before
/// the first one.
pub(super) fn usual_pots(rounds: &[NotedRound]) -> Vec<f64> {
    let mut pots: BTreeMap<u32, (u64, u32)> = BTreeMap::new();
    let before = |round: &NotedRound| {
        let (chips, rounds) = pots.entry(round.table).or_default();
        let antes = f64::from(round.rules().ante) * round.seats().len() as f64;
        let usual = if *rounds > 0 { *chips as f64 / f64::from(*rounds) } else { antes };
        *chips += u64::from(round.pot());
        *rounds += 1;
        usual
    };
    rounds.iter().map(before).collect()
}
