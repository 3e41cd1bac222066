//! Runs the tests of `tests/browser` in headless Chromium. Without Chromium, node or the two npm packages they are
//! skipped with a message on standard error; with `REQUIRE=browser` that is a failure.
#![allow(clippy::print_stdout, clippy::unwrap_used, reason = "nothing here is outside a test")]

use std::path::{Path, PathBuf};
use std::process::{Command, Output};

use crate::tools;

fn folder() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/browser")
}

/// The missing requirement for driving a browser.
fn missing() -> Option<String> {
    let Ok(Output { status, stdout, .. }) =
        Command::new("node").arg("ready.mjs").current_dir(folder()).output()
    else {
        return Some("there is no node".to_string());
    };
    let said = String::from_utf8_lossy(&stdout).trim().replace('\n', "; ");
    match (status.success(), said.is_empty()) {
        (true, true) => None,
        (true, false) => Some(said),
        (false, _) => Some("node is too old for these tests: 20.11 is needed".to_string()),
    }
}

/// The tests of one walk through a day: lobby, table, podium and console. All others are in [`OTHERS`].
const WALK: [&str; 2] = ["console.test.mjs", "page.test.mjs"];

const OTHERS: [&str; 8] = [
    "chair.test.mjs",
    "ladder.test.mjs",
    "phone.test.mjs",
    "replay.test.mjs",
    "report.test.mjs",
    "room.test.mjs",
    "show.test.mjs",
    "tables.test.mjs",
];

#[test]
fn a_walk_through_a_day_in_a_real_browser() {
    run(&WALK);
}

#[test]
fn all_other_pages_in_a_real_browser() {
    run(&OTHERS);
}

#[test]
fn each_file_of_tests_is_run() {
    let mut there: Vec<String> = std::fs::read_dir(folder())
        .unwrap()
        .map(|entry| entry.unwrap().file_name().into_string().unwrap())
        .filter(|name| name.ends_with(".test.mjs"))
        .collect();
    there.sort();
    let mut run: Vec<&str> = WALK.into_iter().chain(OTHERS).collect();
    run.sort_unstable();
    assert_eq!(there, run);
}

fn run(tests: &[&str]) {
    if let Some(what) = missing() {
        tools::skip("browser", &tests.join(", "), &what);
        return;
    }
    let output = Command::new("node")
        .args(["--test", "--test-concurrency=2", "--test-reporter=spec"])
        .args(tests)
        .env("CASINO", env!("CARGO_BIN_EXE_casino"))
        .current_dir(folder())
        .output()
        .unwrap();
    let said =
        [output.stdout, output.stderr].map(|bytes| String::from_utf8_lossy(&bytes).into_owned()).concat();
    assert!(output.status.success(), "{said}");
    println!("{said}");
}
