//! Any cards as a situation: what can be, and the exact odds against dealing all cards that are unknown.

use casino_stud::cards::Card;
use casino_stud::odds::{Odds, Situation};
use casino_stud::protocol::{Command, question_text};

use super::check;
use super::dice::Dice;

/// The most deals that are looked at one by one: all of those against two on the second street.
const DEALS: usize = 3_000;

pub fn body(input: &[u8]) {
    let mut dice = Dice::of(input);
    if dice.byte().is_multiple_of(4) {
        return line(&String::from_utf8_lossy(dice.rest()));
    }
    let ups = 1 + dice.below(2);
    let mut cards = |count: usize| -> Vec<Card> { (0..count).map(|_| Card::ALL[dice.below(52)]).collect() };
    let own = cards(1 + ups);
    let gone = cards(usize::from(own[0].index() > 40) * own[1].index() % 7);
    let count = 1 + own[0].index() % 3;
    let others: Vec<Vec<Card>> = (0..count).map(|_| cards(ups)).collect();
    let all: Vec<Card> = own.iter().chain(others.iter().flatten()).chain(&gone).copied().collect();
    let distinct = (1..all.len()).all(|at| !all[..at].contains(&all[at]));
    match Situation::new(&own, &others, &gone) {
        Err(error) => {
            check::sentence(&error.to_string());
            assert!(!distinct, "{all:?} can be: {error}");
        }
        Ok(situation) => {
            assert!(distinct, "{all:?} cannot be");
            chances(&situation, &own, &others, &gone);
        }
    }
}

/// A line as `casino odds` reads it: a question or none.
fn line(text: &str) {
    let read = Command::read(text, 10);
    match &read {
        Err(error) => check::sentence(&error.to_string()),
        Ok(command @ Command::Question(question)) => {
            let question = question.as_question();
            let again = question_text(&question);
            assert_eq!(Command::read(&again, 10), Ok(command.clone()), "{text:?} is written as {again:?}");
            match Situation::of(&question) {
                Ok(situation) => assert_eq!(situation.hole(), question.hole),
                Err(error) => check::sentence(&error.to_string()),
            }
        }
        Ok(Command::Login | Command::Status(_) | Command::Done(_)) => {}
    }
}

/// A hand's worth by R10: three of a kind, pairs, and the ranks that count.
fn worth(hand: [Card; 3]) -> [usize; 4] {
    let mut ranks = hand.map(|card| card.index() / 4);
    ranks.sort_unstable_by(|one, other| other.cmp(one));
    let [high, middle, low] = ranks;
    if high == low {
        [2, high, 0, 0]
    } else if high == middle || middle == low {
        [1, middle, high + low - middle, 0]
    } else {
        [0, high, middle, low]
    }
}

/// What the player takes, added up over all deals.
#[derive(Default)]
struct Added {
    deals: f64,
    hand: f64,
    sole: f64,
    tied: f64,
    spade: f64,
    no_spade: f64,
    whole: f64,
}

fn chances(situation: &Situation, own: &[Card], others: &[Vec<Card>], gone: &[Card]) {
    let unseen: Vec<Card> = Card::ALL
        .into_iter()
        .filter(|card| {
            !own.contains(card) && !gone.contains(card) && !others.iter().any(|up| up.contains(card))
        })
        .collect();
    assert!(situation.unseen().into_iter().eq(unseen.iter().copied()));
    // On the second street only hole cards are unknown.
    let deals: usize = (0..others.len()).map(|other| unseen.len() - other).product();
    if own.len() < 3 || deals > DEALS {
        return;
    }
    let odds = situation.exact_odds().expect("the second street is always counted");
    let mut added = Added::default();
    deal(&mut Vec::new(), own, others, &unseen, &mut added);
    let same = |found: f64, sum: f64| {
        assert!((found - sum / added.deals).abs() < 1e-12, "{odds:?} of {situation:?}")
    };
    same(odds.hand, added.hand);
    same(odds.sole, added.sole);
    same(odds.tied, added.tied);
    same(odds.spade, added.spade);
    same(odds.no_spade, added.no_spade);
    same(odds.whole, added.whole);
    same(odds.share, (added.hand + added.whole + added.spade) / 2.0);
    room(situation, &odds);
}

/// Gives each other player a hole card in all ways.
fn deal(holes: &mut Vec<Card>, own: &[Card], others: &[Vec<Card>], unseen: &[Card], added: &mut Added) {
    if holes.len() < others.len() {
        for card in unseen {
            if !holes.contains(card) {
                holes.push(*card);
                deal(holes, own, others, unseen, added);
                holes.pop();
            }
        }
        return;
    }
    let mine = worth([own[0], own[1], own[2]]);
    let theirs: Vec<_> = holes.iter().zip(others).map(|(hole, up)| worth([*hole, up[0], up[1]])).collect();
    let is_spade = |card: &Card| card.index() % 4 == 3;
    let best_spade = holes.iter().filter(|card| is_spade(card)).map(|card| card.index()).max();
    added.deals += 1.0;
    let no_spade = best_spade.is_none() && !is_spade(&own[0]);
    added.no_spade += f64::from(no_spade);
    added.spade += f64::from(is_spade(&own[0]) && best_spade.is_none_or(|best| best < own[0].index()));
    if theirs.iter().all(|worth| *worth <= mine) {
        let sharing = 1 + theirs.iter().filter(|worth| **worth == mine).count();
        let share = 1.0 / sharing as f64;
        added.hand += share;
        added.whole += if no_spade { share } else { 0.0 };
        added.sole += f64::from(sharing == 1);
        added.tied += f64::from(sharing > 1);
    }
}

/// What everybody takes adds up to the pot, and the player's part is what its own odds say.
fn room(situation: &Situation, odds: &Odds) {
    let chances = situation.chances();
    let near =
        |one: f64, other: f64| assert!((one - other).abs() < 1e-9, "{chances:?}, {odds:?}: {situation:?}");
    near(chances.players.iter().map(|player| player.hand).sum(), 1.0);
    near(chances.players.iter().map(|player| player.spade).sum(), 1.0 - chances.no_spade);
    near(chances.players[0].hand, odds.hand);
    near(chances.players[0].spade, odds.spade);
    near(chances.no_spade, odds.no_spade);
}
