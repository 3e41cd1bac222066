//! Journals of house bots and of programs, and truncated journals that are resumed.

use casino_stud::journal::Tail;
use casino_stud::replay::{JournalEnd, verify};

use crate::shell::{Shell, has_python};
use crate::store::{Outputs, frozen, frozen_outputs, golden, golden_whole};

/// Journals that `casino play` writes: names and flags.
pub(crate) const PLAYED: &[(&str, &str)] = &[
    ("one", "--bot cautious --bot bold*2 --bot random --seed golden --rounds 12 --stack 60"),
    ("ask", "--bot random*3 --bot caller --seed ask --rounds 20 --stack 20 --short-stack ask"),
    (
        "program",
        "--bot 'snake=python3 kit/poker.py {host} {port}' --bot simple --bot odds --seed p --rounds 6",
    ),
    ("tables", "--bot random*5 --bot odds*4 --seats 3 --level-rounds 4 --seed event --stack 40 --rounds 12"),
    ("levels", "--bot random*5 --bot odds*4 --seats 3 --level-rounds 4 --seed event --stack 40 --rounds 12"),
    (
        "swiss",
        "--bot bold*3 --bot reader*3 --bot random --format swiss --seats 3 --level-rounds 3 --stack 30 --seed sw",
    ),
];

#[test]
fn house_bots_and_programs_leave_the_same_journals() {
    if !has_python("journals of programs") {
        return;
    }
    let shell = Shell::new("journals");
    let mut results = Outputs::new();
    for (name, flags) in PLAYED {
        let result =
            shell.done(&format!("casino play {flags} --json --reply-ms 60000 --journal {name}.jsonl"));
        results.push((name.to_string(), result));
        golden_whole(&format!("journals/play-{name}.jsonl"), &shell.read(&format!("{name}.jsonl")));
    }
    golden("played.txt", &results);
}

/// Where a journal breaks off: in thousandths of its length, once at the end of the line there and once in its middle.
const CUTS: [usize; 3] = [150, 520, 860];

/// The part of a resumed journal after the part of the old one that counts.
pub(crate) fn after(before: &[u8], now: &[u8]) -> Vec<u8> {
    let kept = counted(before);
    assert!(now.starts_with(&before[..kept]), "what was recorded has changed");
    now[kept..].to_vec()
}

/// The lines of the rounds. A torn round has left none.
fn played_lines(journal: &[u8]) -> Vec<String> {
    let text = String::from_utf8_lossy(journal);
    let played = text.lines().filter(|line| !line.starts_with(r#"{"type":"resumed""#));
    // The last line holds the hash of the bytes before it.
    played.map(|line| line.split_once(r#","before":"#).map_or(line, |(line, _)| line).to_string()).collect()
}

/// How many bytes of a journal stay when it is resumed.
pub(crate) fn counted(journal: &[u8]) -> usize {
    match verify(journal, |_| {}).unwrap().end {
        JournalEnd::Open { tail: Tail::Torn { at, .. } }
        | JournalEnd::Unsaid { tail: Tail::Torn { at, .. } } => at as usize,
        _ => journal.len(),
    }
}

#[test]
fn resumed_journals_end_like_uninterrupted_ones() {
    let shell = Shell::new("cut");
    let results = frozen_outputs("played.txt");
    for name in ["one", "tables", "levels"] {
        let whole = frozen(&format!("journals/play-{name}.jsonl"));
        let (_, result) = results.iter().find(|(played, _)| played == name).unwrap();
        let header = 1 + whole.iter().position(|byte| *byte == b'\n').unwrap();
        let near = |thousandth: usize| {
            let at = whole.len() * thousandth / 1000;
            let end = at + whole[at..].iter().position(|byte| *byte == b'\n').unwrap() + 1;
            [end, end + 9]
        };
        let cuts = CUTS.iter().flat_map(|cut| near(*cut));
        for at in cuts.chain([header, whole.len()]) {
            shell.write("cut.jsonl", &whole[..at]);
            let told = shell.done("casino resume cut.jsonl --json");
            assert_eq!(
                String::from_utf8_lossy(&told),
                String::from_utf8_lossy(result),
                "{name}, cut at {at}"
            );
            let resumed = shell.read("cut.jsonl");
            assert!(resumed.starts_with(&whole[..counted(&whole[..at])]), "{name}, cut at {at}");
            assert_eq!(played_lines(&resumed), played_lines(&whole), "{name}, cut at {at}");
            let _ = std::fs::remove_file(shell.path("cut.jsonl.times.csv"));
        }
    }
}

/// Frozen journals that commands are tried with: the names they have then, and here.
pub(crate) const CASES: [(&str, &str); 6] = [
    ("one", "play-one"),
    ("program", "play-program"),
    ("tables", "play-tables"),
    ("eject", "eject"),
    ("fold", "fold"),
    ("late", "late"),
];
