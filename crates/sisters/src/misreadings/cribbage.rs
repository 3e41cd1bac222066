//! Known misreadings of the Cribbage documents, compared with the values and choices that a program answers.

use casino_stud::cards::{Card, Rank, Suit};

use super::{Explanation, Misreading, OutputPlace};
use crate::cribbage::{Breakdown, DealtCards, Selection, choices, hand_value, read_cards};

/// Wrong answers that a misreading must explain to be named.
const WRONG_AT_LEAST: usize = 2;

/// Of the wrong answers one of this many may have another cause than the one that is named.
const MAX_OTHERS_SHARE: usize = 3;

/// A hand with its start card.
#[derive(Clone, Debug)]
pub struct ScoredHand {
    hand: [Card; 4],
    start: Card,
    found: Breakdown,
    value: u32,
}

impl ScoredHand {
    /// Counts a hand with its start card.
    pub fn of(hand: [Card; 4], start: Card) -> ScoredHand {
        let found = Breakdown::of(hand, start);
        ScoredHand { hand, start, value: found.value(), found }
    }

    fn has_jack(&self) -> bool {
        self.hand.iter().any(|card| card.rank() == Rank::Jack)
    }

    /// How many cards of the hand have the suit of the start card.
    fn of_start_suit(&self) -> usize {
        self.hand.iter().filter(|card| card.suit() == self.start.suit()).count()
    }

    /// The length of the longest runs, 0 without runs.
    fn run_length(&self) -> u32 {
        self.found.runs.first().map_or(0, |run| run.len() as u32)
    }

    /// The value with other points for runs.
    fn with_runs(&self, points: u32) -> u32 {
        self.value - self.found.totals().runs + points
    }
}

/// A misreading of a hand's value, and the value that it gives.
type WrongValue = (Misreading, fn(&ScoredHand) -> u32);

const WRONG_VALUES: [WrongValue; 10] = [
    (Misreading("pair-outside-run-multiplies"), |h| {
        let in_runs = |card: &Card| h.found.runs.iter().flatten().any(|run| run.rank() == card.rank());
        let doubles = h.found.pairs.iter().any(|pair| !in_runs(&pair[0]));
        h.value + if doubles { h.found.totals().runs } else { 0 }
    }),
    (Misreading("flush-with-start-card"), |h| h.value + if h.of_start_suit() == 3 { 4 } else { 0 }),
    (Misreading("flush-only-of-five"), |h| h.value - if h.found.totals().flush == 4 { 4 } else { 0 }),
    (Misreading("nob-start-jack"), |h| h.value + u32::from(h.start.rank() == Rank::Jack)),
    (Misreading("nob-start-jack-of-suit"), |h| {
        h.value + u32::from(h.start.rank() == Rank::Jack && h.of_start_suit() > 0)
    }),
    (Misreading("nob-any-suit"), |h| h.value - h.found.totals().nob + u32::from(h.has_jack())),
    (Misreading("no-nob"), |h| h.value - h.found.totals().nob),
    (Misreading("round-the-corner"), |h| h.with_runs(runs_round_the_corner(h))),
    (Misreading("runs-once"), |h| h.with_runs(h.run_length())),
    (Misreading("fifteens-of-two"), |h| {
        let longer = h.found.fifteens.iter().filter(|set| set.len() > 2).count();
        h.value - 2 * longer as u32
    }),
];

/// What a misreading of a value is about.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Subject {
    Nob,
    Flush,
    Fifteens,
    Runs,
}

impl Subject {
    fn of(misreading: Misreading) -> Subject {
        let words = [("nob", Subject::Nob), ("flush", Subject::Flush), ("fifteens", Subject::Fifteens)];
        words
            .iter()
            .find(|(word, _)| misreading.code().contains(word))
            .map_or(Subject::Runs, |(_, subject)| *subject)
    }

    /// Whether a hand may have points of it.
    fn is_in(self, hand: &ScoredHand) -> bool {
        let totals = hand.found.totals();
        match self {
            Subject::Nob => hand.has_jack() || hand.start.rank() == Rank::Jack,
            Subject::Flush => totals.flush > 0 || hand.of_start_suit() == 3,
            Subject::Fifteens => totals.fifteens > 0,
            Subject::Runs => totals.runs > 0 || runs_round_the_corner(hand) > 0,
        }
    }
}

/// The points of runs if the ace also came after the king.
fn runs_round_the_corner(h: &ScoredHand) -> u32 {
    let mut counts = [0u32; 13];
    h.hand.iter().chain([&h.start]).for_each(|card| counts[card.rank().index()] += 1);
    // Five cards cannot fill the circle, so every stretch has a beginning.
    let stretches = (0..13).filter(|at| counts[*at] > 0 && counts[(at + 12) % 13] == 0);
    stretches
        .map(|from| {
            let stretch: Vec<u32> =
                (from..from + 13).map(|at| counts[at % 13]).take_while(|count| *count > 0).collect();
            if stretch.len() >= 3 { stretch.len() as u32 * stretch.iter().product::<u32>() } else { 0 }
        })
        .sum()
}

/// A misreading of the goal of a choice, with its measure.
type WrongChoice = (Misreading, fn(&DealtCards, &Selection) -> u32);

const WRONG_CHOICES: [WrongChoice; 2] = [
    (Misreading("value-without-start"), |_, choice| value_alone(choice.kept())),
    (Misreading("start-cards-of-crib"), |dealt, choice| {
        let starts = dealt.starts().chain(choice.crib().iter().copied());
        starts.map(|start| u32::from(hand_value(choice.kept(), start))).sum()
    }),
];

/// The value of four cards without a start card.
fn value_alone(hand: [Card; 4]) -> u32 {
    let start = Card::ALL.into_iter().find(|card| !hand.contains(card)).expect("a deck has 52 cards");
    let found = Breakdown::of(hand, start);
    let without_start = |sets: &[Vec<Card>]| sets.iter().filter(|set| !set.contains(&start)).count() as u32;
    let is_flush = Suit::ALL.iter().any(|suit| hand.iter().all(|card| card.suit() == *suit));
    2 * without_start(&found.fifteens)
        + 2 * without_start(&found.pairs)
        + runs_of(hand)
        + if is_flush { 4 } else { 0 }
}

/// The points of runs in four cards.
fn runs_of(hand: [Card; 4]) -> u32 {
    let place = |card: &Card| (card.rank().index() + 1) % 13;
    let mut counts = [0u32; 13];
    hand.iter().for_each(|card| counts[place(card)] += 1);
    let stretches = counts.split(|count| *count == 0).filter(|stretch| stretch.len() >= 3);
    stretches.map(|stretch| stretch.len() as u32 * stretch.iter().product::<u32>()).sum()
}

/// Returns the misreadings that explain all values alone, or two that do together, or else the one that explains most wrong values
/// and makes no right one wrong. Each hand comes with the program's value, if it gave one. An
/// [`OutputPlace`] has the number of the hand as its game.
pub fn explain_values(seen: &[(ScoredHand, Option<u32>)]) -> Vec<Explanation> {
    let wrong = seen.iter().enumerate().filter(|(_, (hand, value))| *value != Some(hand.value));
    let wrong: Vec<usize> = wrong.map(|(at, _)| at).collect();
    let fits = |value_of: &dyn Fn(&ScoredHand) -> u32| {
        seen.iter().all(|(hand, value)| *value == Some(value_of(hand)))
    };
    let single: Vec<Misreading> =
        WRONG_VALUES.iter().filter(|(_, value)| fits(value)).map(|(known, _)| *known).collect();
    if !single.is_empty() || wrong.len() < WRONG_AT_LEAST {
        return explained(&wrong, single.into_iter());
    }
    for (at, (known, one)) in WRONG_VALUES.iter().enumerate() {
        let fit = |(second, other): &&WrongValue| {
            Subject::of(*known) != Subject::of(*second)
                && fits(&|hand| (one(hand) + other(hand)).saturating_sub(hand.value))
        };
        if let Some((second, _)) = WRONG_VALUES[at + 1..].iter().find(fit) {
            return explained(&wrong, [*known, *second].into_iter());
        }
    }
    // The wrong answers that are left, most of which have to be about something else.
    let others = |(known, value_of): &&WrongValue| {
        let is_harmless =
            seen.iter().all(|(hand, value)| *value != Some(hand.value) || value_of(hand) == hand.value);
        let others = wrong.iter().filter(|at| seen[**at].1 != Some(value_of(&seen[**at].0)));
        let same_subject = others.clone().filter(|at| Subject::of(*known).is_in(&seen[**at].0)).count();
        let others = others.count();
        if is_harmless && same_subject * 2 < others { others } else { wrong.len() }
    };
    let best = WRONG_VALUES.iter().min_by_key(others);
    let best = best
        .map(|best| (best.0, others(&best)))
        .filter(|(_, others)| others * MAX_OTHERS_SHARE <= wrong.len());
    best.into_iter()
        .flat_map(|(known, others)| {
            let found = explained(&wrong, [known].into_iter());
            found.into_iter().map(move |found| Explanation { others, ..found })
        })
        .collect()
}

/// Returns the misreadings that explain all choices. Each deal comes with the kept cards, if they are a choice of it.
pub fn explain_choices(seen: &[(DealtCards, Option<[Card; 4]>)]) -> Vec<Explanation> {
    let is_best = |dealt: &DealtCards, kept: &Option<[Card; 4]>| {
        kept.is_some_and(|kept| is_among_best(dealt, kept, |choice| choice.total()))
    };
    let wrong: Vec<usize> = seen
        .iter()
        .enumerate()
        .filter(|(_, (dealt, kept))| !is_best(dealt, kept))
        .map(|(at, _)| at)
        .collect();
    let fits = |measure: &dyn Fn(&DealtCards, &Selection) -> u32| {
        let fits_one = |(dealt, kept): &(DealtCards, Option<[Card; 4]>)| {
            kept.is_some_and(|kept| is_among_best(dealt, kept, |choice| measure(dealt, choice)))
        };
        // The wrong choices first: they refute most misreadings.
        wrong.iter().all(|at| fits_one(&seen[*at])) && seen.iter().all(fits_one)
    };
    if wrong.is_empty() {
        return Vec::new();
    }
    let of_choice = WRONG_CHOICES.iter().filter(|(_, measure)| fits(measure)).map(|(known, _)| *known);
    let of_value = WRONG_VALUES.iter().filter(|(_, value)| {
        fits(&|dealt, choice| dealt.starts().map(|start| value(&ScoredHand::of(choice.kept(), start))).sum())
    });
    explained(&wrong, of_choice.chain(of_value.map(|(known, _)| *known)))
}

fn explained(wrong: &[usize], fitting: impl Iterator<Item = Misreading>) -> Vec<Explanation> {
    if wrong.len() < WRONG_AT_LEAST {
        return Vec::new();
    }
    let first = OutputPlace { game: wrong[0], line: 0 };
    fitting.map(|misreading| Explanation { misreading, first, others: 0 }).collect()
}

/// Whether the kept cards are a choice that is best by a measure.
fn is_among_best(dealt: &DealtCards, kept: [Card; 4], measure: impl Fn(&Selection) -> u32) -> bool {
    let all: Vec<(u32, bool)> = choices(dealt)
        .iter()
        .map(|choice| (measure(choice), choice.kept().iter().all(|card| kept.contains(card))))
        .collect();
    let most = all.iter().map(|(value, _)| *value).max();
    all.iter().any(|(value, is_kept)| *is_kept && Some(*value) == most)
}

/// Reads the kept cards of an answer; `None` if they are not four of the cards dealt.
pub fn read_choice(answer: &str, dealt: &DealtCards) -> Option<[Card; 4]> {
    let four = <[Card; 4]>::try_from(read_cards(answer).ok()?.as_slice()).ok()?;
    let is_choice = |choice: &Selection| choice.kept().iter().all(|card| four.contains(card));
    choices(dealt).iter().any(is_choice).then_some(four)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn scored(cards: &str) -> ScoredHand {
        let cards = read_cards(cards).unwrap();
        ScoredHand::of(cards[..4].try_into().unwrap(), cards[4])
    }

    fn says(code: &str, cards: &str) -> u32 {
        WRONG_VALUES.iter().find(|(known, _)| known.code() == code).unwrap().1(&scored(cards))
    }

    #[test]
    fn the_page_has_a_sentence_for_every_misreading() {
        let known = WRONG_VALUES.iter().map(|(known, _)| known);
        for misreading in known.chain(WRONG_CHOICES.iter().map(|(known, _)| known)) {
            assert!(misreading.says().ends_with('.'), "{misreading:?}");
        }
    }

    #[test]
    fn misreadings_score_as_described() {
        assert_eq!(says("pair-outside-run-multiplies", "AH 2S 3D 8C 8H"), 8);
        assert_eq!(says("flush-with-start-card", "2H 4H 6H 8S KH"), 4);
        assert_eq!(says("flush-only-of-five", "2H 4H 6H 8H KS"), 0);
        assert_eq!(says("nob-start-jack", "2H 4H 6S 8C JH"), 1);
        assert_eq!(says("nob-start-jack-of-suit", "2S 4S 6D 8C JH"), 0);
        assert_eq!(says("round-the-corner", "QH KS AD 2C 9H"), 4);
        assert_eq!(says("runs-once", "7H 9S 8C 7C 8H"), 15);
        assert_eq!(says("no-nob", "5H 5S 5C JD 5D"), 28);
        assert_eq!(value_alone(read_cards("5H 5S 5C JD").unwrap().try_into().unwrap()), 14);
        assert_eq!(value_alone(read_cards("AH 2H 3H 3S").unwrap().try_into().unwrap()), 8);
    }

    #[test]
    fn single_wrong_answer_is_not_explained() {
        let hand = |cards: &str, less: u32| (scored(cards), Some(scored(cards).value - less));
        let codes = |seen: &[(ScoredHand, Option<u32>)]| -> Vec<&str> {
            explain_values(seen).iter().map(|found| found.misreading.code()).collect()
        };
        let (one, other) = (hand("JH 2S 4D 8C 6H", 1), hand("JC 2S 4D 8H 6C", 1));
        assert_eq!(codes(std::slice::from_ref(&one)), Vec::<&str>::new());
        assert_eq!(codes(&[one.clone(), other.clone()]), ["no-nob"]);
        let more = [hand("JS 2D 4H 8C 6S", 1), (scored("2H 4S 6D 8C QH"), None)];
        let most = explain_values(&[&[one.clone(), other.clone()], &more[..]].concat());
        assert_eq!((most[0].misreading.code(), most[0].others, most.len()), ("no-nob", 1, 1));
        assert_eq!(codes(&[one, other, more[1].clone()]), ["no-nob"]);
        // Two faults, each in a hand of its own and both in one.
        let two = [("JH 2S 4D 8C 6H", 1), ("7H 9S 8C 7C 8H", 9), ("JH TS 9C 9D 8H", 5)];
        assert_eq!(codes(&two.map(|(cards, less)| hand(cards, less))), ["no-nob", "runs-once"]);
    }
}
