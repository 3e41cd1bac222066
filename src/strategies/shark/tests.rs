//! What the shark must and must not do, whatever its constants are.

use super::*;
use crate::cards::Seed;
use crate::protocol::Command;
use crate::strategies::{Bot, HouseBot, HousePlayer};
use crate::table::{Notice, Step, Table, TableSettings};

fn player(seed: &str) -> HousePlayer {
    HouseBot::named("shark").unwrap().player(Seed::chosen(seed).stream("shark"))
}

fn ask(shark: &mut HousePlayer, text: &str) -> Reply {
    let Ok(Command::Question(question)) = Command::read(text, 10) else { panic!("{text}") };
    shark.decide(&question.as_question())
}

/// What a fresh shark answers with ten different dice.
fn answers(text: &str) -> Vec<Reply> {
    (0..10).map(|dice| ask(&mut player(&dice.to_string()), text)).collect()
}

#[test]
fn what_is_free_is_never_folded() {
    for text in [
        "bet1:100:2:0:2H:3D:up:3D:AC",
        "bet2:100:40:0:2H:3D:4C:up:3D:4C:AC:AS",
        "bet1:0:6:0:2H:3D:up:3D:AC:KC:KD:QS:QH",
    ] {
        assert!(answers(text).iter().all(|reply| *reply != Reply::Fold), "{text}");
    }
}

#[test]
fn what_is_lost_for_certain_is_not_paid_for() {
    // The other has a pair of aces, and the ace of spades lies open: with a hole card that is no spade both halves may
    // only be had if nobody has a spade and the hand is best, which it cannot be.
    for text in ["bet2:400:300:1:2H:3D:4C:up:3D:4C:AC:AS", "bet2:400:30:10:KH:QD:JC:up:QD:JC:2S:2D"] {
        assert!(answers(text).iter().all(|reply| *reply == Reply::Fold), "{text}");
    }
}

#[test]
fn half_of_the_pot_for_certain_is_never_given_away() {
    for (pot, to_call) in [(20, 10), (60, 10), (200, 40), (900, 100)] {
        for cards in ["2C:3D:up:2C:3D:KH:QC", "2C:3D:up:2C:3D:KH:KC:9D:9H:5C:6D"] {
            let text = format!("bet2:500:{pot}:{to_call}:AS:{cards}");
            assert!(answers(&text).iter().all(|reply| *reply != Reply::Fold), "{text}");
        }
    }
    // With trips as well, it raises.
    let best = "bet2:400:40:5:AS:AD:AC:up:AD:AC:KH:KC";
    assert!(answers(best).iter().all(|reply| matches!(reply, Reply::Bet(chips) if *chips > 5)));
}

/// Plays so many rounds with sharks in every seat, and returns what they answered.
fn sharks(players: usize, rounds: u64) -> Vec<Reply> {
    let seed = Seed::chosen("sharks");
    let mut bots: Vec<HousePlayer> = (0..players).map(|seat| player(&seat.to_string())).collect();
    let mut table = Table::new(TableSettings::default(), &vec![200; players]);
    let mut replies = Vec::new();
    for round in 1..=rounds {
        if table.seated().len() < 2 {
            break;
        }
        table.deal(round, &seed.shuffler(1).deck(round, table.cards_needed()));
        loop {
            match table.step() {
                Step::Ask(seat) => {
                    let question = table.question(seat);
                    let reply = bots[seat.index()].decide(&question);
                    assert!(reply.legalise(&question.bounds).is_ok(), "{reply} to {question:?}");
                    replies.push(reply);
                    table.answer(Ok(reply));
                }
                Step::Tell(seat, Notice::Status(status)) => bots[seat.index()].hear(&status),
                Step::Tell(..) => {}
                Step::Over => break,
            }
        }
        assert_eq!(table.stacks().iter().sum::<u32>(), 200 * players as u32);
    }
    replies
}

#[test]
fn two_to_seventeen_sharks_play_by_the_rules_and_the_same_again() {
    for players in 2..=17 {
        let first = sharks(players, 6);
        assert!(first.len() >= players);
        assert_eq!(first, sharks(players, 6));
    }
}

#[test]
fn a_copy_goes_on_as_the_original() {
    let mut original = player("copy");
    ask(&mut original, "bet1:100:4:0:KH:QD:up:QD:AC:7H:3D");
    let mut copy = original.clone();
    let next = "bet2:90:44:5:KH:QD:JC:up:QD:JC:AC:2D:7H:9S";
    assert_eq!(ask(&mut original, next), ask(&mut copy, next));
}

#[test]
fn who_always_stays_in_is_taken_to_be_loose() {
    let mut memory = SharkMemory::default();
    let mut rng = Seed::chosen("habits").stream("test");
    for _ in 0..12 {
        for text in ["bet1:499:2:0:AS:AD:up:AD:KC", "bet2:489:22:0:AS:AD:AC:up:AD:AC:KC:QC"] {
            let Ok(Command::Question(question)) = Command::read(text, 10) else { panic!() };
            shark(&question.as_question(), &mut memory, &mut rng);
        }
        memory.remembered().round = None;
    }
    let stranger = SharkMemory::default().remembered().loose(1, &KNOBS);
    let known = memory.remembered().loose(1, &KNOBS);
    assert!(known > 2.0 * stranger, "{known} after {stranger}");
}

/// Bets 1 where nobody has bet, and calls everything else.
fn least(question: &Question<'_>) -> Reply {
    let bounds = question.bounds;
    match bounds.to_call {
        0 => Reply::Bet(bounds.most().min(1)),
        to_call if to_call <= bounds.stack => Reply::Bet(to_call),
        _ => Reply::Fold,
    }
}

/// Plays a round of two that has been dealt.
fn play(table: &mut Table, bots: [&mut dyn Bot; 2]) {
    loop {
        match table.step() {
            Step::Ask(seat) => {
                let reply = bots[seat.index()].decide(&table.question(seat));
                table.answer(Ok(reply));
            }
            Step::Tell(seat, Notice::Status(status)) => bots[seat.index()].hear(&status),
            Step::Tell(..) => {}
            Step::Over => return,
        }
    }
}

/// 200 decks, each played from both seats with full stacks.
#[test]
fn who_always_bets_one_chip_gains_nothing_from_it() {
    let (mut shark, mut least) = (player("least"), least);
    let mut shuffler = Seed::chosen("least").shuffler(1);
    let mut gained = 0;
    for deck in 1..=200 {
        for turn in [0, 1] {
            let mut table = Table::new(TableSettings::default(), &[500; 2]);
            table.deal(1, &shuffler.deck(deck, table.cards_needed()));
            let mut bots: [&mut dyn Bot; 2] = [&mut shark, &mut least];
            bots.rotate_left(turn);
            play(&mut table, bots);
            gained += i64::from(table.stacks()[1 - turn]) - 500;
        }
    }
    assert!(gained < 0, "{gained} chips");
}
