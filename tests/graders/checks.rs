//! Faulty programs, one fault each, are failed at the right step with the true diagnosis and no false one; sound ones,
//! however odd, pass everything.
//!
//! The programs are those of `tests/faulty`, and a few that do not even start. `Student.java`, `student.cpp` and
//! `student.py`, as students write them, were written before the diagnoses. No program but a silent one comes near a
//! deadline.

use std::collections::BTreeSet;
use std::fs;
use std::path::{Path, PathBuf};
use std::process::Command;
use std::sync::Mutex;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::time::Duration;

use casino_host::ShellCommand;
use casino_judge::Verdict;
use casino_judge::check::{Cause, CheckSettings, Checked, StepOutcome, check};

use super::{casino, folder, python};
use crate::tools::has;

/// How many programs are checked at the same time: mostly they wait.
const AT_ONCE: usize = 12;

/// The most programs whose diagnosis may list several possible causes.
const UNCLEAR: usize = 3;

/// A row of `tests/faulty/faults.txt`.
struct Faulty {
    name: &'static str,
    /// The id of the first step that fails, `-` where any may, and `none` for a sound program.
    step: &'static str,
    /// The keys of the causes that are true of it, the best one first.
    keys: Vec<&'static str>,
    truth: &'static str,
}

/// The rows of the programs in a file.
fn faulty(file: &str) -> Vec<Faulty> {
    let lines = include_str!("../faulty/faults.txt").lines().filter(|line| !line.starts_with('#'));
    let rows = lines.map(|line| line.split('|').map(str::trim).collect::<Vec<_>>());
    let row = |row: &Vec<&'static str>| {
        let [_, name, step, keys, truth] = row[..] else { panic!("five fields: {row:?}") };
        Faulty { name, step, keys: keys.split_whitespace().collect(), truth }
    };
    let of_file: Vec<Faulty> = rows.filter(|row| row[0] == file).map(|fields| row(&fields)).collect();
    assert!(!of_file.is_empty(), "{file} is in the table");
    of_file
}

/// Programs that do not even start: name, text, and the key of the fault.
const UNSTARTED: [(&str, &str, &str); 4] = [
    ("open.py", "print('hello'\nimport socket\n", "syntax-error"),
    ("indent.py", "import socket\ndef play():\nreturn 1\n", "syntax-error"),
    ("two.py", "print 'I am Python 2'\n", "syntax-error"),
    ("gone.py", "import numby as np\n", "missing-module"),
];

/// Limits that a busy machine keeps.
fn patient() -> CheckSettings {
    CheckSettings {
        reply: Duration::from_secs(10),
        start: Duration::from_secs(60),
        login: Duration::from_secs(10),
        leave: Duration::from_secs(20),
        quiet: Duration::from_millis(500),
        apart: Duration::from_millis(60),
        total: Duration::from_secs(600),
        ..CheckSettings::default()
    }
}

/// The same, where silent programs wait for these to end.
fn quick() -> CheckSettings {
    CheckSettings {
        reply: Duration::from_secs(2),
        login: Duration::from_secs(4),
        leave: Duration::from_secs(4),
        rounds: 200,
        ..patient()
    }
}

fn source(name: &str) -> PathBuf {
    super::root().join("tests/faulty").join(name)
}

/// Compiles a source of `tests/faulty` into a folder.
fn compile(mut compiler: Command, file: &str, place: &Path) {
    let status = compiler.arg(place).arg(source(file)).status();
    assert!(status.expect("the compiler runs").success(), "{file} is compiled");
}

/// The command line before the name of a fault, for a file of `tests/faulty`. `None` if its language is missing.
fn program(file: &str, place: &Path) -> Option<String> {
    let start = match file.rsplit_once('.')?.1 {
        "py" => format!("'{}' -B '{}'", python()?, source(file).display()),
        "java" if has("javac", "the programs in Java") => {
            let mut compiler = Command::new("javac");
            compiler.args(["-encoding", "UTF-8", "-d"]);
            compile(compiler, file, place);
            let options = "-Xmx200m -Xshare:auto -XX:TieredStopAtLevel=1 -XX:+UseSerialGC";
            format!("java {options} -cp '{}' {}", place.display(), file.trim_end_matches(".java"))
        }
        "cpp" if has("g++", "the students' programs in C++") => {
            let mut compiler = Command::new("g++");
            compiler.args(["-std=c++17", "-o"]);
            compile(compiler, file, &place.join("student"));
            format!("'{}'", place.join("student").display())
        }
        _ => return None,
    };
    Some(format!("exec env CHECK_REPLY_SECONDS=2 {start}"))
}

/// The programs of these files with their command lines.
fn programs(files: &[&str], place: &Path) -> Vec<(String, Faulty)> {
    let of_file = |file: &&str| {
        let start = program(file, place);
        start.map(|start| faulty(file).into_iter().map(move |fault| (start.clone(), fault)))
    };
    let command =
        |(start, fault): (String, Faulty)| (format!("{start} {} {{host}} {{port}}", fault.name), fault);
    files.iter().filter_map(of_file).flatten().map(command).collect()
}

/// Checks all of them, several at a time, and returns the results in their order.
fn check_all(programs: &[(String, Faulty)], settings: &CheckSettings) -> Vec<Checked> {
    let next = AtomicUsize::new(0);
    let done = Mutex::new(Vec::new());
    std::thread::scope(|scope| {
        for _ in 0..AT_ONCE.min(programs.len()) {
            scope.spawn(|| {
                while let Some((command, _)) = programs.get(next.fetch_add(1, Ordering::Relaxed)) {
                    let checked = check(&ShellCommand::new(command.as_str()), settings, &mut |_| {});
                    done.lock().expect("no check panics").push(checked);
                }
            });
        }
    });
    let mut done = done.into_inner().expect("no check panics");
    done.sort_by_key(|checked| programs.iter().position(|(command, _)| *command == checked.subject));
    done
}

/// The failed steps with their reasons.
fn in_words(checked: &Checked) -> String {
    let failed = checked.steps.iter().filter(|taken| taken.outcome == StepOutcome::Failed);
    let words: Vec<String> = failed
        .map(|taken| {
            let exchange: Vec<String> = taken.exchange.iter().map(ToString::to_string).collect();
            format!("{}: {:?}\n{}", taken.step.id(), taken.diagnosis, exchange.join("\n"))
        })
        .collect();
    format!("{} ({:.1} s)\n{}", checked.subject, checked.took.as_secs_f64(), words.join("\n"))
}

/// The first failed step, the first cause, all causes, and whether other causes are possible too.
fn found(checked: &Checked) -> (&'static str, Option<Cause>, BTreeSet<&'static str>, bool) {
    let failed = || checked.steps.iter().filter(|taken| taken.outcome == StepOutcome::Failed);
    let diagnoses: Vec<_> = failed().filter_map(|taken| taken.diagnosis.as_ref()).collect();
    let possible = diagnoses.iter().flat_map(|found| found.or.iter().map(|or| or.cause));
    let all = diagnoses.iter().map(|found| found.cause).chain(possible).map(Cause::key).collect();
    let first = failed().next().map_or("none", |taken| taken.step.id());
    let is_unclear = diagnoses.iter().any(|found| !found.or.is_empty());
    (first, diagnoses.first().map(|found| found.cause), all, is_unclear)
}

#[test]
#[ignore = "long: the step of 79 faults; golden commands: check"]
fn every_fault_is_found_at_its_step() {
    let mut programs = programs(&["Bot.java", "bot.py"], &folder("steps"));
    programs.retain(|(_, fault)| fault.step != "none");
    // Later failures have the same cause or follow from it.
    let follow = [
        Cause::Crash,
        Cause::OverCap,
        Cause::OverStack,
        Cause::CannotCall,
        Cause::UnderCall,
        Cause::ZeroFacing,
    ];
    let mut wrong = Vec::new();
    for (checked, (_, fault)) in check_all(&programs, &quick()).iter().zip(&programs) {
        let (step, first, all, _) = found(checked);
        let Some(cause) = first.filter(|cause| step == fault.step && cause.key() == fault.keys[0]) else {
            wrong.push(format!("expected {} at {}: {}", fault.keys[0], fault.step, in_words(checked)));
            continue;
        };
        let may_be = |key: &&str| *key == cause.key() || follow.iter().any(|other| other.key() == *key);
        if !all.iter().all(may_be) {
            wrong.push(format!("expected nothing but {}: {}", cause.key(), in_words(checked)));
        }
        let never = [Cause::NoConnection, Cause::WrongAddress].contains(&cause);
        let verdict = if never { Verdict::NeverStarted } else { Verdict::Failed };
        assert_eq!(checked.verdict(), verdict, "{}", in_words(checked));
    }
    assert!(wrong.is_empty(), "{} of {} wrong\n{}", wrong.len(), programs.len(), wrong.join("\n\n"));
}

#[test]
#[ignore = "long: oddities that are taken for faults; kits::starter_bots_play_at_one_table_and_leave_their_outputs"]
fn sound_programs_pass_however_odd_they_are() {
    let mut programs = programs(&["Bot.java", "bot.py"], &folder("sound"));
    programs.retain(|(_, fault)| fault.step == "none");
    for checked in check_all(&programs, &patient()) {
        assert!(checked.passed(), "{}", in_words(&checked));
        assert!(checked.reply_times.is_some_and(|times| times.replies > 100));
    }
}

#[test]
#[ignore = "long: the diagnoses of 127 programs as students write them; the unit tests of each diagnosis"]
fn every_student_gets_the_true_fault() {
    let place = folder("diagnoses");
    let mut programs = programs(&["student.py", "Student.java", "student.cpp"], &place);
    for (python, (name, text, key)) in
        python().into_iter().flat_map(|python| UNSTARTED.map(|row| (python, row)))
    {
        fs::write(place.join(name), text).expect("a file");
        let command = format!("exec '{python}' -B '{}' {{host}} {{port}}", place.join(name).display());
        programs.push((command, Faulty { name, step: "-", keys: vec![key], truth: "does not even start" }));
    }
    let (mut wrong, mut unclear) = (Vec::new(), Vec::new());
    for (checked, (_, fault)) in check_all(&programs, &quick()).iter().zip(&programs) {
        let (_, first, all, is_unclear) = found(checked);
        let Faulty { name, truth, keys, .. } = fault;
        let line = format!("{name}: {truth}; said {first:?} of {all:?}, true are {keys:?}");
        if !first.is_some_and(|first| keys.contains(&first.key()))
            || !all.iter().all(|key| keys.contains(key))
        {
            wrong.push(line.clone());
        }
        unclear.extend(is_unclear.then_some(line));
    }
    assert!(wrong.is_empty(), "{} of {} wrong\n{}", wrong.len(), programs.len(), wrong.join("\n"));
    assert!(unclear.len() <= UNCLEAR, "{} are unclear\n{}", unclear.len(), unclear.join("\n"));
}

/// Oddities that are not faults become remarks on a step that passes.
#[test]
fn oddities_are_remarks_on_a_passed_step() {
    let Some(start) = program("student.py", Path::new("")) else { return };
    let note = |fault: &str, id: &str| {
        let command = ShellCommand::new(format!("{start} {fault} {{host}} {{port}}"));
        let checked = check(&command, &CheckSettings { rounds: 20, ..quick() }, &mut |_| {});
        let taken = checked.steps.iter().find(|taken| taken.step.id() == id).expect("every step is there");
        assert_eq!(taken.outcome, StepOutcome::Passed, "{fault}: {taken:?}");
        taken.note.clone()
    };
    let plays_on = note("traces-and-plays", "rounds");
    let remark = "its output shows an exception all the same: ValueError: no plan for this";
    assert!(plays_on.contains(remark), "{plays_on}");
    assert_eq!(note("ends-with-three", "exits"), "it ended with exit code 3");
}

#[test]
fn a_folder_is_built_and_checked_in_the_box() {
    let folder = folder("check-folder");
    fs::write(folder.join("Makefile"), "all:\n\t@echo this does not compile >&2; false\n").expect("a file");
    let name = folder.to_str().expect("a plain path");
    let ran = casino(&["check", name, "--sandbox", "auto"]);
    ran.exits_with(3);
    assert!(
        ran.stdout.contains("[not-built]") && ran.stdout.contains("this does not compile"),
        "{}",
        ran.stdout
    );
    if !has("python3", "a folder in Python") {
        return;
    }
    fs::remove_file(folder.join("Makefile")).expect("it is there");
    fs::copy(source("bot.py"), folder.join("bot.py")).expect("a copy");
    let run = ["--run", "python3 bot.py sound {host} {port}", "--sandbox", "auto"];
    let patient = ["--reply-ms", "10000", "--leave-ms", "20000", "--rounds", "20"];
    casino(&[&["check", name], &run[..], &patient].concat()).exits_with(0);
}
