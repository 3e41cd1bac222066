//! `casino odds` as a whole program.

#![allow(clippy::unwrap_used, reason = "nothing here is outside a test")]

use std::process::{Command, Output, Stdio};

use serde_json::Value;

const QUESTION: &str = "bet2:183:66:12:KS:10D:10S:up:AS:AD:8H:6D:10D:10S:QD:JC:2C:4H";

fn casino(words: &[&str]) -> Command {
    let mut command = Command::new(env!("CARGO_BIN_EXE_casino"));
    command.arg("odds").args(words).stdin(Stdio::null());
    command
}

fn text(bytes: &[u8]) -> String {
    String::from_utf8(bytes.to_vec()).unwrap()
}

fn printed(words: &[&str]) -> String {
    let Output { status, stdout, stderr } = casino(words).output().unwrap();
    assert!(status.success(), "{words:?}: {}", text(&stderr));
    text(&stdout)
}

fn json(words: &[&str]) -> Value {
    serde_json::from_str(&printed(&[words, &["--json"]].concat())).unwrap()
}

#[test]
fn a_question_is_answered_in_words() {
    let said = printed(&[QUESTION]);
    assert!(!said.contains('\x1b'), "colours are for terminals: {said}");
    // A pair of aces is up, and so is the only spade above the king.
    for words in [
        "Second street: KS in the hole and 10D 10S up, against 4 other players.",
        "your share of the pot               50.00 %",
        "of the spade half                100.00 %",
        "AS AD   100.00 %      0.00 %",
        "After a call of 12 the pot is 78 chips, of which 39.00 are yours on average: +27.00 against a fold.",
        "Every number is exact.",
    ] {
        assert!(said.contains(words), "{words} is not in:\n{said}");
    }
}

#[test]
fn flags_equal_a_question() {
    let question = json(&[QUESTION, "--folded", "QD 9C"]);
    let hand =
        ["--hand", "KS 10D 10S", "--others", "AS AD, 8H:6D, 2C 4H", "--folded", "QD,JC,9C", "--pot", "78"];
    let mut flags = json(&hand);
    assert_eq!(question["chips"], flags["chips"]);
    assert_eq!((&question["to_call"], &question["pot"]), (&Value::from(12), &Value::from(78)));
    // Flags do not give the order of the folds.
    for (field, value) in flags.as_object_mut().unwrap() {
        assert!(field == "folded" || *value == question[field], "{field}: {value} {}", question[field]);
    }
    assert_eq!(question["folded"].as_array().unwrap().len(), 3);
}

#[test]
fn a_sample_is_reproducible_and_precise() {
    let ask = || json(&["--hand", "QS 10D", "--others", "AC,7D,8D,9D,2C"]);
    let sampled = ask();
    assert_eq!(sampled["exact"], false);
    assert!(sampled["standard_error"].as_f64().unwrap() <= 0.001);
    assert_eq!(ask(), sampled);
}

#[test]
fn a_situation_that_cannot_be_is_refused_with_its_place() {
    let seventeen = "2C,3C,4C,5C,6C,7C,8C,9C,10C,JC,QC,2D,3D,4D,5D,6D,7D";
    let cases: [(&[&str], &[&str]); 10] = [
        (
            &["--hand", "AS KH", "--others", "10D,KH"],
            &["KH is there twice", "your up cards", "other player 2"],
        ),
        (
            &["--hand", "AS KH", "--others", "10D", "--folded", "10D"],
            &["10D is there twice", "the folded cards"],
        ),
        (&["--hand", "AS KH", "--others", seventeen], &["17 other players", "1 to 16"]),
        (&["--hand", "AS", "--others", "10D"], &["your own cards are 1", "hole card"]),
        (&["--hand", "AS KH 2C", "--others", "10D"], &["other player 1 shows 1 cards", "you show 2"]),
        (&["--hand", "AS 1H", "--others", "10D"], &["--hand", "\"1H\" is no card"]),
        (&["--hand", "AS KH"], &["--others"]),
        (&["bet1:9:9:9:AS:2D:up:3D:4D"], &["not among everyone's up cards", "R13"]),
        (&["status:win:AS:AD:AH"], &["is no question", "bet1:stack"]),
        (&[QUESTION, "--folded", "KS"], &["KS is there twice", "hole card"]),
    ];
    for (words, expected) in cases {
        let Output { status, stdout, stderr } = casino(words).output().unwrap();
        let said = text(&stderr);
        assert_eq!((status.code(), stdout.len()), (Some(2), 0), "{words:?}: {said}");
        expected.iter().for_each(|expected| assert!(said.contains(expected), "{expected}: {said}"));
    }
}
