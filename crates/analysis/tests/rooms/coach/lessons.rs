//! The printed lessons, read as a student reads them: each is applied to the bot that got it, word by word.

use std::collections::BTreeSet;
use std::num::NonZero;
use std::sync::Mutex;

use casino_analysis::coach::{CardsKind, Coach, NotedRound, Rule};
use casino_stud::cards::Rank;
use casino_stud::stud::Street;
use casino_stud::table::{Question, Reply};

use super::twins::{FIELDS, Strategy, charger, gain, round, stubborn, timid};

const ODDS: [&str; 3] = ["odds", "odds", "odds"];

/// Reads a sentence back; panics if it is not one.
fn read(sentence: &str) -> Rule {
    let after = |text: &str, start: &str| {
        text.strip_prefix(start).unwrap_or_else(|| panic!("{text} does not begin with {start}")).to_string()
    };
    let rest = after(sentence, "On the ");
    let (street, rest) = rest.split_once(" street with ").expect("a street");
    let (cards, rest) = rest.split_once(", if ").expect("cards");
    let (when, reply) = rest.split_once(": ").expect("a reply");
    let reply = reply.strip_suffix('.').expect("a full stop");
    let (price, others) = when.split_once(" with ").expect("a number of others");
    let others = others.strip_suffix(" listed").expect("the others");
    let number = |text: &str| text.parse::<u32>().unwrap_or_else(|_| panic!("{text} is no number"));
    let to_call = match price.strip_suffix(" is to call").expect("a price") {
        "nothing" => (0, 0),
        price => match price.strip_prefix("at least ") {
            Some(least) => (number(least), u32::MAX),
            None => {
                let (least, most) = price.split_once(" to ").expect("two prices");
                (number(least), number(most))
            }
        },
    };
    let others = match others {
        "one other" => (1, 1),
        "any number of others" => (1, usize::MAX),
        others => {
            let least = others.strip_prefix("at least ").and_then(|text| text.strip_suffix(" others"));
            (number(least.expect("a number of others")) as usize, usize::MAX)
        }
    };
    Rule {
        street: ["first", "second"].iter().position(|word| *word == street).expect("a street") as u8 + 1,
        cards: CardsKind::ALL.into_iter().find(|kind| kind.words() == cards).expect("a kind of cards"),
        to_call,
        others,
        raise: match reply {
            "fold" => None,
            "call" | "bet nothing" => Some(0),
            raise => Some(number(raise.trim_start_matches("bet ").trim_start_matches("call and raise "))),
        },
    }
}

/// The kind of cards, by another count than the coach's.
fn kind(question: &Question<'_>) -> CardsKind {
    let mut ranks: Vec<Rank> = question.up.iter().map(|card| card.rank()).collect();
    ranks.push(question.hole.rank());
    ranks.sort_unstable();
    let best_shown = question.others().flat_map(|cards| cards.iter().map(|card| card.rank())).max();
    let pair = ranks.windows(2).find(|two| two[0] == two[1]).map(|two| two[0]);
    let is_above = |rank: Rank| best_shown.is_none_or(|shown| rank > shown);
    match pair {
        Some(_) if ranks.len() == 3 && ranks[0] == ranks[2] => CardsKind::Trips,
        Some(pair) if is_above(pair) => CardsKind::HighPair,
        Some(_) => CardsKind::LowPair,
        None if question.hole.is_spade() && question.hole.rank() >= Rank::King => CardsKind::HighSpade,
        None if is_above(ranks[ranks.len() - 1]) => CardsKind::HighCard,
        None => CardsKind::Nothing,
    }
}

/// Plays by a few plain rules.
fn plain(question: &Question<'_>) -> Reply {
    let bounds = question.bounds;
    let is_deep = question.pot > 100;
    let action = match (kind(question), bounds.to_call) {
        (CardsKind::Trips, _) if !is_deep => bounds.raise(10),
        (CardsKind::Trips, _) => bounds.call(),
        (CardsKind::HighPair, 0..=5) if !is_deep => bounds.raise(4),
        (CardsKind::HighPair, 0..=20) => bounds.call(),
        (CardsKind::HighSpade, 0..=12) => bounds.call(),
        (CardsKind::LowPair | CardsKind::HighCard, 0..=5) => bounds.call(),
        (_, 0) => bounds.call(),
        _ => return Reply::Fold,
    };
    action.into()
}

fn is_second(question: &Question<'_>) -> bool {
    question.street == Street::Second
}

/// Calls every bet on the second street.
fn curious(question: &Question<'_>) -> Reply {
    if is_second(question) { question.bounds.call().into() } else { plain(question) }
}

/// Folds pairs to every bet.
fn fearful(question: &Question<'_>) -> Reply {
    match (kind(question), question.bounds.to_call) {
        (CardsKind::HighPair | CardsKind::LowPair, 1..) => Reply::Fold,
        _ => plain(question),
    }
}

/// Never raises.
fn slow(question: &Question<'_>) -> Reply {
    match plain(question) {
        Reply::Bet(_) => question.bounds.call().into(),
        fold => fold,
    }
}

/// Raises by 10 with nothing on the first street.
fn bluffing(question: &Question<'_>) -> Reply {
    match kind(question) {
        CardsKind::Nothing if !is_second(question) && question.pot < 60 => question.bounds.raise(10).into(),
        _ => plain(question),
    }
}

/// Folds the ace and the king of spades to every bet.
fn spadeless(question: &Question<'_>) -> Reply {
    match (kind(question), question.bounds.to_call) {
        (CardsKind::HighSpade, 1..) => Reply::Fold,
        _ => plain(question),
    }
}

/// Calls everything with a low pair or a high card.
fn hopeful(question: &Question<'_>) -> Reply {
    match kind(question) {
        CardsKind::LowPair | CardsKind::HighCard => question.bounds.call().into(),
        _ => plain(question),
    }
}

/// Raises by 6 with any high card, to every bet.
fn proud(question: &Question<'_>) -> Reply {
    match kind(question) {
        CardsKind::HighCard if question.pot < 100 => question.bounds.raise(6).into(),
        _ => plain(question),
    }
}

/// Calls up to 10 with nothing.
fn loose(question: &Question<'_>) -> Reply {
    match (kind(question), question.bounds.to_call) {
        (CardsKind::Nothing, 1..=10) => question.bounds.call().into(),
        _ => plain(question),
    }
}

/// The bots with planted faults.
const BOTS: [(&str, Strategy); 11] = [
    ("stubborn", stubborn),
    ("timid", timid),
    ("charger", charger),
    ("curious", curious),
    ("fearful", fearful),
    ("slow", slow),
    ("bluffing", bluffing),
    ("spadeless", spadeless),
    ("hopeful", hopeful),
    ("proud", proud),
    ("loose", loose),
];

/// Every sentence of a rule says all of it.
#[test]
fn a_printed_rule_can_be_read_back() {
    let prices = [(0, 0), (1, 5), (1, u32::MAX), (6, u32::MAX), (11, u32::MAX)];
    let mut read_back = 0;
    for street in [1, 2] {
        for cards in CardsKind::ALL {
            for to_call in prices {
                for others in [(1, 1), (2, usize::MAX), (1, usize::MAX)] {
                    for raise in [None, Some(0), Some(1), Some(4), Some(10)] {
                        let rule = Rule { street, cards, to_call, others, raise };
                        assert_eq!(read(&rule.to_string()), rule, "{rule}");
                        read_back += 1;
                    }
                }
            }
        }
    }
    assert_eq!(read_back, 900);
}

/// The coach counts cards as the words for them say.
#[test]
fn kinds_of_cards_are_what_their_words_say() {
    let mut seen = BTreeSet::new();
    for number in 0..800 {
        let asked = Mutex::new(Vec::new());
        let bot = |question: &Question<'_>| {
            asked.lock().unwrap().push((kind(question), CardsKind::of(question)));
            question.bounds.call().into()
        };
        round(&bot, 0, &FIELDS[0], number);
        for (one, other) in asked.into_inner().unwrap() {
            assert_eq!(one, other);
            seen.insert(one);
        }
    }
    assert_eq!(seen.len(), CardsKind::ALL.len());
}

/// The rule that the coach prints for a bot after so many rounds in the field.
fn lesson(name: &str, bot: Strategy, field: &[&str], rounds: u64) -> Option<String> {
    let rounds: Vec<NotedRound> = (1..=rounds).map(|number| round(&bot, 0, field, number)).collect();
    let names: Vec<String> = [name].iter().chain(field).map(|name| name.to_string()).collect();
    let coach = Coach::new(names, &rounds).valuing(u64::MAX);
    let analysis = coach.analyse_all(&rounds, NonZero::<usize>::MIN, |_, _| ());
    analysis.players[0].lesson.map(|lesson| {
        println!("{name}: {}", lesson.sentence());
        lesson.rule.to_string()
    })
}

/// How many bots got a lesson, and how many of those win more by it in their field and against odds.
fn taught(bots: &[(&str, Strategy)], field: &[&str], rounds: u64, deals: u64) -> [usize; 3] {
    let mut counts = [0; 3];
    for (name, bot) in bots {
        let Some(sentence) = lesson(name, *bot, field, rounds) else {
            println!("{name}: no lesson");
            continue;
        };
        counts[0] += 1;
        let rule = read(&sentence);
        let changed = |question: &Question<'_>| rule.reply(question).unwrap_or_else(|| bot(question));
        for (at, field) in [field, &ODDS].into_iter().enumerate() {
            let more = gain(&changed, bot, field, deals);
            let (more, half) = (more.chips, more.half_interval());
            println!("    among {}: {more:+.2} ± {half:.2} chips a round", field.join(", "));
            counts[1 + at] += usize::from(more > 0.0);
        }
    }
    counts
}

#[test]
fn a_bot_that_follows_its_lesson_wins_more() {
    let [taught, here, against_odds] = taught(&BOTS[3..6], &FIELDS[0], 150, 300);
    assert!(taught > 0 && here == taught && against_odds == taught, "{taught} {here} {against_odds}");
}

#[test]
#[ignore = "long: all bots in two fields; coach::lessons::a_bot_that_follows_its_lesson_wins_more"]
fn nine_of_ten_bots_that_follow_their_lessons_win_more() {
    let of_fields = FIELDS.map(|field| taught(&BOTS, &field, 400, 1_500));
    let [taught, here, against_odds] = [0, 1, 2].map(|at| of_fields[0][at] + of_fields[1][at]);
    assert!(taught >= 10, "{taught}");
    assert!(10 * here >= 9 * taught && 10 * against_odds >= 9 * taught, "{here} {against_odds} of {taught}");
}
