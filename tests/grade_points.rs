//! What points of `casino grade stud` mean: what a fault costs, what hanging costs, what playing well is worth.

#![allow(clippy::unwrap_used, reason = "nothing here is outside a test")]

use std::fs;
use std::path::Path;
use std::process::{Command, Stdio};

use serde_json::Value;

use crate::tools::has;

fn graded(spec: &str, more: &[&str]) -> Value {
    let words = [&["grade", "stud", spec, "--json", "--exit-zero", "--rounds", "20", "--even-if-busy"], more]
        .concat();
    let ran = Command::new(env!("CARGO_BIN_EXE_casino")).args(words).stdin(Stdio::null()).output().unwrap();
    let stdout = String::from_utf8(ran.stdout).unwrap();
    serde_json::from_str(&stdout).unwrap_or_else(|_| panic!("{}", String::from_utf8_lossy(&ran.stderr)))
}

/// A bot in Python that calls, but for what is put before its reply.
fn bot(name: &str, before: &str) -> String {
    let folder = Path::new(env!("CARGO_TARGET_TMPDIR")).join(format!("grade-points-{name}"));
    fs::create_dir_all(&folder).unwrap();
    let text = format!(
        r#"import socket, struct, sys
s = socket.create_connection((sys.argv[1], int(sys.argv[2])))
f = s.makefile("rb")
def say(text):
    data = text.encode()
    s.sendall(struct.pack(">H", len(data)) + data)
while True:
    head = f.read(2)
    if len(head) < 2: break
    words = f.read(struct.unpack(">H", head)[0]).decode().split(":")
    if words[0] == "login": say("small:Small")
    elif words[0] in ("bet1", "bet2"):
        stack, to_call = int(words[1]), int(words[3])
        {before}
        say("fold" if to_call > stack else "bet:%d" % to_call)
    elif words[0] == "done": break
"#
    );
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
    let report = graded(&bot("hangs", "while to_call == 0: pass"), &["--reply-ms", "300"]);
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
