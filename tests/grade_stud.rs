//! `casino grade stud` as a grader uses it: a program, a folder of submissions, Gradescope. Formats and a class are among the golden
//! commands.

#![allow(clippy::unwrap_used, reason = "nothing here is outside a test")]

use std::fs;
use std::path::{Path, PathBuf};
use std::process::Command;

use serde_json::Value;

use crate::grading::{self, CALLS, Ran, small_player};
use crate::tools::has;

fn root() -> PathBuf {
    PathBuf::from(env!("CARGO_MANIFEST_DIR"))
}

/// A folder of this test's own.
fn folder(name: &str) -> PathBuf {
    let folder = Path::new(env!("CARGO_TARGET_TMPDIR")).join(format!("grade-stud-{name}"));
    if folder.exists() {
        fs::remove_dir_all(&folder).unwrap();
    }
    fs::create_dir_all(&folder).unwrap();
    folder
}

fn casino(words: &[&str]) -> Ran {
    grading::grade(words, &root())
}

fn points(report: &Value) -> f64 {
    report["summary"]["points"].as_f64().unwrap()
}

/// A submission: a bot in Python that decides by these lines.
fn small_bot(folder: &Path, decide: &str) {
    fs::create_dir_all(folder).unwrap();
    fs::write(folder.join("poker.py"), small_player(decide)).unwrap();
}

#[test]
fn a_program_is_graded_like_the_same_bot_in_this_process() {
    if !has("python3", "a program beside the same bot of the house") {
        return;
    }
    let folder = folder("program");
    small_bot(&folder.join("calls"), CALLS);
    let patient = ["--reply-ms", "10000", "--even-if-busy"];
    let calls = folder.join("calls").display().to_string();
    let ran = casino(&[&["stud", &calls, "--json", "--rounds", "50"], &patient[..]].concat());
    let program: Value = serde_json::from_str(&ran.stdout).unwrap_or_else(|_| panic!("{}", ran.stderr));
    let house: Value = serde_json::from_str(&casino(&["stud", "caller", "--json"]).stdout).unwrap();
    assert_eq!(points(&program), points(&house), "{}", ran.stdout);
    assert_eq!(program["parts"][3], house["parts"][3], "situation by situation, in the same words");
}

/// The zip, unpacked and run as Gradescope does it: scripts and binary in `source`, files in `submission`, the
/// verdict in `results`.
#[test]
fn the_zip_runs_as_on_gradescope() {
    if !has("python3", "Gradescope's zip")
        || !has("zip", "Gradescope's zip")
        || !has("unzip", "Gradescope's zip")
    {
        return;
    }
    let folder = folder("gradescope");
    let zip = folder.join("autograder.zip");
    let made = Command::new(root().join("scripts/gradescope.sh"))
        .args([zip.as_os_str(), env!("CARGO_BIN_EXE_casino").as_ref()])
        .output()
        .unwrap();
    assert!(made.status.success(), "{}", String::from_utf8_lossy(&made.stderr));
    let run = |student: &str, fill: &dyn Fn(&Path)| -> Value {
        let autograder = folder.join(student);
        fs::create_dir_all(autograder.join("results")).unwrap();
        fs::create_dir_all(autograder.join("submission")).unwrap();
        let unzip =
            Command::new("unzip").arg("-q").arg(&zip).arg("-d").arg(autograder.join("source")).status();
        assert!(unzip.unwrap().success());
        fill(&autograder.join("submission"));
        // Gradescope copies the script to the top and runs it there, as root and without arguments.
        fs::copy(autograder.join("source/run_autograder"), autograder.join("run_autograder")).unwrap();
        let ran = Command::new(autograder.join("run_autograder"))
            .env("AUTOGRADER", &autograder)
            .current_dir(&autograder)
            .output()
            .unwrap();
        assert!(ran.status.success(), "{}", String::from_utf8_lossy(&ran.stderr));
        let text = fs::read_to_string(autograder.join("results/results.json")).unwrap();
        serde_json::from_str(&text).unwrap()
    };
    let good = run("good", &|submission| small_bot(&submission.join("Project01"), CALLS));
    assert!(good["score"].as_f64().unwrap() > 120.0, "{good}");
    assert!(good["tests"].as_array().unwrap().len() > 60);
    assert_eq!(good["leaderboard"][0]["value"], good["score"]);
    let empty = run("empty", &|_| {});
    assert_eq!(empty["score"], 0.0);
    assert!(empty["output"].as_str().unwrap().contains("holds no bot"), "{empty}");
    assert_eq!(empty.to_string().matches("holds no bot").count(), 1, "its reason once");
}
