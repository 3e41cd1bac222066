//! The meaning of points in `casino grade stud`: the price of faults and hangs, and the worth of good play.

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

/// A Python bot that calls, with this code before its reply.
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

/// Items that earn more for the faulty program than for the sound one.
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
    let patient = ["--reply-ms", "10000"];
    let crashes = graded(&bot("crashes", "if stack < 100: sys.exit(1)"), &patient);
    let sound = graded(&bot("sound", ""), &patient);
    assert!(count(&crashes, 2, "failed") > 3, "{}", crashes["parts"][2]);
    assert_eq!(gains(&crashes, &sound), Vec::<String>::new());
    // A game begins with 100 chips, so it is out with the first ante.
    let play = |report: &Value| (2..5).map(|part| points(report, part)).sum::<f64>();
    assert!(play(&crashes) < 0.1 * 130.0 && play(&sound) > 70.0, "{}", play(&crashes));
    let says = |text: &Value| text.as_str().is_some_and(|text| text.contains("ejects the program"));
    let mut partial = items(&crashes, 2).iter().filter(|item| item["outcome"] == "partial");
    assert!(partial.any(|item| says(&item["reason"]) || says(&item["got"])), "{}", crashes["parts"][2]);
}

#[test]
fn a_program_that_hangs_is_given_up_for_each_part() {
    if !has("python3", "a program that hangs") {
        return;
    }
    let report = graded(&bot("hangs", "while to_call == 0: time.sleep(1)"), &["--reply-ms", "300"]);
    // It hangs at most questions, so the parts end soon; its earlier answers still count.
    for part in [2, 3, 4] {
        let reasons: String =
            items(&report, part).iter().map(|item| item["reason"].as_str().unwrap_or("")).collect();
        assert!(reasons.contains("in 3 situations one after the other"), "{part}: {reasons}");
    }
}
