//! The command line: usage errors and help.

use super::*;

#[test]
fn usage_errors_have_place_remedy_and_exit_code_two() {
    let folder = scratch("usage");
    let journal = folder.join("there.jsonl");
    fs::write(&journal, "somebody's tournament").expect("a file");
    let taken = std::net::TcpListener::bind("127.0.0.1:0").expect("a free port");
    let taken = taken.local_addr().expect("bound").to_string();
    let listener = std::net::TcpListener::bind(&taken);
    let journal = path(&journal);
    let in_nowhere = path(&folder.join("nowhere/at/all.jsonl")).to_string();
    let cases: Vec<(Vec<&str>, &[&str])> = vec![
        (vec!["play", "--bot", "random*18"], &["18 players do not fit", "17 seats"]),
        (vec!["play", "--bot", "bold"], &["at least two players", "there is one", "add one with --bot"]),
        (vec!["play"], &["at least two players", "nobody"]),
        (vec!["play", "--bot", "nobody", "--bot", "bold"], &["there is no house bot \"nobody\"", "cautious"]),
        (vec!["play", "--bot", "random*x"], &["is no number of bots", "random*3"]),
        (vec!["play", "--bot", "bold", "--bot", "me=java Poker {host}"], &["has no {port}", "{host} {port}"]),
        (vec!["play", "--bot", "bold", "--bot", "me=java Poker {port}"], &["has no {host}"]),
        (vec!["play", "--bot", "a b=x {host} {port}"], &["cannot be a program's name", "letters, digits"]),
        (
            vec!["play", "--bot", "a=x {host} {port}", "--bot", "a=y {host} {port}"],
            &["two programs are named a"],
        ),
        (vec!["play", "--bot", "bold*2", "--journal", journal], &["is there already", "name a new file"]),
        (vec!["play", "--bot", "bold*2", "--journal", &in_nowhere], &["there is no folder", "mkdir -p"]),
        (vec!["play", "--bot", "bold*2", "--rounds", "0"], &["--rounds"]),
        (vec!["play", "--bot", "bold*2", "--rounds", "many"], &["--rounds"]),
        (vec!["play", "--bot", "bold*2", "--stack", "0"], &["--stack"]),
        (vec!["play", "--bot", "bold*2", "--reply-ms", "0"], &["--reply-ms"]),
        (vec!["play", "--bot", "bold*2", "--frobnicate"], &["--frobnicate"]),
        (vec!["play", "--bot", "bold*2", "--late-entry", "5"], &["--late-entry", "use casino host"]),
        (
            vec![
                "host",
                "--bind",
                "127.0.0.1:0",
                "--players",
                "2",
                "--format",
                "rounds",
                "--late-entry",
                "5",
            ],
            &["--late-entry is for a single-table and a freezeout, and not for a rounds"],
        ),
        (vec!["host", "--bind", "nonsense", "--players", "2"], &["--bind", "nonsense"]),
        (
            vec!["host", "--bind", &taken, "--players", "2"],
            &["cannot be listened on", "choose another --bind"],
        ),
        (
            vec!["host", "--bind", "203.0.113.7:1", "--players", "2"],
            &["cannot be listened on", "203.0.113.7:1"],
        ),
        (vec!["host", "--bind", "127.0.0.1:0", "--players", "1"], &["at least two players"]),
        (
            vec!["host", "--bind", "127.0.0.1:0", "--players", "2", "--bot", "bold*3"],
            &["--players 2 is fewer than the 3 named by --bot"],
        ),
        // Found before the lobby opens.
        (
            vec!["host", "--bind", "127.0.0.1:0", "--players", "2", "--journal", journal],
            &["is there already", "name a new file"],
        ),
        (vec!["deal"], &["deal"]),
        (vec![], &["Usage"]),
    ];
    refused(cases);
    drop(listener);
    assert_eq!(fs::read_to_string(journal).expect("still there"), "somebody's tournament");
}

/// Checks that each of these commands is refused with these words and exit code 2, before any client could connect.
fn refused(cases: Vec<(Vec<&str>, &[&str])>) {
    for (arguments, words) in cases {
        let output = run(&arguments);
        let said = text(&output.stderr);
        assert_eq!(output.status.code(), Some(2), "{arguments:?}: {said}");
        assert!(!said.contains("panicked"), "{arguments:?}: {said}");
        assert!(!text(&output.stdout).contains("listening"), "{arguments:?}: it listened first");
        for words in words {
            assert!(said.contains(words), "{arguments:?}: {words} is not in {said}");
        }
    }
}

#[test]
fn commands_overwrite_neither_inputs_nor_files_of_others() {
    let folder = scratch("outputs");
    let play = |name: &str| {
        let journal = folder.join(name);
        let played = run(&["play", "--bot", "bold*2", "--rounds", "2", "--journal", path(&journal)]);
        assert!(played.status.success(), "{}", text(&played.stderr));
        fs::read(journal).expect("a journal")
    };
    let kept = [("day.jsonl", play("day.jsonl")), ("other.jsonl", play("other.jsonl"))];
    let at = |name: &str| path(&folder.join(name)).to_string();
    fs::hard_link(at("day.jsonl"), at("hard.jsonl")).expect("a link");
    std::os::unix::fs::symlink(at("day.jsonl"), at("soft.jsonl")).expect("a link");
    fs::create_dir(at("theirs")).expect("a folder");
    let theirs = ["page.html", "report.html", "result.json", "casino.1", "poker.py", "gradebook.csv"]
        .map(|name| format!("theirs/{name}"));
    for file in &theirs {
        fs::write(at(file), "<!DOCTYPE html>\n").expect("a file");
    }
    fs::write(at("public.jsonl"), "").expect("a file");
    let rate = "rate --bot bold --bot odds --rounds 4 --html";
    let refused = [
        "replay day.jsonl --html day.jsonl",
        "replay day.jsonl --html ./theirs/../day.jsonl",
        "replay soft.jsonl --html day.jsonl",
        "replay hard.jsonl --public day.jsonl",
        "replay day.jsonl --public=day.jsonl",
        "replay day.jsonl --public other.jsonl",
        "replay day.jsonl --public soft.jsonl",
        "replay day.jsonl --html theirs/page.html",
        &format!("{rate} day.jsonl"),
        &format!("{rate} theirs/page.html"),
        "report day.jsonl --out theirs",
        "play --bot bold*2 --rounds 1 --out theirs",
        "manual theirs",
        "new-bot python theirs",
        "grade stud theirs --json=theirs/poker.py",
        "grade stud theirs --html theirs/page.html",
        "grade stud --all theirs --out theirs",
    ];
    let in_folder =
        |words: &str| casino().current_dir(&folder).args(words.split(' ')).output().expect("it runs");
    for words in refused {
        let output = in_folder(words);
        assert!(matches!(output.status.code(), Some(1 | 2)), "{words}: {}", text(&output.stderr));
        for (name, content) in &kept {
            assert!(fs::read(at(name)).is_ok_and(|found| found == *content), "{words} changed {name}");
        }
        for file in &theirs {
            assert!(
                fs::read(at(file)).is_ok_and(|found| found == b"<!DOCTYPE html>\n"),
                "{words} changed {file}"
            );
        }
    }
    for words in [
        "replay day.jsonl --html new.html",
        "replay day.jsonl --public public.jsonl",
        &format!("{rate} new.html"),
    ] {
        // Earlier outputs and empty files are replaced.
        for _ in 0..2 {
            let output = in_folder(words);
            assert!(output.status.success(), "{words}: {}", text(&output.stderr));
        }
    }
}

#[test]
fn a_day_checks_its_files_before_it_listens() {
    let folder = scratch("needs");
    let taken = std::net::TcpListener::bind("127.0.0.1:0").expect("a free port");
    let page = taken.local_addr().expect("bound").to_string();
    let in_nowhere = path(&folder.join("nowhere/at/all.jsonl")).to_string();
    let too_long = path(&folder.join("x".repeat(300))).to_string();
    fs::write(folder.join("file"), "").expect("a file");
    let in_a_file = path(&folder.join("file/out")).to_string();
    fs::create_dir_all(folder.join("blocked/result.json")).expect("a folder");
    let blocked = path(&folder.join("blocked")).to_string();
    fs::write(folder.join("day-2.jsonl"), "somebody's tournament").expect("a file");
    let later = path(&folder.join("day.jsonl")).to_string();
    let host = ["host", "--bind", "127.0.0.1:0", "--players", "2"];
    fn with_path<'a>(host: &[&'a str], flag: &'a str, path: &'a str) -> Vec<&'a str> {
        [host, &[flag, path]].concat()
    }
    refused(vec![
        (with_path(&host, "--journal", in_nowhere.as_str()), &["there is no folder", "mkdir -p"]),
        (with_path(&host, "--journal", &too_long), &["cannot be written", "another file"]),
        (with_path(&host, "--out", &in_a_file), &["file/out", "another folder"]),
        (with_path(&host, "--out", &blocked), &["result.json", "cannot be written", "another folder"]),
        (
            [with_path(&host, "--journal", &later), vec!["--console"]].concat(),
            &["day-2.jsonl is there already", "name a new file"],
        ),
        (with_path(&host, "--web", &page), &["cannot be listened on", "choose another address"]),
    ]);
    assert!(!folder.join("day.jsonl").exists(), "a trial left something behind");
}

pub(super) fn commands(help: &str) -> Vec<String> {
    let Some((_, list)) = help.split_once("Commands:") else { return Vec::new() };
    list.lines()
        .skip(1)
        .take_while(|line| !line.trim().is_empty())
        .filter(|line| line.starts_with("  ") && !line.starts_with("   "))
        .flat_map(|line| {
            // The last line of `casino --help` lists commands without a description.
            let names = line
                .split(';')
                .next()
                .filter(|names| names.trim().split(' ').all(|n| n.ends_with(',') || names.ends_with(n)));
            names.unwrap_or_else(|| line.split_whitespace().next().unwrap_or_default()).split_whitespace()
        })
        .map(|name| name.trim_end_matches(','))
        .filter(|name| *name != "help")
        .map(ToString::to_string)
        .collect()
}

pub(super) fn text_of_help(words: &[String]) -> String {
    let output = casino().args(words).arg("--help").output().expect("the program runs");
    assert!(output.status.success(), "{words:?}");
    text(&output.stdout)
}

/// Checks the examples in a command's help and in those of its subcommands.
fn look_for_examples(words: &[String]) {
    let help = text_of_help(words);
    for under in commands(&help) {
        look_for_examples(&[words, &[under]].concat());
    }
    if commands(&help).is_empty() {
        let command = format!("casino {}", words.join(" "));
        assert!(help.contains("Example") && help.contains(&command), "{words:?}: {help}");
    }
}

#[test]
fn every_commands_help_has_examples() {
    let help = text(&run(&["--help"]).stdout);
    for wanted in ["play", "host", "bots"] {
        assert!(commands(&help).iter().any(|command| command == wanted), "{wanted} is not in {help}");
    }
    look_for_examples(&[]);
}
