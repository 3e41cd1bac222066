//! Files installed beside the program: the manual pages, and the completion scripts for shells.

use std::collections::BTreeSet;

use super::usage::{commands, text_of_help};
use super::*;

/// A program of the system that a test can do without.
fn is_there(program: &str) -> bool {
    let asked = Command::new(program).arg("--version").stdout(Stdio::null()).stderr(Stdio::null()).status();
    let there = asked.is_ok_and(|status| status.success());
    if !there {
        eprintln!("SKIPPED: what {program} says of a file, because it is not here");
    }
    there
}

/// The words of every command, beginning with the program's own.
fn all_commands(words: &[String]) -> Vec<Vec<String>> {
    let mut found = vec![words.to_vec()];
    for under in commands(&text_of_help(words)) {
        found.extend(all_commands(&[words, &[under]].concat()));
    }
    found
}

/// The long flags in a help, except values or commands in an example.
fn flags(help: &str) -> BTreeSet<String> {
    let flags = help.lines().filter(|line| line.trim_start().starts_with('-'));
    let long = flags.filter_map(|line| line.split_once("--")).map(|(_, rest)| rest);
    long.map(|rest| rest.chars().take_while(|c| c.is_ascii_alphanumeric() || *c == '-').collect()).collect()
}

/// The commands under the word "Examples" of a help, each as far as it stands on one line.
fn examples(help: &str) -> Vec<&str> {
    let (_, after) = help.split_once("\nExamples:").unwrap_or_default();
    let lines = after.lines().skip(1).take_while(|line| !line.is_empty()).map(str::trim);
    lines.filter(|line| line.starts_with("casino ")).collect()
}

/// A manual page as it is read, as far as its characters are concerned.
fn unescaped(page: &str) -> String {
    page.replace(r"\-", "-")
        .replace(r"\*(Aq", "'")
        .replace(r"\(ga", "`")
        .replace(r"\\", r"\")
        .replace(r"\&", "")
}

#[test]
fn every_command_has_a_manual_page_equal_to_its_help() {
    let folder = scratch("manual");
    let output = casino().arg("manual").arg(&folder).output().expect("the program runs");
    assert!(output.status.success(), "{}", text(&output.stderr));
    let mut expected = BTreeSet::new();
    for words in all_commands(&[]) {
        let name = format!("{}.1", [&["casino".to_string()], &words[..]].concat().join("-"));
        let page = fs::read_to_string(folder.join(&name)).expect(&name);
        assert!(page.contains("\n.TH ") && !page.contains('\x1b'), "{name}");
        let (page, help) = (unescaped(&page), text_of_help(&words));
        for flag in flags(&help) {
            assert!(page.contains(&format!("--{flag}")), "{name} does not name --{flag}");
        }
        for example in examples(&help) {
            assert!(page.contains(&format!("\n{example}")), "{name} lacks an example: {example}");
        }
        expected.insert(name);
    }
    let written: BTreeSet<String> = fs::read_dir(&folder)
        .expect("the folder is there")
        .map(|entry| entry.expect("it can be read").file_name().into_string().expect("plain names"))
        .collect();
    assert_eq!(written, expected);
    if is_there("man") {
        for name in &written {
            let page = folder.join(name);
            let man = Command::new("man").args(["--warnings", "-l"]).arg(page).output().expect("man runs");
            assert_eq!((man.status.success(), text(&man.stderr)), (true, String::new()), "{name}");
        }
    }
}

/// Writes the script for a shell into a file.
fn completions(shell: &str, folder: &Path) -> PathBuf {
    let output = run(&["completions", shell]);
    assert!(output.status.success(), "{shell}: {}", text(&output.stderr));
    let script = text(&output.stdout);
    for command in commands(&text_of_help(&[])) {
        assert!(script.contains(&command), "{shell} does not know {command}");
    }
    let path = folder.join(format!("casino.{shell}"));
    fs::write(&path, script).expect("the folder can be written");
    path
}

#[test]
fn shells_can_read_their_completions() {
    let folder = scratch("completions");
    for shell in ["bash", "zsh", "fish", "powershell", "elvish"] {
        let script = completions(shell, &folder);
        if ["bash", "zsh", "fish"].contains(&shell) && is_there(shell) {
            let read = Command::new(shell).arg("-n").arg(&script).output().expect("the shell runs");
            assert_eq!((read.status.success(), text(&read.stderr)), (true, String::new()), "{shell}");
        }
    }
    let wrong = run(&["completions", "tcsh"]);
    assert_eq!(wrong.status.code(), Some(2));
    assert!(text(&wrong.stderr).contains("bash"), "the shells that there are are named");
}

#[test]
fn bash_completes_commands_and_flags() {
    if !is_there("bash") {
        return;
    }
    let folder = scratch("bash");
    let script = completions("bash", &folder);
    let complete = |line: &str| {
        let ask = r#"source "$1"; COMP_WORDS=($2 ""); COMP_CWORD=$((${#COMP_WORDS[@]} - 1))
            [ -z "$3" ] || COMP_WORDS[$COMP_CWORD]=$3
            _casino casino "$3" "${COMP_WORDS[COMP_CWORD - 1]}"; printf '%s\n' "${COMPREPLY[@]}""#;
        let (before, word) = line.rsplit_once(' ').expect("a line has a space");
        let mut bash = Command::new("bash");
        bash.args(["--norc", "-c", ask, "bash"]).arg(&script).args([before, word]);
        text(&bash.output().expect("bash runs").stdout)
    };
    assert_eq!(complete("casino ver"), "verify\n");
    assert_eq!(complete("casino grade st"), "stud\n");
    assert_eq!(complete("casino host --level-r"), "--level-rounds\n");
    assert_eq!(complete("casino new-bot py"), "python\n");
    assert_eq!(complete("casino play --on-foul f"), "fold\n");
    fs::write(folder.join("a day.jsonl"), "").expect("the folder can be written");
    for flag in ["--roster", "--bot", "--title"] {
        let place = format!("{}/a", folder.display());
        assert_eq!(
            complete(&format!("casino host {flag} {place}")),
            format!("{place} day.jsonl\n"),
            "{flag}"
        );
    }
}

/// The folder with the archive that `scripts/dist.py` makes of a program of a few bytes, and its output.
fn archive(name: &str) -> PathBuf {
    let folder = scratch(name);
    let binary = folder.join("casino");
    fs::write(&binary, "no program").expect("the folder can be written");
    let mut python = Command::new("python3");
    python.args(["-B", "scripts/dist.py", "archive"]).env("BINARY", &binary).env("OUT", folder.join("out"));
    python.env("CASINO", env!("CARGO_BIN_EXE_casino")).env("TARGET", "x86_64-unknown-linux-gnu");
    let made = python.output().expect("python runs");
    assert!(made.status.success(), "{}", text(&made.stderr));
    folder.join("out")
}

#[test]
fn archives_are_reproducible_and_have_all_licences() {
    if !has("python3", "what `make dist` makes") {
        return;
    }
    let (first, second) = (archive("dist-1"), archive("dist-2"));
    let name = format!("casino-{}-x86_64-unknown-linux-gnu", env!("CARGO_PKG_VERSION"));
    let packed = fs::read(first.join(format!("{name}.tar.gz"))).expect("an archive");
    assert!(
        packed == fs::read(second.join(format!("{name}.tar.gz"))).expect("an archive"),
        "the bytes differ"
    );
    let sums = fs::read_to_string(first.join(format!("{name}.tar.gz.sha256"))).expect("its sum");
    let sum: String = Sha256::digest(&packed).iter().map(|byte| format!("{byte:02x}")).collect();
    assert_eq!(sums, format!("{sum}  {name}.tar.gz\n"));
    let unpacked = Command::new("python3")
        .args(["-m", "tarfile", "-e"])
        .args([&first.join(format!("{name}.tar.gz")), &first])
        .status();
    assert!(unpacked.expect("python runs").success());
    let root = first.join(name);
    for place in ["bin/casino", "share/man/man1/casino-play.1", "share/doc/casino/bots/java/Poker.java"] {
        assert!(root.join(place).is_file(), "{place} is missing");
    }
    let licences =
        fs::read_to_string(root.join("share/doc/casino/LICENSES-THIRD-PARTY.txt")).expect("licences");
    for package in [".", "crates/host", "crates/judge", "crates/sisters", "crates/stud", "crates/system"] {
        let manifest = fs::read_to_string(std::path::Path::new(package).join("Cargo.toml"))
            .expect("the tests run in the repository");
        let (_, dependencies) = manifest.split_once("\n[dependencies]\n").expect("there are dependencies");
        let names = dependencies
            .lines()
            .take_while(|line| !line.starts_with('['))
            .filter(|line| !line.starts_with('#'))
            .filter_map(|line| line.split_once([' ', '.']))
            .filter(|(name, _)| !name.starts_with("casino-"));
        for (name, _) in names {
            assert!(licences.contains(&format!("\n{name} ")), "{name} is not among the licences");
        }
    }
    assert!(licences.contains("Permission is hereby granted") && licences.contains("Apache License"));
}
