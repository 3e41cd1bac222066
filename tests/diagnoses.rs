//! Diagnoses of faulty players as students write them, in three languages: each must get its true fault and no false
//! one.
//!
//! The programs are `student.py`, `Student.java` and `student.cpp` of tests/faulty, and a few that do not even start.
//! They were written before the diagnoses. A row of `faults.txt` has the true fault and all acceptable causes: the
//! first failed step, all later ones and all possible causes must have one of these.

use std::collections::BTreeSet;
use std::fs;
use std::path::{Path, PathBuf};
use std::process::Command;
use std::sync::Mutex;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::time::Duration;

use crate::tools::{has, python};
use casino_host::ShellCommand;
use casino_judge::check::{Cause, CheckSettings, Checked, StepOutcome, check};

/// Programs checked at the same time: checks mostly wait.
const AT_ONCE: usize = 12;

/// The most programs whose diagnosis may list several possible causes.
const UNCLEAR: usize = 3;

/// A row of `tests/faulty/faults.txt`.
pub(crate) struct Faulty {
    pub(crate) name: &'static str,
    /// The id of the first step that fails, `-` where any may, and `none` for a sound program.
    pub(crate) step: &'static str,
    /// The keys of the causes that are true of it, the best one first.
    pub(crate) keys: Vec<&'static str>,
    truth: &'static str,
}

/// The rows of the programs in a file.
pub(crate) fn faulty(file: &str) -> Vec<Faulty> {
    let lines = include_str!("faulty/faults.txt").lines().filter(|line| !line.starts_with('#'));
    let rows = lines.map(|line| line.split('|').map(str::trim).collect::<Vec<_>>());
    let row = |row: &Vec<&'static str>| {
        let [_, name, step, keys, truth] = row[..] else { panic!("five fields: {row:?}") };
        Faulty { name, step, keys: keys.split_whitespace().collect(), truth }
    };
    let of_file: Vec<Faulty> = rows.filter(|row| row[0] == file).map(|fields| row(&fields)).collect();
    assert!(!of_file.is_empty(), "{file} is in the table");
    of_file
}

/// Programs that do not even start: name, text, fault, and its key.
const UNSTARTED: &[(&str, &str, &str)] = &[
    ("open.py", "print('hello'\nimport socket\n", "syntax-error"),
    ("indent.py", "import socket\ndef play():\nreturn 1\n", "syntax-error"),
    ("two.py", "print 'I am Python 2'\n", "syntax-error"),
    ("gone.py", "import numby as np\n", "missing-module"),
];

fn folder() -> PathBuf {
    let folder = Path::new(env!("CARGO_TARGET_TMPDIR")).join("diagnoses");
    fs::create_dir_all(&folder).expect("a folder");
    folder
}

fn source(name: &str) -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/faulty").join(name)
}

/// A faulty program with its command line.
struct Program {
    fault: Faulty,
    command: String,
}

fn programs() -> Vec<Program> {
    let mut all = Vec::new();
    let mut add = |start: String, file: &str| {
        let command = |fault: &Faulty| {
            format!("exec env CHECK_REPLY_SECONDS=2 {start} {} {{host}} {{port}}", fault.name)
        };
        all.extend(faulty(file).into_iter().map(|fault| Program { command: command(&fault), fault }));
    };
    if let Some(python) = python() {
        add(format!("'{}' -B '{}'", python.display(), source("student.py").display()), "student.py");
    }
    if has("javac", "the students' programs in Java") {
        let mut compiler = Command::new("javac");
        compiler.args(["-encoding", "UTF-8", "-d"]).arg(folder()).arg(source("Student.java"));
        assert!(compiler.status().expect("javac runs").success());
        let options = "-Xmx200m -XX:TieredStopAtLevel=1 -XX:+UseSerialGC";
        add(format!("java {options} -cp '{}' Student", folder().display()), "Student.java");
    }
    if has("g++", "the students' programs in C++") {
        let program = folder().join("student");
        let mut compiler = Command::new("g++");
        compiler.arg("-std=c++17").arg("-o").arg(&program).arg(source("student.cpp"));
        assert!(compiler.status().expect("g++ runs").success());
        add(format!("'{}'", program.display()), "student.cpp");
    }
    if let Some(python) = python() {
        for (name, text, key) in UNSTARTED {
            let file = folder().join(name);
            fs::write(&file, text).expect("a file");
            let command = format!("exec '{}' -B '{}' {{host}} {{port}}", python.display(), file.display());
            let fault = Faulty { name, step: "-", keys: vec![key], truth: "does not even start" };
            all.push(Program { fault, command });
        }
    }
    all
}

/// All diagnoses of a check: the first, all others, and whether other causes are possible.
fn said(checked: &Checked) -> (Option<Cause>, BTreeSet<&'static str>, bool) {
    let failed = checked.steps.iter().filter(|taken| taken.outcome == StepOutcome::Failed);
    let found: Vec<_> = failed.filter_map(|taken| taken.diagnosis.as_ref()).collect();
    let possible = found.iter().flat_map(|found| found.or.iter().map(|or| or.cause));
    let all = found.iter().map(|found| found.cause).chain(possible).map(Cause::key).collect();
    (found.first().map(|found| found.cause), all, found.iter().any(|found| !found.or.is_empty()))
}

/// Limits that a busy machine keeps.
fn patient() -> CheckSettings {
    CheckSettings {
        reply: Duration::from_secs(2),
        start: Duration::from_secs(60),
        login: Duration::from_secs(4),
        leave: Duration::from_secs(4),
        quiet: Duration::from_millis(400),
        apart: Duration::from_millis(60),
        total: Duration::from_secs(600),
        rounds: 60,
        ..CheckSettings::default()
    }
}

/// Oddities that are not faults become remarks on a step that passes.
#[test]
fn oddities_are_remarks_on_a_passed_step() {
    let Some(python) = python() else { return };
    let settings = CheckSettings { rounds: 20, ..patient() };
    let note = |fault: &str, id: &str| {
        let start = format!("exec '{}' -B '{}'", python.display(), source("student.py").display());
        let checked =
            check(&ShellCommand::new(format!("{start} {fault} {{host}} {{port}}")), &settings, &mut |_| {});
        let taken = checked.steps.iter().find(|taken| taken.step.id() == id).expect("every step is there");
        assert_eq!(taken.outcome, StepOutcome::Passed, "{fault}: {taken:?}");
        taken.note.clone()
    };
    let plays_on = note("traces-and-plays", "rounds");
    assert!(
        plays_on.contains("its output shows an exception all the same: ValueError: no plan for this"),
        "{plays_on}"
    );
    assert_eq!(note("ends-with-three", "exits"), "it ended with exit code 3");
}

#[test]
fn every_student_gets_the_true_fault() {
    let programs = programs();
    let settings = patient();
    let (next, results) = (AtomicUsize::new(0), Mutex::new(Vec::new()));
    std::thread::scope(|scope| {
        for _ in 0..AT_ONCE {
            scope.spawn(|| {
                while let Some(program) = programs.get(next.fetch_add(1, Ordering::Relaxed)) {
                    let Program { command, fault: Faulty { name, truth, keys, .. } } = program;
                    let checked = check(&ShellCommand::new(command.as_str()), &settings, &mut |_| {});
                    let (first, all, unclear) = said(&checked);
                    let is_true = first.is_some_and(|first| keys.contains(&first.key()))
                        && all.iter().all(|key| keys.contains(key));
                    let line = format!("{name}: {truth}; said {first:?} of {all:?}, true are {keys:?}");
                    results.lock().expect("no check panics").push((is_true, unclear, line));
                }
            });
        }
    });
    let results = results.into_inner().expect("no check panics");
    let lines = |of: &dyn Fn(&(bool, bool, String)) -> bool| {
        results.iter().filter(|result| of(result)).map(|result| result.2.clone()).collect::<Vec<_>>()
    };
    let (wrong, unclear) = (lines(&|result| !result.0), lines(&|result| result.1));
    println!("{} programs, {} unclear", results.len(), unclear.len());
    assert!(wrong.is_empty(), "{} of {} wrong\n{}", wrong.len(), results.len(), wrong.join("\n"));
    assert!(unclear.len() <= UNCLEAR, "{} are unclear\n{}", unclear.len(), unclear.join("\n"));
}
