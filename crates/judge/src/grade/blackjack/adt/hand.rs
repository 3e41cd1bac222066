//! The behaviours of a hand (Blackjack document, III.2).

use super::script::{AdtModel, AdtScript, card_code, card_of, letters_of, value_text};
use crate::grade::CaseSettings;
use casino_sisters::blackjack::BlackjackHand;
use casino_stud::cards::{Card, Rank, Stream, Suit};

/// How many cards the sequences have of which all are tried.
const ALL_OF: usize = 4;

/// How many longer hands are drawn, and with how many cards at most.
const DRAWN: usize = 300;
const LONGEST: u32 = 21;

pub(super) fn scripts(settings: &CaseSettings) -> Vec<AdtScript> {
    let mut scripts = values(settings);
    scripts.extend([
        script("hand-empty", "A new hand is worth 0, hard", "a new; a value"),
        script(
            "hand-discard",
            "discardAll() makes the hand empty, after soft and hard totals",
            "a new; a add AS; a add 6H; a value; a discard; a value; a add TC; a add 6D; a value; a discard; a value; \
             a add AH; a value; a discard; a discard; a value; a add 9S; a add AD; a value",
        ),
        script(
            "hand-discard-over",
            "discardAll() makes the hand empty, after 21 was passed",
            "a new; a add TS; a add 6H; a add KC; a value; a discard; a value; a add 5D; a value; a add AH; a value; \
             a add 9C; a add 9S; a value; a discard; a value; a add AC; a add KD; a value",
        ),
        script(
            "hand-asked",
            "handValue() changes nothing, however often it is called",
            "a new; a value; a value; a add AS; a value; a value; a value; a add 7D; a value; a value; a add 9C; \
             a value; a value; a add 4H; a value; a value",
        ),
        script(
            "hand-copy",
            "A copy of a hand has its value, and a life of its own",
            "a new; a add AS; a add 5D; b copy; b value; b add TC; b value; a value; a add 2H; a value; b discard; \
             b value; a value; a copy; a value; a add 9S; a value; b value",
        ),
        script(
            "hand-two",
            "Two hands have nothing to do with each other",
            "a new; b new; a add AS; b value; b add TC; a value; b add 9D; a add 8H; b value; a value; b discard; \
             a value; b value; b add AC; a add TH; a value; b value",
        ),
    ]);
    scripts
}

/// The scripts that try hands card by card.
fn values(settings: &CaseSettings) -> Vec<AdtScript> {
    let all = sequences(ALL_OF);
    let up_to_three = sequences(3);
    let aces = |count: usize| {
        let from = if count < 3 { &up_to_three } else { &all };
        let with =
            from.iter().filter(|ranks| ranks.iter().filter(|rank| **rank == Rank::Ace).count() == count);
        with.map(|ranks| run(ranks)).collect::<Vec<_>>()
    };
    let single: Vec<String> = Card::ALL.into_iter().map(|card| format!("run {}", letters_of(card))).collect();
    let pairs: Vec<String> = sequences(2).iter().map(|ranks| run(ranks)).collect();
    vec![
        AdtScript::new("hand-single", "Every single card", single),
        AdtScript::new("hand-pairs", "Every pair of ranks, in both orders", pairs),
        AdtScript::new("hand-no-ace", "Hands of up to three cards without an ace are hard", aces(0)),
        AdtScript::new("hand-one-ace", "One ace among up to three cards, at every place", aces(1)),
        AdtScript::new("hand-two-aces", "Two aces among up to three cards, at every place", aces(2)),
        AdtScript::new("hand-three-aces", "Three aces among four cards, at every place", aces(3)),
        script(
            "hand-four-aces",
            "Four aces, and what comes after them",
            "run AS AH AC AD; run AS AH AC AD 6S; run AS AH AC AD 7S; run AS AH AC AD 8S; run AS AH AC AD TS 7C; \
             run AS AH AC AD TS 8C; run TS AS AH AC AD; run 9S AS AH AC AD; run 7S AS AH AC AD; run 3S AS 3H AH 3C AC AD",
        ),
        script(
            "hand-a-t-a",
            "An ace, a ten and an ace are 12, hard",
            "run AS TS AH; run AS KS AH; run TS AS AH; run AS AH TS; run AS QC AD 9H; run JD AC AS AH 8C",
        ),
        script(
            "hand-turns-hard",
            "A soft total that would pass 21 turns hard, and may go on",
            "run AS 6H TS; run AS 6H TS 4C; run AS 5H 9S; run AS 9H 2S 9C; run 2S AH 8C AD 9S; run AS 2H 3C 4D 5S 6H; \
             run 5S 5H AC AD; run AS AH 9C AD; run AS 5H 6C 9D",
        ),
        script(
            "hand-over",
            "Over 21 a hand stays over 21, whatever comes",
            "run TS TH 2C; run TS TH 2C AS; run TS 6H KC 2D 3S; run AS TS TH AC; run AS 9H 9S 3D; run KS QH JC TD AS AH; \
             run 9S 9H 9C 9D TS TH TC TD AS",
        ),
        AdtScript::new(
            "hand-all",
            "All 28561 sequences of four ranks, after each card",
            all.iter().map(|ranks| run(ranks)),
        ),
        AdtScript::new(
            "hand-drawn",
            "Longer hands drawn from the seed, many of them with aces",
            drawn(settings),
        ),
    ]
}

fn script(id: &str, title: &str, operations: &str) -> AdtScript {
    AdtScript::new(id, title, operations.split("; "))
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
    (0..DRAWN)
        .map(|_| {
            let length = 5 + stream.below(LONGEST - 4);
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
