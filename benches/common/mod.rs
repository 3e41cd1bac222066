//! A bare loop of the game: the same rules, shuffle and dice, but no events, no checks, no fouls, no views. It is
//! what the game itself costs.

use casino_day::cards::{Card, Stream};
use casino_day::stud::Strength;

/// What a bot of the bare loop is told.
pub(crate) struct BareView<'a> {
    stack: u32,
    to_call: u32,
    pot: u32,
    board: &'a [Card],
}

pub(crate) trait BareBot {
    fn decide(&mut self, view: &BareView<'_>, dice: &mut Stream) -> Option<u32>;
}

pub(crate) struct BareCaller;

impl BareBot for BareCaller {
    fn decide(&mut self, view: &BareView<'_>, _: &mut Stream) -> Option<u32> {
        std::hint::black_box((view.pot, view.board.len()));
        Some(view.to_call)
    }
}

pub(crate) struct BareRandom;

impl BareBot for BareRandom {
    fn decide(&mut self, view: &BareView<'_>, dice: &mut Stream) -> Option<u32> {
        let most = view.stack.min(view.to_call + 10);
        match dice.below(most + 2 - view.to_call) {
            0 => None,
            pick => Some(view.to_call + pick - 1),
        }
    }
}

/// Plays a round with the bots of the lineup, in seat order.
pub(crate) fn bare_round(
    lineup: &[usize],
    stacks: &mut [u32; 17],
    bots: &mut [Box<dyn BareBot>],
    cards: &[Card; 52],
    dice: &mut Stream,
) {
    let seats = lineup.len();
    let mut folded = [false; 17];
    let mut live = seats;
    let mut pot = seats as u32;
    for stack in &mut stacks[..seats] {
        *stack -= 1;
    }
    let mut opener = 0;
    for street in 0..2 {
        let mut board = [cards[0]; 34];
        let mut shown = 0;
        let mut best = None;
        for seat in (0..seats).filter(|seat| !folded[*seat]) {
            for up in 0..=street {
                let card = cards[(1 + up) * seats + seat];
                board[shown] = card;
                shown += 1;
                if Some(card) > best {
                    best = Some(card);
                    opener = seat;
                }
            }
        }
        let (mut put_in, mut level) = ([0u32; 17], 0);
        let (mut seat, mut to_act) = (opener, live);
        while to_act > 0 && live > 1 {
            if !folded[seat] {
                to_act -= 1;
                let to_call = level - put_in[seat];
                let view = BareView { stack: stacks[seat], to_call, pot, board: &board[..shown] };
                let reply = if view.stack < to_call {
                    None
                } else if view.stack == 0 {
                    Some(0)
                } else {
                    bots[lineup[seat]].decide(&view, dice)
                };
                match reply {
                    None => {
                        folded[seat] = true;
                        live -= 1;
                    }
                    Some(chips) => {
                        stacks[seat] -= chips;
                        pot += chips;
                        put_in[seat] += chips;
                        if put_in[seat] > level {
                            level = put_in[seat];
                            to_act = live - 1;
                        }
                    }
                }
            }
            seat = if seat + 1 == seats { 0 } else { seat + 1 };
        }
    }
    if live == 1 {
        let winner = (0..seats).find(|seat| !folded[*seat]).expect("one is left");
        stacks[winner] += pot;
        return;
    }
    bare_showdown(stacks, &folded[..seats], cards, pot, opener);
}

/// Pays out the pot as the document says: half to the high spade in the hole, half to the best hand.
fn bare_showdown(stacks: &mut [u32; 17], folded: &[bool], cards: &[Card; 52], pot: u32, opener: usize) {
    let seats = folded.len();
    let (mut best, mut tied, mut spade) = (None, 0u32, None);
    for seat in (0..seats).filter(|seat| !folded[*seat]) {
        let hole = cards[seat];
        let strength = Some(Strength::of([hole, cards[seats + seat], cards[2 * seats + seat]]));
        if strength > best {
            best = strength;
            tied = 0;
        }
        if strength == best {
            tied |= 1 << seat;
        }
        if hole.is_spade() && spade.is_none_or(|(card, _)| hole > card) {
            spade = Some((hole, seat));
        }
    }
    let mut hand_half = pot;
    if let Some((_, seat)) = spade {
        stacks[seat] += pot / 2;
        hand_half -= pot / 2;
    }
    let share = hand_half / tied.count_ones();
    let mut odd = hand_half % tied.count_ones();
    for at in 0..seats {
        let seat = (opener + at) % seats;
        if tied >> seat & 1 == 1 {
            stacks[seat] += share + odd.min(1);
            odd = odd.saturating_sub(1);
        }
    }
}
