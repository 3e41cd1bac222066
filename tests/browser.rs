//! Runs the tests of `tests/browser` in a real, headless Chromium.

use std::path::Path;
use std::process::Command;

#[test]
#[ignore = "needs Chromium and node: run scripts/install-browser.sh, then `cargo test --test browser -- --ignored`"]
fn the_page_and_the_console_in_a_real_browser() {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/browser");
    assert!(folder.join("node_modules").is_dir(), "run scripts/install-browser.sh first");
    let status = Command::new("node")
        .args(["--test", "--test-concurrency=1", "page.test.mjs", "console.test.mjs", "replay.test.mjs"])
        .env("CASINO", env!("CARGO_BIN_EXE_casino"))
        .current_dir(folder)
        .status()
        .expect("node can be started: scripts/install-browser.sh says what is needed");
    assert!(status.success(), "the browser tests failed; what failed is printed above");
}
