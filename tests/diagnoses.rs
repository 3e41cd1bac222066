//! Faulty players as students write them, in three languages: each is told its true fault, and nothing false beside it.
//!
//! The programs are `student.py`, `Student.java` and `student.cpp` of tests/faulty, and a few that do not even start.
//! They were written before the diagnoses. A row says what is truly wrong and every cause that is true of it: the step
//! that fails first, all that fail later, and all that are called possible may have one of these and no other.

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

/// How many programs are checked at the same time: they and those who check them wait most of the time.
const AT_ONCE: usize = 12;

/// More than so many programs must not be told that several faults are possible.
const UNCLEAR: usize = 3;

/// A faulty program: its name, what is truly wrong with it, and the keys that are true of it, the best one first.
struct Faulty(&'static str, &'static str, &'static [&'static str]);

const PYTHON: &[Faulty] = &[
    Faulty("missing-module", "imports a module that nobody has", &["missing-module"]),
    Faulty("missing-name-in-module", "imports a name that does not exist", &["missing-module"]),
    Faulty("needs-a-display", "opens a window with tkinter", &["display"]),
    Faulty("asks-for-the-address", "asks at the keyboard for the address", &["keyboard"]),
    Faulty("one-argument-too-many", "wants a third argument", &["arguments"]),
    Faulty("port-from-the-address", "takes the host for the port", &["arguments"]),
    Faulty("first-letter", "looks up 1 for a ten", &["crash"]),
    Faulty("ipv6-only", "opens an IPv6 socket for an IPv4 address", &["crash-start"]),
    Faulty("udp", "uses a datagram socket", &["crash-start"]),
    Faulty("localhost-8080", "has address and port written in", &["wrong-address"]),
    Faulty("host-name-of-the-lab", "has the name of a computer written in", &["wrong-address"]),
    Faulty("text-of-recv", "takes what recv gives for the text", &["reads-no-length"]),
    Faulty(
        "buffer-of-forty",
        "reads 40 bytes and takes them for a message",
        // Where messages come together by themselves, as on a busy machine, it crashes before the steps about delivery.
        &["split-messages", "joined-messages", "crash"],
    ),
    Faulty("little-endian-read", "reads the length low byte first", &["reads-little-endian"]),
    Faulty("sends-text", "hands text to sendall", &["crash-login"]),
    Faulty("no-header", "sends no length", &["no-length"]),
    Faulty("native-struct", "packs the length as the machine does", &["little-endian"]),
    Faulty("int-header", "sends four bytes of length", &["long-length"]),
    Faulty("latin-1-name", "encodes its name as Latin-1", &["other-encoding"]),
    Faulty("repr-of-bytes", "sends b'…'", &["quoted"]),
    Faulty("line-ends", "ends with a line break", &["newline"]),
    Faulty("utf-16", "encodes as UTF-16", &["wide-text"]),
    Faulty("text-file-no-flush", "does not flush", &["no-flush"]),
    Faulty("divides-by-the-call", "divides by what is to call", &["divides-by-zero"]),
    Faulty("divides-by-the-others", "divides by the other players less one", &["divides-by-zero"]),
    Faulty("crash-in-bet2", "adds a number to a text in bet2", &["crash"]),
    Faulty("third-player", "wants a third player", &["crash"]),
    Faulty("six-players", "has room for six players", &["crash"]),
    Faulty("sleeps-at-times", "sleeps at every third question", &["too-slow", "slow-replies"]),
    Faulty("endless-loop-with-a-pair", "loops for ever with a pair", &["stuck"]),
    Faulty("recursion", "calls itself without end", &["endless-recursion"]),
    Faulty("asks-the-user", "asks at the keyboard for its bet", &["keyboard"]),
    Faulty("killed", "is killed at its first question", &["killed"]),
    Faulty("reads-a-file", "reads a file that is not there", &["crash"]),
    Faulty("calls-what-it-cannot-pay", "calls more than it has", &["cannot-call"]),
    Faulty("ignores-the-stack", "raises more than it has", &["over-stack"]),
    Faulty("five-always", "always bets 5", &["under-call", "over-stack", "cannot-call"]),
    Faulty("says-the-total", "sends the total of the street", &["total"]),
    Faulty("bet-twice-street", "answers bet1:n", &["street-in-reply"]),
    Faulty("one-message-only", "ends after its first message", &["hangs-up"]),
    Faulty("equals-bet1", "takes a bet1 only if nothing follows it", &["silent"]),
    Faulty("only-bet1", "does not know bet2", &["silent"]),
    Faulty("says-goodbye", "answers done", &["answers-done"]),
    Faulty("knows-no-bets", "answers done and no bet1", &["silent", "answers-done"]),
    Faulty("comes-back", "connects again after done", &["comes-back"]),
    Faulty(
        "reads-and-comes-back",
        "reads everything, does nothing and connects again",
        &["equals", "reads-lines"],
    ),
    Faulty("random-name", "has another name each time", &["login-changes"]),
    Faulty("throws-and-folds", "throws at each question and folds", &["throws-and-folds"]),
    Faulty("throws-on-pairs-and-folds", "throws at large pots and folds", &["throws-and-folds"]),
    Faulty("swallows-and-says-nothing", "throws, prints it and says nothing", &["caught"]),
    Faulty("prints-its-bet", "prints its bet", &["stdout"]),
    Faulty("reads-an-answer", "reads a message after each bet", &["one-behind"]),
    Faulty("reads-after-bet2", "reads a message after each bet2", &["one-behind"]),
    Faulty("reads-after-status", "reads a message after each status", &["missed"]),
    Faulty("fifty-messages", "ends at its fiftieth message", &["hangs-up"]),
    Faulty("own-timeout", "waits for 50 ms and no longer", &["own-timeout"]),
    Faulty("falls-through", "goes on from bet1 into bet2 and throws", &["crash"]),
    Faulty("another-game", "plays cards of another game", &["other-game"]),
    Faulty(
        "twenty-five-when-raised",
        "bets 25 when it is raised, which is a total by chance",
        &["over-cap", "over-stack", "cannot-call"],
    ),
    Faulty("fold-and-bet", "folds and then bets 0", &["two-replies"]),
    Faulty("status-cards", "takes none for a card", &["crash-status"]),
    Faulty("thanks", "answers status", &["answers-status"]),
    Faulty("one-round", "ends after a round", &["leaves-at-status"]),
    Faulty("hangs-at-status", "waits for ever at a status", &["hangs-at-status"]),
    Faulty("two-players", "connects twice", &["second-connection"]),
    Faulty("usage", "wants other arguments", &["arguments"]),
    Faulty("does-nothing", "never connects", &["no-connection"]),
    Faulty("colon-name", "has a colon in its name", &["login-colons"]),
    Faulty("empty-name", "has an empty name", &["login-empty"]),
];

const JAVA: &[Faulty] = &[
    Faulty("buffered", "does not flush", &["no-flush"]),
    Faulty("read-line", "reads lines", &["reads-lines"]),
    Faulty("scanner-socket", "reads the socket with a Scanner", &["reads-lines"]),
    Faulty("identity", "compares with ==", &["equals"]),
    Faulty("identity-bets", "compares bet1 with ==", &["equals"]),
    Faulty("keyboard-first", "asks for the host", &["keyboard"]),
    Faulty("keyboard-at-login", "asks for the name", &["keyboard"]),
    Faulty("keyboard-bet", "asks for the bet", &["keyboard"]),
    Faulty("window-first", "opens a JFrame at the start", &["display"]),
    Faulty("window-at-login", "opens a JFrame at the login", &["display"]),
    Faulty("odds", "100 / toCall", &["divides-by-zero"]),
    Faulty("twenty", "raises by 20", &["over-cap", "over-stack", "cannot-call"]),
    Faulty("below", "bets 1 or 10, whatever is to call", &["under-call", "over-stack", "cannot-call"]),
    Faulty("total", "sends the total", &["total"]),
    Faulty("waits-for-ok", "reads a message after each bet", &["one-behind"]),
    Faulty("bet-and-ok", "sends ok after each bet", &["two-replies"]),
    Faulty("throws-and-folds-message", "throws, prints the message and folds", &["throws-and-folds"]),
    Faulty("leak", "fills the memory", &["out-of-memory"]),
    Faulty("stack-overflow", "calls itself without end", &["endless-recursion"]),
    Faulty("println", "writes with println", &["println"]),
    Faulty("stdout", "prints its replies", &["stdout"]),
    Faulty("write-bytes", "writes with writeBytes", &["no-length"]),
    Faulty("write-chars", "writes with writeChars", &["wide-text"]),
    Faulty("utf-twice", "writes a length before writeUTF", &["length-twice"]),
    Faulty("char-at", "looks for 1 among the ranks", &["crash"]),
    Faulty("third-player", "wants a third player", &["crash"]),
    Faulty("next-to-mine", "looks at the card after its own", &["crash"]),
    Faulty("array-of-five", "has room for five players", &["crash"]),
    Faulty("forgets-to-write", "has a path that writes nothing", &["silent"]),
    Faulty("status-null", "takes none for a card", &["crash-status"]),
    Faulty("fixed-port", "has a port written in", &["wrong-address"]),
    Faulty("never-ends", "waits after done", &["stays-connected"]),
];

const CPP: &[Faulty] = &[
    Faulty("wrong-port", "has a port written in", &["wrong-address"]),
    Faulty("one-recv", "takes a piece for a message", &["split-messages"]),
    Faulty("char-buffer", "takes what recv gives for the text", &["reads-no-length"]),
    Faulty("length-not-swapped", "forgets htons", &["little-endian"]),
    Faulty("length-not-swapped-reading", "forgets ntohs", &["reads-little-endian"]),
    Faulty("counts-the-zero", "sends the zero byte too", &["zero-byte"]),
    Faulty("whole-buffer", "sends its whole buffer", &["extra-bytes"]),
    Faulty("host-length-of-pointer", "sends the size of a pointer as length", &["extra-bytes"]),
    Faulty("divides", "divides by what is to call", &["divides-by-zero"]),
    Faulty("null-pointer", "follows a null pointer", &["crash"]),
    Faulty("at-out-of-range", "wants a fourth player", &["crash"]),
    Faulty("endless", "loops for ever", &["stuck"]),
    Faulty("keyboard", "reads its bet from cin", &["negative", "keyboard"]),
    Faulty("unsigned", "calculates below zero without a sign", &["over-stack", "over-cap", "cannot-call"]),
    Faulty("catches-and-folds", "catches an exception and folds", &["throws-and-folds"]),
    Faulty("to-string-of-double", "sends a double", &["decimal"]),
    Faulty("wants-more-arguments", "wants more arguments", &["arguments"]),
    Faulty("reads-cin-first", "asks for the host", &["keyboard"]),
    Faulty("crash-at-start", "aborts at once", &["crash-start"]),
    Faulty("reads-reply", "reads a message after each bet", &["one-behind"]),
    Faulty("ends-after-round", "ends after a round", &["leaves-at-status"]),
    Faulty("killed-at-status", "is killed at a status", &["killed"]),
];

/// Programs that do not even start: name, text, what is wrong, and the key.
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
#[derive(Clone)]
struct Program {
    name: &'static str,
    command: String,
    truth: &'static str,
    /// The keys that are true of it, the best one first.
    keys: &'static [&'static str],
}

fn programs() -> Vec<Program> {
    let mut all = Vec::new();
    let mut add = |start: String, faults: &'static [Faulty]| {
        let command =
            |fault: &str| format!("exec env CHECK_REPLY_SECONDS=2 {start} {fault} {{host}} {{port}}");
        all.extend(faults.iter().map(|Faulty(name, truth, keys)| Program {
            name,
            command: command(name),
            truth,
            keys,
        }));
    };
    if let Some(python) = python() {
        add(format!("'{}' -B '{}'", python.display(), source("student.py").display()), PYTHON);
    }
    if has("javac", "the students' programs in Java") {
        let mut compiler = Command::new("javac");
        compiler.args(["-encoding", "UTF-8", "-d"]).arg(folder()).arg(source("Student.java"));
        assert!(compiler.status().expect("javac runs").success());
        let options = "-Xmx200m -XX:TieredStopAtLevel=1 -XX:+UseSerialGC";
        add(format!("java {options} -cp '{}' Student", folder().display()), JAVA);
    }
    if has("g++", "the students' programs in C++") {
        let program = folder().join("student");
        let mut compiler = Command::new("g++");
        compiler.arg("-std=c++17").arg("-o").arg(&program).arg(source("student.cpp"));
        assert!(compiler.status().expect("g++ runs").success());
        add(format!("'{}'", program.display()), CPP);
    }
    if let Some(python) = python() {
        for (name, text, key) in UNSTARTED {
            let file = folder().join(name);
            fs::write(&file, text).expect("a file");
            let command = format!("exec '{}' -B '{}' {{host}} {{port}}", python.display(), file.display());
            let keys = std::slice::from_ref(key);
            all.push(Program { name, command, truth: "does not even start", keys });
        }
    }
    all
}

/// Everything a check has said is wrong: the first, all others, and those that are called possible.
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

/// What is odd and no fault is told in a remark on the step that passes.
#[test]
fn what_is_odd_is_told_beside_a_step_that_passes() {
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
fn every_student_is_told_the_true_fault() {
    let programs = programs();
    let settings = patient();
    let (next, results) = (AtomicUsize::new(0), Mutex::new(Vec::new()));
    std::thread::scope(|scope| {
        for _ in 0..AT_ONCE {
            scope.spawn(|| {
                while let Some(program) = programs.get(next.fetch_add(1, Ordering::Relaxed)) {
                    let Program { command, name, truth, keys, .. } = program;
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
