//! What is installed beside the program: the scripts with which shells complete its command line.

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
            _casino casino "$3" "${COMP_WORDS[COMP_CWORD - 1]}"; echo "${COMPREPLY[*]}""#;
        let (before, word) = line.rsplit_once(' ').expect("a line has a space");
        let mut bash = Command::new("bash");
        bash.args(["--norc", "-c", ask, "bash"]).arg(&script).args([before, word]);
        text(&bash.output().expect("bash runs").stdout)
    };
    assert_eq!(complete("casino ver"), "verify\n");
    assert_eq!(complete("casino grade st"), "stud\n");
    assert_eq!(complete("casino host --level-r"), "--level-rounds\n");
    assert_eq!(complete("casino new-bot py"), "python\n");
}

/// What `scripts/dist.py` makes of a program of a few bytes: the folder with the archive, and what it said.
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
fn an_archive_is_the_same_each_time_and_has_the_licences_of_all_dependencies() {
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
    for place in ["bin/casino", "share/doc/casino/README.md", "share/doc/casino/bots/java/Poker.java"] {
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
