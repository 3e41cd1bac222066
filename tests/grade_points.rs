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

/// It ends whenever a stack is short, which is so in more situations than it would be started for once and for all.
#[test]
fn a_crash_in_one_part_leaves_the_others_their_points() {
    if !has("python3", "a program that crashes") {
        return;
    }
    let crashes = graded(&bot("crashes", "if stack < 100: sys.exit(1)"), &[]);
    let sound = graded(&bot("sound", ""), &[]);
    assert_eq!(count(&crashes, 2, "failed"), 1, "one fault costs once: {}", crashes["parts"][2]);
    assert!(points(&crashes, 2) > 60.0, "{}", crashes["parts"][2]);
    for part in [3, 4] {
        let (ours, theirs) = (points(&crashes, part), points(&sound, part));
        assert!((ours - theirs).abs() < 2.0, "{ours} and {theirs} of part {part}");
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
    let measured = graded("simple", &[]);
    let counted = graded("simple", &["--plays-well", "30"]);
    assert_eq!(measured["summary"]["max_points"], 180.0);
    assert_eq!(counted["summary"]["max_points"], 210.0);
    let title = items(&measured, 5)[0]["title"].as_str().unwrap();
    assert!(title.contains("in 6000 rounds of equal deals") && title.contains("95 % certainty"), "{title}");
    assert_eq!(items(&counted, 5)[0]["title"], title, "the same deals again");
    assert!(points(&counted, 5) > 5.0 && points(&counted, 5) < 30.0, "{}", counted["parts"][5]);
    let calls = graded("caller", &["--plays-well", "30"]);
    assert_eq!(points(&calls, 5), 0.0, "{}", calls["parts"][5]);
}
