//! The cases of Cribbage: hard ones chosen manually, the others drawn from a seed.

use crate::grade::cases::{Case, Cases, read_cases};
use casino_sisters::cribbage::read_cards;
use casino_stud::cards::{Card, Seed, notation};

/// Hands whose value is often counted wrong.
const HANDS: &str = include_str!("../../../courses/cribbage/hand_cases.txt");

/// Deals whose best choice is often missed. Those of "told apart" distinguish the known misreadings.
const DEALS: &str = include_str!("../../../courses/cribbage/deal_cases.txt");

pub(super) fn of_value(seed: &Seed, drawn: usize) -> Cases<Vec<Card>> {
    Cases { hard: chosen(HANDS), drawn: draw(seed, "grade cribbage value", drawn, |_| 5) }
}

pub(super) fn of_select(seed: &Seed, drawn: usize, least: usize) -> Cases<Vec<Card>> {
    // Most cases are of six cards: they have the most choices.
    let cards = move |number: usize| match number % 5 {
        0 => 5,
        3 => least,
        _ => 6,
    };
    Cases { hard: chosen(DEALS), drawn: draw(seed, "grade cribbage select", drawn, cards) }
}

fn chosen(cases: &str) -> Vec<Case<Vec<Card>>> {
    read_cases(cases, |_, lines| read_cards(&lines.concat()).expect("a test reads all of them"))
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
        assert_eq!(ids.len(), 58);
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
