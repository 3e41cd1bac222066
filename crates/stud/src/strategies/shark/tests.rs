//! Requirements on the shark that hold for any constants.

use super::*;
use crate::cards::Seed;
use crate::protocol::Command;
use crate::strategies::test_round::play_round;
use crate::strategies::{Bot, HouseBot, HousePlayer};
use crate::table::{Status, Table, TableSettings};

fn player(seed: &str) -> HousePlayer {
    HouseBot::named("shark").unwrap().player(Seed::chosen(seed).stream("shark"))
}

fn ask(shark: &mut HousePlayer, text: &str) -> Reply {
    let Ok(Command::Question(question)) = Command::read(text, 10) else { panic!("{text}") };
    shark.decide(&question.as_question())
}

/// A fresh shark's answers with ten different seeds.
fn answers(text: &str) -> Vec<Reply> {
    (0..10).map(|dice| ask(&mut player(&dice.to_string()), text)).collect()
}

#[test]
fn shark_never_folds_for_free() {
    for text in [
        "bet1:100:2:0:2H:3D:up:3D:AC",
        "bet2:100:40:0:2H:3D:4C:up:3D:4C:AC:AS",
        "bet1:0:6:0:2H:3D:up:3D:AC:KC:KD:QS:QH",
    ] {
        assert!(answers(text).iter().all(|reply| *reply != Reply::Fold), "{text}");
    }
}

#[test]
fn shark_does_not_pay_for_a_certain_loss() {
    // The opponent has a pair of aces, and the ace of spades is up: with a hole card that is no spade, winning both
    // halves takes the best hand and no spade in the hole, which is impossible.
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

/// Plays that many rounds with sharks in every seat, and returns their answers.
fn sharks(players: usize, rounds: u64) -> Vec<Reply> {
    let seed = Seed::chosen("sharks");
    let mut bots: Vec<HousePlayer> = (0..players).map(|seat| player(&seat.to_string())).collect();
    let mut table = Table::new(TableSettings::default(), &vec![200; players]);
    let mut replies = Vec::new();
    for round in 1..=rounds {
        if table.seated().len() < 2 {
            break;
        }
        table.deal(round, seed.shuffler(1).deck(round, table.cards_needed()));
        let mut seats: Vec<&mut dyn Bot> = bots.iter_mut().map(|bot| bot as &mut dyn Bot).collect();
        replies.extend(play_round(&mut table, &mut seats).into_iter().map(|(_, reply)| reply));
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
fn a_cloned_shark_continues_like_the_original() {
    let mut original = player("copy");
    ask(&mut original, "bet1:100:4:0:KH:QD:up:QD:AC:7H:3D");
    let mut copy = original.clone();
    let next = "bet2:90:44:5:KH:QD:JC:up:QD:JC:AC:2D:7H:9S";
    assert_eq!(ask(&mut original, next), ask(&mut copy, next));
}

/// How many chips a shark puts in on the first street with two kings and a spade, if one of two others raises by 10 whenever it raised.
fn raised_away(mut shark: HousePlayer) -> u32 {
    let (mut stack, mut pot, to_call) = (499, 23, 10);
    loop {
        let text = format!("bet1:{stack}:{pot}:{to_call}:KS:KC:up:KC:2D:3H");
        let Reply::Bet(chips) = ask(&mut shark, &text) else { return 499 - stack };
        stack -= chips;
        if chips == to_call || stack < 10 {
            return 499 - stack;
        }
        // A player who raises puts in the amount to call and ten more.
        pot += chips + (chips - to_call) + 10;
    }
}

#[test]
fn chips_that_have_to_last_are_not_all_raised_away() {
    for seed in ["one", "two", "three"] {
        let mut veteran = player(seed);
        ask(&mut veteran, "bet1:499:3:0:2H:7D:up:7D:KC:9S");
        veteran.hear(&Status { won: false, hand: [None; 3] });
        let (bold, careful) = (raised_away(player(seed)), raised_away(veteran));
        assert!(bold > 450 && careful < 450 && careful > 20, "{bold} {careful}");
    }
}

#[test]
fn heads_up_large_raises_need_a_lead_if_chips_must_last() {
    let raise = Reply::Bet(20);
    let replies = |has_history: bool, text: &str| {
        let Ok(Command::Question(question)) = Command::read(text, 10) else { panic!("{text}") };
        let (question, mut memory) = (question.as_question(), SharkMemory::default());
        memory.remembered().see(&question);
        memory.remembered().has_history = has_history;
        let mut rng = Seed::chosen("dear").stream("test");
        sparing(raise, &question, (memory.remembered(), &mut Recall::default()), &mut rng)
    };
    let [cheap, dear] = [400, 100].map(|stack| format!("bet1:{stack}:22:10:2H:7D:up:7D:KC"));
    assert_eq!((replies(true, &cheap), replies(false, &dear)), (raise, raise));
    assert_eq!(replies(true, &dear), Reply::Bet(10));
    assert_eq!(replies(true, "bet1:100:22:10:AS:AD:up:AD:KC"), raise);
}

#[test]
fn between_two_it_replies_as_the_solver() {
    let solver = HouseBot::named("solver").expect("there is a solver");
    for dice in 0..20 {
        let rng = Seed::chosen(dice.to_string()).stream("shark");
        let (mut shark, mut solver) = (player(&dice.to_string()), solver.player(rng));
        for text in [
            "bet1:499:3:1:9H:7D:up:7D:KC",
            "bet1:499:2:0:KH:QD:up:QD:AC",
            "bet1:488:22:9:KH:QD:up:QD:AC",
            "bet2:470:58:1:KH:QD:JC:up:QD:JC:AC:2D",
        ] {
            assert_eq!(ask(&mut shark, text), ask(&mut solver, text), "{text}");
        }
    }
}

/// Later payments count for hands that are behind as for hands that are ahead. Counting half of them made such hands
/// join raising wars.
#[test]
fn cards_that_are_behind_pay_nothing_at_a_table_of_twelve() {
    for cards in ["QH:JC:up:JC", "JD:QC:up:QC", "4S:7C:up:7C"] {
        for asked in ["13:1", "17:2", "34:10", "50:12"] {
            let text = format!("bet1:499:{asked}:{cards}:2H:9H:10H:KH:4D:KD:4H:3D:5H:6S:6H");
            let folds = answers(&text).into_iter().filter(|reply| *reply == Reply::Fold).count();
            assert!(folds >= 7, "{folds} of 10: {text}");
        }
    }
}

#[test]
fn players_with_more_chips_in_are_likelier_to_continue() {
    let text = "bet1:470:93:10:KH:KC:up:KC:2D:3H";
    let Ok(Command::Question(question)) = Command::read(text, 10) else { panic!() };
    let mut memory = SharkMemory::default();
    let question = question.as_question();
    let others = Others::new(&question, memory.remembered().see(&question));
    let mut other = others.all.into_iter().next().unwrap();
    let mut pays = |paid: f64, chips: f64| {
        other.paid = paid;
        other.pays_more(question.board[2], chips, others.stays)
    };
    assert!(pays(0.0, 10.0) < pays(5.0, 10.0) && pays(5.0, 10.0) < pays(40.0, 10.0));
    assert!(pays(40.0, 10.0) > 0.95 && pays(40.0, 0.0) == 1.0);
}

/// Opens for 1, and calls every bet.
fn least(question: &Question<'_>) -> Reply {
    let bounds = question.bounds;
    match bounds.to_call {
        0 => Reply::Bet(bounds.most().min(1)),
        to_call if to_call <= bounds.stack => Reply::Bet(to_call),
        _ => Reply::Fold,
    }
}

/// 200 decks, each played from both seats with full stacks.
#[test]
fn betting_one_chip_each_time_gains_nothing() {
    let (mut shark, mut least) = (player("least"), least);
    let mut shuffler = Seed::chosen("least").shuffler(1);
    let mut gained = 0;
    for deck in 1..=200 {
        for turn in [0, 1] {
            let mut table = Table::new(TableSettings::default(), &[500; 2]);
            table.deal(1, shuffler.deck(deck, table.cards_needed()));
            let mut bots: [&mut dyn Bot; 2] = [&mut shark, &mut least];
            bots.rotate_left(turn);
            play_round(&mut table, &mut bots);
            gained += i64::from(table.stacks()[1 - turn]) - 500;
        }
    }
    assert!(gained < 0, "{gained} chips");
}
