//! `solver` at a table.

use crate::cards::Seed;
use crate::odds::Situation;
use crate::protocol::Command;
use crate::strategies::test_round::play_round;
use crate::strategies::{Bot, HouseBot, Memory};
use crate::stud::Chips;
use crate::table::{Question, Reply, Table, TableSettings};

/// How many decks the longer test plays.
const DECKS: u64 = 200;

/// Plays rounds of `solver` against another house bot, and returns all its replies and the chips it won.
fn rounds(other: &str, stack: Chips, ante: Chips, rounds: u64) -> (Vec<Reply>, i64) {
    let seed = Seed::chosen(format!("{other} {stack}"));
    let mut bots = ["solver", other].map(|name| HouseBot::named(name).unwrap().seated(name, &seed));
    let mut shuffler = seed.shuffler(1);
    let mut settings = TableSettings::default();
    settings.rules.ante = ante;
    let mut table = Table::new(settings, &[stack; 2]);
    let (mut replies, mut won) = (Vec::new(), 0);
    for round in 1..=rounds {
        let cards = table.cards_needed();
        table.restart(stack);
        table.deal(round, shuffler.deck(round, cards));
        let [solver, other] = &mut bots;
        let all = play_round(&mut table, &mut [solver, other]);
        replies.extend(all.into_iter().filter(|(seat, _)| *seat == 0).map(|(_, reply)| reply));
        won += i64::from(table.stacks()[0]) - i64::from(stack);
    }
    (replies, won)
}

#[test]
fn replies_are_legal_and_the_same_again() {
    for (other, stack, ante) in [("random", 500, 1), ("raiser", 60, 1), ("bold", 25, 3), ("random", 7, 1)] {
        let first = rounds(other, stack, ante, 12);
        assert_eq!(first, rounds(other, stack, ante, 12));
        assert!(first.0.len() >= 12, "{first:?}");
    }
}

#[test]
fn solver_beats_a_calling_station() {
    let (_, won) = rounds("caller", 500, 1, 120);
    assert!(won > 0, "{won}");
}

fn ask(text: &str, memory: &mut Memory) -> Reply {
    let Ok(Command::Question(question)) = Command::read(text, 10) else { panic!("{text}") };
    let mut rng = Seed::chosen("ask").stream("solver");
    HouseBot::named("solver").unwrap().decide(&question.as_question(), memory, &mut rng)
}

/// Half of the pot is certain with the ace of spades, and all of it with three kings beside it.
#[test]
fn a_sure_thing_is_never_folded() {
    for to_call in [1, 3, 7, 10] {
        let text = format!("bet2:400:{}:{to_call}:AS:AD:AC:up:AD:AC:2C:7H", 40 + to_call);
        assert_ne!(ask(&text, &mut Memory::default()), Reply::Fold, "{text}");
        let text = format!("bet1:400:{}:{to_call}:AS:7D:up:7D:9C", 2 + to_call);
        assert_ne!(ask(&text, &mut Memory::default()), Reply::Fold, "{text}");
    }
    let lost = "bet2:400:30:10:2H:3D:4D:up:3D:4D:AC:AH";
    assert_eq!(ask(lost, &mut Memory::default()), Reply::Fold);
}

/// Checks, calls with one and a half fair shares of the pot, and raises by 4 with a little more, any number of times.
fn raises_by_four(question: &Question<'_>) -> Reply {
    let bounds = question.bounds;
    let odds = Situation::of(question).unwrap().odds();
    let fair = odds.share * question.players_shown() as f64;
    let action = match bounds.to_call {
        _ if fair >= 1.6 => bounds.raise(4),
        to_call if to_call == 0 || fair >= 1.5 => bounds.call(),
        _ => bounds.fold(),
    };
    action.into()
}

/// Decks, each played from all three seats with full stacks.
#[test]
fn three_handed_endless_raising_by_four_wins_nothing() {
    let seed = Seed::chosen("raises by four");
    let mut solvers = ["one", "two"].map(|name| HouseBot::named("solver").unwrap().seated(name, &seed));
    let mut raises = raises_by_four;
    let mut shuffler = seed.shuffler(1);
    let mut table = Table::new(TableSettings::default(), &[500; 3]);
    let mut won = 0;
    for round in 1..=DECKS {
        for turn in 0..3 {
            let cards = table.cards_needed();
            table.restart(500);
            table.deal(round, shuffler.deck(round, cards));
            let [one, two] = &mut solvers;
            let mut bots: [&mut dyn Bot; 3] = [&mut raises, one, two];
            bots.rotate_right(turn);
            play_round(&mut table, &mut bots);
            won += i64::from(table.stacks()[turn]) - 500;
        }
    }
    assert!(won < 0, "{won} chips");
}
