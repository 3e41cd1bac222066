//! Faulty programs, one fault each, are failed at the right step with the right diagnosis; sound ones, however odd,
//! pass everything.
//!
//! No program but a silent one comes near a deadline, and those here are long.

use std::fs;
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};
use std::sync::atomic::{AtomicUsize, Ordering};
use std::sync::{LazyLock, Mutex};
use std::time::Duration;

use crate::diagnoses::faulty;
use crate::tools::has;
use casino_host::ShellCommand;
use casino_judge::Verdict;
use casino_judge::check::{Cause, CheckSettings, CheckStep, Checked, StepOutcome, check};

/// How many programs are checked at the same time: mostly they wait.
const AT_ONCE: usize = 12;

fn settings() -> CheckSettings {
    CheckSettings {
        reply: Duration::from_secs(10),
        start: Duration::from_secs(60),
        login: Duration::from_secs(10),
        leave: Duration::from_secs(20),
        quiet: Duration::from_millis(500),
        apart: Duration::from_millis(60),
        total: Duration::from_secs(300),
        ..CheckSettings::default()
    }
}

fn source(name: &str) -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/faulty").join(name)
}

/// The command line of the Java program. It is compiled once for all tests: a second compilation would remove the
/// classes of programs that are just starting.
fn java() -> Option<String> {
    static COMPILED: LazyLock<PathBuf> = LazyLock::new(|| {
        let folder = Path::new(env!("CARGO_TARGET_TMPDIR")).join("check-java");
        fs::create_dir_all(&folder).expect("a folder");
        let mut compiler = Command::new("javac");
        compiler.args(["-encoding", "UTF-8", "-d"]).arg(&folder).arg(source("Bot.java"));
        assert!(compiler.status().expect("javac runs").success());
        folder
    });
    has("javac", "the programs in Java").then(|| {
        let options = "-Xshare:auto -XX:TieredStopAtLevel=1 -XX:+UseSerialGC";
        format!("exec java {options} -cp '{}' Bot", COMPILED.display())
    })
}

fn python() -> Option<String> {
    has("python3", "the programs in Python")
        .then(|| format!("CHECK_REPLY_SECONDS=2 exec python3 -B '{}'", source("bot.py").display()))
}

/// Checks all of them, several at a time, and returns the results in their order.
fn check_all(commands: &[String], settings: &CheckSettings) -> Vec<Checked> {
    let next = AtomicUsize::new(0);
    let done = Mutex::new(Vec::new());
    std::thread::scope(|scope| {
        for _ in 0..AT_ONCE.min(commands.len()) {
            scope.spawn(|| {
                while let Some(command) = commands.get(next.fetch_add(1, Ordering::Relaxed)) {
                    let checked = check(&ShellCommand::new(command.as_str()), settings, &mut |_| {});
                    done.lock().expect("no check panics").push(checked);
                }
            });
        }
    });
    let mut done = done.into_inner().expect("no check panics");
    done.sort_by_key(|checked| commands.iter().position(|command| *command == checked.subject));
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

#[test]
fn every_fault_is_found_at_its_step() {
    let mut cases = Vec::new();
    for (program, file) in [(java(), "Bot.java"), (python(), "bot.py")] {
        let Some(program) = program else { continue };
        for row in faulty(file).iter().filter(|row| row.step != "none") {
            let step = CheckStep::ALL.into_iter().find(|step| step.id() == row.step).expect(row.step);
            let cause =
                Cause::ALL.iter().copied().find(|cause| cause.key() == row.keys[0]).expect(row.keys[0]);
            cases.push((format!("{program} {} {{host}} {{port}}", row.name), step, cause));
        }
    }
    let commands: Vec<String> = cases.iter().map(|(command, ..)| command.clone()).collect();
    // Silent programs wait for these to end.
    let settings = CheckSettings {
        reply: Duration::from_secs(2),
        login: Duration::from_secs(4),
        leave: Duration::from_secs(2),
        rounds: 200,
        ..settings()
    };
    let mut wrong = Vec::new();
    for (checked, (_, step, cause)) in check_all(&commands, &settings).iter().zip(&cases) {
        let mut failed = checked.steps.iter().filter(|taken| taken.outcome == StepOutcome::Failed);
        let first =
            failed.next().map(|taken| (taken.step, taken.diagnosis.as_ref().map(|found| found.cause)));
        if first != Some((*step, Some(*cause))) {
            wrong.push(format!("expected {} at {}: {}", cause.key(), step.id(), in_words(checked)));
        }
        // Later failures have the same cause or follow from it.
        let causes = failed.filter_map(|taken| taken.diagnosis.as_ref().map(|found| found.cause));
        let of_amounts =
            [Cause::OverCap, Cause::OverStack, Cause::CannotCall, Cause::UnderCall, Cause::ZeroFacing];
        let known = [&[*cause, Cause::Crash][..], &of_amounts].concat();
        if causes.into_iter().any(|later| !known.contains(&later)) {
            wrong.push(format!("expected nothing but {}: {}", cause.key(), in_words(checked)));
        }
        let never = [Cause::NoConnection, Cause::WrongAddress].contains(cause);
        assert_eq!(
            checked.verdict(),
            if never { Verdict::NeverStarted } else { Verdict::Failed },
            "{}",
            in_words(checked)
        );
    }
    assert!(wrong.is_empty(), "{} of {} wrong\n{}", wrong.len(), cases.len(), wrong.join("\n\n"));
}

#[test]
fn sound_programs_pass_however_odd_they_are() {
    let mut commands = Vec::new();
    for (program, file) in [(java(), "Bot.java"), (python(), "bot.py")] {
        let Some(program) = program else { continue };
        let sound = faulty(file).into_iter().filter(|row| row.step == "none");
        commands.extend(sound.map(|row| format!("{program} {} {{host}} {{port}}", row.name)));
    }
    for checked in check_all(&commands, &settings()) {
        assert!(checked.passed(), "{}", in_words(&checked));
        assert!(checked.reply_times.is_some_and(|times| times.replies > 100));
    }
}

/// Runs `casino` and returns its exit code and outputs.
fn casino(arguments: &[&str]) -> (Option<i32>, String, String) {
    let mut command = Command::new(env!("CARGO_BIN_EXE_casino"));
    let output =
        command.arg("check").args(arguments).stdin(Stdio::null()).output().expect("the program runs");
    let text = |bytes: Vec<u8>| String::from_utf8(bytes).expect("plain text");
    (output.status.code(), text(output.stdout), text(output.stderr))
}

#[test]
fn a_folder_is_built_and_checked_in_the_box() {
    let folder = Path::new(env!("CARGO_TARGET_TMPDIR")).join("check-folder");
    let _ = fs::remove_dir_all(&folder);
    fs::create_dir_all(&folder).expect("a folder");
    fs::write(folder.join("Makefile"), "all:\n\t@echo this does not compile >&2; false\n").expect("a file");
    let name = folder.to_str().expect("a plain path");
    let (code, shown, said) = casino(&[name, "--sandbox", "auto"]);
    assert_eq!(code, Some(3), "{shown}{said}");
    assert!(shown.contains("[not-built]") && shown.contains("this does not compile"), "{shown}");
    if !has("python3", "a folder in Python") {
        return;
    }
    fs::remove_file(folder.join("Makefile")).expect("it is there");
    fs::copy(source("bot.py"), folder.join("bot.py")).expect("a copy");
    let run = "python3 bot.py sound {host} {port}";
    let patient = ["--reply-ms", "10000", "--leave-ms", "20000", "--rounds", "20"];
    let (code, shown, said) = casino(&[&[name, "--run", run, "--sandbox", "auto"], &patient[..]].concat());
    assert_eq!(code, Some(0), "{shown}{said}");
}
