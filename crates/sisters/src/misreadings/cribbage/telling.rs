//! What else a program is asked before a misreading is named: hands and deals in which it would answer otherwise than a
//! right program, and otherwise than its rivals. An answer that fits by coincidence does not fit these.

use crate::cribbage::{DealtCards, read_cards};
use casino_stud::cards::{Card, Stream};

use super::flaws::{KeptCards, added, all_hands, kept_by, leads_away, pairs_that_fit};
use super::readings::{OF_VALUE, ScoredHand};

/// In so many answers a misreading has to show before it is named, as far as there are such hands.
const TRIED: usize = 6;

/// In so many answers two that fit have to differ before both are called possible.
const TOLD_APART: usize = 2;

/// So many hands are drawn in search of them.
const DRAWN: usize = 20_000;

/// More is not asked.
const MOST: usize = 24;

/// Of so many misreadings that fit the rest is not looked at: one of them is refuted by nearly every further answer.
const MOST_FITTING: usize = 12;

/// Deals among which every misreading that can keep the wrong cards does so in several. They were found by a search.
const DEALS: &str = include_str!("deals.txt");

/// A known wrong way to count, or two together.
#[derive(Clone, Copy, Debug)]
enum Candidate {
    One(usize),
    Two(usize, usize),
}

impl Candidate {
    fn answer(self, scored: &ScoredHand) -> Option<i64> {
        let both = match self {
            Candidate::One(one) => added(one, scored)?,
            Candidate::Two(one, other) => added(one, scored)? + added(other, scored)?,
        };
        Some(i64::from(scored.value()) + both)
    }
}

/// Five cards each, the start card last, that tell whether the misreadings that explain these values are what is behind
/// them. They are drawn from a stream; none if all values are right, or nothing explains them.
pub fn telling_hands(seen: &[(ScoredHand, Option<u32>)], stream: &mut Stream) -> Vec<[Card; 5]> {
    if seen.iter().all(|(hand, got)| *got == Some(hand.value())) {
        return Vec::new();
    }
    let explains = |reading: &usize| seen.iter().all(|(hand, got)| OF_VALUE[*reading].1(hand) == *got);
    let mut fitting: Vec<Candidate> =
        (0..OF_VALUE.len()).filter(explains).map(Candidate::One).take(MOST_FITTING).collect();
    if fitting.is_empty() {
        let pairs = pairs_that_fit(seen).into_iter().take(MOST_FITTING);
        fitting = pairs.map(|(one, other)| Candidate::Two(one, other)).collect();
    }
    let shows = |candidate: Candidate, hand: &ScoredHand| candidate.answer(hand) != Some(hand.value().into());
    let shown = |candidate: &Candidate| seen.iter().filter(|(hand, _)| shows(*candidate, hand)).count();
    let mut missing: Vec<usize> =
        fitting.iter().map(|candidate| TRIED.saturating_sub(shown(candidate))).collect();
    let mut together = vec![TOLD_APART; fitting.len().saturating_sub(1)];
    let mut hands = Vec::new();
    for _ in 0..DRAWN {
        if hands.len() == MOST || missing.iter().chain(&together).all(|more| *more == 0) {
            break;
        }
        let mut deck = Card::ALL;
        stream.shuffle(&mut deck);
        let [a, b, c, d, start, ..] = deck;
        let scored = ScoredHand::of([a, b, c, d], start);
        let answers: Vec<Option<i64>> = fitting.iter().map(|candidate| candidate.answer(&scored)).collect();
        let right = Some(i64::from(scored.value()));
        let mut tells = false;
        for (more, answer) in missing.iter_mut().zip(&answers) {
            let needed = *more > 0 && *answer != right;
            *more -= usize::from(needed);
            tells |= needed;
        }
        for (more, two) in together.iter_mut().zip(answers.windows(2)) {
            let needed = *more > 0 && two[0] != two[1];
            *more -= usize::from(needed);
            tells |= needed;
        }
        if tells {
            hands.push([a, b, c, d, start]);
        }
    }
    hands
}

/// Deals of six cards that tell whether the misreadings that explain these choices are what is behind them; none if nothing
/// explains them.
pub fn telling_deals(seen: &[(DealtCards, KeptCards)]) -> Vec<DealtCards> {
    let Some(tally) = kept_by(seen) else { return Vec::new() };
    let mut missing: Vec<(usize, usize)> =
        tally.fitting().take(MOST_FITTING).map(|reading| (reading, TRIED)).collect();
    let mut telling = Vec::new();
    for dealt in deals() {
        if telling.len() == MOST || missing.iter().all(|(_, more)| *more == 0) {
            break;
        }
        let hands = all_hands(&dealt);
        let mut tells = false;
        for (reading, more) in missing.iter_mut().filter(|(_, more)| *more > 0) {
            let shows = leads_away(*reading, &dealt, &hands);
            *more -= usize::from(shows);
            tells |= shows;
        }
        if tells {
            telling.push(dealt);
        }
    }
    telling
}

fn deals() -> impl Iterator<Item = DealtCards> {
    DEALS.lines().filter_map(|line| DealtCards::new(&read_cards(line).ok()?).ok())
}

#[cfg(test)]
mod tests {
    use super::super::flaws::readings_of_choice;
    use super::*;
    use casino_stud::cards::Seed;

    /// The readings that change no choice, because they add the same to each or have no answer.
    const NEVER: [&str; 10] = [
        "nob-start-jack",
        "heels",
        "one-more",
        "one-less",
        "always-0",
        "crashes-on-ten",
        "crashes-on-ace",
        "crashes-on-jack",
        "crashes-on-queen",
        "crashes-on-king",
    ];

    #[test]
    fn every_misreading_keeps_the_wrong_cards_in_several_deals() {
        let readings = readings_of_choice();
        let mut shown = vec![0; readings.len()];
        for dealt in deals() {
            let hands = all_hands(&dealt);
            for (reading, shown) in shown.iter_mut().enumerate().filter(|(_, shown)| **shown < TRIED) {
                *shown += usize::from(leads_away(reading, &dealt, &hands));
            }
        }
        for (reading, shown) in readings.iter().zip(shown) {
            let never = NEVER.contains(&reading.code) || reading.code == "never-answers";
            let expected = if never { 0 } else { TRIED };
            assert_eq!(shown, expected, "{}", reading.code);
        }
    }

    /// A single hand that is worth one less may come from many a fault.
    #[test]
    fn a_coincidence_is_asked_about() {
        let scored = |cards: &str| {
            let cards = read_cards(cards).unwrap();
            ScoredHand::of([cards[0], cards[1], cards[2], cards[3]], cards[4])
        };
        let hand = scored("JH 2S 4D 8C 6H");
        let seen = [(hand.clone(), Some(hand.value() - 1))];
        let mut stream = Seed::chosen("telling").stream("test");
        let asked = telling_hands(&seen, &mut stream);
        assert!(asked.len() >= TRIED, "{asked:?}");
        let no_nob = |hand: &ScoredHand| OF_VALUE.iter().find(|(r, _)| r.code == "no-nob").unwrap().1(hand);
        let scored_of = |[a, b, c, d, start]: [Card; 5]| ScoredHand::of([a, b, c, d], start);
        let different =
            asked.iter().filter(|hand| no_nob(&scored_of(**hand)) != Some(scored_of(**hand).value())).count();
        assert!(different >= TRIED - 1, "{different}");
        assert!(telling_hands(&[(hand.clone(), Some(hand.value()))], &mut stream).is_empty());
        assert!(telling_hands(&[(hand, Some(99))], &mut stream).is_empty());
    }
}
