//! Runs the tests of `tests/browser` in a real, headless Chromium. Where there is none, or no node, or not the two
//! packages from npm, they are skipped, which is said on standard error; with `REQUIRE=browser` that is a failure.
#![allow(clippy::unwrap_used, reason = "nothing here is outside a test")]

use std::path::{Path, PathBuf};
use std::process::{Command, Output};

use crate::tools;

fn folder() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/browser")
}

/// What is missing to drive a browser.
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

#[test]
fn the_pages_in_a_real_browser() {
    if let Some(what) = missing() {
        tools::skip("browser", "the pages in a real browser", &what);
        return;
    }
    let mut tests: Vec<PathBuf> = std::fs::read_dir(folder())
        .unwrap()
        .map(|entry| entry.unwrap().path())
        .filter(|path| path.to_string_lossy().ends_with(".test.mjs"))
        .collect();
    tests.sort();
    assert!(tests.len() >= 3, "{tests:?}");
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
