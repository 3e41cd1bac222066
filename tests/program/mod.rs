//! The program as people run it: the same bytes for the same seed, players of every kind at one table, clear
//! words and exit codes, nothing left running.

mod installed;
mod limits;
mod programs;
mod survives;
mod usage;

use std::fs;
use std::io::Read;
use std::net::SocketAddr;
use std::os::unix::fs::PermissionsExt;
use std::path::{Path, PathBuf};
use std::process::{Command, Output, Stdio};
use std::time::{Duration, Instant};

use crate::support::client::play_from;
use crate::support::host::{Host, PATIENCE, scratch};
use crate::tools::has;
use casino_host::{ProgramStarter, ShellCommand};
use serde_json::Value;
use sha2::{Digest, Sha256};

fn casino() -> Command {
    let mut command = crate::support::host::casino();
    command.env("PYTHONDONTWRITEBYTECODE", "1").env_remove("RUST_BACKTRACE").stdin(Stdio::null());
    command
}

fn run(arguments: &[&str]) -> Output {
    casino().args(arguments).output().expect("the program runs")
}

fn text(bytes: &[u8]) -> String {
    String::from_utf8(bytes.to_vec()).expect("plain text")
}

/// Runs it and gives the JSON object it prints.
fn run_json(arguments: &[&str]) -> Value {
    let output = run(arguments);
    assert!(output.status.success(), "{}", text(&output.stderr));
    serde_json::from_slice(&output.stdout).expect("one JSON object")
}

fn path(path: &Path) -> &str {
    path.to_str().expect("a plain path")
}

/// Builds a program of one file and its modules.
fn build(source: &Path, program: &Path) -> PathBuf {
    let rustc = std::env::var_os("RUSTC").unwrap_or_else(|| "rustc".into());
    let built = Command::new(rustc).args(["--edition", "2021", "-o"]).arg(program).arg(source).status();
    assert!(built.expect("rustc runs").success(), "{} builds", source.display());
    program.to_path_buf()
}

/// The standings as (name, how it left).
fn left(result: &Value) -> Vec<(String, Option<String>)> {
    let line = |line: &Value| {
        let how = line["how"].as_str().map(ToString::to_string);
        (line["name"].as_str().expect("a name").to_string(), how)
    };
    result["standings"].as_array().expect("standings").iter().map(line).collect()
}

fn assert_nobody_ejected(result: &Value) {
    for (name, how) in left(result) {
        assert!(how.as_deref().is_none_or(|how| how == "out of chips"), "{name}: {how:?} in {result}");
    }
}

#[test]
fn a_drawn_seed_is_promised_before_and_shown_after() {
    let output = run(&["play", "--bot", "caller*3", "--rounds", "5", "--json"]);
    assert!(output.status.success());
    let result: Value = serde_json::from_slice(&output.stdout).expect("one JSON object");
    let seed = result["seed"].as_str().expect("a seed");
    let digest: String = Sha256::digest(seed.as_bytes()).iter().map(|byte| format!("{byte:02x}")).collect();
    assert_eq!(result["promise"].as_str(), Some(digest.as_str()));
    assert!(text(&output.stderr).contains(&digest));
    let again = run_json(&["play", "--bot", "caller*3", "--rounds", "5", "--json", "--seed", seed]);
    assert_eq!(again["standings"], result["standings"], "the shown seed deals the same");
    let shown = run(&["play", "--bot", "caller*3", "--rounds", "5"]);
    let shown = text(&shown.stdout);
    let promise = shown.find("its SHA-256 is").expect("a promise");
    let told = shown.find("The seed was").expect("the seed");
    assert!(promise < shown.find("round ").expect("a round") && shown.rfind("round ").expect("one") < told);
}

/// A host with these flags, and where it listens.
fn host(arguments: &[&str]) -> (Host, SocketAddr) {
    listening(casino().args(["host", "--bind", "127.0.0.1:0"]).args(arguments))
}

fn listening(command: &mut Command) -> (Host, SocketAddr) {
    let mut host = Host::start(command);
    let address = host.address().expect("it listens");
    (host, address)
}

/// The standard output and error of a host that ends well.
fn finish(host: Host) -> (String, String) {
    let ended = host.wait();
    assert!(ended.status.success(), "{}: {}", ended.status, ended.stderr);
    (ended.stdout, ended.stderr)
}

#[test]
fn no_terminal_sees_a_hostile_name_or_anybodys_github_id() {
    let (mut host, address) = host(&["--players", "4", "--bot", "caller", "--seed", "x", "--rounds", "4"]);
    // Refused: without a colon, the refused text is a GitHubId.
    let refused = play_from("127.0.0.1", address, "gh-zebra", |_| "fold".to_string());
    assert!(refused.last().is_some_and(|words| words.contains("there is no colon in it")), "{refused:?}");
    let logins = [
        "gh-ada:\u{1b}[2J\u{1b}]0;owned\u{7}Ada\u{202e}",
        "gh-bob:gh-ada",
        "gh-cyd:<img src=x onerror=alert(1)>",
    ];
    let mut play = |(number, login): (usize, &'static str)| {
        let reply = |fields: &[&str]| match login.starts_with("gh-cyd") {
            true => "gh-bob is \u{1b}[31mBob".to_string(),
            false => format!("bet:{}", fields[3]),
        };
        let player = std::thread::spawn(move || play_from("127.0.0.1", address, login, reply));
        // The next one uses the GitHubId of one that is in.
        host.wait_until_said(|said| said.contains(&format!("is in: {} of 4", number + 1)).then_some(()));
        player
    };
    let players: Vec<_> = (1..).zip(logins).map(&mut play).collect();
    for player in players {
        let heard = player.join().expect("it plays");
        assert!(heard.last().is_some_and(|word| word.starts_with("done:")), "{heard:?}");
    }
    let (said, remarks) = finish(host);
    let all = format!("{said}{remarks}");
    assert!(remarks.contains("is in: 4 of 4") && said.contains("is out"), "{all}");
    for secret in ["gh-ada", "gh-bob", "gh-cyd", "gh-zebra", "ghada", "ghbob"] {
        assert!(!all.to_lowercase().contains(secret), "{secret} is shown: {all}");
    }
    let strange = |c: char| (c.is_control() && c != '\n') || c == '\u{202e}';
    assert!(!all.contains(strange), "{all:?}");
}
