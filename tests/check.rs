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

use crate::tools::has;
use casino_host::ShellCommand;
use casino_judge::Verdict;
use casino_judge::check::{Cause, CheckSettings, CheckStep, Checked, StepOutcome, check};

/// How many programs are checked at the same time: mostly they wait.
const AT_ONCE: usize = 12;

/// Faults of tests/faulty/Bot.java: its name, the first step that fails, and why.
const JAVA: &[(&str, CheckStep, Cause)] = &[
    ("println", CheckStep::Login, Cause::Println),
    ("read-line", CheckStep::Login, Cause::ReadsLines),
    ("write-chars", CheckStep::Login, Cause::WideText),
    ("write-bytes", CheckStep::Login, Cause::NoLength),
    ("objects", CheckStep::Login, Cause::ObjectStream),
    ("no-flush", CheckStep::Login, Cause::NoFlush),
    ("fixed-address", CheckStep::Login, Cause::WrongAddress),
    ("login-before-the-loop", CheckStep::LoginAgain, Cause::LoginOnce),
    ("format", CheckStep::Bet1, Cause::OtherDigits),
    ("prints", CheckStep::Bet1, Cause::Stdout),
    ("answers-status", CheckStep::Status, Cause::AnswersStatus),
    ("parses-none", CheckStep::Status, Cause::CrashStatus),
    ("one-behind", CheckStep::AskedAgain, Cause::OneBehind),
    ("total", CheckStep::AskedAgain, Cause::Total),
    ("up-at-field-6", CheckStep::Bet2, Cause::Crash),
    ("forgets-the-stack", CheckStep::Limits, Cause::OverStack),
    ("own-card-first", CheckStep::Places, Cause::Crash),
    ("array-of-eight", CheckStep::ManyPlayers, Cause::Crash),
    ("thread-left", CheckStep::Refused, Cause::NeverExits),
];

/// Faults of tests/faulty/bot.py.
const PYTHON: &[(&str, CheckStep, Cause)] = &[
    ("never-connects", CheckStep::Login, Cause::NoConnection),
    ("fixed-port", CheckStep::Login, Cause::WrongAddress),
    ("two-connections", CheckStep::Login, Cause::SecondConnection),
    ("speaks-first", CheckStep::Login, Cause::SpeaksFirst),
    ("login-twice", CheckStep::Login, Cause::TwoReplies),
    ("name-no-colon", CheckStep::Login, Cause::LoginNoColon),
    ("name-two-colons", CheckStep::Login, Cause::LoginColons),
    ("name-empty", CheckStep::Login, Cause::LoginEmpty),
    ("name-too-long", CheckStep::Login, Cause::LoginTooLong),
    ("plain-utf8", CheckStep::Login, Cause::PlainUtf8),
    ("length-in-characters", CheckStep::Login, Cause::LengthInCharacters),
    ("little-endian", CheckStep::Login, Cause::LittleEndian),
    ("four-byte-length", CheckStep::Login, Cause::LongLength),
    ("one-byte-length", CheckStep::Login, Cause::ShortLength),
    ("counts-the-length", CheckStep::Login, Cause::LengthCountsItself),
    ("no-length", CheckStep::Login, Cause::NoLength),
    ("another-name", CheckStep::LoginAgain, Cause::LoginChanges),
    ("login-once", CheckStep::LoginAgain, Cause::LoginOnce),
    ("forgets-to-move-on", CheckStep::LoginAgain, Cause::OnlyFirst),
    ("length-from-the-next-byte", CheckStep::Login, Cause::ReadsAhead),
    // It answers done with its name, and an empty message too: that is no length of four bytes.
    ("name-for-all-but-login", CheckStep::Login, Cause::Silent),
    ("half-message", CheckStep::Bet1, Cause::HalfMessage),
    ("newline", CheckStep::Bet1, Cause::NewLine),
    ("capitals", CheckStep::Bet1, Cause::Capitals),
    ("space", CheckStep::Bet1, Cause::WhiteSpace),
    ("extra-field", CheckStep::Bet1, Cause::ExtraFields),
    ("negative", CheckStep::Bet1, Cause::Negative),
    ("sign", CheckStep::Bet1, Cause::Sign),
    ("leading-zero", CheckStep::Bet1, Cause::LeadingZero),
    ("decimal", CheckStep::Bet1, Cause::Decimal),
    ("bare-number", CheckStep::Bet1, Cause::BareNumber),
    ("no-colon-in-bet", CheckStep::Bet1, Cause::Separator),
    ("says-call", CheckStep::Bet1, Cause::OtherWord),
    ("echo", CheckStep::Bet1, Cause::Echo),
    ("empty-reply", CheckStep::Bet1, Cause::EmptyReply),
    ("over-the-cap", CheckStep::Bet1, Cause::OverCap),
    ("always-zero", CheckStep::Bet1, Cause::ZeroFacing),
    ("raise-alone", CheckStep::Bet1, Cause::UnderCall),
    ("pot-for-call", CheckStep::AskedAgain, Cause::OverCap),
    ("one-question-late", CheckStep::Status, Cause::ZeroFacing),
    ("two-questions-late", CheckStep::AskedAgain, Cause::ZeroFacing),
    ("first-question-for-ever", CheckStep::AskedAgain, Cause::UnderCall),
    ("two-replies", CheckStep::Bet1, Cause::TwoReplies),
    ("prints-its-bets", CheckStep::Bet1, Cause::Stdout),
    ("too-slow", CheckStep::Bet1, Cause::TooSlow),
    ("answers-status", CheckStep::Status, Cause::AnswersStatus),
    ("folds-at-status", CheckStep::Status, Cause::AnswersStatus),
    ("leaves-at-status", CheckStep::Status, Cause::LeavesAtStatus),
    ("one-behind", CheckStep::AskedAgain, Cause::OneBehind),
    ("silent-bet2", CheckStep::Bet2, Cause::Silent),
    ("whatever-the-stack", CheckStep::Limits, Cause::OverStack),
    ("leaves-broke", CheckStep::Limits, Cause::HangsUp),
    ("hangs-on-many", CheckStep::ManyPlayers, Cause::Stuck),
    ("array-of-ten", CheckStep::ManyPlayers, Cause::Crash),
    ("one-recv", CheckStep::Split, Cause::SplitMessages),
    ("loses-the-rest", CheckStep::Joined, Cause::JoinedMessages),
    ("leaves-folded", CheckStep::ShortStack, Cause::HangsUp),
    ("answers-done", CheckStep::Refused, Cause::AnswersDone),
    ("stays-connected", CheckStep::Refused, Cause::StaysConnected),
    ("never-exits", CheckStep::Refused, Cause::NeverExits),
];

const SOUND_JAVA: &[&str] = &["sound", "two-writes", "odd-name", "ends-with-an-exception"];

const SOUND_PYTHON: &[&str] = &[
    "sound",
    "always-folds",
    "always-calls",
    "all-in-at-once",
    "byte-by-byte",
    "takes-its-time",
    "starts-late",
    "chatty",
    "odd-name",
    "surrogates",
    "closes-late",
    "exits-with-an-error",
];

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

/// The command line of the Java program. It is compiled once for all tests: who compiled it again would take the classes
/// away from programs that are just starting.
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

/// Checks all of them, several at a time, and gives what came of them in their order.
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

/// What failed and why, for people.
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
    for (program, faults) in [(java(), JAVA), (python(), PYTHON)] {
        let Some(program) = program else { continue };
        cases.extend(
            faults
                .iter()
                .map(|(fault, step, cause)| (format!("{program} {fault} {{host}} {{port}}"), *step, *cause)),
        );
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
        // What it fails in later it fails for the same reason, or for what comes of it.
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
    for (program, variants) in [(java(), SOUND_JAVA), (python(), SOUND_PYTHON)] {
        let Some(program) = program else { continue };
        commands.extend(variants.iter().map(|variant| format!("{program} {variant} {{host}} {{port}}")));
    }
    for checked in check_all(&commands, &settings()) {
        assert!(checked.passed(), "{}", in_words(&checked));
        assert!(checked.reply_times.is_some_and(|times| times.replies > 100));
    }
}

/// The exit code, and what it prints.
fn casino(arguments: &[&str]) -> (Option<i32>, String, String) {
    let mut command = Command::new(env!("CARGO_BIN_EXE_casino"));
    let output =
        command.arg("check").args(arguments).stdin(Stdio::null()).output().expect("the program runs");
    let text = |bytes: Vec<u8>| String::from_utf8(bytes).expect("plain text");
    (output.status.code(), text(output.stdout), text(output.stderr))
}

#[test]
fn unusable_command_lines_are_refused_with_the_remedy() {
    for (arguments, code, words) in [
        (&["python3 poker.py"][..], 2, "has no {host}"),
        (&["x {host} {port}", "--build", "make"], 2, "go with a folder"),
        (&["no-such-program {host} {port}"], 3, "[no-start]"),
    ] {
        let (found, shown, said) = casino(arguments);
        assert_eq!(found, Some(code), "{shown}{said}");
        assert!(shown.contains(words) || said.contains(words), "{shown}{said}");
    }
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
