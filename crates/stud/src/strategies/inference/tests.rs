//! Requirements on the play among many that hold for any constants.

use super::*;
use crate::cards::Seed;
use crate::protocol::Command;
use crate::strategies::test_round::play_round;
use crate::strategies::{Bot, HouseBot, HousePlayer};
use crate::table::{Table, TableSettings};

/// The answers to a first question with ten different seeds.
fn answers(text: &str) -> Vec<Reply> {
    let Ok(Command::Question(question)) = Command::read(text, 10) else { panic!("{text}") };
    let answer = |dice: u32| {
        let mut rng = Seed::chosen(dice.to_string()).stream("inference");
        decide(&question.as_question(), &mut RoundMemory::default(), &mut rng)
    };
    (0..10).map(answer).collect()
}

#[test]
fn never_folds_for_free() {
    for text in [
        "bet1:100:2:0:2H:3D:up:3D:AC",
        "bet2:100:40:0:2H:3D:4C:up:3D:4C:AC:AS",
        "bet1:0:6:0:2H:3D:up:3D:AC:KC:KD:QS:QH",
    ] {
        assert!(answers(text).iter().all(|reply| *reply != Reply::Fold), "{text}");
    }
}

#[test]
fn does_not_pay_for_a_certain_loss() {
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

/// Plays that many rounds with solvers in every seat, and returns their answers.
fn solvers(players: usize, rounds: u64) -> Vec<Reply> {
    let seed = Seed::chosen("solvers");
    let solver = HouseBot::named("solver").expect("a house bot");
    let mut bots: Vec<HousePlayer> =
        (0..players).map(|seat| solver.seated(&seat.to_string(), &seed)).collect();
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
fn two_to_seventeen_play_by_the_rules_and_the_same_again() {
    for players in 2..=17 {
        let first = solvers(players, 6);
        assert!(first.len() >= players);
        assert_eq!(first, solvers(players, 6));
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
    let mut memory = RoundMemory::default();
    let question = question.as_question();
    let mut others = Others::new(&question, memory.see(&question));
    let mut other = others.all.remove(0);
    let mut pays = |paid: f64, chips: f64| {
        other.paid = paid;
        others.pays_more(&other, question.board[2], chips)
    };
    assert!(pays(0.0, 10.0) < pays(5.0, 10.0) && pays(5.0, 10.0) < pays(40.0, 10.0));
    assert!(pays(40.0, 10.0) > 0.95 && pays(40.0, 0.0) == 1.0);
}
