//! Shared helpers of tests of the graders: running `casino grade`, and a small player for submissions.

#![allow(clippy::unwrap_used, reason = "nothing here is outside a test")]

use std::path::Path;
use std::process::{Command, Stdio};

/// The result of a run of `casino`.
pub(crate) struct Ran {
    pub(crate) stdout: String,
    pub(crate) stderr: String,
    pub(crate) code: Option<i32>,
}

/// Runs `casino grade` in a folder.
pub(crate) fn grade(words: &[&str], here: &Path) -> Ran {
    let output = Command::new(env!("CARGO_BIN_EXE_casino"))
        .arg("grade")
        .args(words)
        .current_dir(here)
        .stdin(Stdio::null())
        .output()
        .unwrap();
    Ran {
        stdout: String::from_utf8(output.stdout).unwrap(),
        stderr: String::from_utf8(output.stderr).unwrap(),
        code: output.status.code(),
    }
}

/// The decision of a small player that calls.
pub(crate) const CALLS: &str = r#"say("fold" if to_call > stack else "bet:%d" % to_call)"#;

/// A player in Python of a few lines, which decides by `decide`: lines of Python with `street`, `to_call` and `stack`.
pub(crate) fn small_player(decide: &str) -> String {
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
