//! The behaviours of a hand (Blackjack document, III.2).

use super::script::{AdtModel, AdtScript, card_code, card_of, letters_of, read_scripts, value_text};
use crate::grade::CaseSettings;
use casino_sisters::blackjack::BlackjackHand;
use casino_stud::cards::{Card, Rank, Stream, Suit};

/// How many longer hands are drawn, and with how many cards at most.
const RANDOM_HANDS: usize = 300;
const MAX_RANDOM_HAND_CARDS: u32 = 21;

const SCRIPTS: &str = include_str!("../../../../courses/blackjack/hand_scripts.txt");

pub(super) fn scripts(settings: &CaseSettings) -> Vec<AdtScript> {
    read_scripts(SCRIPTS, |id| generated(id, settings))
}

/// The operations of a script that is not written out.
fn generated(id: &str, settings: &CaseSettings) -> Vec<String> {
    let all = |length| sequences(length).iter().map(|ranks| run(ranks)).collect();
    let with_aces = |length, count| {
        let is_one = |ranks: &&Vec<Rank>| ranks.iter().filter(|rank| **rank == Rank::Ace).count() == count;
        sequences(length).iter().filter(is_one).map(|ranks| run(ranks)).collect()
    };
    match id {
        "hand-single" => Card::ALL.into_iter().map(|card| format!("run {}", letters_of(card))).collect(),
        "hand-pairs" => all(2),
        "hand-no-ace" => with_aces(3, 0),
        "hand-one-ace" => with_aces(3, 1),
        "hand-two-aces" => with_aces(3, 2),
        "hand-three-aces" => with_aces(4, 3),
        "hand-all" => all(4),
        _ => drawn(settings),
    }
}

fn sequences(length: usize) -> Vec<Vec<Rank>> {
    let mut all = vec![Vec::new()];
    for _ in 0..length {
        let longer = |ranks: &Vec<Rank>| Rank::ALL.map(|rank| [ranks.as_slice(), &[rank]].concat());
        all = all.iter().flat_map(longer).collect();
    }
    all
}

/// A new hand of these ranks, each card of another suit than the last.
fn run(ranks: &[Rank]) -> String {
    let suits = [Suit::Spades, Suit::Hearts, Suit::Clubs, Suit::Diamonds];
    let cards = ranks.iter().enumerate().map(|(at, rank)| letters_of(Card::new(*rank, suits[at % 4])));
    format!("run {}", cards.collect::<Vec<_>>().join(" "))
}

/// Hands that are drawn. Low cards and aces come more often, so that they grow long below 21.
fn drawn(settings: &CaseSettings) -> Vec<String> {
    let mut stream = settings.seed.stream("grade blackjack hand");
    let rank = |stream: &mut Stream| match stream.below(4) {
        0 => Rank::Ace,
        1 => Rank::ALL[stream.below(3) as usize],
        _ => Rank::ALL[stream.below(13) as usize],
    };
    (0..RANDOM_HANDS)
        .map(|_| {
            let length = 5 + stream.below(MAX_RANDOM_HAND_CARDS - 4);
            run(&(0..length).map(|_| rank(&mut stream)).collect::<Vec<_>>())
        })
        .collect()
}

pub(super) fn right() -> Box<dyn AdtModel> {
    Box::new([BlackjackHand::new(), BlackjackHand::new()])
}

impl AdtModel for [BlackjackHand; 2] {
    fn answer(&mut self, operation: &str) -> Vec<String> {
        let words: Vec<&str> = operation.split(' ').collect();
        if words[0] == "run" {
            let mut hand = BlackjackHand::new();
            let value_after = |card: &&str| {
                hand.add(card_of(card));
                value_text(hand.value())
            };
            return words[1..].iter().map(value_after).collect();
        }
        let at = usize::from(words[0] == "b");
        match words[1] {
            "value" => return vec![value_text(self[at].value())],
            "add" => self[at].add(card_of(words[2])),
            "copy" => self[at] = self[1 - at].clone(),
            "discard" => self[at].discard_all(),
            _ => self[at] = BlackjackHand::new(),
        }
        vec!["done".to_string()]
    }
}

pub(super) fn code(operation: &str) -> String {
    let words: Vec<&str> = operation.split(' ').collect();
    if words[0] == "run" {
        let adds = words[1..].iter().map(|card| format!(" hand.addCard({});", card_code(card)));
        return format!("Hand hand;{}", adds.collect::<String>());
    }
    let hand = words[0];
    let other = if hand == "a" { "b" } else { "a" };
    match words[1] {
        "new" => format!("Hand {hand};"),
        "add" => format!("{hand}.addCard({});", card_code(words[2])),
        "value" => format!("{hand}.handValue();"),
        "copy" => format!("Hand {hand} = {other};"),
        _ => format!("{hand}.discardAll();"),
    }
}
