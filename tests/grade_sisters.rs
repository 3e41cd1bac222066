//! `casino grade blackjack` and `casino grade cribbage` on right programs and on programs that crash, hang or flood. Wrong
//! answers are in `sister_mutants`.

#![allow(clippy::unwrap_used, reason = "nothing here is outside a test")]

use std::fs;
use std::path::Path;

use crate::sisters::{Ran, casino, has_prolog, python, student};
use crate::tools::has;
use serde_json::Value;

/// Enough for any machine: these tests are about the answer, not the time.
const PATIENT: [&str; 2] = ["--time-limit", "120"];

/// The report of a judgement, and its exit code.
fn judge(words: &[&str]) -> (Value, Option<i32>) {
    let ran = casino(&[&["grade"], words, &["--seed", "casino day", "--json"]].concat());
    let json = serde_json::from_str(&ran.stdout).unwrap_or_else(|_| panic!("{}{}", ran.stdout, ran.stderr));
    (json, ran.code)
}

/// All items of a report that did not pass, as text.
fn reasons(report: &Value) -> Vec<String> {
    let parts = report["parts"].as_array().unwrap().iter();
    let items = parts.flat_map(|part| part["items"].as_array().unwrap());
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

#[test]
fn a_reports_cases_depend_on_the_seed_alone() {
    let words = ["grade", "cribbage", "value", "--program", "echo 4 {cards}", "--cases", "2"];
    let ran: Ran = casino(&[&words[..], &["--seed", "a"]].concat());
    assert_eq!(ran.code, Some(1));
    assert!(ran.stdout.contains("the number of points and nothing else"), "{}", ran.stdout);
    assert!(ran.stdout.contains("0 of 60 points: 0 passed, 60 failed; seed \"a\""), "{}", ran.stdout);
    assert!(ran.stdout.contains("try it:   echo 4 "), "{}", ran.stdout);
    assert!(!ran.stdout.contains('\x1b'), "colours without a terminal");
    assert_eq!(ran.stdout, casino(&[&words[..], &["--seed", "a"]].concat()).stdout);
    assert_ne!(ran.stdout, casino(&[&words[..], &["--seed", "b"]].concat()).stdout);
}

/// Each class gets its own cases, so that they cannot be learned by heart; they stay the same for a class.
#[test]
fn a_class_has_cases_of_its_own_which_are_kept() {
    let place = std::path::Path::new(env!("CARGO_TARGET_TMPDIR")).join("sisters-drawn-seed");
    let _ = std::fs::remove_dir_all(&place);
    std::fs::create_dir_all(place.join("in/ada")).unwrap();
    let path = |name: &str| place.join(name).to_str().unwrap().to_string();
    let (all, words) =
        (path("in"), ["grade", "cribbage", "value", "--program", "echo 4 {cards}", "--cases", "2"]);
    let grade =
        |out: &str| casino(&[&words[..], &["--all", &all, "--out", out, "--reports", "json"]].concat());
    let seed = |out: &str| {
        let report = std::fs::read_to_string(format!("{out}/reports/ada.json")).unwrap();
        serde_json::from_str::<Value>(&report).unwrap()["seed"].as_str().unwrap().to_string()
    };
    let (one, other) = (path("one"), path("other"));
    for out in [&one, &other] {
        let ran = grade(out);
        assert_eq!(ran.code, Some(0), "{}{}", ran.stdout, ran.stderr);
        let text = std::fs::read_to_string(format!("{out}/seed.txt")).unwrap();
        assert_eq!(text.lines().next(), Some(&*seed(out)));
    }
    assert_ne!(seed(&one), seed(&other));
    let kept = seed(&one);
    let again = grade(&one);
    assert!(again.stdout.contains("1 of them cached"), "{}{}", again.stdout, again.stderr);
    assert_eq!(seed(&one), kept);
    // Another seed would silently give the class other cases.
    let written = std::fs::read_to_string(format!("{one}/seed.txt")).unwrap();
    let digit = if kept.starts_with('1') { "2" } else { "1" };
    let changed = written.replacen(&kept[..1], digit, 1);
    for text in ["casino day\n", &format!("{kept}\n"), &changed] {
        std::fs::write(format!("{one}/seed.txt"), text).unwrap();
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
        let words = [
            "cribbage",
            "value",
            "--cases",
            "0",
            "--even-if-busy",
            "--time-limit",
            limit,
            "--program",
            &program,
        ];
        let (report, code) = judge(&words);
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
    let root = Path::new(env!("CARGO_MANIFEST_DIR"));
    let place = Path::new(env!("CARGO_TARGET_TMPDIR")).join("the-documents-hand-in");
    let _ = fs::remove_dir_all(&place);
    for folder in ["in", "course"] {
        fs::create_dir_all(place.join(folder)).unwrap();
    }
    for file in ["deck.cpp", "hand.cpp", "player.cpp"] {
        fs::copy(root.join("tests/students/adts").join(file), place.join("in").join(file)).unwrap();
    }
    let game = fs::read_to_string(root.join("tests/students/adts/blackjack.cpp")).unwrap();
    let game = game
        .replace("13 + random() % 27", "get_cut()")
        .replace("#include \"deck.h\"", "#include \"deck.h\"\n#include \"rand.h\"");
    assert!(game.contains("get_cut()") && game.contains("rand.h"));
    fs::write(place.join("in/blackjack.cpp"), game).unwrap();
    for file in ["card.h", "deck.h", "hand.h", "player.h", "card.cpp"] {
        fs::copy(root.join("courses/blackjack").join(file), place.join("course").join(file)).unwrap();
    }
    fs::write(place.join("course/rand.h"), "int get_cut();\n").unwrap();
    let random = "#include \"rand.h\"\n#include <random>\nstatic std::mt19937 words(0);\nint get_cut() { return 13 + words() % 27; }\n";
    fs::write(place.join("course/rand.cpp"), random).unwrap();
    let given = ["card.h", "deck.h", "hand.h", "player.h", "rand.h", "card.cpp", "rand.cpp"]
        .map(|file| ["--given".to_string(), place.join("course").join(file).display().to_string()]);
    let folder = place.join("in").display().to_string();
    let mut words = vec!["blackjack", folder.as_str(), "--cases", "2"];
    words.extend(given.iter().flatten().map(String::as_str));
    let (report, code) = judge(&words);
    assert_eq!(code, Some(0), "{:?}", reasons(&report));
    assert!(report["failure"].is_null(), "{}", report["failure"]);
}

#[test]
fn prolog_predicates_are_judged() {
    if !has_prolog() {
        return;
    }
    let adapter = concat!(env!("CARGO_MANIFEST_DIR"), "/bots/prolog/cribbage.pl");
    // The adapter asks the program itself, which it finds by a variable of the environment: no sandbox has either.
    for task in ["value", "select"] {
        let words = ["cribbage", task, "--cases", "2", PATIENT[0], PATIENT[1], "--prolog"];
        let (report, code) = judge(&[&words[..], &[adapter, "--sandbox", "off"]].concat());
        assert_eq!(code, Some(0), "{:#?}", reasons(&report));
    }
    is_partly_wrong("select", "points on average");
    let nothing = std::env::temp_dir().join(format!("casino-nothing-{}.pl", std::process::id()));
    std::fs::write(&nothing, "hand_value(_, _, _) :- fail.\n").unwrap();
    let words =
        ["cribbage", "value", "--cases", "0", PATIENT[0], PATIENT[1], "--prolog", nothing.to_str().unwrap()];
    let (report, _) = judge(&words);
    std::fs::remove_file(&nothing).unwrap();
    assert!(
        reasons(&report).first().is_some_and(|reason| reason.contains("The predicate fails")),
        "{report:#}"
    );
}

#[test]
fn a_prolog_file_is_judged() {
    if has_prolog() {
        is_partly_wrong("value", "is worth");
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
fn no_prolog_file_forges_an_answer() {
    if !has_prolog() {
        return;
    }
    let folder = Path::new(env!("CARGO_TARGET_TMPDIR")).join("forged-prolog");
    fs::create_dir_all(&folder).unwrap();
    let file = folder.join("forged.pl");
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
