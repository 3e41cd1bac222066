//! What `casino play`, `casino check` and `casino grade stud` say of every faulty player, as a table: none of the three may
//! say anything that is not true. It takes a quarter of an hour: `cargo test --test together -- --ignored the_table`.

use std::collections::BTreeSet;
use std::fmt::Write as _;
use std::fs;
use std::path::PathBuf;
use std::process::{Command, Stdio};
use std::sync::Mutex;
use std::sync::atomic::{AtomicUsize, Ordering};

use casino_judge::check::Cause;
use serde_json::Value;

use super::{AT_ONCE, Program, UNCLEAR, folder, programs};

/// What `play` can state of a program: a name, and words that stand for it in what it prints.
const STATEMENTS: [(&str, &[&str]); 10] = [
    ("did not connect", &["did not connect within"]),
    ("ended before it connected", &["ended before it connected"]),
    ("was not let in", &["was not let in"]),
    ("late", &["gave no answer within", "sent only a part of a message within"]),
    ("closed", &["closed its connection"]),
    ("illegal amount", &["it takes to call", "over the", "chips in its stack", "do not cover"]),
    ("no reply", &["which is no reply"]),
    ("unasked", &["when nobody had asked", "a message nobody asked for"]),
    ("no message", &["a message that says it is", "bytes that readUTF would not accept"]),
    ("does not read", &["does not read what it is sent"]),
];

/// What may truly be stated of a program with one of these faults: beside that, that it plays on.
const TRUE_OF: [(&[&str], &[&str]); 14] = [
    (
        &["missing-module", "syntax-error", "arguments", "crash-start", "wrong-address", "no-connection"],
        &["did not connect", "ended before it connected"],
    ),
    (
        &["keyboard", "display"],
        &["did not connect", "ended before it connected", "was not let in", "late", "closed"],
    ),
    (&["login-", "crash-login", "reads-", "equals", "println"], &["was not let in", "late", "closed"]),
    (
        &[
            "no-length",
            "long-length",
            "little-endian",
            "wide-text",
            "extra-bytes",
            "length-twice",
            "other-encoding",
            "zero-byte",
            "newline",
            "quoted",
        ],
        &["was not let in", "no message", "no reply", "late"],
    ),
    (&["split-messages", "joined-messages"], &["was not let in", "late", "closed"]),
    (
        &["silent", "stuck", "caught", "no-flush", "stdout", "too-slow", "one-behind", "missed", "hangs-"],
        &["late", "was not let in"],
    ),
    (
        &[
            "divides-by-zero",
            "crash-",
            "endless-recursion",
            "out-of-memory",
            "killed",
            "hangs-up",
            "leaves-",
            "crash",
            "own-timeout",
        ],
        &["closed", "was not let in", "late"],
    ),
    (&["total", "over-", "under-call", "cannot-call", "zero-facing-bet"], &["illegal amount"]),
    (&["street-in-reply", "decimal", "negative", "other-game"], &["no reply"]),
    (&["two-replies", "answers-"], &["unasked", "no reply"]),
    (&["second-connection", "stays-connected"], &["was not let in", "late"]),
    (&["println"], &["no message"]),
    (&["extra-bytes"], &["unasked"]),
    (&["throws-and-folds", "slow-replies"], &["late"]),
];

/// What the three say of one program.
struct Row {
    program: Program,
    play: BTreeSet<&'static str>,
    /// Whether `play` says how to find out more of what it states.
    hinted: bool,
    check: BTreeSet<String>,
    /// Whether `check` says that another fault is possible as well.
    unclear: bool,
    grade: BTreeSet<String>,
    points: f64,
}

fn casino(words: &[&str]) -> String {
    let ran = Command::new(env!("CARGO_BIN_EXE_casino"))
        .args(words)
        .current_dir(folder())
        .stdin(Stdio::null())
        .output()
        .expect("casino runs");
    String::from_utf8_lossy(&[ran.stdout, ran.stderr].concat()).into_owned()
}

/// The keys of the causes that a report names, by their sentences.
fn keys(reason: &str) -> impl Iterator<Item = String> + '_ {
    let named = |cause: &&Cause| reason.contains(&format!("Your program {}.", cause.what(10)));
    Cause::ALL.iter().filter(named).map(|cause| cause.key().to_string())
}

fn row(program: &Program, number: usize) -> Row {
    let spec = format!("X={}", program.command);
    let out = format!("played-{number}");
    let said = casino(&[
        "play", "--bot", "caller", "--bot", &spec, "--rounds", "60", "--seed", "faulty", "--out", &out,
    ]);
    let states = |words: &&[&str]| words.iter().any(|words| said.contains(words));
    let play = STATEMENTS.into_iter().filter(|(_, words)| states(words)).map(|(name, _)| name).collect();
    let check = casino(&["check", &spec, "--rounds", "60", "--reply-ms", "2000", "--json"]);
    let check: Value = serde_json::from_str(&check[..=check.rfind('}').expect("an object")]).expect("JSON");
    let (mut of_check, mut unclear) = (BTreeSet::new(), false);
    for step in check["steps"].as_array().expect("steps").iter().filter(|step| step["outcome"] == "failed") {
        let found = &step["diagnosis"];
        let possible = found["or"].as_array().into_iter().flatten();
        unclear |= possible.clone().next().is_some();
        of_check
            .extend(possible.chain([found]).filter_map(|found| found["cause"].as_str()).map(str::to_string));
    }
    let report = format!("graded-{number}.json");
    // No shell runs there.
    let spec = spec.replacen("=exec ", "=", 1);
    let json = format!("--json={report}");
    casino(&[
        "grade",
        "stud",
        &spec,
        "--sandbox",
        "plain",
        "--reply-ms",
        "2000",
        "--rounds",
        "60",
        "--even-if-busy",
        "--exit-zero",
        &json,
    ]);
    let report: Value =
        serde_json::from_slice(&fs::read(folder().join(report)).expect("a report")).expect("JSON");
    let items =
        report["parts"].as_array().expect("parts").iter().flat_map(|part| part["items"].as_array()).flatten();
    let grade = items.filter(|item| item["outcome"] != "passed").filter_map(|item| item["reason"].as_str());
    Row {
        program: program.clone(),
        play,
        hinted: said.contains("casino check"),
        check: of_check,
        unclear,
        grade: grade.flat_map(keys).collect(),
        points: report["summary"]["points"].as_f64().expect("points"),
    }
}

impl Row {
    /// Everything that is said and not true.
    fn false_words(&self) -> Vec<String> {
        let Program { keys: truth, .. } = self.program;
        let is_of =
            |key: &str, prefix: &&str| key == *prefix || prefix.ends_with('-') && key.starts_with(prefix);
        let allowed: BTreeSet<&str> = TRUE_OF
            .iter()
            .filter(|(of, _)| truth.iter().any(|key| of.iter().any(|prefix| is_of(key, prefix))))
            .flat_map(|(_, states)| states.iter().copied())
            .collect();
        let mut wrong: Vec<String> = self
            .play
            .iter()
            .filter(|said| !allowed.contains(*said))
            .map(|said| format!("play: {said}"))
            .collect();
        for (who, said) in [("check", &self.check), ("grade", &self.grade)] {
            wrong.extend(
                said.iter().filter(|key| !truth.contains(&key.as_str())).map(|key| format!("{who}: {key}")),
            );
            if said.is_empty() {
                wrong.push(format!("{who} says nothing"));
            }
        }
        if !self.play.is_empty() && !self.hinted {
            wrong.push("play does not name the check".to_string());
        }
        wrong
    }
}

#[test]
#[ignore = "a quarter of an hour: what play, check and grade say of each faulty player"]
fn the_table_of_what_play_check_and_grade_say() {
    let programs = programs();
    let (next, rows) = (AtomicUsize::new(0), Mutex::new(Vec::new()));
    std::thread::scope(|scope| {
        for _ in 0..AT_ONCE {
            scope.spawn(|| {
                loop {
                    let number = next.fetch_add(1, Ordering::Relaxed);
                    let Some(program) = programs.get(number) else { return };
                    let row = row(program, number);
                    rows.lock().expect("nobody panics").push((number, row));
                }
            });
        }
    });
    let mut rows = rows.into_inner().expect("nobody panics");
    rows.sort_by_key(|(number, _)| *number);
    let list = |words: Vec<&str>| if words.is_empty() { "nothing".to_string() } else { words.join(", ") };
    let mut table = String::from(
        "| program | its true fault | play | check | grade | points |\n|---|---|---|---|---|---|\n",
    );
    for (_, row) in &rows {
        let Program { language, name, truth, .. } = &row.program;
        let play = list(row.play.iter().copied().collect());
        let [check, grade] =
            [&row.check, &row.grade].map(|keys| list(keys.iter().map(String::as_str).collect()));
        writeln!(table, "| {language} {name} | {truth} | {play} | {check} | {grade} | {} |", row.points)
            .expect("a string takes everything");
    }
    let file: PathBuf = folder().join("table.md");
    fs::write(&file, table).expect("the table is written");
    println!("{} programs: {}", rows.len(), file.display());
    let wrong: Vec<String> = rows
        .iter()
        .filter(|(_, row)| !row.false_words().is_empty())
        .map(|(_, row)| format!("{}: {}: {:?}", row.program.name, row.program.truth, row.false_words()))
        .collect();
    let unclear: Vec<&str> =
        rows.iter().filter(|(_, row)| row.unclear).map(|(_, row)| row.program.name).collect();
    println!("{} unclear: {unclear:?}", unclear.len());
    assert!(wrong.is_empty(), "{}", wrong.join("\n"));
    assert!(unclear.len() <= UNCLEAR, "{unclear:?}");
}
