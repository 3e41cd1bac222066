//! The behaviours of the two players (Blackjack document, III.3).

use super::script::{AdtModel, AdtScript, card_code, card_of, letters_of};
use crate::grade::CaseSettings;
use casino_sisters::blackjack::{BlackjackHand, BlackjackPlayer, Counting, Simple};
use casino_stud::cards::{Card, Rank, Stream, Suit};

/// How many operations are drawn for the longest script.
const DRAWN: usize = 600;

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
            "players-same",
            "get_Simple() and get_Counting() return the one player of each kind, whenever they are called",
            "simple same; counting same; counting sees 4S 5S; counting same; simple same",
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

pub(super) fn right() -> Box<dyn AdtModel> {
    Box::new((Simple, Counting::default()))
}

impl AdtModel for (Simple, Counting) {
    fn answer(&mut self, operation: &str) -> Vec<String> {
        let words: Vec<&str> = operation.split(' ').collect();
        let player: &mut dyn BlackjackPlayer = if words[0] == "simple" { &mut self.0 } else { &mut self.1 };
        let number = |at: usize| words[at].parse().expect("scripts have numbers");
        let answer = match words[1] {
            "bet" => player.bet(number(2), number(3)).to_string(),
            "draw" => {
                let hand: BlackjackHand = words[3..].iter().map(|card| card_of(card)).collect();
                if player.draw(card_of(words[2]), &hand) { "draws" } else { "stands" }.to_string()
            }
            "same" => "same".to_string(),
            "expose" => {
                player.expose(card_of(words[2]));
                "done".to_string()
            }
            _ => {
                player.shuffled();
                "done".to_string()
            }
        };
        vec![answer]
    }
}

fn getter(player: &str) -> &'static str {
    if player == "simple" { "get_Simple()" } else { "get_Counting()" }
}

pub(super) fn code(operation: &str) -> String {
    let words: Vec<&str> = operation.split(' ').collect();
    let player = getter(words[0]);
    match words[1] {
        "same" => format!("{player} == {player};"),
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
    use super::*;
    use casino_stud::cards::Seed;

    fn all() -> Vec<AdtScript> {
        scripts(&CaseSettings { seed: Seed::chosen("monday"), cases: 0, time: None })
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
}
