//! The behaviours of a deck (Blackjack document, III.1).

use super::script::{AdtModel, AdtScript, letters_of, read_scripts};
use crate::grade::CaseSettings;
use casino_sisters::blackjack::{CourseCuts, Shoe};

const RANDOM_CASES: usize = 400;

const SCRIPTS: &str = include_str!("../../../../courses/blackjack/deck_scripts.txt");

pub(super) fn scripts(settings: &CaseSettings) -> Vec<AdtScript> {
    read_scripts(SCRIPTS, |id| generated(id, settings))
}

/// The operations of a script that is not written out.
fn generated(id: &str, settings: &CaseSettings) -> Vec<String> {
    let words = |words: &str| words.split("; ").map(String::from).collect::<Vec<_>>();
    match id {
        "deck-shuffle-all" => {
            (0..=52).flat_map(|cut| words(&format!("a new; a shuffle {cut}; a deal 52"))).collect()
        }
        "deck-shuffle-seven" => {
            let cuts = CourseCuts::new().take(7).map(|cut| format!("a shuffle {}", cut.left()));
            words("a new").into_iter().chain(cuts).chain(words("a deal 52")).collect()
        }
        "deck-left" => words(&format!("a new; a left{}", "; a deal 1; a left".repeat(52))),
        _ => drawn(settings),
    }
}

/// Operations that are drawn, with two decks.
fn drawn(settings: &CaseSettings) -> Vec<String> {
    let mut stream = settings.seed.stream("grade blackjack deck");
    let mut operations = vec!["a new".to_string(), "b new".to_string()];
    for _ in 0..RANDOM_CASES {
        let deck = if stream.one_in(4) { 'b' } else { 'a' };
        operations.push(match stream.below(12) {
            0 => format!("{deck} reset"),
            1..=4 => format!("{deck} shuffle {}", stream.below(53)),
            5..=6 => format!("{deck} left"),
            7 => format!("{deck} deal {}", stream.below(60)),
            _ => format!("{deck} deal {}", stream.below(12)),
        });
    }
    operations
}

pub(super) fn right() -> Box<dyn AdtModel> {
    Box::new([Shoe::new(), Shoe::new()])
}

impl AdtModel for [Shoe; 2] {
    fn answer(&mut self, operation: &str) -> Vec<String> {
        let words: Vec<&str> = operation.split(' ').collect();
        let deck = &mut self[usize::from(words[0] == "b")];
        let number = words.get(2).map_or(0, |number| number.parse().expect("scripts have numbers"));
        match words[1] {
            "deal" => {
                let dealt = |_| deck.deal().map_or_else(|_| "DeckEmpty".to_string(), letters_of);
                return (0..number).map(dealt).collect();
            }
            "left" => return vec![deck.cards_left().to_string()],
            "shuffle" => deck.shuffle(number),
            "reset" => deck.reset(),
            _ => *deck = Shoe::new(),
        }
        vec!["done".to_string()]
    }
}

pub(super) fn code(operation: &str) -> String {
    let words: Vec<&str> = operation.split(' ').collect();
    let deck = words[0];
    match words[1] {
        "new" => format!("Deck {deck};"),
        "deal" if words[2] == "1" => format!("{deck}.deal();"),
        "deal" => format!("{deck}.deal();  // {} times", words[2]),
        "left" => format!("{deck}.cardsLeft();"),
        "shuffle" => format!("{deck}.shuffle({});", words[2]),
        other => format!("{deck}.{other}();"),
    }
}
