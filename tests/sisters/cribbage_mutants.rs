//! Cribbage as a student might write it, with one fault at a time: written from the course documents alone, sharing
//! nothing with the program it is held against.

#![allow(unreachable_pub, reason = "a module of a test program")]
#![allow(clippy::unwrap_used, reason = "nothing here is outside a test")]

/// What each mutant of a hand's value gets wrong. The first is right.
pub const VALUE_MUTANTS: &[&str] = &[
    "right",
    "ace-as-start-card-is-14",
    "ace-as-start-card-ignored",
    "flush-not-clubs",
    "flush-not-diamonds",
    "flush-not-hearts",
    "flush-not-spades",
    "flush-always-4",
    "flush-only-of-five",
    "flush-5-without-start",
    "flush-with-start-card",
    "no-flush",
    "nob-not-clubs",
    "nob-not-diamonds",
    "nob-not-hearts",
    "nob-not-spades",
    "nob-any-suit",
    "nob-wrong-suit",
    "nob-start-jack",
    "nob-only-start-jack",
    "no-nob",
    "nob-2",
    "nob-each-jack",
    "pair-outside-run-multiplies",
    "double-double-run-twice",
    "runs-once",
    "run-three-times-for-trips-missed",
    "runs-without-start",
    "run-of-5-as-4",
    "run-and-its-parts",
    "run-of-two",
    "run-of-four",
    "no-runs",
    "round-the-corner",
    "queen-king-ace",
    "ace-two-three-missed",
    "run-needs-order",
    "fifteens-without-tens",
    "fifteens-without-aces",
    "fifteens-of-two",
    "fifteens-no-five-cards",
    "fifteens-no-four-cards",
    "fifteens-jack-11",
    "fifteens-ace-11",
    "fifteens-1-point",
    "fifteens-twice",
    "fifteens-without-start",
    "no-fifteens",
    "three-of-a-kind-4",
    "four-of-a-kind-8",
    "pairs-without-start",
    "pairs-1-point",
    "pairs-twice",
    "tens-paired",
    "pairs-next-to-each-other",
    "no-pairs",
    "crashes-on-kqk",
    "crashes-on-ten",
    "start-card-first",
    "one-more",
];

/// What each mutant of the selection gets wrong. The first is right.
pub const SELECT_MUTANTS: &[&str] = &[
    "right",
    "right-last-of-equals",
    "value-without-start",
    "start-cards-of-crib",
    "start-cards-of-hand",
    "start-cards-all-52",
    "least",
    "first-four",
    "last-four",
    "best-start-card",
    "worst-start-card",
    "start-card-median",
    "start-cards-of-one-suit",
    "start-cards-without-aces",
    "start-cards-without-kings",
    "start-cards-without-king-of-spades",
    "start-cards-without-ace-of-clubs",
    "keeps-first-card",
    "five-cards-fail",
    "four-cards-fail",
    "prints-five",
    "prints-crib",
    "prints-value",
    "with-commas",
    "value:no-flush",
    "value:no-nob",
    "value:runs-once",
    "value:no-runs",
    "value:fifteens-without-tens",
    "value:three-of-a-kind-4",
    "value:flush-with-start-card",
    "value:nob-any-suit",
    "value:round-the-corner",
    "value:pair-outside-run-multiplies",
    "value:flush-always-4",
    "value:flush-only-of-five",
];

/// A rank from 1 (ace) to 13 (king), and a suit: 0 clubs, 1 diamonds, 2 hearts, 3 spades.
pub type Card = (u8, u8);

/// Reads a card like `TH`.
pub fn card(text: &str) -> Card {
    let letter = |set: &str, at: usize| set.find(text.as_bytes()[at] as char).unwrap() as u8;
    (letter("A23456789TJQK", 0) + 1, letter("CDHS", 1))
}

/// Writes a card like `TH`.
pub fn written((rank, suit): Card) -> String {
    format!(
        "{}{}",
        "A23456789TJQK".as_bytes()[usize::from(rank) - 1] as char,
        "CDHS".as_bytes()[usize::from(suit)] as char
    )
}

/// The sets of one card or more out of `n`, as bits.
fn sets(n: usize) -> impl Iterator<Item = usize> {
    1..1 << n
}

fn of(cards: &[Card], set: usize) -> Vec<Card> {
    cards.iter().enumerate().filter(|(at, _)| set >> at & 1 == 1).map(|(_, card)| *card).collect()
}

/// What a mutant says a hand is worth. `None` if it crashes.
pub fn value(fault: &str, hand: &[Card], start: Card) -> Option<u32> {
    let all: Vec<Card> = hand.iter().copied().chain([start]).collect();
    let ranks: Vec<u8> = all.iter().map(|card| card.0).collect();
    if fault == "crashes-on-kqk"
        && ranks.iter().filter(|rank| **rank == 13).count() == 2
        && ranks.contains(&12)
        || fault == "crashes-on-ten" && ranks.contains(&10)
    {
        return None;
    }
    if fault == "start-card-first" {
        return value("right", &all[1..], all[0]);
    }
    let sum =
        fifteens(fault, &all) + pairs(fault, &all) + runs(fault, hand, &all) + suits(fault, hand, start);
    Some(sum + u32::from(fault == "one-more"))
}

fn fifteens(fault: &str, all: &[Card]) -> u32 {
    let worth = |at: usize, rank: u8| -> u32 {
        match (fault, rank) {
            ("ace-as-start-card-is-14", 1) if at == 4 => 14,
            ("ace-as-start-card-ignored", 1) if at == 4 => 100,
            ("fifteens-without-tens", 10) => 100,
            ("fifteens-without-aces", 1) => 100,
            ("fifteens-jack-11", 11..) => u32::from(rank),
            ("fifteens-ace-11", 1) => 11,
            _ => u32::from(rank.min(10)),
        }
    };
    let found = sets(all.len())
        .filter(|set| {
            let size = set.count_ones();
            let sum: u32 =
                (0..all.len()).filter(|at| set >> at & 1 == 1).map(|at| worth(at, all[at].0)).sum();
            let known = match fault {
                "fifteens-of-two" => size == 2,
                "fifteens-no-five-cards" => size < 5,
                "fifteens-no-four-cards" => size != 4,
                "fifteens-without-start" => set & 16 == 0,
                "no-fifteens" => false,
                _ => true,
            };
            sum == 15 && known
        })
        .count() as u32;
    match fault {
        "fifteens-1-point" => found,
        "fifteens-twice" => 4 * found,
        _ => 2 * found,
    }
}

fn pairs(fault: &str, all: &[Card]) -> u32 {
    let mut points = 0;
    for rank in 1..=13 {
        let same = all.iter().filter(|card| card.0 == rank).count() as u32;
        points += match (fault, same) {
            ("three-of-a-kind-4", 3) => 4,
            ("four-of-a-kind-8", 4) => 8,
            _ => same * same.saturating_sub(1),
        };
    }
    match fault {
        "no-pairs" => 0,
        "pairs-1-point" => points / 2,
        "pairs-twice" => 2 * points,
        "tens-paired" => (1..=10)
            .map(|worth| all.iter().filter(|card| card.0.min(10) == worth).count() as u32)
            .map(|same| same * same.saturating_sub(1))
            .sum(),
        "pairs-without-start" => pairs("right", &all[..4]),
        "ace-as-start-card-ignored" if all[4].0 == 1 => pairs("right", &all[..4]),
        "ace-as-start-card-is-14" if all[4].0 == 1 => pairs("right", &all[..4]),
        "pairs-next-to-each-other" => 2 * all.windows(2).filter(|two| two[0].0 == two[1].0).count() as u32,
        _ => points,
    }
}

fn runs(fault: &str, hand: &[Card], all: &[Card]) -> u32 {
    let mut cards: Vec<u8> = all.iter().map(|card| card.0).collect();
    match fault {
        "no-runs" => return 0,
        "runs-without-start" => cards = hand.iter().map(|card| card.0).collect(),
        "ace-as-start-card-ignored" if all[4].0 == 1 => cards = hand.iter().map(|card| card.0).collect(),
        "ace-as-start-card-is-14" if all[4].0 == 1 => cards[4] = 14,
        "ace-two-three-missed" => cards.iter_mut().filter(|rank| **rank == 1).for_each(|rank| *rank = 20),
        _ => {}
    }
    let is_run = |set: usize| -> bool {
        let mut ranks: Vec<u8> =
            cards.iter().enumerate().filter(|(at, _)| set >> at & 1 == 1).map(|(_, rank)| *rank).collect();
        if fault != "run-needs-order" {
            ranks.sort_unstable();
        }
        let follows = |ranks: &[u8]| ranks.windows(2).all(|two| two[0] + 1 == two[1]);
        let high: Vec<u8> = ranks.iter().map(|rank| if *rank == 1 { 14 } else { *rank }).collect();
        let mut high = high;
        high.sort_unstable();
        follows(&ranks)
            || fault == "queen-king-ace" && follows(&high)
            || fault == "round-the-corner" && {
                (1..13).any(|turn| {
                    let mut turned: Vec<u8> = ranks.iter().map(|rank| (rank - 1 + turn) % 13).collect();
                    turned.sort_unstable();
                    follows(&turned)
                })
            }
    };
    let least = match fault {
        "run-of-two" => 2,
        "run-of-four" => 4,
        _ => 3,
    };
    let found: Vec<u32> = sets(cards.len())
        .filter(|set| set.count_ones() >= least && is_run(*set))
        .map(|set| set.count_ones())
        .collect();
    let Some(longest) = found.iter().copied().max() else { return 0 };
    let times = found.iter().filter(|size| **size == longest).count() as u32;
    let pairs_anywhere = pairs("right", all) / 2;
    match fault {
        "runs-once" => longest,
        "double-double-run-twice" if times == 4 => 2 * longest,
        "run-three-times-for-trips-missed" if times == 3 => 2 * longest,
        "run-of-5-as-4" if longest == 5 => 4,
        "run-and-its-parts" => found.iter().sum(),
        "pair-outside-run-multiplies" if times == 1 && pairs_anywhere > 0 => 2 * longest,
        _ => longest * times,
    }
}

fn suits(fault: &str, hand: &[Card], start: Card) -> u32 {
    let suit = hand[0].1;
    let four = hand.iter().all(|card| card.1 == suit);
    let three_and_start =
        (0..4).any(|out| (0..4).filter(|at| *at != out).all(|at| hand[at].1 == start.1)) && !four;
    let missing = ["flush-not-clubs", "flush-not-diamonds", "flush-not-hearts", "flush-not-spades"];
    let flush = match (four, start.1 == suit) {
        (true, _) if fault == "no-flush" || missing[usize::from(suit)] == fault => 0,
        (true, false) if fault == "flush-only-of-five" => 0,
        (true, true) if fault == "flush-always-4" => 4,
        (true, false) if fault == "flush-5-without-start" => 5,
        (true, true) => 5,
        (true, false) => 4,
        (false, _) if fault == "flush-with-start-card" && three_and_start => 4,
        (false, _) => 0,
    };
    let missing = ["nob-not-clubs", "nob-not-diamonds", "nob-not-hearts", "nob-not-spades"];
    let right = hand.contains(&(11, start.1));
    let jack = hand.iter().any(|card| card.0 == 11);
    let nob = match fault {
        "no-nob" => false,
        "nob-any-suit" => jack,
        "nob-wrong-suit" => jack && !right,
        "nob-start-jack" => right || start.0 == 11,
        "nob-only-start-jack" => start.0 == 11,
        _ => right && missing[usize::from(start.1)] != fault,
    };
    if fault == "nob-each-jack" {
        return flush + hand.iter().filter(|card| card.0 == 11).count() as u32;
    }
    flush + u32::from(nob) * if fault == "nob-2" { 2 } else { 1 }
}

/// What a mutant prints for these four to six cards. `None` if it crashes.
pub fn select(fault: &str, cards: &[Card]) -> Option<String> {
    if fault == "five-cards-fail" && cards.len() == 5 || fault == "four-cards-fail" && cards.len() == 4 {
        return None;
    }
    let points_fault = fault.strip_prefix("value:").unwrap_or("right");
    let mut best: Option<(i64, usize)> = None;
    for set in sets(cards.len()).filter(|set| set.count_ones() == 4) {
        let hand = of(cards, set);
        let keeps = match fault {
            "keeps-first-card" => set & 1 == 1,
            "first-four" => set == 0b1111,
            "last-four" => set == 0b1111 << (cards.len() - 4),
            _ => true,
        };
        if !keeps {
            continue;
        }
        let worth = expected(fault, points_fault, cards, &hand)?;
        let better = best.is_none_or(|(most, _)| match fault {
            "least" => worth < most,
            "right-last-of-equals" => worth >= most,
            _ => worth > most,
        });
        if better {
            best = Some((worth, set));
        }
    }
    let set = best?.1;
    let mut kept: Vec<String> = of(cards, set).into_iter().map(written).collect();
    let crib: Vec<String> = of(cards, !set).into_iter().map(written).collect();
    Some(match fault {
        "prints-crib" => crib.join(" "),
        "prints-value" => best?.0.to_string(),
        "with-commas" => kept.join(", "),
        "prints-five" if !crib.is_empty() => {
            kept.push(crib[0].clone());
            kept.join(" ")
        }
        _ => kept.join(" "),
    })
}

/// How good a mutant takes a choice to be.
fn expected(fault: &str, points_fault: &str, cards: &[Card], hand: &[Card]) -> Option<i64> {
    let mut values = Vec::new();
    for rank in 1..=13 {
        for suit in 0..4 {
            let start = (rank, suit);
            let held = hand.contains(&start);
            let thrown = cards.contains(&start) && !held;
            let possible = match fault {
                "start-cards-of-crib" => !held,
                "start-cards-of-hand" => !thrown,
                "start-cards-all-52" => true,
                "start-cards-of-one-suit" => !held && !thrown && suit == 0,
                "start-cards-without-aces" => !held && !thrown && rank != 1,
                "start-cards-without-king-of-spades" => !held && !thrown && start != (13, 3),
                "start-cards-without-ace-of-clubs" => !held && !thrown && start != (1, 0),
                "start-cards-without-kings" => !held && !thrown && rank != 13,
                _ => !held && !thrown,
            };
            if possible {
                values.push(i64::from(value(points_fault, hand, start)?));
            }
        }
    }
    values.sort_unstable();
    Some(match fault {
        "best-start-card" => *values.last()?,
        "worst-start-card" => values[0],
        "start-card-median" => values[values.len() / 2],
        // The four cards alone: a start card that gives nothing of its own does not exist, so count without one.
        "value-without-start" => i64::from(alone(hand)),
        // Averages over the same number of start cards compare like their sums.
        _ => values.iter().sum(),
    })
}

/// The points of four cards without a start card.
fn alone(hand: &[Card]) -> u32 {
    let fifteens = sets(4)
        .filter(|set| of(hand, *set).iter().map(|card| u32::from(card.0.min(10))).sum::<u32>() == 15)
        .count() as u32;
    let flush = if hand.iter().all(|card| card.1 == hand[0].1) { 4 } else { 0 };
    2 * fifteens + pairs("right", hand) + runs("right", hand, hand) + flush
}
