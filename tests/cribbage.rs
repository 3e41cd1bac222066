//! `casino cribbage` against a second reading of the documents in Python, and its words and errors.

#![allow(clippy::unwrap_used, reason = "nothing here is outside a test")]

use std::process::Command;

use crate::sisters::{casino, casino_reading, has_prolog, python, student, with_input};
use casino_stud::cards::{Card, Notation, Seed};

/// Lines of drawn cards; `cards` gives the number on each.
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

/// As on the page for a Prolog course: beside the course's own predicates.
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
