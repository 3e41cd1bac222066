//! Simple bots, each with a twin that was changed as the coach's dearest classes of mistakes say: the twin wins more.

use std::collections::BTreeSet;
use std::num::NonZero;

use casino_analysis::coach::ReplyKind::{Call, Fold, Raise};
use casino_analysis::coach::{ChipMean, Coach, MistakeClass, NotedRound, ReplyKind};
use casino_stud::cards::{Rank, Seed};
use casino_stud::strategies::{Bot, HouseBot};
use casino_stud::stud::Street;
use casino_stud::table::{Question, Reply, TableSettings, play_round};
use casino_stud::tournament::TableGame;

pub(super) type Strategy = fn(&Question<'_>) -> Reply;

pub(super) const FIELDS: [[&str; 3]; 2] = [["bold", "reader", "spades"], ["cautious", "odds", "simple"]];

fn has_pair(question: &Question<'_>) -> bool {
    let hole = question.hole.rank();
    let up = question.up;
    up.iter().any(|card| card.rank() == hole) || up.len() == 2 && up[0].rank() == up[1].rank()
}

/// Calls everything, and raises with a pair.
pub(super) fn stubborn(question: &Question<'_>) -> Reply {
    let more = if has_pair(question) && question.pot < 80 { 4 } else { 0 };
    question.bounds.raise(more).into()
}

/// Stays in only where that is free or with a pair, and never raises.
pub(super) fn timid(question: &Question<'_>) -> Reply {
    let bounds = question.bounds;
    if bounds.to_call == 0 || has_pair(question) { bounds.call().into() } else { Reply::Fold }
}

/// Raises by 6 with a queen or more in the hole or a pair, and calls up to 10 with the rest.
pub(super) fn charger(question: &Question<'_>) -> Reply {
    let bounds = question.bounds;
    let action = match bounds.to_call {
        _ if has_pair(question) || question.hole.rank() >= Rank::Queen => bounds.raise(6),
        0..=10 => bounds.call(),
        _ => bounds.fold(),
    };
    action.into()
}

fn is_second(question: &Question<'_>) -> bool {
    question.street == Street::Second
}

/// The ace or the king of spades in the hole.
fn has_spade(question: &Question<'_>) -> bool {
    question.hole.is_spade() && question.hole.rank() >= Rank::King
}

fn has_nothing(question: &Question<'_>) -> bool {
    !has_pair(question) && !has_spade(question)
}

/// Folds to bets with nothing, and raises on the second street with a spade.
fn stubborn_twin(question: &Question<'_>) -> Reply {
    match question.bounds.to_call {
        1.. if has_nothing(question) => Reply::Fold,
        0 if is_second(question) && has_spade(question) => question.bounds.raise(4).into(),
        _ => stubborn(question),
    }
}

/// Raises on the second street with a pair, and stays in with a high spade.
fn timid_twin(question: &Question<'_>) -> Reply {
    match question.bounds.to_call {
        0 if is_second(question) && has_pair(question) => question.bounds.raise(4).into(),
        _ if has_spade(question) => question.bounds.call().into(),
        _ => timid(question),
    }
}

/// Neither calls nor raises on the second street with nothing, and does not call with it on the first.
fn charger_twin(question: &Question<'_>) -> Reply {
    let bounds = question.bounds;
    match bounds.to_call {
        0 if is_second(question) && has_nothing(question) => bounds.call().into(),
        1.. if has_nothing(question) && (is_second(question) || question.hole.rank() < Rank::Queen) => {
            Reply::Fold
        }
        _ => charger(question),
    }
}

type Class = (u8, ReplyKind, ReplyKind);

/// A bot, its twin, and the coach's three dearest classes of several mistakes in the first field, by which the twin was changed.
const BOTS: [(&str, Strategy, Strategy, &[Class]); 3] = [
    ("stubborn", stubborn, stubborn_twin, &[(2, Call, Fold), (1, Call, Fold), (2, Call, Raise)]),
    ("timid", timid, timid_twin, &[(2, Call, Raise), (1, Fold, Call)]),
    ("charger", charger, charger_twin, &[(2, Call, Fold), (2, Raise, Call), (1, Call, Fold)]),
];

/// A bot at a table.
type Seated<'a> = Box<dyn FnMut(&Question<'_>) -> Reply + Send + 'a>;

/// A round in which a bot sits at this place among a field.
pub(super) fn round(
    bot: &(impl Fn(&Question<'_>) -> Reply + Send + Sync),
    place: usize,
    field: &[&str],
    number: u64,
) -> NotedRound {
    let seed = Seed::chosen(format!("twins {number}"));
    let seated = |name: &&str| -> Seated<'_> {
        let mut bot = HouseBot::named(name).expect("a house bot").seated(name, &seed);
        Box::new(move |question| bot.decide(question))
    };
    let mut bots: Vec<Seated<'_>> = field.iter().map(seated).collect();
    bots.insert(place, Box::new(bot));
    let mut game = TableGame::new(TableSettings::default(), &seed, bots.len(), 500, 1);
    assert!(game.deal());
    let Ok(()) = play_round(&mut game, &mut bots[..]);
    let mut noted = NotedRound::of(&game);
    noted.round = number;
    noted
}

/// How many chips a round one bot takes more than another at the same place of the same deals.
pub(super) fn gain(
    one: &(impl Fn(&Question<'_>) -> Reply + Send + Sync),
    other: &(impl Fn(&Question<'_>) -> Reply + Send + Sync),
    field: &[&str],
    deals: u64,
) -> ChipMean {
    let (mut sum, mut squares) = (0.0, 0.0);
    for number in 0..deals {
        let mut more = 0;
        for place in 0..=field.len() {
            let gained = |round: NotedRound| {
                let seat = round.seats().into_iter().nth(place).expect("all are dealt in");
                round.gain(seat)
            };
            let number = 1_000 + number;
            more += gained(round(one, place, field, number)) - gained(round(other, place, field, number));
        }
        let more = more as f64 / (field.len() + 1) as f64;
        sum += more;
        squares += more * more;
    }
    ChipMean::of(deals, sum, squares)
}

/// The coach's classes of the mistakes of a bot in 100 rounds of a field, the dearest first.
fn classes(name: &str, bot: Strategy, field: &[&str]) -> Vec<MistakeClass> {
    let rounds: Vec<NotedRound> = (1..=100).map(|number| round(&bot, 0, field, number)).collect();
    let names: Vec<String> = [name].iter().chain(field).map(|name| name.to_string()).collect();
    let house: Vec<_> = names.iter().map(|name| HouseBot::named(name)).collect();
    let coach = Coach::new(names, &rounds).asking(&house);
    let analysis = coach.analyse_all(&rounds, NonZero::<usize>::MIN, |_, _| ());
    analysis.players[0].classes.clone()
}

/// Prints the table of gains.
#[test]
fn a_bot_changed_as_the_coach_says_wins_more() {
    for (name, bot, twin, changed) in BOTS {
        let found = classes(name, bot, &FIELDS[0]);
        let several = found.iter().filter(|class| class.mistakes > 1).take(3);
        let several: BTreeSet<Class> =
            several.map(|class| (class.street, class.replied, class.better)).collect();
        assert_eq!(several, changed.iter().copied().collect(), "{name}");
        for field in &FIELDS {
            let more = gain(&twin, &bot, field, 400);
            let (more, half) = (more.chips, more.half_interval());
            println!("{name} among {}: {more:+.2} ± {half:.2} chips a round", field.join(", "));
            assert!(more > half, "{name} among {field:?}: {more} ± {half}");
        }
    }
}
