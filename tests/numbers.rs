//! Huge numbers on the command line: every flag of every command takes or refuses them, and none overflows.

use std::collections::BTreeSet;
use std::io::Read;
use std::path::Path;
use std::process::{Command, Stdio};
use std::thread;
use std::time::{Duration, Instant};

use super::support::host::{Folder, casino};

/// The commands that take numbers, with words with which they work.
const COMMANDS: [(&str, &str); 17] = [
    ("demo", ""),
    ("play", "--bot caller*2 --rounds 3"),
    ("learn", ""),
    ("sit", "--bot caller"),
    ("check", "-- true"),
    ("analyse", "j.jsonl"),
    ("odds", "4C 5C"),
    ("host", "--bind 127.0.0.1:0 --bot caller*2 --players 2"),
    ("resume", "j.jsonl"),
    ("replay", "j.jsonl"),
    ("report", "j.jsonl --out r"),
    ("verify", "j.jsonl"),
    ("grade", "s.py"),
    ("scenario run", "s.txt -- true"),
    ("rate", "--bot odds --bot caller --rounds 200"),
    ("blackjack", ""),
    ("ladder", "L --bind 127.0.0.1:0"),
];

/// How long a command that takes the number may work on it.
const LOOK: Duration = Duration::from_millis(400);

fn command(folder: &Path, name: &str) -> Command {
    let mut command = casino();
    command.current_dir(folder).args(name.split(' ')).stdin(Stdio::null());
    command
}

/// The flags of this command that take a value.
fn flags(folder: &Path, name: &str) -> BTreeSet<String> {
    let help = command(folder, name).arg("--help").output().expect("the program starts").stdout;
    let help = String::from_utf8(help).expect("help is text");
    let flag = |line: &str| {
        let at = line.find("--").filter(|at| line[..*at].trim_start().len() <= 4)?;
        let (flag, value) = line[at..].split_once(' ')?;
        value.starts_with('<').then(|| flag.to_string())
    };
    help.lines().filter_map(flag).collect()
}

/// The words that the program wrote if it crashed.
fn crash(mut command: Command) -> Option<String> {
    let mut child = command.stdout(Stdio::null()).stderr(Stdio::piped()).spawn().expect("it starts");
    let begun = Instant::now();
    while begun.elapsed() < LOOK && child.try_wait().expect("it can be waited for").is_none() {
        thread::sleep(Duration::from_millis(5));
    }
    let code = child.try_wait().expect("it can be waited for").map(|status| status.code());
    // It may have ended just now.
    let _ = child.kill();
    let mut said = String::new();
    child.stderr.take().expect("a pipe").read_to_string(&mut said).expect("its errors are text");
    child.wait().expect("it has ended");
    let is_crash = said.contains("panicked") || code.is_some_and(|code| !matches!(code, Some(0..=3)));
    is_crash.then(|| format!("{code:?}: {}", said.lines().take(4).collect::<Vec<_>>().join("\n")))
}

#[test]
fn no_number_of_a_flag_overflows() {
    let folder = Folder::new("numbers");
    let here = folder.file("");
    let mut play = command(&here, "play");
    play.args(["--bot", "caller*2", "--rounds", "3", "--journal", "j.jsonl", "--quiet"]);
    assert!(play.output().expect("it starts").status.success());
    std::fs::write(folder.file("s.py"), "print(1)\n").expect("a file");
    let mut tried = 0;
    for (name, words) in COMMANDS {
        for flag in flags(&here, name) {
            for number in ["18446744073709551615", "1_000_000_000_000_000", "4294967295"] {
                let mut words: Vec<&str> = words.split_whitespace().collect();
                if let Some(at) = words.iter().position(|word| *word == flag) {
                    words.drain(at..at + 2);
                }
                let value = format!("{flag}={number}");
                let mut command = command(&here, name);
                command.arg(&value).args(words);
                let crash = crash(command);
                assert!(crash.is_none(), "casino {name} {value}: {}", crash.unwrap_or_default());
                tried += 1;
            }
        }
    }
    assert!(tried >= 300, "{tried} flags and numbers: help is written in another form");
}
