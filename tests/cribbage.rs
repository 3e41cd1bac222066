//! `casino cribbage` against a second reading of the documents in Python, and its words and errors.

#![allow(clippy::unwrap_used, reason = "nothing here is outside a test")]

use std::process::Command;

use crate::sisters::{casino, casino_reading, has_prolog, python, student, with_input};
use casino_sisters::cribbage::{Breakdown, hand_value};
use casino_stud::cards::{Card, Notation, Seed};

/// Lines of drawn cards, `cards` says how many on each.
fn drawn(lines: usize, cards: impl Fn(usize) -> usize) -> String {
    let mut stream = Seed::chosen("second reading").stream("test");
    let mut text = String::new();
    for line in 0..lines {
        let mut deck = Card::ALL;
        stream.shuffle(&mut deck);
        let words: Vec<String> =
            deck[..cards(line)].iter().map(|card| Notation::Short.write(*card)).collect();
        text += &(words.join(" ") + "\n");
    }
    text
}

fn agree(task: &str, questions: &str) {
    let Some(python) = python() else { return };
    let ours = casino_reading(&["cribbage", task, "--batch", "-"], questions);
    assert_eq!(ours.code, Some(0), "{}", ours.stderr);
    let second = with_input(Command::new(python).args([&student("cribbage.py"), task, "-"]), questions);
    assert_eq!(second.code, Some(0), "{}", second.stderr);
    assert_eq!(ours.stdout.lines().count(), questions.lines().count());
    for ((question, ours), second) in questions.lines().zip(ours.stdout.lines()).zip(second.stdout.lines()) {
        assert_eq!(ours, second, "{question}");
    }
}

#[test]
fn values_agree_with_the_second_reading() {
    agree("value", &drawn(5_000, |_| 5));
}

#[test]
fn choices_agree_with_the_second_reading() {
    agree("select", &drawn(60, |line| 4 + line % 3));
}

#[test]
#[ignore = "slow: run with --ignored"]
fn many_more_choices_agree_with_the_second_reading() {
    agree("value", &drawn(300_000, |_| 5));
    agree("select", &drawn(5_000, |line| 4 + line % 3));
}

/// All 12,994,800: the lookup against counting combination by combination.
#[test]
#[ignore = "slow: run with --ignored"]
fn the_explanation_of_every_hand_adds_up_to_its_value() {
    let all = Card::ALL;
    let mut compared = 0u32;
    for a in 0..52 {
        for b in a + 1..52 {
            for c in b + 1..52 {
                for d in c + 1..52 {
                    let hand = [all[a], all[b], all[c], all[d]];
                    for start in all.into_iter().filter(|start| !hand.contains(start)) {
                        let value = u32::from(hand_value(hand, start));
                        assert_eq!(Breakdown::of(hand, start).value(), value, "{hand:?} {start}");
                        compared += 1;
                    }
                }
            }
        }
    }
    assert_eq!(compared, 12_994_800);
}

#[test]
fn only_the_answer_is_printed_in_the_notation_of_the_question() {
    for (words, answer) in [
        ("value 5H 5S 5C JD 5D", "29"),
        ("value card(5,hearts) card(5,spades) card(5,clubs) card(jack,diamonds) card(5,diamonds)", "29"),
        ("select 5H KC 5S 9D 5C JD", "5H 5S 5C JD"),
        ("select TH 9S QC KD", "TH 9S QC KD"),
        ("select 10H 9S card(queen,clubs) KD", "10H 9S card(queen,clubs) KD"),
        (
            "select TH 9S QC KD --notation prolog",
            "card(10,hearts) card(9,spades) card(queen,clubs) card(king,diamonds)",
        ),
        ("select 10H 9S QC KD --notation short", "TH 9S QC KD"),
        (
            "select TH 9S QC KD --notation words",
            "Ten of Hearts Nine of Spades Queen of Clubs King of Diamonds",
        ),
    ] {
        let words: Vec<&str> = ["cribbage"].into_iter().chain(words.split(' ')).collect();
        let ran = casino(&words);
        assert_eq!((ran.stdout.as_str(), ran.code), (format!("{answer}\n").as_str(), Some(0)), "{words:?}");
    }
    let spaced =
        casino(&["cribbage", "select", "[card(10, hearts), card(9,spades),card(2,clubs),card(ace,clubs)]"]);
    assert_eq!(spaced.stdout, "card(10,hearts) card(9,spades) card(2,clubs) card(ace,clubs)\n");
}

#[test]
fn bad_doubled_and_too_many_cards_are_named_with_exit_code_2() {
    for (words, named) in [
        ("value 5H 5S 5C JD", "4 cards: give exactly 5"),
        ("value 5H 5S 5C JD 5D 6D", "6D is the first too many"),
        ("value 5H 5S 5C JD 5H", "card 5: 5H is already card 1"),
        ("value 5H 5S 5C JD 1D", "card 5: \"1D\" is no card"),
        ("value 5H 5S 5C JD 5d", "card 5: \"5d\" is no card"),
        ("select 5H 5S 5C", "3 cards: give 4 to 6"),
        ("select 2H 3H 4H 5H 6H 7H 8H 9H", "8H is the first too many"),
        ("select TH 9S QC 10H", "card 4: 10H is already card 1"),
    ] {
        let words: Vec<&str> = ["cribbage"].into_iter().chain(words.split(' ')).collect();
        let ran = casino(&words);
        assert_eq!((ran.stdout.as_str(), ran.code), ("", Some(2)), "{words:?}");
        assert!(ran.stderr.contains(named), "{words:?}: {}", ran.stderr);
    }
}

#[test]
fn a_batch_answers_line_by_line_and_names_the_line_it_cannot() {
    let ran = casino_reading(&["cribbage", "value", "--batch", "-"], "5H 5S 5C JD 5D\n\n7C QH 2C JC 9H");
    assert_eq!((ran.stdout.as_str(), ran.code), ("29\n\n0\n", Some(0)));
    let ran = casino_reading(&["cribbage", "select", "--batch", "-"], "5H KC 5S 9D 5C JD\nXX\n5H KC 5S 9D\n");
    assert_eq!((ran.stdout.as_str(), ran.code), ("5H 5S 5C JD\n", Some(2)));
    assert!(ran.stderr.contains("line 2: card 1: \"XX\""), "{}", ran.stderr);
    let long = "5H ".repeat(10_000);
    let ran = casino_reading(&["cribbage", "value", "--batch", "-"], &long);
    assert!(ran.code == Some(2) && ran.stderr.contains("line 1"), "{}", ran.stderr);
    let ran = casino(&["cribbage", "value", "--batch", "/no/such/file"]);
    assert!(ran.code == Some(2) && ran.stderr.contains("/no/such/file"), "{}", ran.stderr);
}

#[test]
fn explanations_show_what_scored() {
    let ran = casino(&["cribbage", "value", "--explain", "6C", "7C", "8C", "9C", "8S"]);
    assert!(ran.stdout.starts_with("20\n"), "{}", ran.stdout);
    assert!(ran.stdout.contains("run       4  6C 7C 8C 9C"), "{}", ran.stdout);
    assert!(ran.stdout.contains("flush     4  6C 7C 8C 9C"), "{}", ran.stdout);
    let ran = casino(&["cribbage", "select", "--explain", "5H", "KC", "5S", "9D", "5C", "JD"]);
    assert!(ran.stdout.contains("5H 5S 5C JD   16.500   759/46 = 460 + 288 + 0 + 0 + 11"), "{}", ran.stdout);
    assert_eq!(ran.stdout.matches("/46 = ").count(), 15);
    let ran = casino(&["cribbage", "select", "--json", "5H", "KC", "5S", "9D", "5C", "JD"]);
    let json: serde_json::Value = serde_json::from_str(&ran.stdout).unwrap();
    assert_eq!(json["choices"].as_array().unwrap().len(), 15);
    assert_eq!(json["kept"][3], "JD");
}

#[test]
fn prolog_asks_the_program() {
    if !has_prolog() {
        return;
    }
    let adapter = concat!(env!("CARGO_MANIFEST_DIR"), "/bots/prolog/cribbage.pl");
    let goal = "hand_value([card(5,hearts),card(5,spades),card(5,clubs),card(jack,diamonds)],card(5,diamonds),V),\
                select_hand([card(5,hearts),card(king,clubs),card(5,spades),card(9,diamonds),card(5,clubs),card(jack,diamonds)],H,C),\
                print(V-H-C),nl,\
                catch(hand_value([card(5,hearts)],card(5,hearts),_),error(casino(S,_,_),_),(print(S),nl))";
    let ran =
        with_input(Command::new("swipl").args(["-q", "-f", "none", "-g", goal, "-t", "halt", adapter]), "");
    assert_eq!(
        ran.stdout,
        "29-[card(5,hearts),card(5,spades),card(5,clubs),card(jack,diamonds)]-[card(king,clubs),card(9,diamonds)]\n\
         exit(2)\n",
        "{}",
        ran.stderr
    );
}

/// As the page for a Prolog course says: beside predicates of one's own.
#[test]
fn prolog_can_import_the_predicates_under_other_names() {
    if !has_prolog() {
        return;
    }
    let adapter = concat!(env!("CARGO_MANIFEST_DIR"), "/bots/prolog/cribbage.pl");
    let goal = format!(
        "use_module('{adapter}',[hand_value/3 as right_value]),assertz(hand_value(_,_,7)),\
         C=[card(5,hearts),card(5,spades),card(5,clubs),card(jack,diamonds)],\
         hand_value(C,card(5,diamonds),Mine),right_value(C,card(5,diamonds),Right),print(Mine-Right),nl"
    );
    let ran = with_input(Command::new("swipl").args(["-q", "-f", "none", "-g", &goal, "-t", "halt"]), "");
    assert_eq!(ran.stdout, "7-29\n", "{}", ran.stderr);
}
