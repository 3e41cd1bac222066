//! The two players of Blackjack in this process, right ones and known wrong ones.

use super::script::{AdtModel, MakeModel, ReadingGroup, card_of};
use casino_sisters::misreadings::blackjack::{
    BETS_THEME, BetReading, BettingWay, Bettor, COUNTING, DRAWS_THEME, DrawDecision, SIMPLE, SIMPLE_THEME,
    SIMPLE_WRONG, WRONG_BETS, WRONG_DRAWS,
};
use casino_sisters::misreadings::{Reading, Theme, known};
use casino_stud::cards::Card;

/// Known wrong ways of the counting player that are told apart by other minima than 5.
const WRONG_WITH_OTHER_MINIMA: [BetReading; 3] = [
    known(
        "double-only-above",
        "It doubles only with more than twice the minimum; exactly twice is enough.",
        BettingWay::with_enough(|bankroll, doubled| bankroll > doubled),
    ),
    known(
        "double-is-10",
        "It bets 10 where it doubles, whatever the minimum is.",
        BettingWay::with_doubled(|_| 10),
    ),
    known(
        "double-from-10",
        "It doubles with 10 or more, whatever the minimum is; twice the minimum is needed.",
        BettingWay::with_enough(|bankroll, _| bankroll >= 10),
    ),
];

const SAME_THEME: Theme = Theme {
    code: "same-players",
    what: "calls of get_Simple() and get_Counting()",
    rule: "get_Simple() and get_Counting() return pointers to the static global instances (III.3).",
};

/// The faults of `courses/blackjack/player.cpp`, by their numbers.
const FAULTS: [&str; 18] = [
    "hard-12-like-13",
    "hard-12-always-hits",
    "hard-16-stands",
    "hard-17-hits",
    "soft-17-stands",
    "soft-18-stands",
    "soft-18-hits-on-2",
    "simple-counts",
    "never-doubles",
    "double-at-1",
    "double-only-above",
    "double-without-bankroll",
    "count-kept-at-shuffle",
    "ace-not-counted",
    "seven-counted",
    "count-shared",
    "double-is-10",
    "hard-11-stands",
];

/// The faults of `courses/blackjack/player.cpp`, by their numbers.
pub(super) fn faults() -> Vec<Reading> {
    let known: Vec<Reading> =
        groups().into_iter().flat_map(|group| group.readings).map(|(reading, _)| reading).collect();
    let named = |code| *known.iter().find(|known| known.code == code).expect("every fault has a reading");
    FAULTS.map(named).into()
}

pub(super) fn groups() -> Vec<ReadingGroup> {
    let model = |players: PlayersModel| -> MakeModel { Box::new(move || Box::new(players.clone())) };
    let draws = |(reading, draws)| (reading, model(PlayersModel { draws, ..PlayersModel::RIGHT }));
    let counting = |(reading, way)| (reading, model(PlayersModel::betting(SIMPLE, way)));
    let simple = |(reading, way)| (reading, model(PlayersModel::betting(way, COUNTING)));
    let shared = PlayersModel { count_shared: true, ..PlayersModel::RIGHT };
    let new_each_time = |new_each_time| model(PlayersModel { new_each_time, ..PlayersModel::RIGHT });
    vec![
        ReadingGroup {
            theme: DRAWS_THEME,
            concerns: |operation| operation.contains(" draw "),
            readings: WRONG_DRAWS.into_iter().map(draws).collect(),
        },
        ReadingGroup {
            theme: BETS_THEME,
            concerns: |operation| operation.starts_with("counting bet "),
            readings: WRONG_BETS
                .into_iter()
                .chain(WRONG_WITH_OTHER_MINIMA)
                .map(counting)
                .chain([known(
                    "count-shared",
                    "The two players share one count; each has to be by itself.",
                    model(shared),
                )])
                .collect(),
        },
        ReadingGroup {
            theme: SIMPLE_THEME,
            concerns: |operation| operation.starts_with("simple bet "),
            readings: SIMPLE_WRONG.into_iter().map(simple).collect(),
        },
        ReadingGroup {
            theme: SAME_THEME,
            concerns: |operation| operation.ends_with(" same"),
            readings: vec![
                known(
                    "new-player-each-time",
                    "get_Simple() and get_Counting() make a new player each time they are called; the document asks \
                     for one static global instance of each.",
                    new_each_time([true, true]),
                ),
                known(
                    "new-counting-each-time",
                    "get_Counting() makes a new player each time it is called; the document asks for one static global \
                     instance.",
                    new_each_time([false, true]),
                ),
                known(
                    "new-simple-each-time",
                    "get_Simple() makes a new player each time it is called; the document asks for one static global \
                     instance.",
                    new_each_time([true, false]),
                ),
            ],
        },
    ]
}

/// Players without a fault: a test compares them with the game's own.
pub(super) fn right() -> Box<dyn AdtModel> {
    Box::new(PlayersModel::RIGHT)
}

#[derive(Clone)]
struct PlayersModel {
    /// Whether each of the two counts what the other one sees too.
    count_shared: bool,
    /// Whether each call of `get_Simple` makes another player, and each of `get_Counting`.
    new_each_time: [bool; 2],
    draws: fn(&DrawDecision) -> bool,
    /// What the simple player bets by, and the counting one.
    bettors: [Bettor; 2],
}

impl PlayersModel {
    const RIGHT: PlayersModel = PlayersModel::betting(SIMPLE, COUNTING);

    const fn betting(simple: BettingWay, counting: BettingWay) -> PlayersModel {
        let bettors = [Bettor::new(simple), Bettor::new(counting)];
        PlayersModel { count_shared: false, new_each_time: [false; 2], draws: DrawDecision::draws, bettors }
    }
}

impl AdtModel for PlayersModel {
    fn answer(&mut self, operation: &str) -> Vec<String> {
        let words: Vec<&str> = operation.split(' ').collect();
        let player = usize::from(words[0] == "counting");
        let told = if self.count_shared { &mut self.bettors[..] } else { &mut self.bettors[player..=player] };
        match words[1] {
            "bet" => return vec![self.bettors[player].bet(number(words[2]), number(words[3])).to_string()],
            "draw" => {
                let cards: Vec<Card> = words[3..].iter().map(|card| card_of(card)).collect();
                let draws = (self.draws)(&DrawDecision::new(&cards, card_of(words[2])));
                return vec![if draws { "draws" } else { "stands" }.to_string()];
            }
            "same" => return vec![if self.new_each_time[player] { "another" } else { "same" }.to_string()],
            "expose" => told.iter_mut().for_each(|bettor| bettor.expose(card_of(words[2]))),
            _ => told.iter_mut().for_each(Bettor::shuffled),
        }
        vec!["done".to_string()]
    }
}

fn number(text: &str) -> i64 {
    text.parse().expect("scripts have numbers")
}

#[cfg(test)]
pub(super) fn never_doubles() -> Box<dyn AdtModel> {
    Box::new(PlayersModel::betting(SIMPLE, SIMPLE))
}
