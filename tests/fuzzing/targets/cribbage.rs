//! Any text as cards for Cribbage, and the points of what it says.

use casino_sisters::cribbage::{Breakdown, DealtCards, hand_value, read_cards, select_hand, split_cards};
use casino_stud::cards::{Card, Rank};

use super::check;
use super::dice::Dice;

/// The four notations of a card, written out by hand.
fn notations(card: Card) -> [String; 4] {
    const RANKS: [&str; 13] = ["2", "3", "4", "5", "6", "7", "8", "9", "10", "J", "Q", "K", "A"];
    const WORDS: [&str; 13] = [
        "Two", "Three", "Four", "Five", "Six", "Seven", "Eight", "Nine", "Ten", "Jack", "Queen", "King",
        "Ace",
    ];
    const SUITS: [&str; 4] = ["Clubs", "Diamonds", "Hearts", "Spades"];
    let (rank, suit) = (card.index() / 4, SUITS[card.index() % 4]);
    let letter = &suit[..1];
    let term = if rank < 9 { RANKS[rank].to_string() } else { WORDS[rank].to_lowercase() };
    [
        format!("{}{letter}", RANKS[rank]),
        format!("{}{letter}", if rank == 8 { "T" } else { RANKS[rank] }),
        format!("card({term},{})", suit.to_lowercase()),
        format!("{} of {suit}", WORDS[rank]),
    ]
}

pub fn body(input: &[u8]) {
    let mut dice = Dice::of(input);
    // Half of the inputs are texts, the others cards that are written as texts and read again.
    let cards = if dice.byte().is_multiple_of(2) {
        let text = String::from_utf8_lossy(dice.rest());
        let Some(cards) = read(&text) else { return };
        cards
    } else {
        written_and_read(dice)
    };
    match DealtCards::new(&cards) {
        Ok(dealt) => choose(&dealt),
        Err(error) => check::sentence(&error.to_string()),
    }
    let distinct = |cards: &[Card]| (1..cards.len()).all(|at| !cards[..at].contains(&cards[at]));
    if let [a, b, c, d, start, ..] = cards[..]
        && distinct(&[a, b, c, d, start])
    {
        value([a, b, c, d], start);
    }
}

/// The cards of a text, which are as many as it has words.
fn read(text: &str) -> Option<Vec<Card>> {
    let words = split_cards(text);
    let between = |c: char| c.is_whitespace() || matches!(c, ',' | '[' | ']');
    // Nothing is lost but what stands between cards.
    let kept: usize = words.iter().map(|word| word.len()).sum();
    assert!(kept >= text.chars().filter(|c| !between(*c)).map(char::len_utf8).sum(), "{text:?}: {words:?}");
    assert!(words.iter().all(|word| !word.is_empty() && !word.starts_with(between)), "{words:?}");
    match read_cards(text) {
        Ok(cards) => {
            assert_eq!(cards.len(), words.len());
            for (card, word) in cards.iter().zip(&words) {
                let dense = word.split(|c: char| c.is_ascii_whitespace()).collect::<String>();
                let found = notations(*card).iter().any(|text| text == word) || notations(*card)[2] == dense;
                assert!(found, "{word:?} was read as {card}");
            }
            Some(cards)
        }
        Err(error) => {
            check::sentence(&error.to_string());
            None
        }
    }
}

fn written_and_read(mut dice: Dice<'_>) -> Vec<Card> {
    let (mut cards, mut text) = (Vec::new(), String::new());
    for _ in 0..dice.below(8) {
        let card = Card::ALL[dice.below(52)];
        // Words have spaces between them, which a row of cards cannot have.
        text += &notations(card)[dice.below(3)];
        text += [" ", ", ", "\n", "] ["][dice.below(4)];
        cards.push(card);
    }
    assert_eq!(read_cards(&text).as_ref(), Ok(&cards), "{text:?}");
    cards
}

/// The points of a hand, counted by the rules of the game.
fn points(hand: [Card; 4], start: Card) -> u32 {
    let all = [hand[0], hand[1], hand[2], hand[3], start];
    let place = |card: &Card| (card.index() / 4 + 1) % 13 + 1;
    let mut points = 0;
    for subset in 1u32..32 {
        let chosen: Vec<usize> =
            (0..5).filter(|at| subset >> at & 1 == 1).map(|at| place(&all[at])).collect();
        points += 2 * u32::from(chosen.iter().map(|place| (*place).min(10)).sum::<usize>() == 15);
        points += 2 * u32::from(chosen.len() == 2 && chosen[0] == chosen[1]);
    }
    // A run of n ranks in a row counts n for each way to choose its cards, and only the longest counts.
    let times = |rank: usize| all.iter().filter(|card| place(card) == rank).count() as u32;
    let run = |length: usize| {
        let ways = (1..=14 - length).map(|low| (low..low + length).map(times).product::<u32>()).sum::<u32>();
        ways * length as u32
    };
    points += [5, 4, 3].into_iter().map(run).find(|points| *points > 0).unwrap_or(0);
    let suit = |card: &Card| card.index() % 4;
    if hand.iter().all(|card| suit(card) == suit(&hand[0])) {
        points += 4 + u32::from(suit(&start) == suit(&hand[0]));
    }
    points + u32::from(hand.iter().any(|card| card.rank() == Rank::Jack && suit(card) == suit(&start)))
}

fn value(hand: [Card; 4], start: Card) {
    let points = points(hand, start);
    assert_eq!(u32::from(hand_value(hand, start)), points, "{hand:?} {start}");
    assert_eq!(Breakdown::of(hand, start).value(), points, "{hand:?} {start}");
}

/// No other choice has more points over all start cards.
fn choose(dealt: &DealtCards) {
    let selection = select_hand(dealt);
    let kept = selection.kept();
    let total = |hand: [Card; 4]| dealt.starts().map(|start| u32::from(hand_value(hand, start))).sum::<u32>();
    assert_eq!(selection.total(), total(kept));
    assert_eq!(kept.len() + selection.crib().len(), dealt.cards().len());
    let cards = dealt.cards();
    let mut best = 0;
    for subset in 0u32..1 << cards.len() {
        let hand: Vec<Card> =
            (0..cards.len()).filter(|at| subset >> at & 1 == 1).map(|at| cards[at]).collect();
        if let Ok(hand) = <[Card; 4]>::try_from(hand) {
            best = best.max(total(hand));
        }
    }
    assert_eq!(selection.total(), best, "{cards:?}");
}
