//! The behaviours of the two players (Blackjack document, III.3).

use super::super::draws::{self, Decision};
use super::super::values::Counted;
use super::script::{
    AdtModel, AdtScript, Difference, MakeModel, ReadingGroup, Told, card_code, card_of, card_words,
    letters_of,
};
use crate::blackjack::{BlackjackHand, BlackjackPlayer, Counting, Simple};
use crate::cards::{Card, Rank, Stream, Suit};
use crate::grade::CaseSettings;
use crate::grade::evidence::{Reading, Theme};

/// How many operations are drawn for the longest script.
const DRAWN: usize = 600;

/// The scripts of the players.
pub(super) fn scripts(settings: &CaseSettings) -> Vec<AdtScript> {
    let mut scripts = table();
    scripts.extend(counting());
    scripts.push(AdtScript::new(
        "players-drawn",
        "A long list of operations drawn from the seed",
        drawn(settings),
    ));
    scripts
}

/// The hands by which the lists of draws are tried, by the title of a behaviour: hard and soft totals in two, three and
/// more cards.
const HANDS: [(&str, &str, &[&str]); 7] = [
    (
        "simple-hard-11",
        "Simple draws on hard totals up to 11",
        &["22", "32", "42", "53", "62", "72", "54", "63", "64", "82", "65", "92", "223", "335", "2222"],
    ),
    (
        "simple-hard-12",
        "Simple on hard 12: stands against 4, 5 and 6",
        &["T2", "93", "84", "75", "66", "K2", "345", "2226"],
    ),
    (
        "simple-hard-13",
        "Simple on hard 13 to 16: stands against 2 to 6",
        &[
            "T3", "94", "76", "T4", "95", "77", "Q5", "96", "87", "J6", "97", "88", "346", "456", "3345",
            "T33",
        ],
    ),
    (
        "simple-hard-17",
        "Simple stands on hard totals from 17",
        &["T7", "98", "T8", "99", "K9", "TT", "QJ", "T65", "785", "993", "TT1", "5556", "2345"],
    ),
    (
        "simple-hard-ace",
        "Simple plays by the list of hard totals where the ace counts 1",
        &["AT2", "A66", "A9A9", "TA3", "A78", "6A9", "AAT", "AKAA", "A59", "T5A", "A97", "A88", "TAT"],
    ),
    (
        "simple-soft-17",
        "Simple draws on soft totals up to 17",
        &["AA", "A2", "A3", "A4", "A5", "A6", "AA4", "A22", "A33", "2A4", "AAA3"],
    ),
    (
        "simple-soft-18",
        "Simple on soft 18: stands against 2, 7 and 8",
        &["A7", "7A", "A25", "A34", "AA6", "A223", "AAA5"],
    ),
];

/// The scripts that try the lists of draws with all up cards.
fn table() -> Vec<AdtScript> {
    let all = |player: &str, hands: &[&str]| {
        hands.iter().flat_map(|hand| against_all(player, hand)).collect::<Vec<_>>()
    };
    let mut scripts: Vec<AdtScript> =
        HANDS.iter().map(|(id, title, hands)| AdtScript::new(id, title, all("simple", hands))).collect();
    let stands = ["A8", "A9", "AT", "KA", "A26", "AA7", "A35", "A64", "AA8", "A22A4"];
    scripts.push(AdtScript::new(
        "simple-soft-19",
        "Simple stands on soft totals from 19",
        all("simple", &stands),
    ));
    let every: Vec<&str> =
        HANDS.iter().flat_map(|(_, _, hands)| hands.iter().copied()).chain(stands).collect();
    let sees =
        |cards: &str| cards.split(' ').map(|card| format!("counting expose {card}")).collect::<Vec<_>>();
    let mut draws = all("counting", &every);
    draws.extend(sees("2S 3S 4S 5S 6S"));
    draws.extend(all("counting", &every));
    draws.extend(sees("TS TH TC TD JS JH JC JD KS KH"));
    draws.extend(all("counting", &every));
    scripts.push(AdtScript::new(
        "counting-draws",
        "Counting draws as simple does, whatever the count is",
        draws,
    ));
    scripts
}

/// Draws of a hand against every up card. Ranks are one letter each; a total over 21 is no question.
fn against_all(player: &str, ranks: &str) -> Vec<String> {
    let suits = ['S', 'H', 'C', 'D'];
    // A 1 stands for an ace that cannot count 11.
    let ranks = ranks.replace('1', "A");
    let hand: Vec<String> =
        ranks.chars().enumerate().map(|(at, rank)| format!("{rank}{}", suits[(at + 1) % 4])).collect();
    let ups = Rank::ALL.map(|rank| letters_of(Card::new(rank, Suit::Spades)));
    ups.iter().map(|up| format!("{player} draw {up} {}", hand.join(" "))).collect()
}

fn script(id: &str, title: &str, operations: &str) -> AdtScript {
    AdtScript::new(id, title, operations.split("; ").flat_map(spelled))
}

/// An operation, or several exposed cards at once: `counting sees 2S 3S`.
fn spelled(operation: &str) -> Vec<String> {
    match operation.split_once(" sees ") {
        None => vec![operation.to_string()],
        Some((player, cards)) => cards.split(' ').map(|card| format!("{player} expose {card}")).collect(),
    }
}

/// The scripts that try bets.
fn counting() -> Vec<AdtScript> {
    let mut scripts = bets_of_simple();
    scripts.extend(what_counts());
    scripts.extend(when_it_doubles());
    scripts
}

fn bets_of_simple() -> Vec<AdtScript> {
    vec![
        script(
            "simple-bet",
            "Simple bets the minimum, whatever it has",
            "simple bet 5 5; simple bet 6 5; simple bet 10 5; simple bet 100 5; simple bet 10000 5; simple bet 1 1; \
             simple bet 50 7; simple bet 1000 25",
        ),
        script(
            "simple-ignores",
            "Simple takes no notice of cards and shuffles",
            "simple bet 100 5; simple sees 2S 3S 4S 5S 6S 2H 3H; simple bet 100 5; simple draw 7S TS 6H; \
             simple sees TS JS QS KS AS TH JH QH; simple bet 100 5; simple draw 4S TS 2H; simple shuffled; \
             simple bet 100 5; simple draw 2S AS 7H",
        ),
    ]
}

fn what_counts() -> Vec<AdtScript> {
    // The count is brought to +1 by twos and fours, then a card shows what it counts, and a ten takes it away again.
    let lows = ["2S", "3S", "4S", "5S", "6S"];
    let low: Vec<String> = lows
        .iter()
        .flat_map(|card| {
            let line = format!(
                "counting bet 100 5; counting sees {card}; counting bet 100 5; counting sees {card}; counting bet 100 5; \
                 counting sees TS TH; counting bet 100 5"
            );
            line.split("; ").flat_map(spelled).collect::<Vec<_>>()
        })
        .collect();
    let highs = ["TS", "JS", "QS", "KS", "AS"];
    let high: Vec<String> = highs
        .iter()
        .flat_map(|card| {
            let line = format!(
                "counting sees 2S 3H 4C; counting bet 100 5; counting sees {card}; counting bet 100 5; \
                 counting sees {card}; counting bet 100 5; counting sees {card}; counting bet 100 5"
            );
            line.split("; ").flat_map(spelled).collect::<Vec<_>>()
        })
        .collect();
    vec![
        AdtScript::new("counting-low", "A 2, 3, 4, 5 or 6 adds one to the count", low),
        AdtScript::new("counting-high", "A 10, jack, queen, king or ace takes one from the count", high),
        script(
            "counting-neutral",
            "A 7, 8 or 9 counts nothing",
            "counting sees 2S; counting bet 100 5; counting sees 7S; counting bet 100 5; counting sees 8S; \
             counting bet 100 5; counting sees 9S; counting bet 100 5; counting sees 3S; counting bet 100 5; \
             counting sees 7H; counting bet 100 5; counting sees 8H; counting bet 100 5; counting sees 9H; \
             counting bet 100 5",
        ),
        script(
            "counting-negative",
            "The count goes below 0 and comes back",
            "counting sees TS JS QS KS; counting bet 100 5; counting sees 2S 3S 4S 5S; counting bet 100 5; \
             counting sees 6S; counting bet 100 5; counting sees 2H; counting bet 100 5",
        ),
        script(
            "counting-draw-unseen",
            "Cards that it decides about are not counted: only those that are exposed",
            "counting draw 6S 2S 3H; counting draw 5S 2C 4H 3D; counting bet 100 5; counting sees 2S 3S; \
             counting bet 100 5; counting draw KS TS 6H; counting draw AS TS 5H; counting bet 100 5",
        ),
        script(
            "counting-shuffled",
            "A shuffle puts the count back to 0, from above and from below",
            "counting sees 2S 3S 4S 5S 6S; counting bet 100 5; counting shuffled; counting bet 100 5; counting sees 2H; \
             counting bet 100 5; counting sees 3H; counting bet 100 5; counting shuffled; \
             counting sees TS JS QS KS AS; counting shuffled; counting bet 100 5; counting sees 4H 5H; counting bet 100 5",
        ),
        script(
            "players-apart",
            "The players do not share a count",
            "simple sees 2S 3S 4S; counting bet 100 5; simple bet 100 5; counting sees 5S; counting bet 100 5; \
             counting sees 6S; counting bet 100 5; simple bet 100 5; simple shuffled; counting bet 100 5; \
             simple sees TS JS QS; counting bet 100 5; counting shuffled; counting bet 100 5; simple bet 100 5",
        ),
    ]
}

fn when_it_doubles() -> Vec<AdtScript> {
    vec![
        script(
            "counting-one",
            "At a count of 0 and +1 counting bets the minimum",
            "counting bet 100 5; counting sees 4S; counting bet 100 5; counting bet 10000 5",
        ),
        script(
            "counting-two",
            "From a count of +2 counting bets twice the minimum",
            "counting sees 4S 5S; counting bet 100 5; counting sees 6S; counting bet 100 5; counting sees 2H 3H 4H 5H; \
             counting bet 100 5; counting bet 10000 5",
        ),
        script(
            "counting-enough",
            "A bankroll of exactly twice the minimum is enough",
            "counting sees 4S 5S 6S; counting bet 10 5; counting bet 11 5; counting bet 2 1; counting bet 50 25",
        ),
        script(
            "counting-poor",
            "With less than twice the minimum counting bets the minimum",
            "counting sees 4S 5S 6S; counting bet 9 5; counting bet 5 5; counting bet 1 1; counting bet 49 25; \
             counting bet 10 5",
        ),
        script(
            "counting-minimum",
            "Other minima than 5 are doubled too",
            "counting bet 100 7; counting bet 100 1; counting sees 2S 3S; counting bet 100 7; counting bet 100 1; \
             counting bet 100 50; counting bet 1000 25; counting bet 10000 5000",
        ),
    ]
}

/// Operations that are drawn for both players.
fn drawn(settings: &CaseSettings) -> Vec<String> {
    let mut stream = settings.seed.stream("grade blackjack players");
    let card = |stream: &mut Stream| letters_of(Card::ALL[stream.below(52) as usize]);
    (0..DRAWN)
        .map(|_| {
            let player = if stream.one_in(3) { "simple" } else { "counting" };
            match stream.below(24) {
                0 => format!("{player} shuffled"),
                1..=6 => {
                    let minimum = 1 + stream.below(20);
                    format!("{player} bet {} {minimum}", minimum + stream.below(3 * minimum))
                }
                7..=10 => {
                    let up = card(&mut stream);
                    let mut hand = BlackjackHand::new();
                    let mut cards = Vec::new();
                    while cards.len() < 2 || hand.value().count < 21 && stream.one_in(2) {
                        let next = Card::ALL[stream.below(52) as usize];
                        let mut more = hand.clone();
                        more.add(next);
                        if !more.is_bust() {
                            hand = more;
                            cards.push(letters_of(next));
                        }
                    }
                    format!("{player} draw {up} {}", cards.join(" "))
                }
                _ => format!("{player} expose {}", card(&mut stream)),
            }
        })
        .collect()
}

/// A way to bet: from which count it is doubled, with how much, and what else is done wrongly.
#[derive(Clone, Copy, Debug)]
struct BettingWay {
    /// What each rank counts, two to ace.
    worth: [i32; 13],
    /// The count from which it doubles.
    from: i32,
    /// Which bankrolls are enough, by the bankroll and the doubled bet.
    enough: fn(u32, u32) -> bool,
    /// The doubled bet, by the minimum.
    doubled: fn(u32) -> u32,
    /// Whether a shuffle puts the count back to 0.
    resets: bool,
    /// Whether it counts what the other player sees too.
    shares: bool,
}

const WORTH: [i32; 13] = [1, 1, 1, 1, 1, 0, 0, 0, -1, -1, -1, -1, -1];

const BETS: BettingWay = BettingWay {
    worth: WORTH,
    from: 2,
    enough: |bankroll, doubled| bankroll >= doubled,
    doubled: |minimum| 2 * minimum,
    resets: true,
    shares: false,
};

const fn worth(rank: usize, counts: i32) -> BettingWay {
    let mut worth = WORTH;
    worth[rank] = counts;
    BettingWay { worth, ..BETS }
}

/// Known wrong ways of the counting player.
const WRONG_BETS: [(Reading, BettingWay); 17] = [
    (
        says("never-doubles", "It never doubles; it does at a count of +2 or more."),
        BettingWay { from: i32::MAX, ..BETS },
    ),
    (says("always-doubles", "It doubles whatever the count is."), BettingWay { from: i32::MIN, ..BETS }),
    (says("double-at-0", "It doubles from a count of 0; it is +2 or more."), BettingWay { from: 0, ..BETS }),
    (says("double-at-1", "It doubles from a count of +1; it is +2 or more."), BettingWay { from: 1, ..BETS }),
    (
        says("double-at-3", "It doubles from a count of +3, or above +2; it is +2 or more."),
        BettingWay { from: 3, ..BETS },
    ),
    (
        says(
            "double-only-above",
            "It doubles only with more than twice the minimum; exactly twice is enough.",
        ),
        BettingWay { enough: |bankroll, doubled| bankroll > doubled, ..BETS },
    ),
    (
        says("double-without-bankroll", "It doubles with less than twice the minimum, which it has not got."),
        BettingWay { enough: |_, _| true, ..BETS },
    ),
    (
        says("double-is-10", "It bets 10 where it doubles, whatever the minimum is."),
        BettingWay { doubled: |_| 10, ..BETS },
    ),
    (
        says(
            "double-from-10",
            "It doubles with 10 or more, whatever the minimum is; twice the minimum is needed.",
        ),
        BettingWay { enough: |bankroll, _| bankroll >= 10, ..BETS },
    ),
    (
        says("triples", "It bets three times the minimum; it is twice."),
        BettingWay { doubled: |minimum| 3 * minimum, ..BETS },
    ),
    (
        says("count-kept-at-shuffle", "It keeps its count at a shuffle; it begins at 0 after each shuffle."),
        BettingWay { resets: false, ..BETS },
    ),
    (
        says("count-shared", "The two players share one count; each has to be by itself."),
        BettingWay { shares: true, ..BETS },
    ),
    (says("six-not-counted", "A 6 is not counted; it adds one."), worth(4, 0)),
    (says("two-not-counted", "A 2 is not counted; it adds one."), worth(0, 0)),
    (says("seven-counted", "A 7 adds one; it counts nothing."), worth(5, 1)),
    (says("ten-not-counted", "A 10 is not counted; it takes one away."), worth(8, 0)),
    (says("ace-not-counted", "An ace is not counted; it takes one away."), worth(12, 0)),
];

const fn says(code: &'static str, says: &'static str) -> Reading {
    Reading { code, says }
}

const BETS_THEME: Theme = Theme {
    code: "bets",
    what: "bets of the counting player",
    rule: "The counting player doubles at a count of +2 or more if it has twice the minimum, and else bets the minimum.",
};

const SIMPLE_THEME: Theme = Theme {
    code: "simple-bets",
    what: "bets of the simple player",
    rule: "The simple player always bets the minimum.",
};

const SIMPLE_COUNTS: Reading = says(
    "simple-counts",
    "The simple player doubles at a count of +2 like the other one; it bets the minimum.",
);

pub(super) fn groups() -> Vec<ReadingGroup> {
    let bets = WRONG_BETS.into_iter().map(|(reading, way)| (reading, made(way, None, false))).collect();
    let draws =
        draws::WRONG.into_iter().map(|(reading, rule)| (reading, made(BETS, Some(rule), false))).collect();
    vec![
        ReadingGroup {
            theme: draws::THEME,
            concerns: |operation| operation.contains(" draw "),
            readings: draws,
        },
        ReadingGroup {
            theme: BETS_THEME,
            concerns: |operation| operation.starts_with("counting bet "),
            readings: bets,
        },
        ReadingGroup {
            theme: SIMPLE_THEME,
            concerns: |operation| operation.starts_with("simple bet "),
            readings: vec![(SIMPLE_COUNTS, made(BETS, None, true))],
        },
    ]
}

fn made(way: BettingWay, rule: Option<fn(&Decision) -> bool>, simple_counts: bool) -> MakeModel {
    Box::new(move || Box::new(WrongPlayers { way, rule, simple_counts, counts: [0, 0] }))
}

pub(super) fn right() -> Box<dyn AdtModel> {
    Box::new(RightPlayers { simple: Simple, counting: Counting::default() })
}

/// The game's own players.
struct RightPlayers {
    simple: Simple,
    counting: Counting,
}

impl AdtModel for RightPlayers {
    fn answer(&mut self, operation: &str) -> Vec<String> {
        let words: Vec<&str> = operation.split(' ').collect();
        let player: &mut dyn BlackjackPlayer =
            if words[0] == "simple" { &mut self.simple } else { &mut self.counting };
        match words[1] {
            "bet" => return vec![player.bet(number(words[2]), number(words[3])).to_string()],
            "draw" => {
                let hand: BlackjackHand = words[3..].iter().map(|card| card_of(card)).collect();
                return vec![drawn_or_not(player.draw(card_of(words[2]), &hand))];
            }
            "expose" => player.expose(card_of(words[2])),
            _ => player.shuffled(),
        }
        vec!["done".to_string()]
    }
}

/// Players that bet or draw in a wrong way.
struct WrongPlayers {
    way: BettingWay,
    rule: Option<fn(&Decision) -> bool>,
    simple_counts: bool,
    /// The counts of the simple player, if it has one, and of the counting one.
    counts: [i32; 2],
}

impl AdtModel for WrongPlayers {
    fn answer(&mut self, operation: &str) -> Vec<String> {
        let words: Vec<&str> = operation.split(' ').collect();
        let player = usize::from(words[0] == "counting");
        match words[1] {
            "bet" => return vec![self.bet(player, number(words[2]), number(words[3])).to_string()],
            "draw" => {
                let cards: Vec<Card> = words[3..].iter().map(|card| card_of(card)).collect();
                let decision = Decision::new(Counted::Right, &cards, card_of(words[2]), None);
                let draws = self.rule.map_or_else(|| decision.draws(), |rule| rule(&decision));
                return vec![drawn_or_not(draws)];
            }
            "expose" => {
                let worth = self.way.worth[card_of(words[2]).rank().index()];
                self.counts[player] += worth;
                if self.way.shares {
                    self.counts[1 - player] += worth;
                }
            }
            _ if self.way.shares => self.counts = [0, 0],
            _ if self.way.resets => self.counts[player] = 0,
            _ => {}
        }
        vec!["done".to_string()]
    }
}

impl WrongPlayers {
    fn bet(&self, player: usize, bankroll: u32, minimum: u32) -> u32 {
        let doubled = (self.way.doubled)(minimum);
        let counts = player == 1 || self.simple_counts;
        let doubles = counts && self.counts[player] >= self.way.from && (self.way.enough)(bankroll, doubled);
        if doubles { doubled } else { minimum }
    }
}

fn number(text: &str) -> u32 {
    text.parse().expect("scripts have numbers")
}

fn drawn_or_not(draws: bool) -> String {
    if draws { "draws" } else { "stands" }.to_string()
}

/// A difference in words.
pub(super) fn tell(script: &AdtScript, difference: &Difference) -> Told {
    let operation = &script.operations[difference.operation];
    let words: Vec<&str> = operation.split(' ').collect();
    let got = match difference.got.as_deref().unwrap_or_default() {
        "exception" => "throws".to_string(),
        "nobody" => "is a null pointer".to_string(),
        got => got.to_string(),
    };
    let player = words[0];
    let (situation, expected, got) = match words[1] {
        "draw" => {
            let hand: Vec<Card> = words[3..].iter().map(|card| card_of(card)).collect();
            let situation = Decision::new(Counted::Right, &hand, card_of(words[2]), None).words();
            let ranks: Vec<&str> = words[3..].iter().map(|card| &card[..1]).collect();
            (format!("On {situation} (the hand is {})", ranks.join(" ")), difference.want.clone(), got)
        }
        "bet" => {
            let put =
                |text: &str| if text.parse::<i64>().is_ok() { format!("bets {text}") } else { text.into() };
            let seen = seen_by(player, &script.operations[..difference.operation]);
            let situation = format!("With a bankroll of {}, a minimum of {}{seen}", words[2], words[3]);
            (situation, put(&difference.want), put(&got))
        }
        "expose" => (format!("Shown the {}", card_words(words[2])), "returns".to_string(), got),
        _ => ("Told of a shuffle".to_string(), "returns".to_string(), got),
    };
    Told { sentence: format!("{situation} {player} {expected}; yours {got}."), expected, got }
}

/// What the counting player has seen since the last shuffle, in words.
fn seen_by(player: &str, operations: &[String]) -> String {
    if player == "simple" {
        return String::new();
    }
    let mut counting = Counting::default();
    for words in operations.iter().map(|operation| operation.split(' ').collect::<Vec<_>>()) {
        match (words[0], words[1]) {
            ("counting", "expose") => counting.expose(card_of(words[2])),
            ("counting", "shuffled") => counting.shuffled(),
            _ => {}
        }
    }
    format!(" and a count of {:+}", counting.count())
}

/// An operation as C++.
pub(super) fn code(operation: &str) -> String {
    let words: Vec<&str> = operation.split(' ').collect();
    let player = if words[0] == "simple" { "get_Simple()" } else { "get_Counting()" };
    match words[1] {
        "bet" => format!("{player}->bet({}, {});", words[2], words[3]),
        "draw" => {
            let adds = words[3..].iter().map(|card| format!(" hand.addCard({});", card_code(card)));
            let adds: String = adds.collect();
            format!("Hand hand;{adds} {player}->draw({}, hand);", card_code(words[2]))
        }
        "expose" => format!("{player}->expose({});", card_code(words[2])),
        _ => format!("{player}->shuffled();"),
    }
}

#[cfg(test)]
mod tests {
    use super::super::script::first_difference;
    use super::*;
    use crate::cards::Seed;

    fn all() -> Vec<AdtScript> {
        scripts(&CaseSettings { seed: Seed::chosen("monday"), cases: 0, time: None })
    }

    #[test]
    fn every_wrong_player_is_found_but_one_that_looks_at_what_it_cannot_see() {
        for group in groups() {
            for (reading, make) in &group.readings {
                let is_wrong = |script: &AdtScript| {
                    first_difference(&script.answers(right()), &script.answers(make()).concat()).is_some()
                };
                let found = all().iter().any(is_wrong);
                assert_eq!(found, reading.code != "looks-at-hole-card", "{}", reading.code);
            }
        }
    }

    #[test]
    fn a_decision_is_never_asked_for_over_21() {
        for operation in all().iter().flat_map(|script| &script.operations) {
            if let Some((_, cards)) = operation.split_once(" draw ") {
                let hand: BlackjackHand = cards.split(' ').skip(1).map(card_of).collect();
                assert!(!hand.is_bust(), "{operation}");
            }
        }
    }

    #[test]
    fn what_is_wrong_is_said_in_a_sentence() {
        let script = all().into_iter().find(|script| script.id == "counting-two").unwrap();
        let never = made(BettingWay { from: i32::MAX, ..BETS }, None, false);
        let got = script.answers(never()).concat();
        let difference = first_difference(&script.answers(right()), &got).unwrap();
        assert_eq!(
            tell(&script, &difference).sentence,
            "With a bankroll of 100, a minimum of 5 and a count of +2 counting bets 10; yours bets 5."
        );
    }
}
