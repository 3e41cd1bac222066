//! `casino demo` without a terminal.

use crate::support::host::{Folder, casino};

/// The words before the commands of the demo's last lines.
const NEXT: [&str; 3] = ["Teacher:", "Student:", "Grader:"];

/// Whether a text ends with the three lines of next steps.
fn ends_with_next_steps(text: &str) -> bool {
    let lines: Vec<&str> = text.lines().filter(|line| !line.trim().is_empty()).collect();
    let last = &lines[lines.len().saturating_sub(3)..];
    last.len() == 3
        && last.iter().zip(NEXT).all(|(line, whom)| line.starts_with(whom) && line.contains("casino"))
}

#[test]
fn without_a_terminal_the_demo_prints_lines_and_ends() {
    let folder = Folder::new("demo");
    let lines = || {
        let demo = casino().arg("demo").current_dir(folder.file("")).output().unwrap();
        assert!(demo.status.success() && demo.stderr.is_empty(), "{demo:?}");
        String::from_utf8(demo.stdout).unwrap()
    };
    let text = lines();
    assert!(!text.contains('\x1b') && ends_with_next_steps(&text), "{text}");
    assert_eq!(text.matches(" is out: ").count(), 9, "{text}");
    for what in ["10 players at 2 tables", "table 2  round     1", "at 1 table", "in until the end"] {
        assert!(text.contains(what), "{what}: {text}");
    }
    assert_eq!(text, lines(), "the same seed makes the same day");
    assert_eq!(std::fs::read_dir(folder.file("")).unwrap().count(), 0, "the demo writes no file");
}
