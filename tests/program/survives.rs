//! A day outlives its readers and its terminal, and ends with a clear message when its journal cannot grow.

use std::io::{BufRead, BufReader};

use nix::sys::signal::{Signal, kill};
use nix::unistd::Pid;

use super::*;

const PLAYERS: [&str; 8] = ["--bot", "caller*2", "--bot", "odds", "--bot", "random", "--seed", "survives"];

/// `casino play` with these further words, by a shell after this command.
fn play_after(before: &str, words: &[&str]) -> Command {
    let mut shell = Command::new("sh");
    shell.args(["-c", &format!("{before} exec \"$0\" \"$@\""), env!("CARGO_BIN_EXE_casino"), "play"]);
    shell.args(PLAYERS).args(words).stdin(Stdio::null()).stdout(Stdio::piped()).stderr(Stdio::piped());
    shell
}

/// The words of `casino verify` about a journal that is verified.
fn verified(journal: &Path) -> String {
    let output = run(&["verify", path(journal)]);
    assert!(output.status.success(), "{}", text(&output.stdout));
    text(&output.stdout)
}

/// The standings of a tournament that nothing disturbed.
fn undisturbed(rounds: &str) -> Value {
    run_json(&[&["play"], &PLAYERS[..], &["--rounds", rounds, "--json"]].concat())["standings"].clone()
}

#[test]
fn a_day_continues_without_a_reader() {
    let folder = scratch("unread");
    // In this process and over sockets; lines, levels of many tables, and one object at the end.
    let kinds: [&[&str]; 4] =
        [&[], &["--pace", "1"], &["--seats", "2", "--level-rounds", "20", "--bot", "reader*2"], &["--json"]];
    for (number, kind) in kinds.iter().enumerate() {
        let journal = folder.join(format!("{number}.jsonl"));
        let mut child = play_after("", &["--rounds", "300", "--stack", "3000", "--journal", path(&journal)])
            .args(*kind)
            .spawn()
            .expect("it starts");
        drop(child.stdout.take());
        let output = child.wait_with_output().expect("it ends");
        assert_eq!(output.status.code(), Some(0), "{kind:?}: {}", text(&output.stderr));
        assert!(!text(&output.stderr).contains("casino:"), "{kind:?}: {}", text(&output.stderr));
        assert!(!verified(&journal).contains("not over"), "{kind:?}");
    }
}

#[test]
fn a_full_standard_output_does_not_stop_the_day() {
    let journal = scratch("full").join("day.jsonl");
    let full = fs::OpenOptions::new().write(true).open("/dev/full").expect("it is there");
    let mut play = play_after("", &["--rounds", "60", "--journal", path(&journal)]);
    let output = play.stdout(full).output().expect("it ends");
    assert_eq!(output.status.code(), Some(1));
    assert!(
        text(&output.stderr).contains("standard output could not be written"),
        "{}",
        text(&output.stderr)
    );
    assert!(!verified(&journal).contains("not over"));
}

#[test]
fn a_terminal_that_goes_ends_the_day_as_an_interrupt_does() {
    let folder = scratch("hangup");
    for (name, signal) in [("hangup", Signal::SIGHUP), ("terminate", Signal::SIGTERM)] {
        let journal = folder.join(format!("{name}.jsonl"));
        // This test itself may have been started with nohup.
        let mut child = play_after(
            "exec env --default-signal=HUP \"$0\" \"$@\";",
            &["--rounds", "400", "--stack", "3000", "--pace", "60000", "--journal", path(&journal)],
        )
        .spawn()
        .expect("it starts");
        let mut stdout = BufReader::new(child.stdout.take().expect("piped"));
        let mut said = String::new();
        while !said.contains("round     1") {
            assert!(stdout.read_line(&mut said).expect("text") > 0, "{said}");
        }
        // A closing terminal may send several signals.
        for _ in 0..if signal == Signal::SIGHUP { 3 } else { 1 } {
            kill(Pid::from_raw(child.id() as i32), signal).expect("it runs");
        }
        stdout.read_to_string(&mut said).expect("text");
        assert_eq!(child.wait().expect("it ends").code(), Some(0), "{said}");
        assert!(said.contains("stopped early") && said.contains("casino resume"), "{said}");
        assert!(verified(&journal).contains("not over"));
        let resumed = run(&["resume", path(&journal), "--json"]);
        let result: Value = serde_json::from_slice(&resumed.stdout).expect("one JSON object");
        let words = ["--stack", "3000", "--rounds", "400", "--json"];
        let whole = run_json(&[&["play"], &PLAYERS[..], &words].concat());
        assert_eq!(result["standings"], whole["standings"], "{name}");
    }
}

#[test]
fn a_day_that_is_to_outlive_its_terminal_does() {
    let mut play = play_after("trap '' HUP;", &["--rounds", "60", "--pace", "5"]);
    let mut child = play.spawn().expect("it starts");
    let mut stdout = BufReader::new(child.stdout.take().expect("piped"));
    let mut said = String::new();
    while !said.contains("round    10") {
        assert!(stdout.read_line(&mut said).expect("text") > 0, "{said}");
    }
    kill(Pid::from_raw(child.id() as i32), Signal::SIGHUP).expect("it runs");
    stdout.read_to_string(&mut said).expect("text");
    assert_eq!(child.wait().expect("it ends").code(), Some(0));
    assert!(said.contains("After 60 rounds:"), "{said}");
}

#[test]
fn a_journal_at_the_size_limit_ends_the_day_resumably() {
    let folder = scratch("file-size");
    for (name, pace) in [("in-process", "0"), ("networked", "1")] {
        let journal = folder.join(format!("{name}.jsonl"));
        let words = ["--rounds", "500", "--pace", pace, "--journal", path(&journal)];
        let output = play_after("ulimit -f 24;", &words).output().expect("it ends");
        let said = text(&output.stderr);
        assert_eq!(output.status.code(), Some(1), "{name}: {said}");
        let command = format!("casino resume {}", path(&journal));
        for words in ["could not be recorded any more", "File too large", "announced", &command] {
            assert!(said.contains(words), "{name}: {words} is not in {said}");
        }
        let resumed = run(&["resume", path(&journal), "--json"]);
        assert!(resumed.status.success(), "{name}: {}", text(&resumed.stderr));
        let result: Value = serde_json::from_slice(&resumed.stdout).expect("one JSON object");
        assert_eq!(result["standings"], undisturbed("500"), "{name}");
    }
}

#[test]
fn a_journal_that_cannot_even_begin_is_not_left_in_the_way() {
    let journal = scratch("no-room").join("day.jsonl");
    let output = play_after("ulimit -f 0;", &["--journal", path(&journal)]).output().expect("it ends");
    assert_eq!(output.status.code(), Some(2), "{}", text(&output.stderr));
    assert!(text(&output.stderr).contains("day.jsonl cannot be written"), "{}", text(&output.stderr));
    assert!(!journal.exists());
}
