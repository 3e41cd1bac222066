//! The two players of Blackjack in this process, right ones and known wrong ones.

use super::script::{AdtModel, MakeModel, ReadingGroup, card_of};
use casino_sisters::misreadings::blackjack::{
    ALWAYS_DOUBLES, BetReading, BettingWay, Bettor, COUNT_KEPT, COUNTING, DOUBLES_FROM, DRAWS_THEME,
    DrawDecision, NEVER_DOUBLES, TRIPLES, WRONG_DRAWS,
};
use casino_sisters::misreadings::{Reading, Theme, says};
use casino_stud::cards::Card;

/// What the two players do wrongly.
#[derive(Clone, Copy, Debug)]
enum PlayersFault {
    Bets(BettingWay),
    Draws(fn(&DrawDecision) -> bool),
    /// Each of the two counts what the other one sees too.
    CountShared,
    SimpleCounts,
}

const fn bets((reading, way): BetReading) -> (Reading, PlayersFault) {
    (reading, PlayersFault::Bets(way))
}

/// Known wrong ways of the counting player.
const WRONG_BETS: [(Reading, PlayersFault); 17] = [
    bets(NEVER_DOUBLES),
    bets(ALWAYS_DOUBLES),
    bets(DOUBLES_FROM[0]),
    bets(DOUBLES_FROM[1]),
    bets(DOUBLES_FROM[2]),
    bets((
        says(
            "double-only-above",
            "It doubles only with more than twice the minimum; exactly twice is enough.",
        ),
        BettingWay::with_enough(|bankroll, doubled| bankroll > doubled),
    )),
    bets((
        says("double-without-bankroll", "It doubles with less than twice the minimum, which it has not got."),
        BettingWay::with_enough(|_, _| true),
    )),
    bets((
        says("double-is-10", "It bets 10 where it doubles, whatever the minimum is."),
        BettingWay::with_doubled(|_| 10),
    )),
    bets((
        says(
            "double-from-10",
            "It doubles with 10 or more, whatever the minimum is; twice the minimum is needed.",
        ),
        BettingWay::with_enough(|bankroll, _| bankroll >= 10),
    )),
    bets(TRIPLES),
    bets(COUNT_KEPT),
    (
        says("count-shared", "The two players share one count; each has to be by itself."),
        PlayersFault::CountShared,
    ),
    bets((says("six-not-counted", "A 6 is not counted; it adds one."), BettingWay::with_worth(4, 0))),
    bets((says("two-not-counted", "A 2 is not counted; it adds one."), BettingWay::with_worth(0, 0))),
    bets((says("seven-counted", "A 7 adds one; it counts nothing."), BettingWay::with_worth(5, 1))),
    bets((says("ten-not-counted", "A 10 is not counted; it takes one away."), BettingWay::with_worth(8, 0))),
    bets((
        says("ace-not-counted", "An ace is not counted; it takes one away."),
        BettingWay::with_worth(12, 0),
    )),
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
    let model = |fault| -> MakeModel { Box::new(move || players(Some(fault))) };
    let bets = WRONG_BETS.into_iter().map(|(reading, fault)| (reading, model(fault))).collect();
    let draws =
        WRONG_DRAWS.into_iter().map(|(reading, rule)| (reading, model(PlayersFault::Draws(rule)))).collect();
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
            readings: vec![(SIMPLE_COUNTS, model(PlayersFault::SimpleCounts))],
        },
    ]
}

/// Players without a fault: a test compares them with the game's own.
pub(super) fn right() -> Box<dyn AdtModel> {
    players(None)
}

fn players(fault: Option<PlayersFault>) -> Box<dyn AdtModel> {
    let way = match fault {
        Some(PlayersFault::Bets(way)) => way,
        _ => COUNTING,
    };
    Box::new(PlayersModel { fault, bettors: [Bettor::new(way); 2] })
}

struct PlayersModel {
    fault: Option<PlayersFault>,
    /// What the simple player bets by, if it counts, and the counting one.
    bettors: [Bettor; 2],
}

impl AdtModel for PlayersModel {
    fn answer(&mut self, operation: &str) -> Vec<String> {
        let words: Vec<&str> = operation.split(' ').collect();
        let player = usize::from(words[0] == "counting");
        let told = match self.fault {
            Some(PlayersFault::CountShared) => &mut self.bettors[..],
            _ => &mut self.bettors[player..=player],
        };
        match words[1] {
            "bet" => return vec![self.bet(player, number(words[2]), number(words[3])).to_string()],
            "draw" => {
                let cards: Vec<Card> = words[3..].iter().map(|card| card_of(card)).collect();
                let decision = DrawDecision::new(&cards, card_of(words[2]));
                let draws = match self.fault {
                    Some(PlayersFault::Draws(rule)) => rule(&decision),
                    _ => decision.draws(),
                };
                return vec![if draws { "draws" } else { "stands" }.to_string()];
            }
            "expose" => told.iter_mut().for_each(|bettor| bettor.expose(card_of(words[2]))),
            _ => told.iter_mut().for_each(Bettor::shuffled),
        }
        vec!["done".to_string()]
    }
}

impl PlayersModel {
    fn bet(&self, player: usize, bankroll: i64, minimum: i64) -> i64 {
        let counts = player == 1 || matches!(self.fault, Some(PlayersFault::SimpleCounts));
        if counts { self.bettors[player].bet(bankroll, minimum) } else { minimum }
    }
}

fn number(text: &str) -> i64 {
    text.parse().expect("scripts have numbers")
}

#[cfg(test)]
pub(super) fn never_doubles() -> Box<dyn AdtModel> {
    players(Some(PlayersFault::Bets(NEVER_DOUBLES.1)))
}
