//! The judges of programs: `casino check`, and `casino grade` of stud, Blackjack and Cribbage.

mod adts;
mod checks;
mod classes;
mod mutants;
mod shapes;
mod sisters;
mod stud;

use std::fs;
use std::io::Write;
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};
use std::sync::OnceLock;

use serde_json::Value;

use crate::tools;

/// The output and exit code of a program.
struct Ran {
    stdout: String,
    stderr: String,
    code: Option<i32>,
}

impl Ran {
    fn json(&self) -> Value {
        serde_json::from_str(&self.stdout).unwrap_or_else(|_| panic!("{}{}", self.stdout, self.stderr))
    }

    #[track_caller]
    fn exits_with(&self, code: i32) {
        assert_eq!(self.code, Some(code), "{}{}", self.stdout, self.stderr);
    }
}

fn root() -> &'static Path {
    Path::new(env!("CARGO_MANIFEST_DIR"))
}

/// An empty folder of a test's own, which stays.
fn folder(name: &str) -> PathBuf {
    let folder = Path::new(env!("CARGO_TARGET_TMPDIR")).join(format!("graders-{name}"));
    let _ = fs::remove_dir_all(&folder);
    fs::create_dir_all(&folder).unwrap();
    folder
}

/// Copies these files of a folder of this project into another one.
fn copy_files(from: &str, files: &[&str], to: &Path) {
    fs::create_dir_all(to).unwrap();
    for file in files {
        fs::copy(root().join(from).join(file), to.join(file)).unwrap();
    }
}

/// Runs `casino` with these words.
fn casino(words: &[&str]) -> Ran {
    casino_in(root(), words)
}

/// The same in another folder.
fn casino_in(folder: &Path, words: &[&str]) -> Ran {
    with_input(Command::new(env!("CARGO_BIN_EXE_casino")).args(words).current_dir(folder), "")
}

/// Runs a command with an input.
fn with_input(command: &mut Command, input: &str) -> Ran {
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
fn student(name: &str) -> String {
    root().join("tests/students").join(name).to_str().unwrap().to_string()
}

/// The Python interpreter. `None` with a message if there is none.
fn python() -> Option<&'static str> {
    static PYTHON: OnceLock<Option<String>> = OnceLock::new();
    let found = PYTHON.get_or_init(|| tools::python()?.into_os_string().into_string().ok());
    if found.is_none() {
        tools::skip("python3", "programs in Python", "there is no python3 here");
    }
    found.as_deref()
}

/// The parts of a report in JSON, by number.
fn items(report: &Value, part: usize) -> &Vec<Value> {
    report["parts"][part]["items"].as_array().unwrap()
}

/// The decision of a small player that calls.
const CALLS: &str = r#"say("fold" if to_call > stack else "bet:%d" % to_call)"#;

/// A player in Python of a few lines, which decides by `decide`: lines of Python with `street`, `to_call` and `stack`.
fn small_player(decide: &str) -> String {
    let decide = decide.replace('\n', "\n        ");
    format!(
        r#"import socket, struct, sys, time
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
        {decide}
    elif words[0] == "done": break
"#
    )
}
