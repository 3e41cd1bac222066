//! Blackjack and Cribbage: the games against a second reading of the documents in Python, and `casino grade` on right
//! programs and on programs that crash, hang or flood. Wrong answers are in `mutants`.

use std::fs;
use std::process::Command;

use casino_sisters::cribbage::{DealtCards, hand_value, select_hand};
use casino_stud::cards::{Card, Notation, Seed};
use serde_json::Value;

use super::{casino, copy_files, folder, items, python, root, student, with_input};
use crate::tools::has;

const ADAPTER: &str = concat!(env!("CARGO_MANIFEST_DIR"), "/bots/prolog/cribbage.pl");

fn has_prolog() -> bool {
    has("swipl", "the Prolog predicates")
}

/// Enough for any machine: these tests are about the answer, not the time.
const PATIENT: [&str; 2] = ["--time-limit", "120"];

/// The report of a judgement, and its exit code.
fn judge(words: &[&str]) -> (Value, Option<i32>) {
    let ran = casino(&[&["grade"], words, &["--seed", "casino day", "--json"]].concat());
    (ran.json(), ran.code)
}

/// All items of a report that did not pass, as text.
fn reasons(report: &Value) -> Vec<String> {
    let items = (0..report["parts"].as_array().unwrap().len()).flat_map(|part| items(report, part));
    items
        .filter(|item| item["outcome"] != "passed")
        .map(|item| format!("{}: {}", item["id"].as_str().unwrap(), item["reason"].as_str().unwrap()))
        .collect()
}

fn blackjack(cases: &str) -> Option<(Value, Option<i32>)> {
    let program = format!("{} {} {{bankroll}} {{hands}} {{player}}", python()?, student("blackjack.py"));
    Some(judge(&[&["blackjack", "--program", &program, "--cases", cases], &PATIENT[..]].concat()))
}

fn cribbage(task: &str, cases: &str) -> Option<(Value, Option<i32>)> {
    let program = format!("{} {} {task} {{cards}}", python()?, student("cribbage.py"));
    Some(judge(&[&["cribbage", task, "--program", &program, "--cases", cases], &PATIENT[..]].concat()))
}

#[test]
fn right_programs_get_full_marks() {
    for judged in [blackjack("5"), cribbage("value", "10"), cribbage("select", "10")] {
        let Some((report, code)) = judged else { return };
        assert_eq!(code, Some(0), "{:#?}", reasons(&report));
        assert_eq!(report["summary"]["points"], report["summary"]["max_points"]);
    }
}

/// Each class gets its own cases, so that they cannot be learned by heart; they stay the same for a class.
#[test]
fn a_class_has_cases_of_its_own_which_are_kept() {
    let Some(_) = python() else { return };
    let place = folder("drawn-seed");
    fs::create_dir_all(place.join("in/ada")).unwrap();
    fs::write(place.join("in/ada/blackjack.py"), "print('no game')\n").unwrap();
    let path = |name: &str| place.join(name).to_str().unwrap().to_string();
    let (all, words) = (path("in"), ["grade", "blackjack", "--cases", "2", "--reports", "json", "--all"]);
    let grade = |out: &str| casino(&[&words[..], &[&all, "--out", out]].concat());
    let seed = |out: &str| {
        let report = fs::read_to_string(format!("{out}/reports/ada.json")).unwrap();
        serde_json::from_str::<Value>(&report).unwrap()["seed"].as_str().unwrap().to_string()
    };
    let (one, other) = (path("one"), path("other"));
    for out in [&one, &other] {
        let ran = grade(out);
        ran.exits_with(0);
        let text = fs::read_to_string(format!("{out}/seed.txt")).unwrap();
        assert_eq!(text.lines().next(), Some(&*seed(out)));
    }
    assert_ne!(seed(&one), seed(&other));
    let kept = seed(&one);
    let again = grade(&one);
    assert!(again.stdout.contains("1 of them cached"), "{}{}", again.stdout, again.stderr);
    assert_eq!(seed(&one), kept);
    // Another seed would silently give the class other cases.
    let written = fs::read_to_string(format!("{one}/seed.txt")).unwrap();
    let digit = if kept.starts_with('1') { "2" } else { "1" };
    let changed = written.replacen(&kept[..1], digit, 1);
    for text in ["casino day\n", &format!("{kept}\n"), &changed] {
        fs::write(format!("{one}/seed.txt"), text).unwrap();
        let refused = grade(&one);
        assert_eq!(refused.code, Some(2), "{}", refused.stderr);
        assert!(
            refused.stderr.contains("seed.txt") && refused.stderr.contains("--seed"),
            "{}",
            refused.stderr
        );
    }
}

#[test]
fn programs_that_crash_hang_or_flood_fail_with_their_reason() {
    let judged = |script: &str, limit: &str| {
        let program = format!("sh -c '{script}' {{cards}}");
        let words = ["cribbage", "value", "--cases", "0", "--even-if-busy", "--time-limit", limit];
        let (report, code) = judge(&[&words[..], &["--program", &program]].concat());
        assert_eq!(code, Some(1), "{script}");
        (reasons(&report).join("\n"), report)
    };
    assert!(judged("kill -KILL $$", "60").0.contains("SIGKILL"));
    assert!(judged("sleep 1000", "0.02").0.contains("longer than 0.02 s"));
    assert!(judged("yes", "60").0.contains("printed more than 65536 bytes"));
    assert!(judged("true", "60").0.contains("printed nothing"));
    let (_, report) = judged("echo oh dear >&2; exit 1", "60");
    assert_eq!(report["parts"][0]["items"][0]["stderr"], "oh dear");
}

/// The four files of the Blackjack document, and the course's seven shared ones.
#[test]
fn the_documents_submission_uses_the_courses_sources() {
    if !has("g++", "the hand-in of the Blackjack document") {
        return;
    }
    let place = folder("the-documents-hand-in");
    copy_files("tests/students/adts", &["deck.cpp", "hand.cpp", "player.cpp"], &place.join("in"));
    let game = fs::read_to_string(root().join("tests/students/adts/blackjack.cpp")).unwrap();
    let game = game
        .replace("13 + random() % 27", "get_cut()")
        .replace("#include \"deck.h\"", "#include \"deck.h\"\n#include \"rand.h\"");
    assert!(game.contains("get_cut()") && game.contains("rand.h"));
    fs::write(place.join("in/blackjack.cpp"), game).unwrap();
    let given = ["card.h", "deck.h", "hand.h", "player.h", "rand.h", "card.cpp", "rand.cpp"].map(|file| {
        [
            "--given".to_string(),
            root().join("crates/judge/courses/blackjack").join(file).display().to_string(),
        ]
    });
    let folder = place.join("in").display().to_string();
    let mut words = vec!["blackjack", folder.as_str(), "--cases", "2", PATIENT[0], PATIENT[1]];
    // The four files of the document are built with the built-in ones.
    for _ in 0..2 {
        let (report, code) = judge(&words);
        assert_eq!(code, Some(0), "{:?}", reasons(&report));
        assert!(report["failure"].is_null(), "{}", report["failure"]);
        let how = &items(&report, 0)[0];
        let added =
            "It was built with the course's card.h, deck.h, hand.h, player.h, rand.h, card.cpp, rand.cpp.";
        assert_eq!((&how["id"], &how["reason"]), (&"builds".into(), &added.into()));
        words.extend(given.iter().flatten().map(String::as_str));
    }
    // They are nothing to a program in another language.
    let Some(_) = python() else { return };
    copy_files("tests/students", &["blackjack.py"], &place.join("python"));
    let folder = place.join("python").display().to_string();
    words[1] = &folder;
    let (report, code) = judge(&words);
    assert_eq!((code, &report["failure"]), (Some(0), &Value::Null), "{:?}", reasons(&report));
}

#[test]
fn prolog_files_are_judged() {
    if !has_prolog() {
        return;
    }
    is_partly_wrong("value", "is worth");
    let nothing = folder("nothing").join("nothing.pl");
    fs::write(&nothing, "hand_value(_, _, _) :- fail.\n").unwrap();
    let words = ["cribbage", "value", "--cases", "0", PATIENT[0], PATIENT[1], "--prolog"];
    let (report, _) = judge(&[&words[..], &[nothing.to_str().unwrap()]].concat());
    let first = reasons(&report).into_iter().next();
    assert!(first.is_some_and(|reason| reason.contains("The predicate fails")), "{report:#}");
}

#[test]
#[ignore = "long: selections, and the project's own predicates under the grader; graders::sisters::prolog_files_are_judged"]
fn the_prolog_adapter_and_selections_are_judged() {
    if !has_prolog() {
        return;
    }
    is_partly_wrong("select", "points on average");
    // It asks the program itself, which it finds by a variable of the environment: no sandbox has either.
    for task in ["value", "select"] {
        let words = ["cribbage", task, "--cases", "2", PATIENT[0], PATIENT[1], "--prolog"];
        let (report, code) = judge(&[&words[..], &[ADAPTER, "--sandbox", "off"]].concat());
        assert_eq!(code, Some(0), "{:#?}", reasons(&report));
    }
}

/// The student's Prolog file passes some cases and gets a reason for another one.
fn is_partly_wrong(task: &str, wrong: &str) {
    let words = ["cribbage", task, "--cases", "2", PATIENT[0], PATIENT[1], "--prolog"];
    let (report, code) = judge(&[&words[..], &[&student("cribbage.pl")]].concat());
    assert_eq!(code, Some(1));
    assert!(report["summary"]["passed"].as_u64().unwrap() > 0, "{report:#}");
    assert!(reasons(&report).iter().any(|reason| reason.contains(wrong)), "{report:#}");
}

/// Files that forge an answer, or give every answer, earn at most as much as a file with one answer to everything.
#[test]
#[ignore = "long: forgeries that SWI-Prolog itself lets through; the unit tests of casino-judge grade::prolog"]
fn no_prolog_file_forges_an_answer() {
    if !has_prolog() {
        return;
    }
    let file = folder("forged").join("forged.pl");
    let points = |text: &str| {
        fs::write(&file, text).unwrap();
        let words =
            ["cribbage", "value", "--cases", "0", "--even-if-busy", "--prolog", file.to_str().unwrap()];
        judge(&words).0["summary"]["points"].as_f64().unwrap()
    };
    let honest = ["0", "12"].map(|value| points(&format!("hand_value(_, _, {value}).")));
    let most = honest[0].max(honest[1]);
    for text in [
        "hand_value(_, _, _).",
        "hand_value(_, _, V) :- between(0, 29, V).",
        "hand_value(_, _, \"12\").",
        "hand_value(_, _, (2 ; 4 ; 8 ; 12 ; 29)).",
        "hand_value(_, _, X) :- X = f(X).",
        ":- halt(0).",
        "hand_value(_, _, _) :- forall(between(0, 29, V), format(\"~ncasino-answer ~w~n\", [V])), halt(0).",
        ":- format(\"{\\\"summary\\\":{\\\"points\\\":100,\\\"passed\\\":100}}~n\"), halt(0).",
        ":- redefine_system_predicate(format(_, _)).\nformat(_, _) :- write('casino-answer *').\nhand_value(_, _, 1).",
        "hand_value(_, _, _) :- repeat, write(casino), nl, fail.",
        "hand_value(A, B, C) :- hand_value(A, B, C).",
    ] {
        assert!(points(text) <= most, "{text} earns more than {most} points");
    }
}

fn second_reading(python: &str, bankroll: u32, hands: u32, player: &str) -> String {
    let (bankroll, hands) = (bankroll.to_string(), hands.to_string());
    let words = [student("blackjack.py"), bankroll, hands, player.to_string()];
    let ran = with_input(Command::new(python).args(words), "");
    assert_eq!(ran.code, Some(0), "{}", ran.stderr);
    ran.stdout
}

fn games_agree(python: &str, bankroll: u32, hands: u32) {
    for player in ["simple", "counting"] {
        let ran = casino(&["blackjack", &bankroll.to_string(), &hands.to_string(), player]);
        assert_eq!(ran.code, Some(0), "{}", ran.stderr);
        assert_eq!(ran.stderr, "");
        let second = second_reading(python, bankroll, hands, player);
        if ran.stdout != second {
            let line = ran.stdout.lines().zip(second.lines()).position(|(ours, theirs)| ours != theirs);
            panic!("{bankroll} {hands} {player}: differs from line {line:?} on");
        }
    }
}

#[test]
fn short_games_agree_with_the_second_reading() {
    let Some(python) = python() else { return };
    for (bankroll, hands) in
        [(100, 3), (1, 1), (4, 10_000), (5, 1), (5, 100), (9, 300), (10, 300), (100, 500)]
    {
        games_agree(python, bankroll, hands);
    }
}

fn in_words(cards: &[Card]) -> String {
    cards.iter().map(|card| Notation::Short.write(*card)).collect::<Vec<_>>().join(" ")
}

/// Answers drawn questions, of which `cards` gives the number of cards, and compares the answers with the second reading's.
fn answers_agree(
    task: &str,
    questions: usize,
    cards: impl Fn(usize) -> usize,
    answer: impl Fn(&[Card]) -> String,
) {
    let Some(python) = python() else { return };
    let mut stream = Seed::chosen("second reading").stream("test");
    let drawn = (0..questions).map(|question| {
        let mut deck = Card::ALL;
        stream.shuffle(&mut deck);
        deck[..cards(question)].to_vec()
    });
    let drawn: Vec<Vec<Card>> = drawn.collect();
    let text: String = drawn.iter().map(|cards| in_words(cards) + "\n").collect();
    let second = with_input(Command::new(python).args([&student("cribbage.py"), task, "-"]), &text);
    assert_eq!(second.code, Some(0), "{}", second.stderr);
    assert_eq!(second.stdout.lines().count(), questions);
    for (cards, second) in drawn.iter().zip(second.stdout.lines()) {
        assert_eq!(answer(cards), second, "{}", in_words(cards));
    }
}

#[test]
fn values_agree_with_the_second_reading() {
    let value = |cards: &[Card]| hand_value([cards[0], cards[1], cards[2], cards[3]], cards[4]).to_string();
    answers_agree("value", 5_000, |_| 5, value);
}

#[test]
fn choices_agree_with_the_second_reading() {
    let choice = |cards: &[Card]| in_words(&select_hand(&DealtCards::new(cards).unwrap()).kept());
    answers_agree("select", 60, |question| 4 + question % 3, choice);
}

#[test]
fn prolog_asks_the_program() {
    if !has_prolog() {
        return;
    }
    let goal = "hand_value([card(5,hearts),card(5,spades),card(5,clubs),card(jack,diamonds)],card(5,diamonds),V),\
                select_hand([card(5,hearts),card(king,clubs),card(5,spades),card(9,diamonds),card(5,clubs),card(jack,diamonds)],H,C),\
                print(V-H-C),nl,\
                catch(hand_value([card(5,hearts)],card(5,hearts),_),error(casino(S,_,_),_),(print(S),nl))";
    let ran =
        with_input(Command::new("swipl").args(["-q", "-f", "none", "-g", goal, "-t", "halt", ADAPTER]), "");
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
    let goal = format!(
        "use_module('{ADAPTER}',[hand_value/3 as right_value]),assertz(hand_value(_,_,7)),\
         C=[card(5,hearts),card(5,spades),card(5,clubs),card(jack,diamonds)],\
         hand_value(C,card(5,diamonds),Mine),right_value(C,card(5,diamonds),Right),print(Mine-Right),nl"
    );
    let ran = with_input(Command::new("swipl").args(["-q", "-f", "none", "-g", &goal, "-t", "halt"]), "");
    assert_eq!(ran.stdout, "7-29\n", "{}", ran.stderr);
}

/// Report, gradebook and console have one number, and with `--adts` a class has one maximum.
#[test]
fn points_possible_are_those_of_the_assignment() {
    let (Some(_), true) = (python(), has("g++", "a class with programs in C++")) else { return };
    let place = folder("one-maximum");
    copy_files("tests/students", &["blackjack.py"], &place.join("in/ada"));
    copy_files("tests/students/adts", &["deck.cpp", "hand.cpp", "player.cpp"], &place.join("in/bob"));
    let game = fs::read_to_string(root().join("tests/students/adts/blackjack.cpp")).unwrap();
    fs::write(place.join("in/bob/blackjack.cpp"), game).unwrap();
    fs::create_dir_all(place.join("in/eve")).unwrap();
    fs::write(place.join("in/eve/essay.txt"), "The dog ate it.").unwrap();
    for (more, wanted) in [(&[][..], ["17", "84", "17"]), (&["--adts"], ["84"; 3])] {
        let words =
            ["grade", "blackjack", "--all", "in", "--out", "out", "--cases", "0", "--reports", "json"];
        let ran = super::casino_in(&place, &[&words[..], &PATIENT, more].concat());
        ran.exits_with(0);
        let mut book = csv::Reader::from_path(place.join("out/gradebook.csv")).unwrap();
        let rows: Vec<csv::StringRecord> = book.records().map(Result::unwrap).collect();
        assert_eq!(rows.iter().map(|row| row[3].to_string()).collect::<Vec<_>>(), wanted, "{}", ran.stdout);
        for row in &rows {
            let report = fs::read_to_string(place.join(format!("out/reports/{}.json", &row[1]))).unwrap();
            let summary = &serde_json::from_str::<Value>(&report).unwrap()["summary"];
            let is_same = |name: &str, cell: &str| summary[name].as_f64() == cell.parse().ok();
            assert!(is_same("points", &row[2]) && is_same("max_points", &row[3]), "{row:?} {summary}");
            assert!(ran.stdout.contains(&format!("{}/{}", &row[2], &row[3])), "{}", ran.stdout);
        }
    }
}
