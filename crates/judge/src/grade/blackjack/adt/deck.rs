//! The behaviours of a deck (Blackjack document, III.1).

use super::script::{AdtModel, AdtScript, letters_of};
use crate::grade::CaseSettings;
use casino_sisters::blackjack::{CourseCuts, Shoe};

/// How many operations are drawn for the longest script.
const DRAWN: usize = 400;

pub(super) fn scripts(settings: &CaseSettings) -> Vec<AdtScript> {
    let mut scripts = orders();
    scripts.extend(shuffles());
    scripts.extend(counts());
    scripts.push(AdtScript::new(
        "deck-drawn",
        "A long list of operations drawn from the seed",
        drawn(settings),
    ));
    scripts
}

fn orders() -> Vec<AdtScript> {
    vec![
        script(
            "deck-new",
            "A newly opened deck deals spades, hearts, clubs, diamonds, two to ace",
            "a new; a deal 52",
        ),
        script(
            "deck-reset",
            "reset() makes a newly opened deck, whatever was dealt",
            "a new; a reset; a deal 20; a reset; a deal 52",
        ),
    ]
}

fn shuffles() -> Vec<AdtScript> {
    let cut = |cut: usize| vec!["a new".to_string(), format!("a shuffle {cut}"), "a deal 52".to_string()];
    let cuts = |cuts: &[usize]| cuts.iter().flat_map(|each| cut(*each)).collect::<Vec<_>>();
    let every: Vec<usize> = (0..=52).collect();
    let mut seven = vec!["a new".to_string()];
    seven.extend(CourseCuts::new().take(7).map(|cut| format!("a shuffle {}", cut.left())));
    seven.push("a deal 52".to_string());
    let all_cuts = "Every cut from 0 to 52, each with a newly opened deck";
    vec![
        AdtScript::new("deck-shuffle-26", "shuffle(26), the document's example", cut(26)),
        AdtScript::new("deck-shuffle-0-52", "shuffle(0) and shuffle(52): one part is empty", cuts(&[0, 52])),
        AdtScript::new("deck-shuffle-1-51", "shuffle(1) and shuffle(51): a part of one card", cuts(&[1, 51])),
        AdtScript::new("deck-shuffle-13", "shuffle(13): the left part is the shorter one", cut(13)),
        AdtScript::new("deck-shuffle-39", "shuffle(39): the right part is the shorter one", cut(39)),
        AdtScript::new("deck-shuffle-all", all_cuts, cuts(&every)),
        script(
            "deck-shuffle-twice",
            "A second shuffle goes on from the first",
            "a new; a shuffle 26; a shuffle 13; a deal 52",
        ),
        AdtScript::new("deck-shuffle-seven", "The seven cuts with which the course's driver begins", seven),
        script(
            "deck-shuffle-dealt",
            "A shuffle takes dealt cards back in the order in which they were dealt",
            "a new; a deal 10; a shuffle 26; a deal 52",
        ),
        script(
            "deck-shuffle-kept",
            "A shuffle keeps the order of the last shuffle",
            "a new; a shuffle 17; a deal 30; a shuffle 33; a deal 5; a shuffle 20; a deal 52",
        ),
        script(
            "deck-shuffle-empty-part",
            "shuffle(0) and shuffle(52) keep the order of a shuffled deck and take dealt cards back",
            "a new; a shuffle 20; a deal 9; a shuffle 0; a left; a deal 52; a shuffle 33; a deal 4; a shuffle 52; a left; \
             a deal 52",
        ),
        script(
            "deck-reset-shuffled",
            "reset() undoes shuffles",
            "a new; a shuffle 26; a deal 7; a reset; a deal 52; a shuffle 40; a shuffle 15; a reset; a deal 52",
        ),
    ]
}

/// The scripts that count cards, down to the last one and beyond.
fn counts() -> Vec<AdtScript> {
    let mut each_left = vec!["a new", "a left"];
    each_left.extend(["a deal 1", "a left"].repeat(52));
    vec![
        AdtScript::new("deck-left", "cardsLeft() counts down from 52 to 0", each_left),
        script(
            "deck-left-again",
            "cardsLeft() is 52 after each shuffle and each reset",
            "a new; a deal 9; a left; a shuffle 26; a left; a deal 30; a left; a reset; a left; a shuffle 0; a left",
        ),
        script(
            "deck-empty",
            "deal() throws DeckEmpty at card 53, and again at 54",
            "a new; a deal 54; a left",
        ),
        script(
            "deck-empty-shuffle",
            "A shuffle brings all cards of an empty deck back",
            "a new; a deal 53; a shuffle 26; a left; a deal 53",
        ),
        script(
            "deck-empty-reset",
            "reset() brings all cards of an empty deck back",
            "a new; a shuffle 20; a deal 53; a reset; a left; a deal 53",
        ),
        script(
            "deck-two",
            "Two decks have nothing to do with each other",
            "a new; b new; a shuffle 26; b deal 5; a deal 5; b shuffle 13; a left; b left; a deal 10; b deal 52; \
             a deal 37",
        ),
    ]
}

fn script(id: &str, title: &str, operations: &str) -> AdtScript {
    AdtScript::new(id, title, operations.split("; "))
}

/// Operations that are drawn, with two decks.
fn drawn(settings: &CaseSettings) -> Vec<String> {
    let mut stream = settings.seed.stream("grade blackjack deck");
    let mut operations = vec!["a new".to_string(), "b new".to_string()];
    for _ in 0..DRAWN {
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
