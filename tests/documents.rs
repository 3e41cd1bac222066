//! The command lines of the README and the pages: each must be valid, and those that a test can run must do their task.

#![cfg(unix)]
use std::collections::BTreeSet;
use std::fs;
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};
use std::thread;
use std::time::{Duration, Instant};

use casino_stud::strategies::{LadderRow, ladder};
use casino_system::processes::{ProcessTree, ProgramExit};

use crate::support::host::Folder;

/// Placeholders in lines that show the form of a command.
const FORMS: [&str; 2] = ["BANKROLL", "C1 C2"];

/// Why a command of the documents is not run here, by words in it. Its flags are read all the same.
const NOT_RUN: [(&str, &str); 18] = [
    ("casino host", "waits for players"),
    ("casino resume ", "waits for players"),
    ("--web ", "stays until Ctrl-C"),
    ("casino sit", "waits for a person"),
    ("--seat ", "waits for a person"),
    ("casino learn", "stays until Ctrl-C"),
    ("--all ", "has a test of its own, with submissions"),
    ("grade stud", "has tests of its own"),
    ("grade blackjack", "has tests of its own"),
    ("grade cribbage", "has tests of its own"),
    ("casino check", "has tests of its own"),
    ("1e8", "is work for many machines"),
    ("casino merge", "needs the work of many machines"),
    ("casino ladder", "needs a class, and plays for weeks"),
    (FORMS[0], "is no command but its form"),
    (FORMS[1], "is no command but its form"),
    (".exe", "is one for Windows"),
    ("=. ", "is one for the folder of a kit"),
];

/// Replaces the numbers of a document: enough to see that it is played.
const ROUNDS: &str = "240";
const FREEZE_OUTS: &str = "4";

fn root() -> &'static Path {
    Path::new(env!("CARGO_MANIFEST_DIR"))
}

/// The pages that show command lines.
fn pages() -> Vec<PathBuf> {
    let mut pages = vec![root().join("README.md"), root().join("CONTRIBUTING.md")];
    for folder in ["docs", "bots"] {
        let under = fs::read_dir(root().join(folder)).unwrap().map(|entry| entry.unwrap().path());
        pages.extend(under.map(|path| if path.is_dir() { path.join("README.md") } else { path }));
    }
    pages.retain(|page| page.extension().is_some_and(|ending| ending == "md") && page.exists());
    pages.sort();
    pages
}

/// The command lines of a page's code blocks, without their comments.
fn commands(page: &str) -> Vec<String> {
    let joined = page.replace("\\\n", " ");
    let blocks = joined.lines().filter(|line| line.starts_with("    "));
    let lines = blocks.map(|line| line.trim().trim_start_matches("$ "));
    let commands = lines.filter(|line| line.starts_with("casino "));
    commands.map(|line| line.split("  #").next().unwrap_or(line).trim().to_string()).collect()
}

/// The line with an existing program, fewer rounds, and fewer freeze-outs.
fn made_short(line: &str, kit: &str) -> String {
    let mut words: Vec<&str> = Vec::new();
    for word in line.split(' ') {
        words.push(match words.last() {
            Some(&"--rounds") => ROUNDS,
            Some(&"--tournaments") => FREEZE_OUTS,
            _ => word,
        });
    }
    if line.starts_with("casino rate ") && !words.contains(&"--tournaments") {
        words.splice(2..2, ["--tournaments", FREEZE_OUTS]);
    }
    let line = words.join(" ");
    let Some((before, rest)) = line.split_once('\'').filter(|(_, rest)| rest.contains("{host}")) else {
        return line;
    };
    let (spec, after) = rest.split_once('\'').expect("a quote is closed");
    let name = spec.split_once('=').map_or(String::new(), |(name, _)| format!("{name}="));
    format!("{before}'{name}python3 {kit} {{host}} {{port}}'{after}")
}

/// A folder with the files that commands of the documents name.
fn folder(name: &str) -> Folder {
    Folder::new(name)
}

/// A command that takes longer waits for something that never comes. It is killed with all processes that it started.
const LONGEST: Duration = Duration::from_secs(600);

/// Runs a line as a person types it, with this program first on the PATH. Returns how it ended, and its standard error.
fn run(folder: &Folder, line: &str) -> (ProgramExit, String) {
    let program = Path::new(env!("CARGO_BIN_EXE_casino")).parent().unwrap();
    let path = std::env::var("PATH").unwrap_or_default();
    let errors = folder.file("standard-error");
    let mut shell = Command::new("sh");
    shell.args(["-c", line]).current_dir(folder.file("")).stdin(Stdio::null());
    shell.stdout(Stdio::null()).stderr(fs::File::create(&errors).unwrap());
    shell.env("PATH", format!("{}:{path}", program.display()));
    let mut tree = ProcessTree::start(shell).unwrap();
    let begun = Instant::now();
    let end = loop {
        if let Some(end) = tree.ended() {
            break end;
        }
        assert!(begun.elapsed() < LONGEST, "this does not end: {line}");
        thread::sleep(Duration::from_millis(5));
    };
    (end, String::from_utf8_lossy(&fs::read(errors).unwrap()).into_owned())
}

#[test]
fn every_command_of_the_documents_is_valid() {
    let folder = folder("documents-read");
    std::os::unix::fs::symlink(root().join("bots/python"), folder.file("my-bot")).unwrap();
    let mut seen = BTreeSet::new();
    for page in pages() {
        for line in commands(&fs::read_to_string(&page).unwrap()) {
            // The part behind a pipe or a redirection belongs to the shell.
            let ours = line.split([';', '|', '>']).next().unwrap().trim().replace(" ::: $(seq 64)", "");
            let is_form = FORMS.iter().any(|form| ours.contains(form));
            if seen.insert(ours.clone()) && !is_form {
                let (end, said) = run(&folder, &format!("{ours} --help"));
                assert_eq!(end, ProgramExit::Code(0), "{}: {line}\n{said}", page.display());
            }
        }
    }
    assert!(seen.len() > 40, "only {} commands were found", seen.len());
}

#[test]
#[ignore = "long: commands that are valid and fail; documents::every_command_of_the_documents_is_valid"]
fn the_commands_of_the_documents_that_can_be_run_work() {
    let folder = folder("documents-run");
    let kit = root().join("bots/python/poker.py").display().to_string();
    let steph = format!(
        "casino play --bot 'Steph=python3 {kit} {{host}} {{port}}' --bot caller --seed x --rounds 12"
    );
    for (journal, name) in [
        ("casino-day.jsonl", "Steph"),
        ("game.jsonl", "mine"),
        ("rehearsal.jsonl", "Ada"),
        ("first.jsonl", "me"),
    ] {
        let line = format!("{} --journal {journal}", steph.replace("Steph", name));
        let (end, said) = run(&folder, &line);
        assert_eq!(end, ProgramExit::Code(0), "{line}: {said}");
    }
    let mut done = BTreeSet::new();
    for page in pages() {
        for line in commands(&fs::read_to_string(&page).unwrap()) {
            let is_run = !NOT_RUN.iter().any(|(words, _)| line.contains(words));
            let line = made_short(&line, &kit);
            if !is_run || !done.insert(line.clone()) {
                continue;
            }
            let (end, said) = run(&folder, &line);
            assert_eq!(end, ProgramExit::Code(0), "{}: {line}\n{said}", page.display());
        }
    }
    assert!(done.len() > 12, "only {} commands were run: {done:?}", done.len());
    assert!(done.iter().any(|line| line.contains("--until-sure")), "{done:?}");
}

/// Reasons of commands that the documents no longer have must be removed.
#[test]
fn every_reason_not_to_run_a_command_is_needed() {
    let all: String = pages()
        .iter()
        .flat_map(|page| commands(&fs::read_to_string(page).unwrap()))
        .collect::<Vec<_>>()
        .join("\n");
    for (words, reason) in NOT_RUN {
        assert!(all.contains(words), "{words}, which {reason}");
    }
}

/// The page of house bots shows the output of `casino bots`.
#[test]
fn the_ladder_of_the_page_is_that_of_the_program() {
    let page = fs::read_to_string(root().join("docs/bots.md")).unwrap();
    let rows: Vec<&str> = page.lines().filter(|line| line.starts_with("| `")).collect();
    let rung = |rung: &LadderRow| {
        let [two, six, seventeen] = rung.figures;
        format!("| `{}` | {two} | {six} | {seventeen} |", rung.bot.name)
    };
    let strongest_first = ladder().into_iter().rev();
    let wanted: Vec<String> = strongest_first.map(|one| rung(&one)).collect();
    assert_eq!(rows, wanted);
}
