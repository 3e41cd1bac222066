//! The exit codes of good and bad command lines. What is said to a bad one may get better, its code may not change.

use std::fmt::Write as _;

use crate::commands::journals;
use crate::shell::Shell;
use crate::store::all_golden;

const LINES: &[&str] = &[
    // No command, no such command, help.
    "casino",
    "casino juggle",
    "casino --help",
    "casino help play",
    "casino host --help",
    "casino --version",
    // Tournaments.
    "casino play --bot random*2 --rounds 3 --seed x",
    "casino play",
    "casino play --bot random",
    "casino play --bot nobody --bot random",
    "casino play --bot random*18",
    "casino play --bot random*2 --rounds 0",
    "casino play --bot random*2 --stack none",
    "casino play --bot random*2 --journal one.jsonl",
    "casino play --bot random*2 --journal no/such/folder.jsonl",
    "casino play --bot random*2 --format lottery",
    "casino play --bot random*2 --event nothing.json",
    "casino play --bot random*3 --format knockout --seats 3",
    "casino play --bot 'gone=exit 3 {host} {port}' --bot random --rounds 3 --quiet",
    "casino host",
    "casino host --bind nowhere --players 2",
    "casino host --bind 127.0.0.1:0 --players 1",
    "casino host --bind 127.0.0.1:0 --players 2 --bot random*3",
    // Journals.
    "casino resume one.jsonl",
    "casino resume nothing.jsonl",
    "casino resume damaged.jsonl",
    "casino resume no-journal.jsonl",
    "casino resume fold-open.jsonl",
    "casino verify one.jsonl",
    "casino verify torn.jsonl",
    "casino verify damaged.jsonl",
    "casino verify short.jsonl",
    "casino verify changed.jsonl",
    "casino verify empty.jsonl",
    "casino verify no-journal.jsonl",
    "casino verify version-7.jsonl",
    "casino verify nothing.jsonl",
    "casino verify .",
    "casino analyse one.jsonl",
    "casino analyse one.jsonl --player nobody",
    "casino analyse open.jsonl",
    "casino analyse damaged.jsonl",
    "casino analyse no-journal.jsonl",
    "casino analyse nothing.jsonl",
    "casino replay one.jsonl --round 99",
    "casino replay one.jsonl --player nobody",
    "casino replay one.jsonl --hide",
    "casino replay one.jsonl --table 2",
    "casino replay one.jsonl --format xml",
    "casino replay damaged.jsonl",
    "casino replay empty.jsonl",
    "casino replay one.jsonl --bot caller",
    "casino replay one.jsonl --bot nobody --as random",
    "casino replay one.jsonl --bot caller --as nobody",
    "casino replay one.jsonl --bot bold --as bold-1",
    "casino replay one.jsonl --bot 'x=exit 3 {host} {port}' --as random",
    "casino report one.jsonl --out report",
    "casino report damaged.jsonl --out report-2",
    "casino report nothing.jsonl --out report-3",
    // Scenarios.
    "casino scenario run scenarios/R1",
    "casino scenario run nothing",
    "casino scenario run empty-folder",
    "casino scenario run one.jsonl",
    // Ratings.
    "casino rate --bot random --bot caller --rounds 20 --seed x --tournaments 1",
    "casino rate --bot random",
    "casino rate --bot random --bot caller --rounds many",
    "casino rate --bot random --bot caller --shard 3/2",
    "casino rate --bot random --bot caller --baseline nothing.json",
    "casino merge nothing.json",
    "casino merge one.jsonl",
    // Judges.
    "casino check",
    "casino check caller",
    "casino check nothing",
    "casino check empty-folder",
    "casino check 'exit 3 {host} {port}'",
    "casino grade",
    "casino grade stud",
    "casino grade stud nobody --sandbox off",
    "casino grade stud caller --rubric nothing.json",
    "casino grade stud caller --rounds 20",
    "casino grade stud caller --rounds 20 --exit-zero",
    "casino grade stud --all nothing",
    "casino grade blackjack --program 'x {bankroll} {hands}'",
    "casino grade cribbage value",
    "casino grade cribbage value --program './nothing {cards}' --sandbox off --cases 0",
    "casino grade cribbage value --program 'echo 4 {cards}' --sandbox off --cases 0 --exit-zero",
    "casino grade cribbage value --program 'echo 4 {cards}' --sandbox cardboard",
    // The sister games.
    "casino blackjack 100 3 simple",
    "casino blackjack 0 3 simple",
    "casino blackjack 100 3 lucky",
    "casino blackjack 100 3 simple --cuts nothing.txt",
    "casino blackjack 100 99 simple --cuts cuts.txt",
    "casino cribbage value 5H 5S 5C JD",
    "casino cribbage value 5H 5S 5C JD 5H",
    "casino cribbage value 5H 5S 5C JD 1D",
    "casino cribbage select 5H 5S 5C",
    "casino cribbage select --batch nothing.txt",
    "echo XX | casino cribbage value --batch -",
    // Starters.
    "casino new-bot python kit-2",
    "casino new-bot python kit-2",
    "casino new-bot cobol kit-3",
    // Nobody reads what it says.
    "{ casino replay tables.jsonl --json; echo $? > code.txt; } | true; exit $(cat code.txt)",
];

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
    let mut table = String::new();
    for line in LINES {
        writeln!(table, "{} {line}", shell.run(line).code.unwrap()).unwrap();
    }
    all_golden(&[("exit-codes.txt".to_string(), table.into_bytes())]);
}
