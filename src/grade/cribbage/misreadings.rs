//! Ways in which the Cribbage documents are often misread: an answer that fits one can be explained.

use crate::cards::{Card, Rank};
use crate::cribbage::{Breakdown, DealtCards, Selection, choices};

/// A wrong way to count and what is right instead.
pub(super) struct Misreading {
    /// The rule in words.
    pub(super) rule: &'static str,
    value: fn([Card; 4], Card) -> u32,
}

/// The misreadings of the value, the likeliest first.
const OF_VALUE: [Misreading; 10] = [
    Misreading {
        rule: "A pair multiplies a run only if its rank is part of the run.",
        value: |hand, start| {
            let found = Breakdown::of(hand, start);
            let outside =
                |pair: &Vec<Card>| !found.runs.iter().flatten().any(|card| card.rank() == pair[0].rank());
            let doubled = found.pairs.iter().any(outside);
            found.value() + if doubled { found.totals().runs } else { 0 }
        },
    },
    Misreading {
        rule: "Three cards of the hand and the start card are no flush: all four of the hand have to be of one suit.",
        value: |hand, start| {
            let right = Breakdown::of(hand, start);
            let of_start = hand.iter().filter(|card| card.suit() == start.suit()).count();
            right.value() + if of_start == 3 { 4 } else { 0 }
        },
    },
    Misreading {
        rule: "A jack as start card scores nothing in the hand: his nob is a jack in the hand.",
        value: |hand, start| {
            let heel = start.rank() == Rank::Jack && hand.iter().any(|card| card.suit() == start.suit());
            Breakdown::of(hand, start).value() + u32::from(heel)
        },
    },
    Misreading {
        rule: "A jack as start card scores nothing in the hand.",
        value: |hand, start| {
            Breakdown::of(hand, start).value() + if start.rank() == Rank::Jack { 2 } else { 0 }
        },
    },
    Misreading {
        rule: "Runs do not go round the corner: the ace comes before the two and nothing after the king.",
        value: |hand, start| {
            let right = Breakdown::of(hand, start);
            right.value() - right.totals().runs + runs_round_the_corner(hand, start)
        },
    },
    Misreading {
        rule: "If there is more than one longest run, each of them scores.",
        value: |hand, start| {
            let right = Breakdown::of(hand, start);
            let once = right.runs.first().map_or(0, |run| run.len() as u32);
            right.value() - right.totals().runs + once
        },
    },
    Misreading {
        rule: "A flush scores a fifth point if the start card is of its suit too.",
        value: |hand, start| {
            let right = Breakdown::of(hand, start);
            right.value() - u32::from(right.flush.len() == 5)
        },
    },
    Misreading {
        rule: "A jack in the hand of the start card's suit scores one for his nob.",
        value: |hand, start| {
            let right = Breakdown::of(hand, start);
            right.value() - right.totals().nob
        },
    },
    Misreading {
        rule: "Three of a kind are three pairs and four of a kind six.",
        value: |hand, start| {
            let right = Breakdown::of(hand, start);
            let mut ranks: Vec<Rank> = hand.iter().chain([&start]).map(|card| card.rank()).collect();
            ranks.sort();
            let neighbours = ranks.windows(2).filter(|pair| pair[0] == pair[1]).count() as u32;
            right.value() - right.totals().pairs + 2 * neighbours
        },
    },
    Misreading {
        rule: "A flush is counted for the hand, and scores 4 points.",
        value: |hand, start| {
            let right = Breakdown::of(hand, start);
            right.value() - right.totals().flush
        },
    },
];

/// The rule that was misread if a misreading leads to just this wrong value.
pub(super) fn behind_value(hand: [Card; 4], start: Card, got: u32) -> Option<&'static str> {
    if got == Breakdown::of(hand, start).value() {
        return None;
    }
    OF_VALUE.iter().find(|wrong| (wrong.value)(hand, start) == got).map(|wrong| wrong.rule)
}

/// The rule that was misread if a misreading leads to keeping just these cards, which are not the best.
pub(super) fn behind_choice(dealt: &DealtCards, kept: [Card; 4]) -> Option<&'static str> {
    let same = |choice: &Selection| kept.iter().all(|card| choice.kept().contains(card));
    let leads_here = |total: &dyn Fn(&Selection) -> u32| {
        let all = choices(dealt);
        let most = all.iter().map(total).max();
        all.iter().any(|choice| same(choice) && Some(total(choice)) == most)
    };
    let over = |choice: &Selection, starts: &[Card], value: fn([Card; 4], Card) -> u32| -> u32 {
        starts.iter().map(|start| value(choice.kept(), *start)).sum()
    };
    let right: fn([Card; 4], Card) -> u32 = |hand, start| Breakdown::of(hand, start).value();
    let undealt: Vec<Card> = dealt.starts().collect();
    let with_crib = |choice: &Selection| [&undealt[..], choice.crib()].concat();
    if leads_here(&|choice| over(choice, &with_crib(choice), right)) {
        return Some(
            "The start card is none of the cards dealt, so the cards you give to the crib cannot turn up.",
        );
    }
    if leads_here(&|choice| over(choice, &Card::ALL, right)) {
        return Some("The start card is none of the cards dealt: do not average over all 52.");
    }
    let wrong = OF_VALUE.iter().find(|wrong| leads_here(&|choice| over(choice, &undealt, wrong.value)));
    wrong.map(|wrong| wrong.rule)
}

/// The points of runs if the ace also came after the king.
fn runs_round_the_corner(hand: [Card; 4], start: Card) -> u32 {
    let mut counts = [0u32; 13];
    hand.iter().chain([&start]).for_each(|card| counts[card.rank().index()] += 1);
    // Places in a circle; five cards cannot fill it, so every stretch has a beginning.
    let stretches = (0..13).filter(|at| counts[*at] > 0 && counts[(at + 12) % 13] == 0);
    stretches
        .map(|from| {
            let stretch: Vec<u32> =
                (from..from + 13).map(|at| counts[at % 13]).take_while(|count| *count > 0).collect();
            if stretch.len() >= 3 { stretch.len() as u32 * stretch.iter().product::<u32>() } else { 0 }
        })
        .sum()
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::cribbage::read_cards;

    fn rule(cards: &str, got: u32) -> Option<&'static str> {
        let cards = read_cards(cards).unwrap();
        behind_value(cards[..4].try_into().unwrap(), cards[4], got)
    }

    #[test]
    fn wrong_values_are_explained() {
        let explains = |cards, got, word| {
            let rule = rule(cards, got).unwrap_or_default();
            assert!(rule.contains(word), "{cards} {got}: {rule}");
        };
        explains("AH 2S 3D 8C 8H", 8, "multiplies");
        explains("2H 4H 6H 8S KH", 4, "no flush");
        explains("2H 4H 6S 8C JH", 1, "his nob is");
        explains("QH KS AD 2C 9H", 4, "corner");
        explains("7H 9S 8C 7C 8H", 15, "each of them");
        explains("2H 4H 6H 8H KH", 4, "fifth");
        explains("5H 5S 5C JD 5D", 28, "nob");
        assert_eq!(rule("5H 5S 5C JD 5D", 29), None);
        assert_eq!(rule("5H 5S 5C JD 5D", 17), None);
    }
}
