//! Runs the tests of `tests/browser` in headless Chromium. Without Chromium, node or the two npm packages they are
//! skipped with a message on standard error; with `REQUIRE=browser` that is a failure.

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

/// A walk through a day: lobby, table, podium, console and phones. The other test runs all other files.
const WALK: [&str; 3] = ["console.test.mjs", "page.test.mjs", "phone.test.mjs"];

#[test]
fn a_walk_through_a_day_in_a_real_browser() {
    run(&WALK);
}

#[test]
#[ignore = "long: the pages beside the walk; browser::a_walk_through_a_day_in_a_real_browser"]
fn all_other_pages_in_a_real_browser() {
    let files = std::fs::read_dir(folder()).unwrap();
    let names = files.map(|entry| entry.unwrap().file_name().into_string().unwrap());
    let others: Vec<String> = names.filter(|name| name.ends_with(".test.mjs")).collect();
    assert!(WALK.iter().all(|walk| others.iter().any(|other| other == walk)));
    let others: Vec<&str> = others.iter().map(String::as_str).filter(|name| !WALK.contains(name)).collect();
    run(&others);
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
