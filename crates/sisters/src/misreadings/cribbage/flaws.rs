//! What is behind the differences of a Cribbage program: a reading of the documents that explains every answer.

use crate::cribbage::{DealtCards, Selection, choices, hand_value, read_cards};
use crate::misreadings::evidence::{Flaw, OutputPlace, Reading, ReadingTally, Theme, known};
use casino_stud::cards::{Card, Rank, Suit};

use super::readings::{OF_VALUE, ScoredHand, alone};

const VALUES: Theme = Theme { code: "values", what: "values", rule: "Some hands are counted wrong." };

const CHOICES: Theme = Theme { code: "choices", what: "choices", rule: "Some choices are not the best." };

/// What is wrong with the values of hands, each with the value that was given, if any was. An [`OutputPlace`] has the number of
/// the hand as its game.
pub fn of_values(seen: &[(ScoredHand, Option<u32>)]) -> Option<Flaw> {
    let mut tally = ReadingTally::new(OF_VALUE.len());
    for (at, (scored, got)) in seen.iter().enumerate() {
        let right = *got == Some(scored.value());
        tally.see(OutputPlace { game: at, line: 0 }, right, |reading| OF_VALUE[reading].1(scored) == *got);
    }
    let readings: Vec<Reading> = OF_VALUE.iter().map(|(reading, _)| *reading).collect();
    let flaw = tally.flaw(VALUES, &readings)?;
    if tally.fitting().next().is_some() {
        return Some(flaw);
    }
    Some(two_together(seen, flaw.first).unwrap_or(flaw))
}

/// Two misreadings that explain all values together, if just one pair does.
fn two_together(seen: &[(ScoredHand, Option<u32>)], first: OutputPlace) -> Option<Flaw> {
    let [(a, b)] = pairs_that_fit(seen)[..] else { return None };
    let (one, other) = (OF_VALUE[a].0, OF_VALUE[b].0);
    let says =
        format!("One explanation, two rules together, fits all {}: {} {}", seen.len(), one.says, other.says);
    Some(Flaw { codes: vec![format!("{} and {}", one.code, other.code)], says, first })
}

/// What a misreading of a rule adds to the value of a hand. `None` if it gives no answer.
pub(super) fn added(reading: usize, scored: &ScoredHand) -> Option<i64> {
    Some(i64::from(OF_VALUE[reading].1(scored)?) - i64::from(scored.value()))
}

/// The pairs of misreadings of two different rules that explain all values together.
pub(super) fn pairs_that_fit(seen: &[(ScoredHand, Option<u32>)]) -> Vec<(usize, usize)> {
    let differences = |reading: usize| -> Option<Vec<i64>> {
        seen.iter().map(|(scored, _)| added(reading, scored)).collect()
    };
    let got: Option<Vec<i64>> =
        seen.iter().map(|(scored, got)| Some(i64::from((*got)?) - i64::from(scored.value()))).collect();
    let Some(got) = got else { return Vec::new() };
    let all: Vec<_> = (0..OF_VALUE.len()).map(differences).collect();
    let mut fitting = Vec::new();
    for (a, one) in all.iter().enumerate() {
        for (b, other) in all.iter().enumerate().skip(a + 1) {
            if let (Some(one), Some(other)) = (one, other)
                && let (Some(of_one), Some(of_other)) = (Rule::of(OF_VALUE[a].0), Rule::of(OF_VALUE[b].0))
                && of_one != of_other
                && one.iter().zip(other).zip(&got).all(|((one, other), got)| one + other == *got)
            {
                fitting.push((a, b));
            }
        }
    }
    fitting
}

/// The rule that a misreading is about.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Rule {
    Fifteens,
    Pairs,
    Runs,
    Flush,
    Nob,
}

impl Rule {
    /// The rule, if it is a single one. Only misreadings of two rules by themselves add up.
    fn of(reading: Reading) -> Option<Rule> {
        const WORDS: [(&str, Rule); 16] = [
            ("pair-outside-run", Rule::Runs),
            ("fifteens", Rule::Fifteens),
            ("pair", Rule::Pairs),
            ("of-a-kind", Rule::Pairs),
            ("tens-paired", Rule::Pairs),
            ("double-double-run", Rule::Runs),
            ("run", Rule::Runs),
            ("round-the-corner", Rule::Runs),
            ("queen-king-ace", Rule::Runs),
            ("ace-high-only", Rule::Runs),
            ("ace-two-three", Rule::Runs),
            ("no-runs", Rule::Runs),
            ("flush", Rule::Flush),
            ("nob", Rule::Nob),
            ("heels", Rule::Nob),
            ("no-nob", Rule::Nob),
        ];
        WORDS.iter().find(|(word, _)| reading.code.contains(word)).map(|(_, rule)| *rule)
    }
}

/// What a program kept.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum KeptCards {
    /// Four of the cards dealt.
    Kept([Card; 4]),
    /// So many cards, or cards that were not dealt.
    Number(usize),
    /// Nothing that can be read.
    Nothing,
}

impl KeptCards {
    /// Reads an answer about the cards dealt.
    pub fn of(kept: &str, dealt: &DealtCards) -> KeptCards {
        let Ok(cards) = read_cards(kept) else { return KeptCards::Nothing };
        match <[Card; 4]>::try_from(cards.as_slice()) {
            Ok(four) if choices(dealt).iter().any(|choice| is_choice(choice, &four)) => KeptCards::Kept(four),
            _ => KeptCards::Number(cards.len()),
        }
    }
}

fn is_choice(choice: &Selection, kept: &[Card; 4]) -> bool {
    choice.kept().iter().all(|card| kept.contains(card))
}

/// A wrong way to choose: how good it takes a choice to be.
type WrongChoice = (Reading, fn(&DealtCards, &Selection) -> i64);

/// The values of a choice with some start cards, in order.
fn values(choice: &Selection, starts: impl Iterator<Item = Card>) -> Vec<i64> {
    let mut all: Vec<i64> = starts.map(|start| i64::from(hand_value(choice.kept(), start))).collect();
    all.sort_unstable();
    all
}

fn sum(choice: &Selection, starts: impl Iterator<Item = Card>) -> i64 {
    values(choice, starts).iter().sum()
}

/// The sum over all start cards but this one.
fn without(dealt: &DealtCards, choice: &Selection, out: Card) -> i64 {
    sum(choice, dealt.starts().filter(|card| *card != out))
}

const OF_CHOICE: [WrongChoice; 23] = [
    known(
        "value-without-start",
        "It compares the four cards alone; the start cards have to be counted.",
        |_, c| i64::from(alone(c.kept())),
    ),
    known(
        "start-cards-of-crib",
        "The start card is none of the cards dealt, so the cards you give to the crib cannot turn up.",
        |d, c| sum(c, d.starts().chain(c.crib().iter().copied())),
    ),
    known(
        "start-cards-of-hand",
        "The start card is none of the cards dealt, so the cards you keep cannot turn up.",
        |d, c| {
            let kept: i64 =
                c.kept().iter().map(|start| i64::from(ScoredHand::of(c.kept(), *start).value())).sum();
            sum(c, d.starts()) + kept
        },
    ),
    known(
        "start-cards-all-52",
        "The start card is none of the cards dealt: do not average over all 52.",
        |d, c| {
            let kept: i64 =
                c.kept().iter().map(|start| i64::from(ScoredHand::of(c.kept(), *start).value())).sum();
            sum(c, d.starts().chain(c.crib().iter().copied())) + kept
        },
    ),
    known("least", "It keeps the cards that are worth least on average.", |d, c| -sum(c, d.starts())),
    known("first-four", "It always keeps the first four cards.", |d, c| {
        i64::from(c.kept().iter().zip(d.cards()).all(|(kept, card)| kept == card))
    }),
    known("last-four", "It always keeps the last four cards.", |d, c| {
        i64::from(c.kept().iter().rev().zip(d.cards().iter().rev()).all(|(kept, card)| kept == card))
    }),
    known("best-start-card", "It compares the best that can turn up, not the average.", |d, c| {
        values(c, d.starts()).last().copied().unwrap_or(0)
    }),
    known("worst-start-card", "It compares the worst that can turn up, not the average.", |d, c| {
        values(c, d.starts()).first().copied().unwrap_or(0)
    }),
    known("start-card-median", "It compares the value in the middle, not the average.", |d, c| {
        let all = values(c, d.starts());
        all.get(all.len() / 2).copied().unwrap_or(0)
    }),
    known("start-cards-of-one-suit", "It averages over start cards of one suit only.", |d, c| {
        sum(c, d.starts().filter(|card| card.suit() == Suit::Clubs))
    }),
    known("start-cards-without-aces", "It averages over start cards without aces.", |d, c| {
        sum(c, d.starts().filter(|card| card.rank() != Rank::Ace))
    }),
    known("start-cards-without-kings", "It averages over start cards without kings.", |d, c| {
        sum(c, d.starts().filter(|card| card.rank() != Rank::King))
    }),
    known("start-cards-without-king-of-spades", "One start card is left out: the king of spades.", |d, c| {
        without(d, c, Card::new(Rank::King, Suit::Spades))
    }),
    known("start-cards-without-king-of-hearts", "One start card is left out: the king of hearts.", |d, c| {
        without(d, c, Card::new(Rank::King, Suit::Hearts))
    }),
    known("start-cards-without-king-of-clubs", "One start card is left out: the king of clubs.", |d, c| {
        without(d, c, Card::new(Rank::King, Suit::Clubs))
    }),
    known(
        "start-cards-without-king-of-diamonds",
        "One start card is left out: the king of diamonds.",
        |d, c| without(d, c, Card::new(Rank::King, Suit::Diamonds)),
    ),
    known("start-cards-without-ace-of-spades", "One start card is left out: the ace of spades.", |d, c| {
        without(d, c, Card::new(Rank::Ace, Suit::Spades))
    }),
    known("start-cards-without-ace-of-hearts", "One start card is left out: the ace of hearts.", |d, c| {
        without(d, c, Card::new(Rank::Ace, Suit::Hearts))
    }),
    known("start-cards-without-ace-of-clubs", "One start card is left out: the ace of clubs.", |d, c| {
        without(d, c, Card::new(Rank::Ace, Suit::Clubs))
    }),
    known(
        "start-cards-without-ace-of-diamonds",
        "One start card is left out: the ace of diamonds.",
        |d, c| without(d, c, Card::new(Rank::Ace, Suit::Diamonds)),
    ),
    known("keeps-first-card", "It keeps the first card in any case.", |d, c| {
        if c.kept().contains(&d.cards()[0]) { sum(c, d.starts()) } else { -1 }
    }),
    known("keeps-last-card", "It keeps the last card in any case.", |d, c| {
        if d.cards().last().is_some_and(|last| c.kept().contains(last)) { sum(c, d.starts()) } else { -1 }
    }),
];

/// What is wrong with choices: the cards dealt, and what was kept of them. An [`OutputPlace`] has the number of the deal as its
/// game.
pub fn of_choices(seen: &[(DealtCards, KeptCards)]) -> Vec<Flaw> {
    let mut flaws = Vec::new();
    for (number, word) in [(4, "four"), (5, "five"), (6, "six")] {
        let of_number = || seen.iter().enumerate().filter(|(_, (dealt, _))| dealt.cards().len() == number);
        let none = |observed: &KeptCards| matches!(observed, KeptCards::Nothing);
        let first = of_number().find(|(_, (_, observed))| none(observed));
        if let Some((at, _)) = first {
            let always = if of_number().all(|(_, (_, o))| none(o)) { "" } else { "sometimes " };
            let says =
                format!("With {word} cards dealt there is {always}no answer that can be read as cards.");
            let code = format!("no-answer-to-{word}");
            flaws.push(Flaw { codes: vec![code], says, first: OutputPlace { game: at, line: 0 } });
        }
    }
    let odd = seen.iter().enumerate().find_map(|(at, (_, observed))| match observed {
        KeptCards::Number(number) => Some((at, *number)),
        _ => None,
    });
    if let Some((at, number)) = odd {
        let says = format!("Four of the cards dealt are to be printed, and here are {number} cards.");
        flaws.push(Flaw {
            codes: vec!["not-four-of-the-dealt".into()],
            says,
            first: OutputPlace { game: at, line: 0 },
        });
    }
    flaws.extend(of_kept(seen));
    flaws
}

/// A reading is no explanation if another one makes what was kept so many times as likely, or if it is not itself so many
/// times as likely as if cards had been kept by chance.
const FAR_LIKELIER: f64 = 20.0;

/// The readings of what makes a choice good: misreadings of the choice, and then those of the value.
pub(super) fn readings_of_choice() -> Vec<Reading> {
    OF_CHOICE.iter().map(|(reading, _)| *reading).chain(OF_VALUE.iter().map(|(r, _)| *r)).collect()
}

/// What is wrong with the choices that are choices.
fn of_kept(seen: &[(DealtCards, KeptCards)]) -> Option<Flaw> {
    kept_by(seen)?.flaw(CHOICES, &readings_of_choice())
}

/// What was kept, held against every reading; nothing if all choices are right.
///
/// Who takes several choices to be equally good may keep any of them. A reading to which very much is equally good fits
/// whatever is kept and explains nothing, so readings are compared by how likely they make all that was kept.
pub(super) fn kept_by(seen: &[(DealtCards, KeptCards)]) -> Option<ReadingTally> {
    let readings = OF_CHOICE.len() + OF_VALUE.len();
    let mut tally = ReadingTally::new(readings);
    let mut possible: Vec<bool> = vec![true; readings];
    let mut unlikelihood: Vec<f64> = vec![0.0; readings];
    let mut by_chance = 0.0;
    let kept: Vec<(usize, &DealtCards, [Card; 4], bool)> = seen
        .iter()
        .enumerate()
        .filter_map(|(at, (dealt, observed))| match observed {
            KeptCards::Kept(kept) => Some((at, dealt, *kept, is_best(dealt, kept))),
            _ => None,
        })
        .collect();
    if kept.iter().all(|(_, _, _, right)| *right) {
        return None;
    }
    // The wrong choices first: they rule most readings out, and what is ruled out is not computed again.
    for right in [false, true] {
        for (at, dealt, kept, _) in kept.iter().filter(|case| case.3 == right) {
            let equals = leading_to(dealt, kept, &possible);
            by_chance += (choices(dealt).len() as f64).ln();
            for (reading, equals) in equals.iter().enumerate() {
                possible[reading] &= *equals > 0;
                unlikelihood[reading] += (*equals.max(&1) as f64).ln();
            }
            tally.see(OutputPlace { game: *at, line: 0 }, right, |reading| possible[reading]);
        }
    }
    let least = tally.fitting().map(|reading| unlikelihood[reading]).fold(f64::INFINITY, f64::min);
    for (reading, unlikelihood) in unlikelihood.iter().enumerate() {
        if *unlikelihood > least.min(by_chance - 2.0 * FAR_LIKELIER.ln()) + FAR_LIKELIER.ln() {
            tally.rule_out(reading);
        }
    }
    Some(tally)
}

/// Whether a reading keeps other cards than a right program may: whatever it takes to be best is not.
pub(super) fn leads_away(reading: usize, dealt: &DealtCards, hands: &[Vec<ScoredHand>]) -> bool {
    let all = choices(dealt);
    let worths: Vec<Option<i64>> = match OF_CHOICE.get(reading) {
        Some((_, worth)) => all.iter().map(|choice| Some(worth(dealt, choice))).collect(),
        None => {
            let value = OF_VALUE[reading - OF_CHOICE.len()].1;
            let sum = |hands: &Vec<ScoredHand>| {
                hands.iter().map(|hand| value(hand).map(i64::from)).sum::<Option<i64>>()
            };
            hands.iter().map(sum).collect()
        }
    };
    let best = all.iter().map(Selection::total).max();
    let most = worths.iter().max().copied().flatten();
    most.is_some()
        && all.iter().zip(&worths).all(|(choice, worth)| *worth != most || Some(choice.total()) != best)
}

/// Every choice with every start card.
pub(super) fn all_hands(dealt: &DealtCards) -> Vec<Vec<ScoredHand>> {
    let with_starts =
        |choice: &Selection| dealt.starts().map(|start| ScoredHand::of(choice.kept(), start)).collect();
    choices(dealt).iter().map(with_starts).collect()
}

fn is_best(dealt: &DealtCards, kept: &[Card; 4]) -> bool {
    equals_of(&choices(dealt), kept, |choice| Some(i64::from(choice.total()))) > 0
}

/// How many choices a measure takes to be best, if those that were kept are among them; 0 if they are not.
fn equals_of(all: &[Selection], kept: &[Card; 4], worth: impl Fn(&Selection) -> Option<i64>) -> usize {
    let worths: Vec<Option<i64>> = all.iter().map(worth).collect();
    let most = worths.iter().max().copied().flatten();
    let is_best = |worth: &Option<i64>| worth.is_some() && *worth == most;
    let leads_here = all.iter().zip(&worths).any(|(choice, worth)| is_best(worth) && is_choice(choice, kept));
    if leads_here { worths.iter().filter(|worth| is_best(worth)).count() } else { 0 }
}

/// For each of the readings that are still possible how many choices are best by it, if these cards are among them;
/// otherwise 0.
fn leading_to(dealt: &DealtCards, kept: &[Card; 4], possible: &[bool]) -> Vec<usize> {
    let all = choices(dealt);
    let of_choice = OF_CHOICE.iter().zip(possible).map(|((_, worth), possible)| match possible {
        true => equals_of(&all, kept, |choice| Some(worth(dealt, choice))),
        false => 0,
    });
    let mut equals: Vec<usize> = of_choice.collect();
    let of_value = &possible[OF_CHOICE.len()..];
    if !of_value.contains(&true) {
        equals.resize(possible.len(), 0);
        return equals;
    }
    let scored = all_hands(dealt);
    for ((_, value), possible) in OF_VALUE.iter().zip(of_value) {
        let worth = |choice: &Selection| {
            let hands = &scored[all.iter().position(|other| other == choice)?];
            hands.iter().map(|hand| value(hand).map(i64::from)).sum::<Option<i64>>()
        };
        equals.push(if *possible { equals_of(&all, kept, worth) } else { 0 });
    }
    equals
}
