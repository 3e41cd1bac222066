//! Run with `rustc --edition 2021 --test -o poker-tests main.rs` and `./poker-tests`.

use super::*;

const BET1: &str = "bet1:208:24:12:KS:10D:up:AS:8H:10D:QD:2C";
const BET2: &str = "bet2:183:66:0:KS:10D:10S:up:AS:AD:8H:6D:10D:10S";

fn cards(text: &str) -> Vec<Card> {
    text.split(' ').map(|name| Card::parse(name).expect("a card")).collect()
}

fn question(text: &str) -> Question {
    Question::parse(text).expect("a question")
}

fn bet(chips: u64) -> Reply {
    Reply(format!("bet:{chips}"))
}

#[test]
fn every_card_has_one_name() {
    let names: Vec<String> =
        RANKS.iter().flat_map(|rank| SUITS.map(|suit| format!("{rank}{suit}"))).collect();
    let parsed: Vec<Card> = names.iter().filter_map(|name| Card::parse(name)).collect();
    assert_eq!(parsed, Card::deck().collect::<Vec<_>>());
    for text in ["", "S", "10", "1S", "TS", "10s", "AÉ", "none"] {
        assert_eq!(Card::parse(text), None, "{text}");
    }
}

#[test]
fn first_street() {
    let question = question(BET1);
    assert_eq!((question.street, question.stack, question.pot, question.to_call), (1, 208, 24, 12));
    assert_eq!((question.hole, question.up), (cards("KS")[0], cards("10D")));
    assert_eq!(question.others, [cards("AS"), cards("8H"), cards("QD"), cards("2C")]);
}

#[test]
fn second_street() {
    let question = question(BET2);
    assert_eq!((question.street, question.up), (2, cards("10D 10S")));
    assert_eq!(question.others, [cards("AS AD"), cards("8H 6D")]);
}

#[test]
fn odd_lists_are_read_as_far_as_they_go() {
    assert!(question("bet1:5:5:0:2C:3C:up:3C:XX:").others.is_empty());
    assert_eq!(question("bet2:5:5:0:2C:3C:4C:up:3C:4C:5D:AQ:9H").others, [cards("5D"), cards("9H")]);
}

#[test]
fn what_cannot_be_read() {
    for text in
        ["bet1", "bet1:1:2:3:KS:up", "bet1:x:2:3:KS:2C:up", "bet1:1:2:-3:KS:2C:up", "bet1:1:2:3:KS:1C:up"]
    {
        assert!(Question::parse(text).is_none(), "{text}");
    }
}

#[test]
fn raises_stay_within_the_rules_and_the_stack() {
    assert_eq!(question(BET1).raise_by(4), bet(16));
    assert_eq!(question(BET1).raise_by(11), bet(22));
    assert_eq!(question("bet1:15:24:12:KS:10D:up:10D").raise_by(10), bet(15));
}

#[test]
fn a_call_that_cannot_be_paid_is_a_fold() {
    let poor = question("bet1:11:24:12:KS:10D:up:10D");
    assert_eq!(poor.call(), poor.fold());
    assert_eq!(question("bet1:0:24:0:KS:10D:up:10D").raise_by(10), bet(0));
}

#[test]
fn modified_utf8() {
    let cases: [(&str, &[u8]); 4] = [
        ("10S", b"10S"),
        ("\0", b"\xC0\x80"),
        ("é€", b"\xC3\xA9\xE2\x82\xAC"),
        ("\u{1F600}", b"\xED\xA0\xBD\xED\xB8\x80"),
    ];
    for (text, bytes) in cases {
        assert_eq!(encode(text), bytes, "{text:?}");
        assert_eq!(decode(bytes).as_deref(), Some(text), "{text:?}");
    }
    assert_eq!(decode(b"\xED\xA0\x80!").as_deref(), Some("\u{FFFD}!"));
    for bytes in [&b"\x80"[..], b"\xC3", b"\xC3A", b"\xE2\x82", b"\xF0\x9F\x98\x80"] {
        assert_eq!(decode(bytes), None, "{bytes:x?}");
    }
}

#[test]
fn order_of_hands() {
    let hands = ["2H 3D 5C", "2S AD KC", "2H 2D 3C", "2H 2D AC", "AH AD 2C", "2H 2D 2C", "AH AD AC"];
    let values = hands.map(|hand| strategy::hand_value(cards(hand)[0], &cards(hand)[1..]));
    assert!(values.is_sorted_by(|worse, better| worse < better));
}

#[test]
fn a_certain_winner_takes_everything() {
    let sure = question("bet2:100:20:0:AS:AH:AD:up:AH:AD:KH:QD");
    assert_eq!(strategy::expected_share(&sure), 1.0);
}

#[test]
fn folds_what_cannot_win_and_raises_what_cannot_lose() {
    let mut player = Strategy::default();
    let hopeless = question("bet2:100:20:10:2H:3C:5D:up:3C:5D:AH:AD");
    assert_eq!(player.decide(&hopeless), hopeless.fold());
    assert_eq!(player.decide(&question("bet2:100:20:10:AS:AH:AD:up:AH:AD:KH:QD")), bet(20));
}
