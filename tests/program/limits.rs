//! Resource limits of the system: every command reports a limit in plain words, and none panics or ends silently.

use std::os::unix::fs::MetadataExt;
use std::os::unix::process::CommandExt;

use super::*;

/// No user has this many processes already: none may be started, nor a thread. Not every shell has the same letter for it.
const NO_MORE_PROCESSES: &str = "{ ulimit -u 1 2>/dev/null || ulimit -p 1; }";

/// An unprivileged user: no limit of processes applies to root.
const NOBODY: u32 = 65_534;

/// Shell lines that set a limit.
const LIMITS: [&str; 12] = [
    "ulimit -n 4",
    "ulimit -n 5",
    "ulimit -n 6",
    "ulimit -n 8",
    "ulimit -n 11",
    "ulimit -n 13",
    "ulimit -n 14",
    "ulimit -f 1",
    "ulimit -v 150000",
    "ulimit -s 256",
    "ulimit -t 1",
    NO_MORE_PROCESSES,
];

/// A command that plays with a started program and writes files, one that serves, and one that uses the sandbox. `NEW` is a
/// place for something new.
const COMMANDS: [&[&str]; 3] = [
    &["play", "--bot", "odds", "--bot", "a=python3 -c 1 {host} {port}", "--rounds", "2", "--out", "NEW"],
    &[
        "host",
        "--bind",
        "127.0.0.1:0",
        "--players",
        "2",
        "--bot",
        "caller*2",
        "--rounds",
        "2",
        "--journal",
        "NEW",
    ],
    &["grade", "cribbage", "value", "--program", "echo 2 {cards}"],
];

#[test]
fn system_limits_are_reported_in_plain_words() {
    let folder = scratch("limits");
    fs::set_permissions(&folder, fs::Permissions::from_mode(0o777)).unwrap();
    let is_root = fs::metadata(&folder).unwrap().uid() == 0;
    let new = folder.join("new");
    let mut begun_under = 0;
    for limit in LIMITS {
        let mut has_begun = false;
        for command in COMMANDS {
            // Removes leftovers.
            let _ = fs::remove_dir_all(&new);
            let _ = fs::remove_file(&new);
            let words = command.iter().map(|word| if *word == "NEW" { path(&new) } else { *word });
            let mut shell = Command::new("sh");
            shell.args(["-c", &format!("{limit} && exec \"$0\" \"$@\""), env!("CARGO_BIN_EXE_casino")]);
            shell.env_remove("RUST_BACKTRACE").current_dir(&folder).stdin(Stdio::null());
            if limit == NO_MORE_PROCESSES && is_root {
                shell.uid(NOBODY).gid(NOBODY);
            }
            let output = shell.args(words).output().expect("a shell starts");
            let said = text(&output.stderr);
            // The system's loader itself needs files and memory before the program starts, and the unprivileged user
            // cannot run a program below a closed folder.
            if said.contains("error while loading shared libraries") || output.status.code() == Some(126) {
                continue;
            }
            has_begun = true;
            let what = format!("{limit}: casino {}: {:?}: {said}", command.join(" "), output.status);
            assert!(!said.contains("try '--help'"), "{what}");
            assert!(!said.contains("panicked") && output.status.code().is_some(), "{what}");
            let is_told = output.status.success() || said.contains("casino: ") || !output.stdout.is_empty();
            assert!(is_told, "{what}");
        }
        begun_under += usize::from(has_begun);
    }
    assert!(begun_under > LIMITS.len() / 2, "{begun_under} of {} limits were tested", LIMITS.len());
}

/// Otherwise the system would end the program without a message.
#[test]
fn used_up_processor_time_is_reported() {
    let mut shell = Command::new("sh");
    let words = ["play", "--bot", "caller*2", "--rounds", "10000000", "--stack", "10000000"];
    shell.args(["-c", "ulimit -t 1 && exec \"$0\" \"$@\"", env!("CARGO_BIN_EXE_casino")]).args(words);
    let output = shell.stdin(Stdio::null()).output().expect("a shell starts");
    assert_eq!(output.status.code(), Some(1), "{:?}: {}", output.status, text(&output.stderr));
    let said = "casino: the system allows this process 1 s of processor time, and it has had them";
    assert!(text(&output.stderr).contains(said), "{}", text(&output.stderr));
}

#[test]
fn too_many_players_for_the_open_files_are_refused_at_once() {
    let mut shell = Command::new("sh");
    let words = ["host", "--bind", "127.0.0.1:0", "--players", "200", "--seats", "9"];
    shell.args(["-c", "ulimit -n 100 && exec \"$0\" \"$@\"", env!("CARGO_BIN_EXE_casino")]).args(words);
    let output = shell.stdin(Stdio::null()).output().expect("a shell starts");
    assert_eq!(output.status.code(), Some(2));
    assert!(text(&output.stderr).contains("ulimit -n 264"), "{}", text(&output.stderr));
}
