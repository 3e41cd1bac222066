//! The standard output and exit codes of commands, and the files they write. The command lines of a group are in the group's frozen
//! file, each before its output; they run one after the other in one folder.

use std::thread;

use crate::journals::CASES;
use crate::shell::{Shell, has_python, without_times};
use crate::store::{frozen, frozen_outputs, golden, golden_whole};

/// Runs a command line: its exit code and its standard output.
fn ran(shell: &Shell, line: &str) -> Vec<u8> {
    let ran = shell.run(line);
    let mut text = format!("exit code {}\n", ran.code.unwrap()).into_bytes();
    text.extend(without_times(&ran.stdout));
    text
}

/// The command lines of a group. `None` if they need a missing Python.
fn lines(file: &str) -> Option<impl Iterator<Item = String>> {
    let outputs = frozen_outputs(file);
    let has = |(line, output): &(String, Vec<u8>)| {
        line.contains("python3") || String::from_utf8_lossy(output).contains("python3")
    };
    let can_run = !outputs.iter().any(has) || has_python(file);
    can_run.then(|| outputs.into_iter().map(|(line, _)| line))
}

/// Runs the command lines of a group one after the other.
pub(crate) fn check(shell: &Shell, group: &str) {
    let file = format!("commands/{group}.txt");
    let Some(lines) = lines(&file) else { return };
    golden(&file, &lines.map(|line| (line.clone(), ran(shell, &line))).collect());
}

/// The same at once, for lines that do not need each other.
pub(crate) fn check_at_once(shell: &Shell, group: &str) {
    let file = format!("commands/{group}.txt");
    let Some(lines) = lines(&file) else { return };
    let outputs = thread::scope(|scope| {
        let running: Vec<_> =
            lines.map(|line| (line.clone(), scope.spawn(move || ran(shell, &line)))).collect();
        running.into_iter().map(|(line, output)| (line, output.join().unwrap())).collect()
    });
    golden(&file, &outputs);
}

/// Journals that are whole, that break off, and that are damaged.
pub(crate) fn journals(shell: &Shell) {
    for (name, file) in CASES {
        shell.write(&format!("{name}.jsonl"), frozen(&format!("journals/{file}.jsonl")));
    }
    let one = String::from_utf8(frozen("journals/play-one.jsonl")).unwrap();
    // In the middle of the sixth round.
    let end = one.split_inclusive('\n').take(74).map(str::len).sum::<usize>();
    shell.write("open.jsonl", &one[..end]);
    shell.write("torn.jsonl", &one[..end + 20]);
    shell.write("damaged.jsonl", one.replacen("\"reply\":\"bet:", "\"reply\":\"bet:1", 1));
    shell.write("resumed.jsonl", &one[..end + 20]);
    shell.done("casino resume resumed.jsonl --quiet");
}

#[test]
fn play_prints_the_same() {
    check(&Shell::new("play"), "play");
}

#[test]
fn replay_prints_the_same() {
    let shell = Shell::new("replay");
    journals(&shell);
    check(&shell, "replay");
}

#[test]
fn verify_resume_and_scenarios_print_the_same() {
    let shell = Shell::new("verify");
    journals(&shell);
    let right = std::fs::read_to_string(shell.path("scenarios/R11/the-odd-chip.json")).unwrap();
    let wrong = right.replace("{\"hand\": 2}", "{\"hand\": 1}");
    assert_ne!(right, wrong);
    shell.write("wrong.json", wrong);
    check(&shell, "verify");
}

#[test]
fn rate_and_merge_print_the_same() {
    check(&Shell::new("rate"), "rate");
}

#[test]
fn odds_print_the_same() {
    check(&Shell::new("odds"), "odds");
}

/// With place and remedy.
#[test]
fn what_is_refused_prints_the_same() {
    let shell = Shell::new("refused");
    journals(&shell);
    check(&shell, "refused");
}

#[test]
fn commands_overwrite_neither_inputs_nor_files_of_others() {
    let shell = Shell::new("outputs");
    journals(&shell);
    check(&shell, "outputs");
}

#[test]
fn blackjack_and_cribbage_print_the_same() {
    let shell = Shell::new("sisters");
    check(&shell, "sisters");
}

/// The codes are in `exit-codes.txt`. The message to a bad command line may improve, its code may not change.
#[test]
fn exit_codes_are_the_same() {
    let shell = Shell::new("codes");
    journals(&shell);
    let one = String::from_utf8(shell.read("one.jsonl")).unwrap();
    let fold = shell.read("fold.jsonl");
    std::fs::create_dir(shell.path("empty-folder")).unwrap();
    shell.write("empty.jsonl", "");
    shell.write("no-journal.jsonl", "hello\n");
    shell.write("version-7.jsonl", "{\"type\":\"casino_day\",\"version\":7}\n");
    shell.write("short.jsonl", one.replacen("{\"type\":\"street\",\"street\":2,", "", 1));
    shell.write("changed.jsonl", one.replacen("\"half\":\"whole\"", "\"half\":\"hand\"", 1));
    shell.write("fold-open.jsonl", &fold[..fold.len() / 3]);
    let table = String::from_utf8(frozen("exit-codes.txt")).unwrap();
    let now = |line: &str| match line.split_once(' ') {
        Some((code, line)) if code != "#" => format!("{} {line}\n", shell.run(line).code.unwrap()),
        _ => format!("{line}\n"),
    };
    golden_whole("exit-codes.txt", table.lines().map(now).collect::<String>().as_bytes());
}
