//! `casino train` as a whole program, and a tournament of the bot that it trains.

#![allow(clippy::unwrap_used, reason = "nothing here is outside a test")]

use std::fs;
use std::path::{Path, PathBuf};
use std::process::{Command, Output, Stdio};

use serde_json::Value;

fn folder(name: &str) -> PathBuf {
    let folder = Path::new(env!("CARGO_TARGET_TMPDIR")).join(format!("train-{name}"));
    let _ = fs::remove_dir_all(&folder);
    fs::create_dir_all(&folder).unwrap();
    folder
}

fn casino(folder: &Path, words: &[&str]) -> Output {
    let mut command = Command::new(env!("CARGO_BIN_EXE_casino"));
    command.current_dir(folder).stdin(Stdio::null()).args(words).output().unwrap()
}

fn text(bytes: &[u8]) -> String {
    String::from_utf8(bytes.to_vec()).unwrap()
}

fn told(output: &Output) -> Value {
    assert!(output.status.success(), "{}", text(&output.stderr));
    serde_json::from_slice(&output.stdout).unwrap()
}

const SHORT: [&str; 7] = ["train", "--iterations", "5", "--boards", "4", "--seed", "short"];

#[test]
fn training_goes_on_where_it_stopped_and_threads_change_no_byte() {
    let folder = folder("resume");
    let short = |words: &[&str]| casino(&folder, &[&SHORT[..], words].concat());
    let whole = told(&short(&["--pairs", "3", "--jobs", "1", "--json", "--out", "whole"]));
    told(&short(&["--pairs", "1", "--json", "--out", "parts"]));
    let parts =
        told(&casino(&folder, &["train", "--resume", "parts", "--pairs", "2", "--jobs", "2", "--json"]));
    assert_eq!((&whole["learned"], &whole["of"]), (&3.into(), &338.into()));
    for same in ["sha256", "exploitability", "bytes", "iterations", "boards", "seed"] {
        assert_eq!(whole[same], parts[same], "{same}");
    }
    let [whole, parts] = ["whole", "parts"].map(|name| fs::read(folder.join(name)).unwrap());
    assert!(whole == parts && whole.len() > 6_000, "{} {}", whole.len(), parts.len());
    let other = short(&["--pairs", "1", "--seed", "other", "--json", "--out", "other"]);
    assert_eq!(other.status.code(), Some(2), "a flag is given twice");
    let words = casino(&folder, &["train", "--resume", "whole", "--pairs", "1", "--out", "more"]);
    assert!(text(&words.stdout).starts_with("4 of 338 pairs of up cards are learned in more: "), "{words:?}");
    assert_eq!(text(&words.stderr), "");
}

#[test]
fn what_cannot_be_used_is_refused_before_the_work() {
    let folder = folder("refused");
    fs::write(folder.join("text"), "no table").unwrap();
    for (words, why) in [
        (vec!["train"], "--out <FILE>"),
        (vec!["train", "--resume", "nothing"], "nothing: "),
        (vec!["train", "--resume", "text"], "text: this is no table of `casino train`"),
        (vec!["train", "--resume", "text", "--seed", "x"], "cannot be used with"),
        (vec!["train", "--out", "no/such/folder"], "cannot be written"),
        (vec!["train", "--out", "x", "--boards", "2451"], "from 1 to 2450"),
    ] {
        let output = casino(&folder, &words);
        assert_eq!(output.status.code(), Some(2), "{words:?} {}", text(&output.stderr));
        assert!(text(&output.stderr).contains(why), "{words:?} {}", text(&output.stderr));
    }
}

/// The bot's strategy is mixed and it remembers the round: its replies must follow from the seed all the same.
#[test]
fn a_journal_of_solver_is_verified() {
    let folder = folder("verify");
    let play =
        ["play", "--bot", "solver", "--bot", "bold", "--bot", "simple", "--rounds", "60", "--seed", "v"];
    let played = casino(&folder, &[&play[..], &["--out", "day"]].concat());
    assert!(played.status.success(), "{}", text(&played.stderr));
    let verified = casino(&folder, &["verify", "day/journal.jsonl"]);
    assert!(verified.status.success(), "{} {}", text(&verified.stdout), text(&verified.stderr));
}
