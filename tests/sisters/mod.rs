//! Shared helpers of the tests of Blackjack, Cribbage and their graders.

#![allow(dead_code, unreachable_pub, reason = "each test program uses a part")]
#![allow(clippy::unwrap_used, reason = "nothing here is outside a test")]

use crate::tools;
use std::io::Write;
use std::path::PathBuf;
use std::process::{Command, Stdio};
use std::sync::OnceLock;

/// The output and exit code of a program.
pub struct Ran {
    pub stdout: String,
    pub stderr: String,
    pub code: Option<i32>,
}

/// Runs `casino` with these words.
pub fn casino(words: &[&str]) -> Ran {
    with_input(Command::new(env!("CARGO_BIN_EXE_casino")).args(words), "")
}

/// Runs `casino` with these words and an input.
pub fn casino_reading(words: &[&str], input: &str) -> Ran {
    with_input(Command::new(env!("CARGO_BIN_EXE_casino")).args(words), input)
}

/// Runs a command with an input.
pub fn with_input(command: &mut Command, input: &str) -> Ran {
    let mut child = command
        .env("CASINO", env!("CARGO_BIN_EXE_casino"))
        .stdin(Stdio::piped())
        .stdout(Stdio::piped())
        .stderr(Stdio::piped())
        .spawn()
        .unwrap();
    let mut stdin = child.stdin.take().unwrap();
    let input = input.to_string();
    // A program that does not read its input to the end is fine.
    let writer = std::thread::spawn(move || drop(stdin.write_all(input.as_bytes())));
    let output = child.wait_with_output().unwrap();
    writer.join().unwrap();
    Ran {
        stdout: String::from_utf8(output.stdout).unwrap(),
        stderr: String::from_utf8(output.stderr).unwrap(),
        code: output.status.code(),
    }
}

/// The path of a program written for the tests.
pub fn student(name: &str) -> String {
    let path = PathBuf::from(env!("CARGO_MANIFEST_DIR")).join("tests/students").join(name);
    path.to_str().unwrap().to_string()
}

/// The Python interpreter. `None` with a message if there is none.
pub fn python() -> Option<&'static str> {
    static PYTHON: OnceLock<Option<String>> = OnceLock::new();
    let found = PYTHON.get_or_init(|| tools::python()?.into_os_string().into_string().ok());
    if found.is_none() {
        tools::skip("python3", "a second reading in Python", "there is no python3 here");
    }
    found.as_deref()
}

/// Whether SWI-Prolog is there; reports if not.
pub fn has_prolog() -> bool {
    tools::has("swipl", "the Prolog predicates")
}
