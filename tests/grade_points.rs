//! What points of `casino grade stud` mean: what a fault costs, what hanging costs, what playing well is worth.

#![allow(clippy::unwrap_used, reason = "nothing here is outside a test")]

use std::fs;
use std::path::Path;

use serde_json::Value;

use crate::grading::{self, CALLS, small_player};
use crate::tools::has;

fn graded(spec: &str, more: &[&str]) -> Value {
    let words = [&["stud", spec, "--json", "--exit-zero", "--rounds", "20", "--even-if-busy"], more].concat();
    let ran = grading::grade(&words, Path::new("."));
    serde_json::from_str(&ran.stdout).unwrap_or_else(|_| panic!("{}", ran.stderr))
}

/// A bot in Python that calls, but for what is put before its reply.
fn bot(name: &str, before: &str) -> String {
    let folder = Path::new(env!("CARGO_TARGET_TMPDIR")).join(format!("grade-points-{name}"));
    fs::create_dir_all(&folder).unwrap();
    let text = small_player(&format!("{before}\n{CALLS}"));
    fs::write(folder.join("poker.py"), text).unwrap();
    folder.to_str().unwrap().to_string()
}

fn items(report: &Value, part: usize) -> &Vec<Value> {
    report["parts"][part]["items"].as_array().unwrap()
}

fn count(report: &Value, part: usize, outcome: &str) -> usize {
    items(report, part).iter().filter(|item| item["outcome"] == outcome).count()
}

fn points(report: &Value, part: usize) -> f64 {
    items(report, part).iter().map(|item| item["points"].as_f64().unwrap()).sum()
}

/// Items of the faulty program that have more points than those of the sound one.
fn gains(faulty: &Value, sound: &Value) -> Vec<String> {
    let mut gains = Vec::new();
    for part in 0..sound["parts"].as_array().unwrap().len() {
        for item in items(faulty, part) {
            let same = items(sound, part).iter().find(|other| other["id"] == item["id"]);
            let same = same.unwrap_or_else(|| panic!("{} is in no other report", item["id"]));
            if item["points"].as_f64() > same["points"].as_f64() {
                gains.push(format!("{} has {} and not {}", item["id"], item["points"], same["points"]));
            }
        }
    }
    gains
}

/// It ends whenever a stack is short, which is so in more situations than it would be started for once and for all.
#[test]
fn a_crash_costs_wherever_it_shows_and_earns_nothing() {
    if !has("python3", "a program that crashes") {
        return;
    }
    let crashes = graded(&bot("crashes", "if stack < 100: sys.exit(1)"), &[]);
    let sound = graded(&bot("sound", ""), &[]);
    assert!(count(&crashes, 2, "failed") > 3, "{}", crashes["parts"][2]);
    assert_eq!(gains(&crashes, &sound), Vec::<String>::new());
    // A game begins with 100 chips, so it is out with the first ante.
    let play = |report: &Value| (2..5).map(|part| points(report, part)).sum::<f64>();
    assert!(play(&crashes) < 0.1 * 130.0 && play(&sound) > 70.0, "{}", play(&crashes));
    let reason = items(&crashes, 2).iter().find(|item| item["outcome"] == "partial").unwrap();
    assert!(reason["reason"].as_str().unwrap().contains("throws the program out"), "{reason}");
}

/// Who thinks longer, prints and has another name replies no better for it.
#[test]
fn who_replies_alike_has_the_same_points_in_each_item() {
    if !has("python3", "two programs that reply alike") {
        return;
    }
    let plain = graded(&bot("alike", ""), &[]);
    let other = graded(&bot("alike-slower", "time.sleep(0.002)\nprint('I have', stack)"), &[]);
    assert_eq!(gains(&plain, &other), Vec::<String>::new());
    assert_eq!(gains(&other, &plain), Vec::<String>::new());
}

#[test]
fn a_silent_program_earns_nothing() {
    if !has("python3", "a program that says nothing") {
        return;
    }
    let silent = graded(&bot("silent", "time.sleep(9)"), &["--reply-ms", "200"]);
    assert_eq!((points(&silent, 2), points(&silent, 3), points(&silent, 4)), (0.0, 0.0, 0.0));
    // It says who it is, and no more.
    let earned: Vec<&Value> = items(&silent, 1).iter().filter(|item| item["points"] != 0.0).collect();
    assert!(earned.is_empty(), "{earned:?}");
}

/// Faults of `tests/faulty/bot.py` that break a rule. What else it can do (fold always, call always) is no fault.
const FAULTS: [&str; 41] = [
    "another-name",
    "answers-done",
    "answers-status",
    "array-of-ten",
    "bare-number",
    "capitals",
    "counts-the-length",
    "decimal",
    "echo",
    "empty-reply",
    "extra-field",
    "folds-at-status",
    "four-byte-length",
    "half-message",
    "hangs-on-many",
    "leading-zero",
    "leaves-at-status",
    "leaves-broke",
    "leaves-folded",
    "length-in-characters",
    "little-endian",
    "login-once",
    "login-twice",
    "loses-the-rest",
    "name-empty",
    "name-no-colon",
    "negative",
    "never-connects",
    "never-exits",
    "newline",
    "no-colon-in-bet",
    "no-length",
    "one-behind",
    "one-recv",
    "over-the-cap",
    "raise-alone",
    "says-call",
    "silent-bet2",
    "speaks-first",
    "two-replies",
    "whatever-the-stack",
];

#[test]
#[ignore = "grades 42 programs, most of which are waited for: ten minutes"]
fn no_faulty_program_has_more_than_without_its_fault_in_any_item() {
    let Some(python) = crate::tools::python() else { return };
    let graded = |fault: &str| {
        let file = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/faulty/bot.py");
        let command = format!(
            "env CHECK_REPLY_SECONDS=0.4 {} -B {} {fault} {{host}} {{port}}",
            python.display(),
            file.display()
        );
        graded(&command, &["--reply-ms", "400"])
    };
    let sound = graded("sound");
    for fault in FAULTS {
        assert_eq!(gains(&graded(fault), &sound), Vec::<String>::new(), "{fault}");
    }
}

#[test]
fn a_program_that_hangs_is_given_up_for_each_part() {
    if !has("python3", "a program that hangs") {
        return;
    }
    let report = graded(&bot("hangs", "while to_call == 0: time.sleep(1)"), &["--reply-ms", "300"]);
    // It hangs at most questions, so the parts end soon; what it did answer is not lost.
    for part in [2, 3, 4] {
        let reasons: String =
            items(&report, part).iter().map(|item| item["reason"].as_str().unwrap_or("")).collect();
        assert!(reasons.contains("in 3 situations one after the other"), "{part}: {reasons}");
    }
}

#[test]
fn playing_well_counts_as_much_as_it_is_told_to() {
    let measured = graded("cautious", &[]);
    let counted = graded("cautious", &["--plays-well", "30"]);
    assert_eq!(measured["summary"]["max_points"], 180.0);
    assert_eq!(counted["summary"]["max_points"], 210.0);
    let title = items(&measured, 5)[0]["title"].as_str().unwrap();
    assert!(title.contains("in 1200 rounds of equal deals") && title.contains("95 % certainty"), "{title}");
    assert_eq!(items(&counted, 5)[0]["title"], title, "the same deals again");
    assert!(points(&counted, 5) > 5.0 && points(&counted, 5) < 30.0, "{}", counted["parts"][5]);
    let calls = graded("caller", &["--plays-well", "30"]);
    assert_eq!(points(&calls, 5), 0.0, "{}", calls["parts"][5]);
}
