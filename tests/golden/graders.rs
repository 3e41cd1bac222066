//! The judges of programs: `casino check` and `casino grade`. The programs are the project's own: a starter kit, and
//! programs with one fault each. They run without a sandbox, because not every machine has the same one.

use std::fs;

use crate::commands::{check, check_at_once};
use crate::shell::{Shell, has_python};

const RUBRIC: &str = r#"{"title": "A small rubric", "parts": [
    {"title": "Connects", "points": 10, "conformance": "connects"},
    {"title": "Legal", "points": 20, "situations": "legal"},
    {"title": "Up cards", "points": 5, "situations": "up-cards"},
    {"title": "Interview", "points": 7, "judged_by": "people"}]}"#;

/// The checks mostly wait, so all run at the same time. Their faults show in the messages, not in reply times.
#[test]
fn check_prints_the_same() {
    check_at_once(&Shell::new("check"), "check");
}

#[test]
fn grade_stud_prints_the_same() {
    check(&Shell::new("stud"), "stud");
}

/// Two submissions, and a student of the roster without one.
#[test]
fn a_class_is_graded_the_same() {
    if !has_python("a class") {
        return;
    }
    let shell = Shell::new("class");
    for folder in ["small/legal", "small/up-cards", "class/ada", "class/bob"] {
        fs::create_dir_all(shell.path(folder)).unwrap();
    }
    shell.write("small/rubric.json", RUBRIC);
    for situation in ["legal/tens.json", "legal/the-last-chip.json", "up-cards/beaten-on-the-table.json"] {
        shell.write(&format!("small/{situation}"), shell.read(&format!("rubric/{situation}")));
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
    check(&shell, "class");
}

#[test]
fn grade_blackjack_and_cribbage_print_the_same() {
    check(&Shell::new("grade-sisters"), "grade-sisters");
}
