//! The game without the library, as a baseline: cards are numbers, and the stream, the shuffle, the bots and the hand
//! ranks are written from `docs/deal.md` and `docs/rules.md`. It has no events, checks, fouls or views, so it measures
//! the cost of the game itself. It deals the same decks and draws the same random numbers, so all chips can be
//! compared.

mod dice;
mod pairs;

pub(crate) use dice::{Dice, Shuffle};
pub(crate) use pairs::Pairs;

/// A card: four times its rank, from 0 for the deuce, and its suit: clubs, diamonds, hearts, spades.
type Card = u8;

const SPADES: u8 = 3;

/// The view that a bot of the baseline receives.
pub(crate) struct BareView<'a> {
    stack: u32,
    to_call: u32,
    pot: u32,
    board: &'a [Card],
}

pub(crate) trait BareBot {
    fn decide(&mut self, view: &BareView<'_>, dice: &mut Dice) -> Option<u32>;
}

pub(crate) struct BareCaller;

impl BareBot for BareCaller {
    fn decide(&mut self, view: &BareView<'_>, _: &mut Dice) -> Option<u32> {
        std::hint::black_box((view.pot, view.board.len()));
        Some(view.to_call)
    }
}

pub(crate) struct BareRandom;

impl BareBot for BareRandom {
    fn decide(&mut self, view: &BareView<'_>, dice: &mut Dice) -> Option<u32> {
        let most = view.stack.min(view.to_call + 10);
        match dice.below(most + 2 - view.to_call) {
            0 => None,
            pick => Some(view.to_call + pick - 1),
        }
    }
}

/// Seats in order of action: the first of the set from a seat on, round the table.
#[inline]
fn next_from(seats: u32, from: usize) -> usize {
    let ahead = seats & (u32::MAX << from);
    (if ahead == 0 { seats } else { ahead }).trailing_zeros() as usize
}

fn each(mut seats: u32) -> impl Iterator<Item = usize> {
    std::iter::from_fn(move || {
        let seat = (seats != 0).then(|| seats.trailing_zeros() as usize);
        seats &= seats.wrapping_sub(1);
        seat
    })
}

/// Plays a round with the lineup's bots in seat order, on a shared generator or one per seat. Returns the chips each
/// seat put in, including the ante.
pub(crate) fn bare_round(
    lineup: &[usize],
    stacks: &mut [u32; 17],
    bots: &mut [Box<dyn BareBot>],
    cards: &[Card; 64],
    dice: &mut [Dice],
) -> [u32; 17] {
    let seats = lineup.len();
    let own_dice = usize::from(dice.len() > 1);
    let mut live = u32::MAX >> (32 - seats);
    let mut pot = seats as u32;
    let mut put_in = [0; 17];
    for seat in 0..seats {
        stacks[seat] -= 1;
        put_in[seat] = 1;
    }
    let mut opener = 0;
    let mut level = 1;
    let mut board = [0; 34];
    for street in 0..2 {
        let mut shown = 0;
        let mut best = 0;
        for seat in each(live) {
            for up in 1..=street + 1 {
                let card = cards[up * seats + seat];
                board[shown] = card;
                shown += 1;
                best = best.max(usize::from(card) << 8 | seat);
            }
        }
        opener = best & 0xFF;
        let (mut seat, mut pending) = (opener, live);
        while pending != 0 && live & (live - 1) != 0 {
            seat = next_from(pending, seat);
            pending &= !(1 << seat);
            let view =
                BareView { stack: stacks[seat], to_call: level - put_in[seat], pot, board: &board[..shown] };
            let reply = if view.stack < view.to_call {
                None
            } else if view.stack == 0 {
                Some(0)
            } else {
                bots[lineup[seat]].decide(&view, &mut dice[seat * own_dice])
            };
            match reply {
                None => live &= !(1 << seat),
                Some(chips) => {
                    stacks[seat] -= chips;
                    pot += chips;
                    put_in[seat] += chips;
                    if put_in[seat] > level {
                        level = put_in[seat];
                        pending = live & !(1 << seat);
                    }
                }
            }
        }
    }
    if live & (live - 1) == 0 {
        stacks[next_from(live, 0)] += pot;
    } else {
        bare_showdown(stacks, live, cards, seats, pot, opener);
    }
    put_in
}

/// A bot for each of so many seats, which always calls or makes random legal replies.
pub(crate) fn bare_bots(seats: usize, random: bool) -> Vec<Box<dyn BareBot>> {
    let bot = |_| -> Box<dyn BareBot> { if random { Box::new(BareRandom) } else { Box::new(BareCaller) } };
    (0..seats).map(bot).collect()
}

/// Plays that many rounds at one table, each with a deck of its own, and returns the stacks. Stacks are deep enough
/// that no player busts.
pub(crate) fn bare_rounds(seats: usize, random: bool, rounds: u64) -> Vec<u32> {
    let mut bots = bare_bots(seats, random);
    let mut shuffle = Shuffle::new("bench", 1);
    let mut dice: Vec<Dice> = (0..seats).map(|seat| Dice::new("bench", &format!("bot {seat}"))).collect();
    let lineup: Vec<usize> = (0..seats).collect();
    let mut stacks = [100_000_000u32; 17];
    for round in 1..=rounds {
        let deck = shuffle.deck(round, 3 * seats);
        bare_round(&lineup, &mut stacks, &mut bots, deck, &mut dice);
    }
    stacks[..seats].to_vec()
}

/// The strength of three cards by their ranks, sixteen to each: the greater number is the better hand.
static STRENGTHS: [u16; 16 * 16 * 16] = {
    let mut strengths = [0; 16 * 16 * 16];
    let mut ranks = 0;
    while ranks < strengths.len() {
        strengths[ranks] = strength(ranks as u16 >> 8, ranks as u16 >> 4 & 15, ranks as u16 & 15);
        ranks += 1;
    }
    strengths
};

/// Trips, a pair or high cards, and then the ranks that count, the first one first.
const fn strength(a: u16, b: u16, c: u16) -> u16 {
    if a == b && b == c {
        2 << 12 | a
    } else if a == b {
        1 << 12 | a << 4 | c
    } else if a == c {
        1 << 12 | a << 4 | b
    } else if b == c {
        1 << 12 | b << 4 | a
    } else {
        let high = if a > b { a } else { b };
        let high = if high > c { high } else { c };
        let low = if a < b { a } else { b };
        let low = if low < c { low } else { c };
        high << 8 | (a + b + c - high - low) << 4 | low
    }
}

/// Pays out the pot as the document says: half to the high spade in the hole, half to the best hand.
fn bare_showdown(
    stacks: &mut [u32; 17],
    live: u32,
    cards: &[Card; 64],
    seats: usize,
    pot: u32,
    opener: usize,
) {
    // Branchless: the winner is unpredictable.
    let (mut best, mut tied, mut spade) = (0, 0u32, 0);
    for seat in each(live) {
        let hole = cards[seat];
        let [a, b, c] =
            [hole, cards[seats + seat], cards[2 * seats + seat]].map(|card| usize::from(card / 4 % 16));
        let strength = STRENGTHS[a << 8 | b << 4 | c];
        tied = tied & u32::from(strength <= best).wrapping_neg() | u32::from(strength >= best) << seat;
        best = best.max(strength);
        spade = spade.max((usize::from(hole) << 8 | seat) * usize::from(hole % 4 == SPADES));
    }
    let mut hand_half = pot;
    if spade > 0 {
        stacks[spade & 0xFF] += pot / 2;
        hand_half -= pot / 2;
    }
    if tied & (tied - 1) == 0 {
        stacks[tied.trailing_zeros() as usize] += hand_half;
        return;
    }
    let share = hand_half / tied.count_ones();
    let mut odd = hand_half % tied.count_ones();
    let mut seat = opener;
    while tied != 0 {
        seat = next_from(tied, seat);
        tied &= !(1 << seat);
        stacks[seat] += share + u32::from(odd > 0);
        odd = odd.saturating_sub(1);
    }
}
