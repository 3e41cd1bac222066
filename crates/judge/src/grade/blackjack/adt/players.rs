//! The behaviours of the two players (Blackjack document, III.3).

use super::script::{AdtModel, AdtScript, card_code, card_of, letters_of, read_scripts};
use crate::grade::CaseSettings;
use casino_sisters::blackjack::{BlackjackHand, BlackjackPlayer, Counting, Simple};
use casino_stud::cards::{Card, Rank, Stream, Suit};

const RANDOM_CASES: usize = 600;

const SCRIPTS: &str = include_str!("../../../../courses/blackjack/player_scripts.txt");

pub(super) fn scripts(settings: &CaseSettings) -> Vec<AdtScript> {
    let mut scripts = read_scripts(SCRIPTS, |id| generated(id, settings));
    for script in &mut scripts {
        script.question = script.question.iter().flat_map(|operation| spelled(operation)).collect();
    }
    scripts
}

/// The operations of a script that is not written out.
fn generated(id: &str, settings: &CaseSettings) -> Vec<String> {
    if id != "counting-draws" {
        return drawn(settings);
    }
    let hands = SCRIPTS.lines().filter_map(|line| line.trim_start().strip_prefix("simple hands "));
    let draws = format!("counting hands {}", hands.collect::<Vec<_>>().join(" "));
    let [low, high] =
        ["2S 3S 4S 5S 6S", "TS TH TC TD JS JH JC JD KS KH"].map(|cards| format!("counting sees {cards}"));
    vec![draws.clone(), low, draws.clone(), high, draws]
}

/// An operation, or several in one: `counting sees 2S 3S` exposes cards, and `simple hands T2 93` asks for the draws of hands.
fn spelled(operation: &str) -> Vec<String> {
    match operation.split(' ').collect::<Vec<_>>()[..] {
        [player, "sees", ref cards @ ..] => {
            cards.iter().map(|card| format!("{player} expose {card}")).collect()
        }
        [player, "hands", ref hands @ ..] => {
            hands.iter().flat_map(|hand| against_all(player, hand)).collect()
        }
        _ => vec![operation.to_string()],
    }
}

/// Draws of a hand against every up card. Ranks are one letter each; totals over 21 are left out.
fn against_all(player: &str, ranks: &str) -> Vec<String> {
    let suits = ['S', 'H', 'C', 'D'];
    // A 1 stands for an ace that cannot count 11.
    let ranks = ranks.replace('1', "A");
    let hand: Vec<String> =
        ranks.chars().enumerate().map(|(at, rank)| format!("{rank}{}", suits[(at + 1) % 4])).collect();
    let ups = Rank::ALL.map(|rank| letters_of(Card::new(rank, Suit::Spades)));
    ups.iter().map(|up| format!("{player} draw {up} {}", hand.join(" "))).collect()
}

fn drawn(settings: &CaseSettings) -> Vec<String> {
    let mut stream = settings.seed.stream("grade blackjack players");
    let card = |stream: &mut Stream| letters_of(Card::ALL[stream.below(52) as usize]);
    (0..RANDOM_CASES)
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
        for operation in all().iter().flat_map(|script| &script.question) {
            if let Some((_, cards)) = operation.split_once(" draw ") {
                let hand: BlackjackHand = cards.split(' ').skip(1).map(card_of).collect();
                assert!(!hand.is_bust(), "{operation}");
            }
        }
    }
}
