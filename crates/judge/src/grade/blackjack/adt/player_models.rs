//! The two players of Blackjack in this process: the game's own, and known wrong ones.

use super::script::{AdtModel, MakeModel, ReadingGroup, card_of};
use casino_sisters::blackjack::{BlackjackHand, BlackjackPlayer, Counting, Simple};
use casino_sisters::misreadings::blackjack::{DRAWS_THEME, DrawDecision, WRONG_DRAWS};
use casino_sisters::misreadings::{Reading, Theme, says};
use casino_stud::cards::Card;

/// A way to bet: from which count it is doubled, with how much, and what else is done wrongly.
#[derive(Clone, Copy, Debug)]
struct BettingWay {
    /// What each rank counts, two to ace.
    worth: [i32; 13],
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
        WRONG_DRAWS.into_iter().map(|(reading, rule)| (reading, made(BETS, Some(rule), false))).collect();
    vec![
        ReadingGroup {
            theme: DRAWS_THEME,
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

fn made(way: BettingWay, rule: Option<fn(&DrawDecision) -> bool>, simple_counts: bool) -> MakeModel {
    Box::new(move || Box::new(WrongPlayers { way, rule, simple_counts, counts: [0, 0] }))
}

pub(super) fn right() -> Box<dyn AdtModel> {
    Box::new(RightPlayers { simple: Simple, counting: Counting::default() })
}

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
    rule: Option<fn(&DrawDecision) -> bool>,
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
                let decision = DrawDecision::new(&cards, card_of(words[2]));
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

#[cfg(test)]
pub(super) fn never_doubles() -> Box<dyn AdtModel> {
    made(BettingWay { from: i32::MAX, ..BETS }, None, false)()
}
