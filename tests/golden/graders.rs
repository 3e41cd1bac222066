//! The judges of programs: `casino check` and `casino grade`. The programs are the project's own: a starter, and
//! programs with one fault each. No sandbox holds them, because not every machine has the same one.

use std::{fs, thread};

use crate::commands::{Line, freeze};
use crate::shell::Shell;

/// `casino check` mostly waits, so all are checked at the same time. Only programs that are found out by what they say,
/// not by how long they take.
const CHECKED: &[Line] = &[
    ("check-kit", "casino check 'python3 kit/poker.py {host} {port}' --rounds 30 --reply-ms 5000"),
    (
        "check-kit-json",
        "casino check 'python3 kit/poker.py {host} {port}' --rounds 30 --reply-ms 5000 --json",
    ),
    ("check-folder-json", "casino check kit --rounds 30 --reply-ms 5000 --json"),
    (
        "check-calls",
        "casino check 'me=python3 faulty.py always-calls {host} {port}' --rounds 30 --reply-ms 5000",
    ),
    (
        "check-over-the-cap",
        "casino check 'python3 faulty.py over-the-cap {host} {port}' --rounds 30 --reply-ms 5000",
    ),
    (
        "check-over-the-cap-json",
        "casino check 'python3 faulty.py over-the-cap {host} {port}' --rounds 30 --reply-ms 5000 --json",
    ),
    ("check-newline", "casino check 'python3 faulty.py newline {host} {port}' --rounds 30 --reply-ms 5000"),
    (
        "check-name-json",
        "casino check 'python3 faulty.py name-two-colons {host} {port}' --rounds 30 --reply-ms 5000 --json",
    ),
    (
        "check-zero-json",
        "casino check 'python3 faulty.py leading-zero {host} {port}' --rounds 30 --reply-ms 5000 --json",
    ),
    (
        "check-stack-json",
        "casino check 'python3 faulty.py whatever-the-stack {host} {port}' --rounds 30 --reply-ms 5000 --json",
    ),
    (
        "check-leaves",
        "casino check 'python3 faulty.py leaves-at-status {host} {port}' --rounds 30 --reply-ms 5000",
    ),
    (
        "check-never-connects",
        "casino check 'python3 faulty.py never-connects {host} {port}' --rounds 30 --reply-ms 5000 --json",
    ),
];

const STUD: &[Line] = &[
    ("stud-reader", "casino grade stud reader --rounds 100"),
    ("stud-reader-json", "casino grade stud reader --rounds 100 --json"),
    ("stud-simple-json", "casino grade stud simple --rounds 100 --json --exit-zero"),
    ("stud-random-json", "casino grade stud random --rounds 100 --json"),
    (
        "stud-formats",
        "casino grade stud caller --rounds 100 --json=r.json --gradescope r.gradescope \
                      --markdown r.md --html r.html --visibility after_published",
    ),
    ("stud-formats-json", "cat r.json"),
    ("stud-formats-gradescope", "cat r.gradescope"),
    ("stud-formats-markdown", "cat r.md"),
    ("stud-formats-html", "cat r.html"),
    (
        "stud-program",
        "casino grade stud 'python3 faulty.py over-the-cap {host} {port}' --rounds 30 --reply-ms 5000 --sandbox off",
    ),
];

const RUBRIC: &str = r#"{"title": "A small rubric", "parts": [
    {"title": "Connects", "points": 10, "conformance": "connects"},
    {"title": "Legal", "points": 20, "situations": "legal"},
    {"title": "Up cards", "points": 5, "situations": "up-cards"},
    {"title": "Interview", "points": 7, "judged_by": "people"}]}"#;

/// Two submissions, and somebody of the roster without one.
const CLASS: &[Line] = &[
    (
        "class-grade",
        "casino grade stud --all class --roster roster.csv --out grades --rubric small/rubric.json \
                     --rounds 20 --reply-ms 5000 --sandbox off --reports html,text,json,gradescope,markdown -j 1",
    ),
    ("class-files", "cd grades && find . -type f | sort"),
    ("class-gradebook", "cat grades/gradebook.csv"),
    ("class-report-text", "cat grades/reports/ada.txt"),
    ("class-report-json", "cat grades/reports/ada.json"),
    ("class-report-html", "cat grades/reports/ada.html"),
    // Without the key: it stands for all that decides about the points, the program's version included.
    ("class-verdict", "grep -v '^  \"key\":' grades/verdicts/ada.json"),
    (
        "class-again",
        "casino grade stud --all class --roster roster.csv --out grades --rubric small/rubric.json \
                     --rounds 20 --reply-ms 5000 --sandbox off --gradebook again.csv \
                     && cmp again.csv grades/gradebook.csv",
    ),
];

const SISTERS: &[Line] = &[
    (
        "grade-blackjack",
        "casino grade blackjack --sandbox off --time-limit 60 --cases 1 --seed 'casino day' --program \
                         'python3 -IS blackjack.py --misread left-first {bankroll} {hands} {player}'",
    ),
    (
        "grade-blackjack-json",
        "casino grade blackjack --sandbox off --time-limit 60 --cases 1 --seed 'casino day' --json --program \
                              'python3 -IS blackjack.py --misread rounded-up {bankroll} {hands} {player}'",
    ),
    (
        "grade-value",
        "casino grade cribbage value --sandbox off --time-limit 60 --cases 2 --seed golden \
                     --program 'echo 4 {cards}'",
    ),
    (
        "grade-value-json",
        "casino grade cribbage value --sandbox off --time-limit 60 --cases 2 --seed 'casino day' --json --program \
                          'python3 -IS cribbage.py --misread pair-outside value {cards}'",
    ),
    (
        "grade-select-json",
        "casino grade cribbage select --sandbox off --time-limit 60 --cases 2 --seed 'casino day' --json --program \
                           'python3 -IS cribbage.py --misread bare-hand select {cards}' --html s.html \
                           --gradescope s.gradescope --markdown s.md",
    ),
    ("grade-select-html", "cat s.html"),
    ("grade-select-gradescope", "cat s.gradescope"),
    ("grade-select-markdown", "cat s.md"),
    (
        "grade-not-there",
        "casino grade cribbage select --sandbox off --cases 0 --seed 'casino day' --program './nothing {cards}' --json",
    ),
];

#[test]
fn check_says_the_same() {
    let shell = Shell::new("check");
    thread::scope(|scope| {
        for line in CHECKED {
            scope.spawn(|| freeze(&shell, std::slice::from_ref(line)));
        }
    });
}

#[test]
fn grade_stud_says_the_same() {
    freeze(&Shell::new("stud"), STUD);
}

#[test]
fn a_class_is_graded_the_same() {
    let shell = Shell::new("class");
    for folder in ["small/legal", "small/up-cards", "class/ada", "class/bob"] {
        fs::create_dir_all(shell.path(folder)).unwrap();
    }
    shell.write("small/rubric.json", RUBRIC);
    for situation in ["legal/tens.json", "legal/the-last-chip.json", "up-cards/beaten-on-the-table.json"] {
        shell.write(&format!("small/{situation}"), shell.read(&format!("scenarios/rubric/{situation}")));
    }
    for file in ["poker.py", "strategy.py"] {
        shell.write(&format!("class/ada/{file}"), shell.read(&format!("kit/{file}")));
    }
    // It goes as soon as it has come.
    shell.write(
        "class/bob/poker.py",
        "import socket, sys\nsocket.create_connection((sys.argv[1], int(sys.argv[2])))\n",
    );
    shell.write("roster.csv", "github_id,folder,name\nada-l,ada,Ada\nbob-b,bob,=Bob\ncleo-c,cleo,Cleo\n");
    freeze(&shell, CLASS);
}

#[test]
fn grade_blackjack_and_cribbage_say_the_same() {
    freeze(&Shell::new("grade-sisters"), SISTERS);
}
