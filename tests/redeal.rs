//! `docs/redeal.py`, which knows nothing but `docs/deal.md`, deals as the dealer does.

use crate::tools;
use std::io::Write;
use std::process::{Command, Stdio};

use casino_stud::cards::Seed;

const DOCS: &str = concat!(env!("CARGO_MANIFEST_DIR"), "/docs");

/// The output of Python with this text as input; `None` without Python.
fn python(arguments: &[&str], text: &str) -> Option<String> {
    if !tools::has("python3", "docs/redeal.py") {
        return None;
    }
    let mut command = Command::new("python3");
    let piped = command.arg("-B").args(arguments).stdin(Stdio::piped()).stdout(Stdio::piped());
    let mut child = piped.spawn().unwrap();
    child.stdin.take().unwrap().write_all(text.as_bytes()).unwrap();
    let output = child.wait_with_output().unwrap();
    assert!(output.status.success());
    Some(String::from_utf8(output.stdout).unwrap())
}

/// Deals each line of its input with the script's own function.
const MANY: &str = "
import json, sys
sys.path.insert(0, sys.argv[1])
import redeal
for line in sys.stdin:
    print(' '.join(redeal.deck(*json.loads(line))))
";

#[test]
fn the_script_deals_the_decks_of_any_seed_table_and_round() {
    let mut dice = Seed::chosen("decks to compare").stream("test");
    let letters: Vec<char> = "abcXYZ019 :'\"%\\é→牌🂡\u{7f}".chars().collect();
    let mut asked = String::new();
    let mut expected = Vec::new();
    for _ in 0..300 {
        let text: String =
            (0..dice.below(20)).map(|_| letters[dice.below(letters.len() as u32) as usize]).collect();
        let table = if dice.one_in(4) { u32::MAX - dice.below(9) } else { 1 + dice.below(20) };
        let round = u64::from(dice.below(1_000_000)) * if dice.one_in(4) { 1_000_003 } else { 1 } + 1;
        asked += &serde_json::to_string(&(&text, table, round)).unwrap();
        asked.push('\n');
        let deck = Seed::chosen(text).shuffler(table).deck(round, 52).clone();
        let cards: Vec<String> = deck.cards().iter().map(ToString::to_string).collect();
        expected.push(cards.join(" "));
    }
    let Some(printed) = python(&["-c", MANY, DOCS], &asked) else { return };
    assert_eq!(printed.lines().collect::<Vec<_>>(), expected);
}

#[test]
fn the_script_prints_the_cards_of_each_player() {
    let players = 17;
    let script = format!("{DOCS}/redeal.py");
    let Some(printed) = python(&[&script, "casino", "3", "44", "17"], "") else { return };
    let deck = Seed::chosen("casino").shuffler(3).deck(44, 3 * players).clone();
    let card = |at: usize| deck.cards()[at];
    let expected: Vec<String> = (0..players)
        .map(|seat| {
            let (hole, first, second) = (card(seat), card(players + seat), card(2 * players + seat));
            format!("player {}: hole {hole}, up {first} {second}", seat + 1)
        })
        .collect();
    assert_eq!(printed.lines().collect::<Vec<_>>(), expected);
}
