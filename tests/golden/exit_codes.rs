//! The exit codes of good and bad command lines, which are in `exit-codes.txt`. The message to a bad one may improve, its code may
//! not change.

use crate::commands::journals;
use crate::shell::Shell;
use crate::store::{frozen, golden_whole};

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
    shell.write("cuts.txt", "20 21 22 23 24 25 26 27\n");
    let table = String::from_utf8(frozen("exit-codes.txt")).unwrap();
    let now = |line: &str| match line.split_once(' ') {
        Some((code, line)) if code != "#" => format!("{} {line}\n", shell.run(line).code.unwrap()),
        _ => format!("{line}\n"),
    };
    golden_whole("exit-codes.txt", table.lines().map(now).collect::<String>().as_bytes());
}
