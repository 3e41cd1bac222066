//! Files from strangers: none of them can make a command wait, run something, write elsewhere, or print raw text.

use std::collections::BTreeSet;
use std::fs;
use std::io::{Read, Write};
use std::os::unix::fs::{PermissionsExt, symlink};
use std::path::Path;
use std::process::{Output, Stdio};

use nix::pty::openpty;
use nix::sys::stat::Mode;
use nix::unistd::mkfifo;
use serde_json::{Value, json};

use crate::support::host::{Folder, casino};

/// Attacks in a stranger's text: set the title, clear the screen in one byte, reverse the writing, hide, and imitate a
/// line of ours.
const CANARY: &str = "x\u{1b}]0;title\u{7}\u{1b}[2J\u{9b}31m\u{202e}\u{2066}\u{200b}\u{7f}\r\nFORGED line";

fn run_in(folder: &Folder, arguments: &[&str]) -> Output {
    let mut command = casino();
    command.args(arguments).current_dir(folder.file("")).stdin(Stdio::null());
    command.env("HOME", folder.file("")).output().unwrap()
}

/// Fails if the output has terminal control characters or a forged line.
fn is_harmless(output: &Output, what: &str) {
    for bytes in [&output.stdout, &output.stderr] {
        let text = std::str::from_utf8(bytes).unwrap_or_else(|error| panic!("{what}: {error}"));
        let acts = |letter: char| {
            letter.is_control() && letter != '\n' && letter != '\t'
                || "\u{ad}\u{200b}\u{200e}\u{200f}\u{202a}\u{202e}\u{2028}\u{2066}\u{2069}\u{feff}"
                    .contains(letter)
        };
        assert!(!text.contains(acts), "{what}: {text:?}");
        assert!(!text.lines().any(|line| line.trim_start().starts_with("FORGED")), "{what}: {text}");
    }
}

/// Every place in a value where a text stands, or the name of a field, as a path for [`with_canary`].
fn places(value: &Value, at: &str, found: &mut Vec<String>) {
    match value {
        Value::String(_) => found.push(at.to_string()),
        Value::Array(items) => items.iter().take(1).for_each(|item| places(item, &format!("{at}/0"), found)),
        Value::Object(fields) => {
            found.push(format!("{at}/*"));
            fields.iter().for_each(|(name, field)| places(field, &format!("{at}/{name}"), found));
        }
        _ => {}
    }
}

/// The value with the canary in one place: as the text there, or, at `*`, as one more field.
fn with_canary(value: &Value, place: &str) -> Value {
    let mut value = value.clone();
    match place.strip_suffix("/*") {
        Some(object) => {
            value.pointer_mut(object).unwrap()[CANARY] = json!(CANARY);
        }
        None => *value.pointer_mut(place).unwrap() = json!(CANARY),
    }
    value
}

fn frozen(name: &str) -> String {
    let golden = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/data/golden");
    fs::read_to_string(golden.join(name)).unwrap()
}

/// A journal, once for each text in each kind of its lines, with the canary there.
fn journals(name: &str) -> Vec<(String, String)> {
    let journal = frozen(&format!("journals/{name}.jsonl"));
    let lines: Vec<&str> = journal.lines().collect();
    let (mut seen, mut found) = (BTreeSet::new(), Vec::new());
    for (index, line) in lines.iter().enumerate() {
        let value: Value = serde_json::from_str(line).unwrap();
        if !seen.insert(value["type"].to_string()) {
            continue;
        }
        let mut at = Vec::new();
        places(&value, "", &mut at);
        for place in at {
            let damaged = with_canary(&value, &place).to_string();
            let text: String = lines[..index]
                .iter()
                .copied()
                .chain([damaged.as_str()])
                .map(|line| format!("{line}\n"))
                .collect();
            found.push((format!("{name}, line {}, {place}", index + 1), text));
        }
    }
    found
}

#[test]
fn nothing_of_a_journal_reaches_the_terminal_raw() {
    let folder = Folder::new("canaries of journals");
    let mut journals: Vec<_> = ["event", "play-program"].iter().flat_map(|name| journals(name)).collect();
    let header = serde_json::to_string(CANARY).unwrap();
    journals.push(("no journal".into(), format!("{{\"type\":{header},\"version\":1}}\n")));
    journals.push(("raw".into(), format!("{{\"type\":\"{CANARY}\"}}\n")));
    assert!(journals.len() > 60, "{} journals", journals.len());
    for (what, text) in journals {
        fs::write(folder.file("file.jsonl"), &text).unwrap();
        is_harmless(&run_in(&folder, &["resume", "file.jsonl"]), &format!("resume: {what}"));
        fs::write(folder.file("file.jsonl"), &text).unwrap();
        // The others read as these two do.
        let command = if what.contains("line 1,") { "replay" } else { "verify" };
        is_harmless(&run_in(&folder, &[command, "file.jsonl"]), &format!("{command}: {what}"));
    }
}

#[test]
fn nothing_of_other_files_reaches_the_terminal_raw() {
    let folder = Folder::new("canaries of files");
    let mut tried = 0;
    let mut try_all = |command: &[&str], name: &str, value: &Value| {
        let mut at = Vec::new();
        places(value, "", &mut at);
        for place in at {
            fs::write(folder.file(name), with_canary(value, &place).to_string()).unwrap();
            is_harmless(&run_in(&folder, command), &format!("{command:?} {place}"));
            tried += 1;
        }
    };
    let scenario =
        fs::read_to_string(Path::new(env!("CARGO_MANIFEST_DIR")).join("scenarios/R1/two-players.json"));
    try_all(
        &["scenario", "run", "scenario.json"],
        "scenario.json",
        &serde_json::from_str(&scenario.unwrap()).unwrap(),
    );
    try_all(&["merge", "part.json"], "part.json", &json!({"casino_rating_part": 1, "plan": "x"}));
    try_all(
        &["grade", "stud", "bold", "--rubric", "rubric.json"],
        "rubric.json",
        &json!({"name": "x", "parts": []}),
    );
    assert!(tried > 10, "{tried} files");

    let csv_text = CANARY.replace('\n', " ");
    let texts: [(&[&str], String); 4] = [
        (&["host", "--bind", "127.0.0.1:0", "--roster", "file"], format!("github_id,name\n{csv_text}:x,y\n")),
        (
            &["host", "--bind", "127.0.0.1:0", "--roster", "file"],
            format!("github_id\n\"{CANARY}\"\n\"{CANARY}\"\n"),
        ),
        (&["host", "--bind", "127.0.0.1:0", "--roster", "file"], format!("{csv_text}\nada\n")),
        (&["verify", "file"], CANARY.to_string()),
    ];
    for (command, text) in texts {
        fs::write(folder.file("file"), text).unwrap();
        let output = run_in(&folder, command);
        assert_ne!(output.status.code(), Some(0), "{command:?}");
        is_harmless(&output, &format!("{command:?}"));
    }
    // Names of files are texts of strangers too: a folder can be unpacked from an archive.
    let named = folder.file("found").join(format!("{CANARY}.jsonl"));
    fs::create_dir(folder.file("found")).unwrap();
    fs::write(
        &named,
        frozen("journals/play-one.jsonl").lines().take(3).map(|line| format!("{line}\n")).collect::<String>(),
    )
    .unwrap();
    let output = run_in(&folder, &["resume", "found", "--quiet"]);
    assert!(output.status.success(), "{output:?}");
    let errors = String::from_utf8(output.stderr).unwrap();
    assert!(!errors.contains(|letter: char| letter.is_control() && letter != '\n'), "{errors:?}");
}

/// A journal in which a program plays that leaves a mark where it runs.
fn with_program(command: &str, name: &str) -> String {
    let journal = frozen("journals/play-program.jsonl");
    let (header, rest) = journal.split_once('\n').unwrap();
    let mut header: Value = serde_json::from_str(header).unwrap();
    let players = header["players"].as_array_mut().unwrap();
    let program = players.iter_mut().find(|player| player["plays"]["program"].is_object()).unwrap();
    program["plays"]["program"]["command"] = json!(command);
    program["plays"]["program"]["name"] = json!(name);
    // The order of the fields is that of the journal's own lines.
    let line: casino_stud::journal::JournalLine = serde_json::from_value(header).unwrap();
    let rounds: Vec<&str> = rest.lines().take_while(|line| !line.contains("\"over\"")).collect();
    let first_round = rounds.iter().position(|line| line.contains("\"end\"")).unwrap() + 1;
    let rounds: String = rounds[..first_round].iter().map(|line| format!("{line}\n")).collect();
    format!("{}\n{rounds}", serde_json::to_string(&line).unwrap())
}

#[test]
fn a_journals_programs_run_only_with_consent() {
    let folder = Folder::new("programs of strangers");
    let command = "sh -c 'echo ran >> mark' {host} {port}";
    let journal = with_program(command, "theirs");
    fs::write(folder.file("file.jsonl"), &journal).unwrap();
    let refused = run_in(&folder, &["resume", "file.jsonl"]);
    let said = String::from_utf8(refused.stderr).unwrap();
    assert_eq!(refused.status.code(), Some(2), "{said}");
    assert!(said.contains(command) && said.contains("--run-programs"), "{said}");
    assert!(!folder.file("mark").exists(), "it was not run");
    assert_eq!(fs::read_to_string(folder.file("file.jsonl")).unwrap(), journal, "nothing is written");
    assert!(!folder.file("file.jsonl.times.csv").exists());

    run_in(&folder, &["resume", "file.jsonl", "--run-programs"]);
    assert_eq!(fs::read_to_string(folder.file("mark")).unwrap(), "ran\n", "whoever allows it has it run");

    fs::write(folder.file("file.jsonl"), with_program(command, "../outside")).unwrap();
    let refused = run_in(&folder, &["resume", "file.jsonl", "--run-programs", "--out", "inside"]);
    let said = String::from_utf8(refused.stderr).unwrap();
    assert_eq!(refused.status.code(), Some(2), "{said}");
    assert!(said.contains("\"../outside\", which is no name of a program"), "{said}");
    assert!(!folder.file("outside.stdout").exists() && !folder.file("inside").exists());
}

#[test]
fn consent_on_a_terminal_needs_a_typed_y() {
    let command = "sh -c 'echo ran >> mark' {host} {port}";
    for (typed, runs) in [("y\n", true), (" yes \n", true), ("n\n", false), ("\n", false), ("yy\n", false)] {
        let folder = Folder::new("programs of strangers on a terminal");
        fs::write(folder.file("file.jsonl"), with_program(command, "theirs")).unwrap();
        let pty = openpty(None, None).unwrap();
        let mut asked = casino();
        asked.args(["resume", "file.jsonl"]).current_dir(folder.file("")).stdout(Stdio::null());
        asked.stdin(pty.slave.try_clone().unwrap()).stderr(pty.slave);
        let mut program = asked.spawn().unwrap();
        // It holds the other end.
        drop(asked);
        let mut terminal = fs::File::from(pty.master);
        terminal.write_all(typed.as_bytes()).unwrap();
        let mut said = Vec::new();
        // A terminal without any holder gives an error.
        let _ = terminal.read_to_end(&mut said);
        let status = program.wait().unwrap();
        let said = String::from_utf8_lossy(&said);
        assert!(said.contains(&format!("theirs: {command}")) && said.contains("Type y and Enter"), "{said}");
        assert_eq!(folder.file("mark").exists(), runs, "{typed:?}: {said}");
        assert_eq!(status.code() == Some(2), !runs, "{typed:?}: {said}");
    }
}

#[test]
fn nothing_is_written_through_a_link_that_lies_in_the_way() {
    let folder = Folder::new("links of strangers");
    fs::write(folder.file("mine"), "mine\n").unwrap();
    fs::set_permissions(folder.file("mine"), fs::Permissions::from_mode(0o600)).unwrap();
    // Times of another program, with the same beginning as ours.
    let times = "round,seat,microseconds\n1,1,5\n";
    fs::write(folder.file("my times"), times).unwrap();
    fs::create_dir(folder.file("my folder")).unwrap();
    let untouched = |what: &str| {
        assert_eq!(fs::read_to_string(folder.file("mine")).unwrap(), "mine\n", "{what}");
        assert_eq!(fs::read_to_string(folder.file("my times")).unwrap(), times, "{what}");
        assert_eq!(fs::read_dir(folder.file("my folder")).unwrap().count(), 0, "{what}");
    };
    let play = |journal: &str| {
        run_in(
            &folder,
            &["play", "--bot", "bold*2", "--rounds", "3", "--seed", "x", "--quiet", "--journal", journal],
        )
    };

    // The times beside a journal: no link, no pipe, no second name, and nothing that holds something else.
    type Put<'a> = (&'a str, &'a dyn Fn(&Path));
    let in_the_way: [Put<'_>; 4] = [
        ("link", &|times| symlink(folder.file("my times"), times).unwrap()),
        ("pipe", &|times| mkfifo(times, Mode::from_bits_truncate(0o600)).unwrap()),
        ("name", &|times| fs::hard_link(folder.file("my times"), times).unwrap()),
        ("notes", &|times| fs::write(times, "notes\n").unwrap()),
    ];
    for (name, put) in in_the_way {
        put(&folder.file(&format!("{name}.jsonl.times.csv")));
        let output = play(&format!("{name}.jsonl"));
        let said = String::from_utf8(output.stderr).unwrap();
        assert!(output.status.success(), "{name}: {said}");
        assert!(said.contains("No reply times are kept"), "{name}: {said}");
        untouched(name);
    }
    assert_eq!(fs::read_to_string(folder.file("notes.jsonl.times.csv")).unwrap(), "notes\n");

    // Reports, cards and results.
    assert!(play("day.jsonl").status.success());
    for (file, target) in [("report.html", "mine"), ("cards", "mine"), ("cards", "my folder")] {
        let out = format!("out-{file}-{target}");
        fs::create_dir(folder.file(&out)).unwrap();
        symlink(folder.file(target), folder.file(&out).join(file)).unwrap();
        let output = run_in(&folder, &["report", "day.jsonl", "--out", &out]);
        assert_ne!(output.status.code(), Some(0), "{file}");
        untouched(file);
    }
    fs::create_dir(folder.file("results")).unwrap();
    symlink(folder.file("mine"), folder.file("results").join("result.json")).unwrap();
    let output =
        run_in(&folder, &["play", "--bot", "bold*2", "--rounds", "3", "--quiet", "--out", "results"]);
    assert_eq!(output.status.code(), Some(2), "{}", String::from_utf8_lossy(&output.stderr));
    untouched("result.json");
}
