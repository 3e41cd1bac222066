//! The judges of programs: `casino check` and `casino grade`. The programs are the project's own: a starter kit, and
//! programs with one fault each. They run without a sandbox, because not every machine has the same one.

use std::fs;

use crate::commands::{check, check_at_once};
use crate::shell::{Shell, has_python};
use crate::store::frozen;

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

/// The counts and points of each frozen report are those of its items.
#[test]
fn summaries_count_the_items() {
    let mut compared = 0;
    for group in ["class", "grade-sisters", "stud"] {
        let text = String::from_utf8(frozen(&format!("commands/{group}.txt"))).unwrap();
        let objects = text.split("\n{\n").skip(1).filter_map(|rest| rest.split_once("\n}\n"));
        let reports = objects
            .filter(|(report, _)| report.contains("\n  \"summary\": "))
            .map(|(report, _)| format!("{{{report}}}"));
        for report in reports.map(|report| serde_json::from_str::<serde_json::Value>(&report).unwrap()) {
            let Some(parts) = report["parts"].as_array() else { continue };
            let items: Vec<_> = parts.iter().flat_map(|part| part["items"].as_array().unwrap()).collect();
            for outcome in ["passed", "partial", "failed", "not_run"] {
                let count = items.iter().filter(|item| item["outcome"] == outcome).count();
                assert_eq!(report["summary"][outcome], count, "{outcome} of {report}");
            }
            for what in ["points", "max_points"] {
                let sum: f64 = items.iter().map(|item| item[what].as_f64().unwrap()).sum();
                assert!((report["summary"][what].as_f64().unwrap() - sum).abs() < 0.01, "{what} of {report}");
            }
            compared += 1;
        }
    }
    assert!(compared >= 5, "{compared}");
}
