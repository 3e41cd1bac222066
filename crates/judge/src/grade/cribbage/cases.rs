//! The cases of Cribbage: hard ones chosen manually, the others drawn from a seed.

use crate::grade::cases::{Case, Cases};
use casino_sisters::cribbage::read_cards;
use casino_stud::cards::{Card, Seed, notation};

/// Hands whose value is often counted wrong.
const VALUES: [(&str, &str, &str); 58] = [
    ("document-1", "the documents' example worth 0", "7C QH 2C JC 9H"),
    ("document-2", "the documents' example worth 2", "AS 3H KH 7H KS"),
    ("document-3", "the documents' example worth 5", "AS 3H KH 7H 2D"),
    ("document-4", "the documents' example worth 12", "2S 3H KH 3S 4H"),
    ("document-5", "the documents' example worth 20", "6C 7C 8C 9C 8S"),
    ("document-6", "the documents' example worth 24", "7H 9S 8C 7C 8H"),
    ("document-7", "the documents' example worth 29", "5H 5S 5C JD 5D"),
    ("fifteens", "the documents' four fifteens", "2C 3D 5H TS KC"),
    ("twenty-eight", "a fifth ten without his nob", "5H 5S 5C 5D TH"),
    ("pair-outside-1", "a run of three and a pair outside it", "AH 2S 3D 8C 8H"),
    ("pair-outside-2", "a run of three with a pair of kings", "3H 4S 5D KC KH"),
    ("pair-outside-3", "a pair outside a run, one of it the start", "9H TS JD 2C 2S"),
    ("double-run", "a run of four with a pair in it", "2C 3D 4H 5S 5C"),
    ("triple-run", "a run of three with three of a kind in it", "2C 3D 4H 4S 4C"),
    ("double-double", "a run of three with two pairs in it", "TC JD JH QS QC"),
    ("run-of-five", "a run of five", "TC 6D 9H 7S 8C"),
    ("two-and-two", "two neighbours twice, no run of three", "2C 3D 9H TS KC"),
    ("flush-4", "four of one suit", "2H 4H 6H 8H KS"),
    ("flush-5", "five of one suit", "2H 4H 6H 8H KH"),
    ("flush-3-start-1", "three of the hand and the start of one suit", "2H 4H 6H 8S KH"),
    ("flush-3-start-2", "three clubs and a club as start", "AC 3D 9C QC 7C"),
    ("nob", "a jack of the start's suit", "JH 2S 4D 8C 6H"),
    ("no-nob", "a jack of another suit", "JH 2S 4D 8C 6S"),
    ("heels-1", "a jack as start card", "2H 4H 6S 8C JH"),
    ("heels-2", "a jack as start card and one in the hand", "JS 2H 4D 8C JH"),
    ("heels-3", "a jack as start card of no suit in the hand", "2S 4S 6D 8C JH"),
    ("corner-1", "queen, king and ace", "QH KS AD 2C 9H"),
    ("corner-2", "king, ace and two", "KH AS 2D 9C 7H"),
    ("corner-3", "jack, queen, king and ace", "JH QS KD AC 6D"),
    ("corner-4", "ace, two and three with a king", "AH 2S 3D KC 8H"),
    ("aces", "four aces", "AH AS AD AC KH"),
    ("three-kind", "three of a kind", "9H 9S 9D 2C KH"),
    ("full-house", "three of a kind and a pair", "3H 3S 3D 9C 9H"),
    ("five-cards-15", "a fifteen of all five cards", "AH 2S 3D 4C 5H"),
    ("four-fives", "four fives and a picture", "5H 5S 5C KD 5D"),
    ("nothing", "nothing at all", "2H 4S 6D 8C QH"),
    ("flush-clubs", "four clubs", "2C 4C 6C 8C KS"),
    ("flush-diamonds", "four diamonds", "2D 4D 6D 8D KS"),
    ("flush-spades", "four spades", "2S 4S 6S 8S KH"),
    ("nob-clubs", "the jack of clubs and a club", "JC 2S 4D 8H 6C"),
    ("nob-diamonds", "the jack of diamonds and a diamond", "JD 2S 4H 8C 6D"),
    ("nob-spades", "the jack of spades and a spade", "JS 2C 4D 8H 6S"),
    ("ace-start-1", "an ace as start card and one in the hand", "AH 4S 9D KC AC"),
    ("ace-start-2", "an ace as start card in a run", "2H 3S 9D KC AC"),
    ("ace-start-3", "an ace as start card in a fifteen", "4H TS 7D QC AC"),
    ("ace-start-4", "an ace as start card with queen and king", "QH KS 7D 4C AC"),
    ("eights-nines-1", "two eights, two nines and a seven", "8H 8S 9C 9D 7C"),
    ("eights-nines-2", "two eights and two nines", "8H 8S 9C 9D 2C"),
    ("king-queen-king-1", "two kings round a queen", "KH QS KD 4C 9H"),
    ("king-queen-king-2", "two kings and no queen", "KH 8S KD 4C 9H"),
    ("second-jack", "two jacks, the second of the start's suit", "JC 4S JH 8D 6H"),
    ("middle-jack", "three jacks, one of the start's suit", "QC JH JD JS 8D"),
    ("run-of-high", "a run of the last cards, with a pair of sixes", "6S 9S 6C 5D 7D"),
    ("run-down", "a run of four, the highest first", "6S 7C 6C 5C 4C"),
    ("tens-in-run", "a run with a pair of tens", "9S JS TC 8D TS"),
    ("run-and-neighbours", "two stretches of two and three neighbours", "5S 6D 2S AH 7S"),
    ("four-cards-15", "a fifteen of the four cards in hand", "2S AS TD 2D 7H"),
    ("run-with-gap", "a run of three cards and the start, with a pair", "6C 4C 5S 3S 4H"),
];

/// Deals whose best choice is often missed. Those of "told apart" distinguish the known misreadings.
const DEALS: [(&str, &str, &str); 26] = [
    ("only-choice", "four cards leave no choice", "2H 9C KS 4D"),
    ("fives", "three fives, a jack and tens", "5H KC 5S 9D 5C JD"),
    ("five-dealt", "five cards", "4H 5C 6D TS KH"),
    ("start-counts", "two hands alike, to which the start cards add differently", "3C 4D 8H 9S TC QD"),
    ("crib-1", "cards of the crib cannot turn up: jacks and nines", "QS 9S 9C TC JD JS"),
    ("crib-2", "cards of the crib cannot turn up: two queens", "QC QD JC 9C TC JH"),
    ("crib-3", "cards of the crib cannot turn up: tens and nines", "JC QD 9D TC TS 9S"),
    ("hand-1", "cards in the hand cannot turn up: three pairs", "3S 6D 2S 2D 3D 6C"),
    ("hand-2", "cards in the hand cannot turn up: sixes and threes", "3C 6H 6S 2S JH 3H"),
    ("start-kings", "any of the kings may be the start card, and each of them decides", "9S QH JC 2C 5H 9H"),
    ("start-aces", "any of the aces may be the start card, and each of them decides", "KC JH KS 9S 4C 7S"),
    ("apart-1", "told apart: four clubs, two aces and a nine", "4C 6C AC KC AD 9S"),
    ("apart-2", "told apart: five diamonds, one of them the jack", "3D 8D 4D QD 2S JD"),
    ("apart-3", "told apart: four spades or a pair of twos", "2S 9S TS 7S 5D 2H"),
    ("apart-4", "told apart: three queens, two jacks and a ten", "JC QD TH JS QH QC"),
    ("apart-5", "told apart: fives with pictures, or a run", "5H JD KH 3S 5C 4S"),
    ("apart-6", "told apart: four eights, a nine and a ten", "8H TD 8S 8C 8D 9S"),
    ("apart-7", "told apart: runs from two to five, and a pair of fours", "4D 5C 4S 3C 2S 7C"),
    ("apart-8", "told apart: five hearts and two jacks", "3H 4H 5H JH 2H JS"),
    ("apart-9", "told apart: a fifteen with a seven and an eight among pictures", "3H KH 8S TS 7S QD"),
    ("apart-10", "told apart: four clubs or a pair of fives", "4C 5C 3C QC JD 5S"),
    ("apart-11", "told apart: five spades or a pair of nines", "AS JS 9S 6S 9H 2S"),
    ("apart-12", "told apart: a run of three or a pair of nines", "3D 9S 2C 4H 9H 8H"),
    ("apart-13", "told apart: an ace, and the jack of spades with spades", "AS 6S JS 2D KH TC"),
    ("apart-14", "told apart: three hearts or a pair of tens", "9H 7H TC TS 2C 6H"),
    ("apart-15", "told apart: four diamonds or a pair of jacks", "8C JC 9D JD 6D 4D"),
];

pub(super) fn of_value(seed: &Seed, drawn: usize) -> Cases<Vec<Card>> {
    Cases { hard: chosen(&VALUES), drawn: draw(seed, "grade cribbage value", drawn, |_| 5) }
}

pub(super) fn of_select(seed: &Seed, drawn: usize, least: usize) -> Cases<Vec<Card>> {
    // Most cases are of six cards: they have the most choices.
    let cards = move |number: usize| match number % 5 {
        0 => 5,
        3 => least,
        _ => 6,
    };
    Cases { hard: chosen(&DEALS), drawn: draw(seed, "grade cribbage select", drawn, cards) }
}

fn chosen(cases: &[(&str, &str, &str)]) -> Vec<Case<Vec<Card>>> {
    let case = |(id, title, cards): &(&str, &str, &str)| Case {
        id: (*id).into(),
        title: (*title).into(),
        question: read_cards(cards).expect("a test reads all of them"),
    };
    cases.iter().map(case).collect()
}

fn draw(seed: &Seed, purpose: &str, drawn: usize, cards: impl Fn(usize) -> usize) -> Vec<Case<Vec<Card>>> {
    let mut stream = seed.stream(purpose);
    (1..=drawn)
        .map(|number| {
            let mut deck = Card::ALL;
            stream.shuffle(&mut deck);
            let cards = deck[..cards(number)].to_vec();
            Case { id: format!("drawn-{number}"), title: notation::list(&cards), question: cards }
        })
        .collect()
}

#[cfg(test)]
mod tests {
    use super::*;
    use casino_sisters::cribbage::{Breakdown, DealtCards, check_distinct};

    #[test]
    fn cases_have_distinct_names_and_cards() {
        let seed = Seed::chosen("cases");
        let Cases { hard, drawn } = of_value(&seed, 50);
        for case in hard.iter().chain(&drawn) {
            assert_eq!(case.question.len(), 5, "{}", case.id);
            check_distinct(&case.question).unwrap();
        }
        let mut ids: Vec<&str> = hard.iter().map(|case| case.id.as_str()).collect();
        ids.sort();
        ids.dedup();
        assert_eq!(ids.len(), VALUES.len());
        for least in [4, 5] {
            let Cases { hard, drawn } = of_select(&seed, 50, least);
            for case in hard.iter().chain(&drawn) {
                DealtCards::new(&case.question).unwrap();
            }
            assert!(drawn.iter().all(|case| case.question.len() >= least));
        }
    }

    /// The sets of cards that score in the hard cases, each with its kind and the places of its cards.
    fn scoring_sets() -> Vec<(&'static str, Vec<usize>, Vec<Card>)> {
        let mut sets = Vec::new();
        for case in of_value(&Seed::chosen("sets"), 0).hard {
            let cards: [Card; 5] = case.question.try_into().unwrap();
            let [a, b, c, d, start] = cards;
            let found = Breakdown::of([a, b, c, d], start);
            for (kind, of_kind) in [("fifteen", found.fifteens), ("pair", found.pairs), ("run", found.runs)] {
                for set in of_kind {
                    let mut places: Vec<usize> =
                        set.iter().map(|card| cards.iter().position(|one| one == card).unwrap()).collect();
                    places.sort_unstable();
                    sets.push((kind, places, set));
                }
            }
        }
        sets
    }

    /// A program that misses a rank, a place or a combination of places in one rule is wrong in a hard case.
    #[test]
    fn every_single_omission_shows_in_a_hard_case() {
        let sets = scoring_sets();
        let shows = |kind: &str, is_missed: &dyn Fn(&[usize], &[Card]) -> bool| {
            sets.iter().any(|(of, places, cards)| *of == kind && is_missed(places, cards))
        };
        let mut unseen = Vec::new();
        for kind in ["fifteen", "pair", "run"] {
            for rank in casino_stud::cards::Rank::ALL {
                if !shows(kind, &|_, cards| cards.iter().any(|card| card.rank() == rank)) {
                    unseen.push(format!("{kind} with {rank:?}"));
                }
            }
            for chosen in 0u32..32 {
                let wanted: Vec<usize> = (0..5).filter(|at| chosen >> at & 1 == 1).collect();
                let is_possible = match kind {
                    "fifteen" => wanted.len() >= 2,
                    "pair" => wanted.len() == 2,
                    _ => wanted.len() >= 3,
                };
                if is_possible && !shows(kind, &|places, _| places == wanted) {
                    unseen.push(format!("{kind} of the cards {wanted:?}"));
                }
            }
        }
        assert!(unseen.is_empty(), "{unseen:?}");
    }
}
