//! How fast Blackjack and Cribbage are on one core, against plain versions of the same in the same run.
//!
//! `cargo bench --bench sisters` prints the rates and their ratios. Both versions of everything have to give
//! the same result, or the run stops.

#![allow(clippy::print_stdout, reason = "a benchmark prints its figures")]

use std::hint::black_box;
use std::time::{Duration, Instant};

use casino_sisters::blackjack::{Counting, CourseCuts, Cut, FACTORY_ORDER, SeededCuts, Simple, play};
use casino_sisters::cribbage::{DealtCards, distribution, hand_value, select_hand};
use casino_stud::cards::{Card, Rank, Seed};

fn main() {
    println!("best of several runs, one core, in the same process\n");
    blackjack();
    cribbage();
}

/// Runs the work until a second has gone by, three times at least, and gives the best rate of `units`.
fn rate(units: u64, mut work: impl FnMut()) -> f64 {
    let begin = Instant::now();
    let mut best = Duration::MAX;
    let mut times = 0;
    while times < 3 || begin.elapsed() < Duration::from_secs(1) {
        let start = Instant::now();
        work();
        best = best.min(start.elapsed());
        times += 1;
    }
    units as f64 / best.as_secs_f64()
}

/// Uses up a result, so that the work for it is not left out.
fn keep<T>(result: T) {
    black_box(result);
}

/// Generic, so that either version is built into the loop.
fn sum(decks: &[[Card; 52]], value: impl Fn([Card; 4], Card) -> u8) -> u64 {
    let of = |deck: &[Card; 52]| u64::from(value([deck[0], deck[1], deck[2], deck[3]], deck[4]));
    decks.iter().map(of).sum()
}

fn line(what: &str, unit: &str, ours: f64, plain: f64) {
    println!("{what:<34}{ours:>14.0} {unit:<10} plain {plain:>12.0}  ratio {:>8.1}", ours / plain);
}

fn blackjack() {
    const BANKROLL: u32 = 1_000_000;
    const HANDS: u32 = 200_000;
    let seed = Seed::chosen("bench");
    let hands = u64::from(HANDS);
    for counting in [false, true] {
        let ours = || match counting {
            true => play(BANKROLL, HANDS, Counting::default(), SeededCuts::new(&seed), |_| ()),
            false => play(BANKROLL, HANDS, Simple, SeededCuts::new(&seed), |_| ()),
        };
        let bankroll = ours().expect("seeded cuts never end").bankroll;
        let plain = || plain_blackjack(BANKROLL, HANDS, counting, SeededCuts::new(&seed));
        assert_eq!(i64::from(plain()), bankroll);
        let name = if counting { "blackjack, counting" } else { "blackjack, simple" };
        let fast = rate(hands, || keep(ours()));
        let slow = rate(hands, || keep(plain()));
        line(name, "hands/s", fast, slow);
    }
    let mut text = String::new();
    let transcript = rate(10_000, || {
        use std::fmt::Write;
        text.clear();
        let tell = |event| writeln!(text, "{event}").expect("a String takes every text");
        play(10_000, 10_000, Simple, CourseCuts::new(), tell).expect("the course's cuts never end");
        black_box(&text);
    });
    println!("{:<34}{transcript:>14.0} hands/s", "blackjack, with its transcript");
}

fn cribbage() {
    const DEALS: usize = 20_000;
    let mut stream = Seed::chosen("bench").stream("bench");
    let mut decks = Vec::new();
    for _ in 0..DEALS {
        let mut deck = Card::ALL;
        stream.shuffle(&mut deck);
        decks.push(deck);
    }
    assert_eq!(sum(&decks, hand_value), sum(&decks, plain_value));
    let all = DEALS as u64;
    let fast = rate(all, || keep(sum(&decks, hand_value)));
    let slow = rate(all, || keep(sum(&decks, plain_value)));
    line("cribbage value, drawn hands", "values/s", fast, slow);

    let few = 300;
    let dealt: Vec<DealtCards> =
        decks.iter().map(|deck| DealtCards::new(&deck[..6]).expect("six different cards")).collect();
    for dealt in &dealt[..few] {
        assert_eq!(select_hand(dealt).kept(), plain_select(dealt.cards()), "{dealt:?}");
    }
    let fast = rate(all, || dealt.iter().for_each(|dealt| keep(select_hand(dealt))));
    let slow = rate(few as u64, || {
        dealt[..few].iter().for_each(|dealt| keep(plain_select(dealt.cards())));
    });
    line("cribbage select, six cards", "selects/s", fast, slow);

    let hands: u64 = distribution().iter().sum();
    let fast = rate(hands, || keep(distribution()));
    println!(
        "{:<34}{fast:>14.0} values/s   {:.1} ms for all {hands}",
        "cribbage, every hand there is",
        1e3 * hands as f64 / fast
    );
}

/// A simple implementation: hands are lists of cards, counted whenever needed.
fn plain_blackjack(
    mut bankroll: u32,
    hands: u32,
    counting: bool,
    mut cuts: impl Iterator<Item = Cut>,
) -> u32 {
    let mut deck = FACTORY_ORDER.to_vec();
    let mut next = 0;
    let mut count = 0;
    let mut shuffle = |deck: &mut Vec<Card>| {
        for _ in 0..7 {
            let cut = cuts.next().expect("seeded cuts never end").left();
            let (left, right) = (deck[..cut].to_vec(), deck[cut..].to_vec());
            deck.clear();
            for at in 0..left.len().max(right.len()) {
                deck.extend(right.get(at));
                deck.extend(left.get(at));
            }
        }
    };
    shuffle(&mut deck);
    for _ in 0..hands {
        if bankroll < 5 {
            break;
        }
        if 52 - next < 20 {
            shuffle(&mut deck);
            next = 0;
            count = 0;
        }
        let bet = if counting && count >= 2 && bankroll >= 10 { 10 } else { 5 };
        let mut deal = |seen: bool, count: &mut i32| {
            let card = deck[next];
            next += 1;
            if seen {
                *count += sign(card);
            }
            card
        };
        let mut player = vec![deal(true, &mut count)];
        let mut dealer = vec![deal(true, &mut count)];
        player.push(deal(true, &mut count));
        dealer.push(deal(false, &mut count));
        if worth(&player).0 == 21 {
            bankroll += 3 * bet / 2;
            continue;
        }
        while worth(&player).0 <= 21 && draws(worth(&player), dealer[0].rank().index() + 2) {
            player.push(deal(true, &mut count));
        }
        if worth(&player).0 > 21 {
            bankroll -= bet;
            continue;
        }
        count += sign(dealer[1]);
        while worth(&dealer).0 < 17 {
            dealer.push(deal(true, &mut count));
        }
        let (mine, his) = (worth(&player).0, worth(&dealer).0);
        if his > 21 || mine > his {
            bankroll += bet;
        } else if mine < his {
            bankroll -= bet;
        }
    }
    bankroll
}

fn sign(card: Card) -> i32 {
    match card.rank().index() {
        0..=4 => 1,
        5..=7 => 0,
        _ => -1,
    }
}

fn worth(cards: &[Card]) -> (usize, bool) {
    let mut total = 0;
    let mut aces = 0;
    for card in cards {
        total += match card.rank() {
            Rank::Ace => 11,
            rank => (rank.index() + 2).min(10),
        };
        aces += usize::from(card.rank() == Rank::Ace);
    }
    while total > 21 && aces > 0 {
        total -= 10;
        aces -= 1;
    }
    (total, aces > 0)
}

fn draws((total, soft): (usize, bool), up: usize) -> bool {
    match (soft, total) {
        (true, ..=17) | (false, ..=11) => true,
        (true, 18) => ![2, 7, 8].contains(&up),
        (false, 12) => !(4..=6).contains(&up),
        (false, 13..=16) => !(2..=6).contains(&up),
        _ => false,
    }
}

/// The value in one pass over the cards: pairs as cards come, the sums of all combinations from those of fewer cards,
/// runs along the ranks.
fn plain_value(hand: [Card; 4], start: Card) -> u8 {
    let mut points = 0;
    // Of each rank from the ace to the king, and of one more, which ends a run.
    let mut counts = [0; 14];
    let mut sums = [0; 32];
    for (at, card) in [hand[0], hand[1], hand[2], hand[3], start].into_iter().enumerate() {
        let place = (card.rank().index() + 1) % 13;
        points += 2 * counts[place];
        counts[place] += 1;
        for fewer in 0..1 << at {
            sums[1 << at | fewer] = sums[fewer] + (place as u8 + 1).min(10);
        }
    }
    points += 2 * sums.iter().filter(|sum| **sum == 15).count() as u8;
    let (mut length, mut ways) = (0, 1);
    for count in counts {
        if count > 0 {
            length += 1;
            ways *= count;
            continue;
        }
        if length >= 3 {
            points += length * ways;
        }
        (length, ways) = (0, 1);
    }
    if hand.iter().all(|card| card.suit() == hand[0].suit()) {
        points += 4 + u8::from(start.suit() == hand[0].suit());
    }
    let nob = hand.iter().any(|card| card.rank() == Rank::Jack && card.suit() == start.suit());
    points + u8::from(nob)
}

fn plain_select(cards: &[Card]) -> [Card; 4] {
    let mut best = (0, [cards[0]; 4]);
    for a in 0..cards.len() {
        for b in a + 1..cards.len() {
            for c in b + 1..cards.len() {
                for d in c + 1..cards.len() {
                    let hand = [cards[a], cards[b], cards[c], cards[d]];
                    let starts = Card::ALL.into_iter().filter(|start| !cards.contains(start));
                    let total = starts.map(|start| u32::from(plain_value(hand, start))).sum::<u32>() + 1;
                    if total > best.0 {
                        best = (total, hand);
                    }
                }
            }
        }
    }
    best.1
}
