//! The decks, hands and players of Blackjack submissions, judged separately.
//!
//! The submission of these tests, in `tests/students/adts`, is right, and wrong in one way with `#define MUTANT N`.

use std::fs;
use std::path::{Path, PathBuf};
use std::time::Duration;

use serde_json::Value;

use casino_judge::grade::blackjack::judge_adts;
use casino_judge::grade::{CaseSettings, Item, Outcome, Part, Points};
use casino_judge::sandbox::{Policy, Sandbox};
use casino_stud::cards::Seed;

use super::{casino, copy_files};
use crate::tools::has;

/// The four files that a student hands in.
const FILES: [&str; 4] = ["deck.cpp", "hand.cpp", "player.cpp", "blackjack.cpp"];

/// The files of the course, which students copy beside their own.
const COURSE: [&str; 5] = ["card.h", "deck.h", "hand.h", "player.h", "card.cpp"];

/// The right file of this name, or mutant of it.
fn source(file: &str, mutant: u32) -> String {
    let path = super::root().join("tests/students/adts").join(file);
    format!("#define MUTANT {mutant}\n{}", fs::read_to_string(path).unwrap())
}

/// A folder of a test's own with these files.
fn folder(name: &str, files: &[(&str, &str)]) -> PathBuf {
    let folder = super::folder(&format!("adts-{name}"));
    for (file, text) in files {
        let path = folder.join(file);
        fs::create_dir_all(path.parent().unwrap()).unwrap();
        fs::write(path, text).unwrap();
    }
    folder
}

/// The graded parts of a submission. None of them depends on time.
fn judged(folder: &Path) -> Vec<Part> {
    let sandbox = Sandbox::supervised_by(Path::new(env!("CARGO_BIN_EXE_casino")), Policy::Auto).unwrap();
    let time = Some(Duration::from_secs(120));
    let settings = CaseSettings { seed: Seed::chosen("casino day"), cases: 0, time };
    judge_adts(folder, None, &[], &sandbox, &settings, false).unwrap().parts
}

fn part<'a>(parts: &'a [Part], title: &str) -> &'a [Item] {
    &parts.iter().find(|part| part.title == title).unwrap_or_else(|| panic!("no part {title}")).items
}

fn item<'a>(items: &'a [Item], id: &str) -> &'a Item {
    items.iter().find(|item| item.id == id).unwrap_or_else(|| panic!("no item {id} in {items:#?}"))
}

fn points(items: &[Item]) -> (Points, Points) {
    (items.iter().map(|item| item.points).sum(), items.iter().map(|item| item.max_points).sum())
}

/// The ids of everything that was failed.
fn failed(items: &[Item]) -> Vec<&str> {
    let failed = items.iter().filter(|item| item.outcome == Outcome::Failed);
    failed.map(|item| item.id.as_str()).collect()
}

/// The least and the most that a fault costs of the points of its part, as docs/grading.md has it.
const LEAST_SHARE: f64 = 3.0;
const MOST_SHARE: f64 = 100.0;

/// A behaviour that each mutant fails.
const MUTANTS: [(&str, u32, &str); 38] = [
    ("Deck", 1, "deck-new"),
    ("Deck", 2, "deck-shuffle-26"),
    ("Deck", 3, "deck-shuffle-dealt"),
    ("Deck", 4, "deck-shuffle-1-51"),
    ("Deck", 5, "deck-reset"),
    ("Deck", 6, "deck-empty"),
    ("Deck", 7, "deck-left"),
    ("Deck", 8, "deck-shuffle-kept"),
    ("Deck", 9, "deck-new"),
    ("Deck", 10, "deck-two"),
    ("Hand", 11, "hand-a-t-a"),
    ("Hand", 12, "hand-turns-hard"),
    ("Hand", 13, "hand-one-ace"),
    ("Hand", 14, "hand-single"),
    ("Hand", 15, "hand-discard"),
    ("Hand", 16, "hand-empty"),
    ("Hand", 17, "hand-two"),
    ("Hand", 18, "hand-pairs"),
    ("Players", 19, "simple-hard-12"),
    ("Players", 20, "simple-soft-18"),
    ("Players", 21, "simple-soft-19"),
    ("Players", 22, "counting-two"),
    ("Players", 23, "counting-enough"),
    ("Players", 24, "counting-shuffled"),
    ("Players", 25, "counting-high"),
    ("Players", 26, "players-same"),
    ("Players", 27, "counting-poor"),
    ("Players", 28, "counting-draw-unseen"),
    ("Players", 29, "counting-draws"),
    ("Deck", 30, "deck-empty"),
    ("Deck", 31, "deck-empty"),
    ("Deck", 32, "deck-empty"),
    ("Deck", 33, "deck-shuffle-empty-part"),
    ("Deck", 34, "deck-empty"),
    ("Hand", 35, "hand-pairs"),
    ("Hand", 36, "hand-pairs"),
    ("Players", 37, "players-same"),
    ("Players", 38, "counting-two"),
];

/// A deck, a hand and two players with a fault each are submitted together, which also shows that each costs only its
/// own part.
#[test]
#[ignore = "long: each of 38 faults; graders::adts::a_right_submission_gets_full_marks_and_a_wrong_hand_fails has one"]
fn every_fault_is_found_by_the_behaviour_that_it_breaks() {
    if !has("g++", "faulty decks, hands and players") {
        return;
    }
    let of = |title: &str| MUTANTS.iter().filter(|mutant| mutant.0 == title).collect::<Vec<_>>();
    let (decks, hands, players) = (of("Deck"), of("Hand"), of("Players"));
    for round in 0..players.len().max(decks.len()) {
        let chosen = [decks.get(round), hands.get(round), players.get(round)];
        let number = |at: usize| chosen[at].map_or(0, |mutant| mutant.1);
        let texts = [0, 1, 2].map(|at| (FILES[at], source(FILES[at], number(at))));
        let files = texts.each_ref().map(|(file, text)| (*file, text.as_str()));
        let parts = judged(&folder(&format!("mutants-{round}"), &files));
        for (title, mutant) in ["Deck", "Hand", "Players"].into_iter().zip(chosen) {
            let items = part(&parts, title);
            let Some((_, number, behaviour)) = mutant else {
                assert!(failed(items).is_empty(), "{title}: {items:#?}");
                continue;
            };
            let ids = failed(items);
            assert!(ids.contains(behaviour), "mutant {number} fails {ids:?}");
            assert!(!item(items, behaviour).reason.is_empty());
            let (earned, all) = points(items);
            let lost = 100.0 * (all - earned).as_f64() / all.as_f64();
            println!("{lost:6.2} % of the part  {title} {number}");
            assert!(
                (LEAST_SHARE..=MOST_SHARE).contains(&lost),
                "mutant {number} costs {lost:.2} % of its part"
            );
        }
    }
}

/// The report of `casino grade blackjack` with these words.
fn report(words: &[&str]) -> (Value, Option<i32>) {
    let ran =
        casino(&[&["grade", "blackjack", "--time-limit", "120", "--cases", "0", "--json"], words].concat());
    (ran.json(), ran.code)
}

/// The items of a part of a report in JSON.
fn items_of<'a>(report: &'a Value, title: &str) -> &'a Vec<Value> {
    let part = report["parts"].as_array().unwrap().iter().find(|part| part["title"] == title);
    part.unwrap_or_else(|| panic!("no part {title} in {report:#}"))["items"].as_array().unwrap()
}

#[test]
fn a_right_submission_gets_full_marks_and_a_wrong_hand_fails() {
    if !has("g++", "a Blackjack program with its deck, hand and players") {
        return;
    }
    let texts = FILES.map(|file| (file, source(file, 0)));
    let files = texts.each_ref().map(|(file, text)| (*file, text.as_str()));
    let place = folder("right", &files);
    copy_files("crates/judge/courses/blackjack", &COURSE, &place);
    let (right, code) = report(&[place.to_str().unwrap()]);
    assert_eq!(code, Some(0), "{right:#}");
    assert_eq!(right["summary"]["points"], right["summary"]["max_points"]);
    for title in ["Hard cases", "Deck", "Hand", "Players"] {
        assert!(items_of(&right, title).len() >= 14, "{title}");
    }
    // Two suits in the wrong order are a fault of the deck alone, and of a new deck alone.
    fs::write(place.join("deck.cpp"), source("deck.cpp", 1)).unwrap();
    let (swapped, _) = report(&[place.to_str().unwrap()]);
    let lost: Vec<_> = swapped["parts"]
        .as_array()
        .unwrap()
        .iter()
        .flat_map(|part| part["items"].as_array().unwrap())
        .filter(|item| item["outcome"] != "passed")
        .map(|item| item["id"].as_str().unwrap())
        .collect();
    assert_eq!(lost, ["deck-new", "deck-reset"]);
    fs::write(place.join("deck.cpp"), source("deck.cpp", 0)).unwrap();
    // An ace, a ten and an ace never come together in a game: a hand of 21 draws no card.
    fs::write(place.join("hand.cpp"), source("hand.cpp", 11)).unwrap();
    let (hidden, code) = report(&[place.to_str().unwrap()]);
    assert_eq!(code, Some(1));
    for title in ["Hard cases", "Deck", "Players"] {
        assert!(items_of(&hidden, title).iter().all(|item| item["outcome"] == "passed"), "{title}");
    }
    let items = items_of(&hidden, "Hand");
    let found = items.iter().find(|item| item["id"] == "hand-a-t-a").unwrap();
    assert_eq!(found["reason"], "After the operations below 12 hard is expected; yours: over 21 (22s).");
}

#[test]
#[ignore = "long: the weight of transcripts without a program; graders::adts::modified_headers_and_own_output_are_ignored"]
fn a_compile_error_costs_only_its_own_part() {
    if !has("g++", "a deck that does not compile") {
        return;
    }
    let texts = FILES.map(|file| (file, source(file, 0)));
    let place = folder("broken", &texts.each_ref().map(|(file, text)| (*file, text.as_str())));
    copy_files("crates/judge/courses/blackjack", &COURSE, &place);
    fs::write(place.join("deck.cpp"), "#include \"deck.h\"\nDeck::Deck() { shufle(); }\n").unwrap();
    let (broken, code) = report(&[place.to_str().unwrap()]);
    assert_eq!((code, &broken["failure"]), (Some(1), &Value::Null), "{broken:#}");
    let deck = items_of(&broken, "Deck");
    assert!(deck[0]["context"].to_string().contains("shufle"), "{deck:#?}");
    assert!(deck.iter().all(|item| item["points"] == 0.0));
    let how = items_of(&broken, "Program")[0]["reason"].to_string();
    assert!(how.contains("the course's rand.h, rand.cpp, deck.cpp"), "{how}");
    for title in ["Hard cases", "Hand", "Players"] {
        assert!(items_of(&broken, title).iter().all(|item| item["outcome"] == "passed"), "{title}");
    }
}

#[test]
fn a_hostile_deck_gets_no_points() {
    if !has("g++", "hostile decks") {
        return;
    }
    let hostile = [
        "#include \"deck.h\"\n#include <cstdlib>\nDeck::Deck() { exit(0); }\n",
        "#include \"deck.h\"\n#include <cstdio>\n#include <cstdlib>\nDeck::Deck() { puts(\"passed\"); fflush(stdout); _Exit(0); }\n",
        "#include \"deck.h\"\n#include <cstdlib>\nstatic int early() { exit(0); }\nstatic int gone = early();\n\
         Deck::Deck() { next = gone; }\n",
    ];
    let rest = "void Deck::reset() {}\nvoid Deck::shuffle(int) {}\nCard Deck::deal() { throw DeckEmpty(); }\n\
                int Deck::cardsLeft() { return 52; }\n";
    for (number, text) in hostile.iter().enumerate() {
        let parts = judged(&folder(&format!("hostile-{number}"), &[("deck.cpp", &format!("{text}{rest}"))]));
        let items = part(&parts, "Deck");
        assert_eq!(points(items).0, Points::ZERO, "{items:#?}");
        assert!(item(items, "deck-new").reason.contains("exit code 0"), "{items:#?}");
        assert_eq!(points(part(&parts, "Hand")).0, Points::ZERO, "there is no hand.cpp");
    }
}

/// Submitted files with the course's names are replaced, and an implementation's own output is not an observation, but
/// fails the test for silence.
#[test]
fn modified_headers_and_own_output_are_ignored() {
    if !has("g++", "modified headers") {
        return;
    }
    let loud = source("deck.cpp", 0)
        .replace("void Deck::reset() {", "#include <iostream>\nvoid Deck::reset() { std::cout << \"reset\";");
    let hand = source("hand.cpp", 0) + "int Hand::aces() const { return 0; }\n";
    let header = "#include \"card.h\"\nstruct HandValue { int count; bool soft; };\nclass Hand { HandValue curValue; public:\n\
                  Hand(); void discardAll(); void addCard(Card c); HandValue handValue() const; int aces() const; };\n";
    let place = folder("modified", &[("deck.cpp", &loud), ("src/hand.cpp", &hand), ("src/hand.h", header)]);
    let parts = judged(&place);
    let deck = part(&parts, "Deck");
    assert_eq!(failed(deck), ["deck-quiet"], "{deck:#?}");
    assert_eq!(item(deck, "deck-quiet").got.as_deref(), Some("reset"));
    let hand = part(&parts, "Hand");
    assert!(item(hand, "hand-builds").reason.contains("may not be modified"), "{hand:#?}");
    assert_eq!(points(hand).0, Points::ZERO);
}
